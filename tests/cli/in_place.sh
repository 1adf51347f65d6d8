#!/usr/bin/env bash
# Tests that mgc train makes next values in the memory of their parameters. This takes half the memory, and gives the same
# bits as two buffers, which --check=finite asks for.
. "$(dirname "$0")/lib.sh"
digits=$here/../../examples/digits/digits.npz

cat > net.mg <<'EOF2'
mg 1
import nn
import optim
layer mlp(x: f32[N, 64]) -> (y: f32[N, 10]) {
    param a: nn.linear(features = 96)
    param b: nn.linear(features = 96)
    param c: nn.linear(features = 10)
    y = c(relu(b(relu(a(x)))))
}
graph step(images: u8[N, 8, 8], labels: u8[N], lr: f32[]) -> (loss: f32[])
{
    param net: mlp()
    x[n, (i, j)]: f32[N, 64] = f32(images[n, i, j]) / 16
    loss, logs = cross_entropy(net(x), labels)
    for w in net {
        u = optim.adamw(w, derivative(loss, w), lr)
        next w = u
    }
}
EOF2
# same NAME ARGUMENTS…: checks that both ways of training end with the same bits.
same() {
    local name=$1
    shift
    expect 0 '' "$mgc" train --data "$digits" --seed=4 --save="$name" "$@"
    expect 0 '' "$mgc" train --data "$digits" --seed=4 --save="$name-apart" --check=finite "$@"
    for f in "$name"/step-*/*.safetensors; do
        cmp -s "$f" "${f/$name/$name-apart}" || fail "$f differs"
    done
}
for level in 0 1 2 3; do
    same "plain$level" net.mg -O$level --lr=0.003 --steps=9 --batch=32
    same "parts$level" net.mg -O$level --lr=0.003 --steps=5 --batch=8 --accumulate=3 --threads=2
done
same digits "$here/../../examples/digits/train.mg" --steps=20 --batch=32 --validate=100 --threads=2

# Parameters that are exchanged, transposed, read by a neighbour's update, or carried through a loop.
cat > mixed.mg <<'EOF2'
mg 1
graph step(images: u8[N, 8, 8], labels: u8[N], lr: f32[]) -> (loss: f32[], peek: f32[64])
{
    param a: f32[64] = 1
    param b: f32[64] = 2
    param c: f32[64] = 3
    param e: f32[64] = 4
    param m: f32[8, 8] = 1
    param k: f32[8, 8] = 0.5
    buffer s: f32[64] = 0
    buffer n: i64[] = 0
    x[p, (i, j)]: f32[N, 64] = f32(images[p, i, j]) / 16
    y[p, i] = x[p, i] * a[i] + b[i] * c[i] + e[i]
    z[p, i, j]: f32[N, 8, 8] = sum[l] y[p, (i, l)] * m[l, j]
    q[p, i, j] = z[p, i, j] * k[j, i]
    loss[] = mean[p, i, j] q[p, i, j] * q[p, i, j]
    ga = derivative(loss, a)
    a1[i] = b[i] - lr[] * ga[i]
    gb = derivative(loss, b)
    b1[i] = a[i] - lr[] * gb[i]
    next a = a1, b = b1
    gm = derivative(loss, m)
    m1[i, j] = m[i, j] - lr[] * gm[j, i]
    next m = m1
    gk = derivative(loss, k)
    k1[i, j] = k[j, i] - lr[] * gk[i, j]
    next k = k1
    s1 = cumsum(c)
    next s = s1
    f, every = loop t in 0..3 carry (v = e) {
        w[i] = v[i] * 0.9 + e[63 - i] * 0.01
        next v = w
        emit w
    }
    next e = f
    gc = derivative(loss, c)
    g2[] = sum[i] gc[i] * gc[i]
    c1[i] = c[i] - lr[] * gc[i] / (1 + sqrt(g2[]))
    next c = c1
    peek[i] = c1[i] + a[i]
    n1[] = n[] + 1
    next n = n1
}
EOF2
for level in 0 1 2 3; do
    same "mixed$level" mixed.mg -O$level --lr=0.0001 --steps=9 --batch=16 --threads=2
done

# A device gives the same bits in place as with two buffers, for one batch in a step and for several. The batches before
# the last compute no update, which would be visible in place.
if "$mgc" devices 2> /dev/null | grep -q '^ *0 '; then
    same device-mixed mixed.mg --lr=0.0001 --steps=9 --batch=16 --target=gpu
    same device-parts net.mg --lr=0.003 --steps=5 --batch=8 --accumulate=3 --validate=64 --target=gpu
    for flag in "" --training; do
        expect 0 '' "$mgc" --emit-memplan $flag net.mg --graph=step --set N=32 --target=gpu
        grep -c "^[a-z0-9.]*\.next .*in place of" out > "count$flag"
    done
    [ "$(cat count)" = 0 ] && [ "$(cat count--training)" = 24 ] || fail "a device: $(cat count--training) in place, not 24"
fi

# Some pixels are 0 in all images, so some rows and columns have no gradient.
sed 's/u = optim.adamw.*/g = derivative(loss, w)\n        if rank(w) == 2 { u = optim.adafactor(w, g, lr) } else { u = optim.sgd(w, g, lr) }/' net.mg > adafactor.mg
same adafactor adafactor.mg --lr=0.01 --steps=20 --batch=32

# A training that is stopped and resumed gives the same bits as one that was never stopped.
expect 0 '' "$mgc" train net.mg --data "$digits" --seed=4 --save=stopped --lr=0.003 --steps=4 --batch=32
expect 0 '' "$mgc" train net.mg --data "$digits" --seed=4 --save=stopped --resume=stopped --lr=0.003 --steps=9 --batch=32
cmp -s plain2/step-000009/weights.safetensors stopped/step-000009/weights.safetensors || fail "a stop changes the weights"

# The plan shows the memory: without --training, each next value has its own. (There are 6 parameters with 3 buffers each.)
for flag in "" --training; do
    expect 0 '' "$mgc" --emit-memplan $flag net.mg --graph=step --set N=32
    grep -c "^[a-z0-9.]*\.next .*in place of" out > "count$flag"
done
[ "$(cat count)" = 0 ] && [ "$(cat count--training)" = 24 ] || fail "in place: $(cat count) and $(cat count--training), not 0 and 24"

# A next value whose parameter an output shows has memory of its own, and so has one that reads its neighbours.
cat > apart.mg <<'EOF2'
mg 1
graph step(x: f32[8]) -> (loss: f32[], shown: f32[8]) {
    param v: f32[8] = 1
    param w: f32[8] = 1
    param u: f32[8] = 1
    loss[] = sum[i] x[i] * v[i] * w[i]
    shown = v
    v1[i] = v[i] * 0.5
    next v = v1
    w1[i] = w[i] + w[(i + 1) % 8] + x[i]
    next w = w1
    u1[i] = u[i] * x[i]
    next u = u1
}
EOF2
expect 0 '' "$mgc" --emit-memplan --training apart.mg --graph=step
grep -q '^u.next.*in place of u' out && ! grep -q 'in place of [vw]' out || fail "what can't be in place is"

# An output that takes over an input is written in three steps, all in its memory. With --in-place that is the input's,
# so a second run finds what the first one left.
cat > over.mg <<'EOF2'
mg 1
graph step(at: i64[], x: f32[4], cache: f32[3, P, 4]) -> (seen: f32[], cache1: f32[3, P, 4] over cache) {
    cache1 = cache
    for l in 0..3 { cache1[l, at[], i] = last[i] (x[i] * l + 1 + cache1[l, 0, 0]) over cache1 }
    seen[] = sum[l, p, i] cache1[l, p, i]
}
EOF2
sed "s/ + 1 + cache1\\[l, 0, 0\\]//" over.mg > plain.mg
expect 0 '' "$mgc" --emit-memplan plain.mg --set P=5
[ "$(grep -c "^cache1.* an output's buffer\|^cache1.* in place of cache" out)" = 3 ] || fail "not three steps in place: $(cat out)"
for level in 0 1 2 3; do
    for file in plain.mg over.mg; do
        for times in 1 2; do
            flag=$([ $times = 1 ] || echo --in-place)
            expect 0 "seen: f32[]" "$mgc" run $file -O$level $flag --input at=0 --input x=6,7,8,9 --input cache=zeros --set P=5 --repeat=$times
            head -n 1 out > $file-$times
        done
    done
    [ "$(cat plain.mg-1) $(cat plain.mg-2)" = "seen: f32[] = 90.0 seen: f32[] = 90.0" ] || fail "-O$level: $(cat plain.mg-1 plain.mg-2)"
    [ "$(cat over.mg-1)" = "seen: f32[] = 102.0" ] && [ "$(cat over.mg-2)" = "seen: f32[] = 186.0" ] || fail "-O$level: $(cat over.mg-1 over.mg-2)"
done
finish
