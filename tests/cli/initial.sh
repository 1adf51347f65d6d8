#!/usr/bin/env bash
# Initial values that ops compute: how they are spread, and who decides their seed. initial.sh MGC
source "$(dirname "$0")/lib.sh"

cat > net.mg << 'END'
mg 1
import nn
import optim
layer net(x: f32[B, 64]) -> (y: f32[B, 32]) {
    param up: nn.linear(features = 128, deviation = 0.02)
    param down: f32[32, 128] = fan_in_normal(gain = sqrt(2.0))
    param flat: f32[32, 128] = glorot_uniform()
    param one: f32[32] = 1
    h = up(x)
    y[b, o] = one[o] * (sum[i] h[b, i] * (down[o, i] + flat[o, i]))
}
graph step(x: f32[B, 64], lr: f32[]) -> (loss: f32[]) {
    param net: net()
    y = net(x)
    loss[] = mean[b, o] y[b, o] * y[b, o]
    for w in net {
        u = optim.sgd(w, derivative(loss, w), lr)
        next w = u
    }
}
graph run(x: f32[B, 64]) -> (y: f32[B, 32]) weights "net.safetensors" {
    param net: net()
    y = net(x)
}
END
python3 -c 'import numpy; numpy.savez("x.npz", x=numpy.ones((8, 64), "f4"))'

# values FILE: key, mean and deviation of each parameter
cat > values.py << 'END'
import json, struct, sys
import numpy as np
raw = open(sys.argv[1], "rb").read()
n = struct.unpack("<Q", raw[:8])[0]
for key, v in sorted(json.loads(raw[8:8 + n]).items()):
    if key != "__metadata__":
        a = np.frombuffer(raw[8 + n:][slice(*v["data_offsets"])], np.float32).astype("f8")
        print(key, round(a.mean(), 6), round(a.std(), 6), round(abs(a).max(), 6))
END
spread() { python3 values.py "$1" > spread.txt || fail "values of $1"; }
near() { # near KEY MEAN DEVIATION: within a tenth of the deviation
    awk -v key="$1" -v m="$2" -v d="$3" '$1 == key { found = 1; t = d / 10 + 1e-9
        if ($2 - m > t || m - $2 > t || $3 - d > t || d - $3 > t) exit 1 } END { if (!found) exit 1 }' spread.txt ||
        fail "$1 is not as it should be: $(cat spread.txt)"
}

expect 0 "" "$mgc" weights net.mg --graph=step --weights=initial:5 -o five.safetensors
spread five.safetensors
near net.up.weight 0 0.02
near net.up.bias 0 0
near net.down 0 0.125
near net.flat 0 0.111803
near net.one 1 0

# a seed decides all values; a run without steps begins with those of the same seed
expect 0 "" "$mgc" weights net.mg --graph=step --weights=initial:5 -o again.safetensors
cmp -s five.safetensors again.safetensors || fail "one seed gives two values"
expect 0 "" "$mgc" weights net.mg --graph=step --weights=initial:6 -o six.safetensors
cmp -s five.safetensors six.safetensors && fail "two seeds give the same values"
expect 0 "" "$mgc" weights net.mg --graph=step --weights=random:5 -o random.safetensors
spread random.safetensors
near net.down 0 0.125 # an op is also what random values are
expect 0 "" "$mgc" train net.mg --data=x.npz --steps=1 --batch=8 --lr=0 --seed=5 --save=run
python3 values.py five.safetensors > a
python3 values.py "run/$(cat run/latest)/weights.safetensors" > b
diff a b > /dev/null || fail "a training with --seed=5 begins elsewhere: $(diff a b)"

# two parameters of one op are not equal; a file replaces what is stated
cat > pair.mg << 'END'
mg 1
graph pair(x: f32[]) -> (difference: f32[]) {
    param a: f32[64] = random_normal()
    param b: f32[64] = random_normal()
    difference[] = x[] * (sum[i] abs(a[i] - b[i]))
}
END
expect 0 ": f32[" "$mgc" run pair.mg --input x=1
[ "$(sed 's/.*= //; s/\..*//' out)" -ge 20 ] || fail "two parameters have equal values: $(cat out)"
expect 1 "note: without trained weights, \`mgc weights net.mg\` writes random ones" "$mgc" run net.mg --graph=run --set B=1 --input x=ones
cp six.safetensors net.safetensors
expect 0 ": f32[" "$mgc" run net.mg --graph=run --set B=1 --input x=ones
cp out six
cp five.safetensors net.safetensors
expect 0 ": f32[" "$mgc" run net.mg --graph=run --set B=1 --input x=ones
cmp -s out six && fail "the file is not read"
expect 0 ": f32[" "$mgc" run net.mg --graph=run --set B=1 --input x=ones --weights=initial:6
cmp -s out six || fail "the values of a seed differ from those of its file"

# A table that is also the weights of the last layer begins as weights do, at any precision.
cat > tied.mg << 'END'
mg 1
import nn
graph step(ids: i64[B]) -> (loss: f32[]) {
    param table: nn.embedding(entries = 50, width = 64)
    x = table(ids)
    y[b, t] = sum[d] x[b, d] * table.weight[t, d]
    loss[] = sum[b, t] y[b, t] * y[b, t]
    g = derivative(loss, table.weight)
    table.weight1[t, d] = table.weight[t, d] - g[t, d]
    next table.weight = table.weight1
}
END
expect 0 "" "$mgc" weights tied.mg --graph=step --weights=initial:5 -o tied.safetensors
spread tied.safetensors
near table.weight 0 0.125
for p in f32 bf16; do
    expect 0 "loss: f32[] = " "$mgc" run tied.mg --graph=step --precision=$p --weights=initial:5 --input ids=1,2,3,4
    sed -n 's/^loss: f32\[\] = //p' out > $p
done
paste f32 bf16 | awk '{ exit !($1 > 0 && ($1 - $2) ^ 2 < ($1 / 100) ^ 2) }' || fail "the loss depends on the precision: $(cat f32 bf16)"

# Nor does a penalty change them.
for penalty in "" " + 0.0001 * (sum[i, o] w[o, i] * w[o, i])"; do
    cat > penalty.mg << END
mg 1
graph step(x: f32[B, 64]) -> (loss: f32[]) {
    param w: f32[48, 64]
    y[b, o] = sum[i] x[b, i] * w[o, i]
    loss[] = (sum[b, o] y[b, o])$penalty
    g = derivative(loss, w)
    w1[o, i] = w[o, i] - g[o, i]
    next w = w1
}
END
    expect 0 "" "$mgc" weights penalty.mg --graph=step --weights=initial:5 -o penalty.safetensors
    spread penalty.safetensors
    near w 0 0.125
done

# every way of compiling has the same values
expect 0 "" "$mgc" net.mg --graph=run --weights=initial:6 -o net.mgb
expect 0 ": f32[" "$mgc" run net.mgb --set B=1 --input x=ones
cmp -s out six || fail "a package has other values"
finish
