#!/usr/bin/env bash
# Tests mgc train --accumulate: an update from several batches is that from one batch of all their samples.
. "$(dirname "$0")/lib.sh"
digits=$here/../../examples/digits/digits.npz

# same.py FOLDER FOLDER LEFT_OUT: checks that the tensors of two checkpoints differ by rounding alone, relative to the
# largest element of each. LEFT_OUT is a pattern of keys that are not compared.
cat > same.py <<'EOF'
import json, re, struct, sys
def load(path):
    b = open(path, "rb").read()
    n = struct.unpack("<Q", b[:8])[0]
    tensors = {k: (v["dtype"], b[8 + n:][slice(*v["data_offsets"])])
               for k, v in json.loads(b[8:8 + n]).items() if k != "__metadata__"}
    kind = {"F32": "f", "I64": "q"}
    return {k: struct.unpack(f"<{len(d) // struct.calcsize('<' + kind[t])}{kind[t]}", d) for k, (t, d) in tensors.items()}
for name in "weights", "state":
    a, b = (load(f"{d}/{name}.safetensors") for d in sys.argv[1:3])
    assert sorted(a) == sorted(b), (sorted(a), sorted(b))
    for k in a:
        off = max(abs(x - y) for x, y in zip(a[k], b[k])) / (max(map(abs, a[k])) or 1)
        assert off < 2e-4 or re.search(sys.argv[3], k), (k, off)
EOF

# AdamW counts its steps. Gradients are clipped by the norm of all of them first.
cat > net.mg <<'EOF'
mg 1
import nn
import optim
layer mlp(x: f32[N, 64]) -> (y: f32[N, 10]) {
    param a: nn.linear(features = 32)
    param b: nn.linear(features = 10)
    y = b(relu(a(x)))
}
graph step(images: u8[N, 8, 8], labels: u8[N], step: u64[], lr: f32[])
    -> (loss: f32[], length: f32[], slope: f32[10], place: f32[])
{
    param net: mlp()
    x[n, (i, j)]: f32[N, 64] = f32(images[n, i, j]) / 16
    loss, logs = cross_entropy(net(x), labels)
    total[]: f32[] = 0
    for w in net { total = add(total, optim.squares(derivative(loss, w))) }
    length[] = sqrt(total[])
    slope = derivative(loss, net.b.bias)
    place[] = f32(step[])
    factor = optim.clip_factor(total, limit = 0.5)
    for w in net {
        u = optim.adamw(w, mul(derivative(loss, w), factor), lr)
        next w = u
    }
}
EOF
learn=(train net.mg --data "$digits" --lr=0.003 --seed=2 --json)
expect 0 '' "$mgc" "${learn[@]}" --steps=12 --batch=32 --save=whole
cp out whole.json
for n in 4 32; do
    expect 0 '' "$mgc" "${learn[@]}" --steps=12 --batch=$((32 / n)) --accumulate=$n --save=parts$n
    python3 same.py whole/step-000012 parts$n/step-000012 '^$' || fail "$n batches learn otherwise"
    python3 - <<'EOF' || fail "the figures of $n batches"
import json
a, b = (json.loads(open(f).read()) for f in ("whole.json", "out")) # one line: a step is an update
assert abs(a["loss"] / b["loss"] - 1) < 1e-4 and abs(a["length"] / b["length"] - 1) < 1e-4, (a, b)
assert a["place"] == b["place"] == 11, (a, b)
EOF
    python3 - $n <<'EOF' || fail "the place in the data"
import json, sys
whole, parts = (json.load(open(f"{d}/step-000012/train.json")) for d in ("whole", "parts" + sys.argv[1]))
assert parts.pop("batch") * parts.pop("accumulate") == whole.pop("batch") * whole.pop("accumulate") == 32
assert parts == whole, (parts, whole)
EOF
done

# A training that is stopped and resumed, or has another number of threads, gives the same bits.
expect 0 '' "$mgc" "${learn[@]}" --steps=5 --batch=8 --accumulate=4 --save=stopped
expect 0 '' "$mgc" "${learn[@]}" --steps=12 --batch=8 --accumulate=4 --resume=stopped --save=stopped --threads=2
for f in weights state; do
    cmp -s parts4/step-000012/$f.safetensors stopped/step-000012/$f.safetensors || fail "$f differ after a stop"
done
expect 0 '' "$mgc" "${learn[@]}" --steps=12 --batch=8 --accumulate=4 -O0 --save=plain
python3 same.py whole/step-000012 plain/step-000012 '^$' || fail "-O0 learns otherwise"
if "$mgc" devices 2> /dev/null | grep -q '^ *0 '; then
    expect 0 '' "$mgc" "${learn[@]}" --steps=12 --batch=8 --accumulate=4 --target=gpu --device=0 --save=device
    python3 same.py whole/step-000012 device/step-000012 '^$' || fail "a device learns otherwise"
fi

# A derivative that the loss reads is that of each batch. An average of the parameters moves with them, and a running mean
# moves with each batch. The penalty is not a mean over samples; all batches are equal, so it is the same for each.
cat > inner.mg <<'EOF'
mg 1
graph step(x: f32[N, 3], lr: f32[]) -> (loss: f32[]) {
    param w: f32[3] = 0.5
    buffer slow: f32[3] = 0
    buffer centre: f32[3] = 0
    buffer steps: i64[] = 0
    s[n] = sum[i] x[n, i] * w[i]
    fit[] = mean[n] s[n] * s[n]
    g = derivative(fit, w)
    loss[] = fit[] + 0.1 * (sum[i] g[i] * g[i])
    d = derivative(loss, w)
    h = derivative(derivative(fit, w), w, along = w)
    v[i] = w[i] - lr[] * (d[i] + 0.01 * h[i] + 0.001 * g[i])
    m[i] = mean[n] x[n, i]
    next w = v
    slow1[i] = 0.9 * slow[i] + 0.1 * v[i]
    next slow = slow1
    centre1[i] = 0.5 * centre[i] + 0.5 * m[i]
    next centre = centre1
    steps1[] = steps[] + 1
    next steps = steps1
}
EOF
for _ in $(seq 96); do printf '\0\0\200\077'; done > ones.raw
inner=(train inner.mg --data x=ones.raw --lr=0.01 --steps=3)
expect 0 '' "$mgc" "${inner[@]}" --batch=8 --save=inner1
expect 0 '' "$mgc" "${inner[@]}" --batch=2 --accumulate=4 --save=inner4
python3 same.py inner1/step-000003 inner4/step-000003 '^centre$' || fail "derivatives of derivatives"
python3 - <<'EOF' || fail "a running mean moves with each batch"
import struct
whole, parts = (open(f"inner{n}/step-000003/state.safetensors", "rb").read() for n in (1, 4))
f = lambda x: struct.pack("<f", x)
assert f(1 - 0.5 ** 3) * 3 in whole and f(1 - 0.5 ** 12) * 3 in parts
EOF

# One batch of the step has the element whose logarithm is NaN.
cat > bad.mg <<'EOF'
mg 1
graph step(x: f32[N], lr: f32[]) -> (loss: f32[]) {
    param w: f32[] = 1
    p[n] = log(x[n] * w[])
    loss[] = mean[n] p[n]
    g = derivative(loss, w)
    v[] = w[] + lr[] * g[]
    next w = v
}
EOF
{ head -c 20 ones.raw; printf '\0\0\200\277'; } > six.raw
bad=(train bad.mg --data x=six.raw --lr=0.1 --steps=1 --batch=2 --accumulate=3)
for seed in 0 1 2 3; do
    expect 3 "the loss of step 0 is not a number" "$mgc" "${bad[@]}" --seed=$seed
    expect 3 "bad.mg:4:5: note: 'p[" "$mgc" "${bad[@]}" --seed=$seed --check=finite
done

# A parameter that becomes infinite only by the mean of all batches is explained by a replay of all of them.
cat > over.mg <<'EOF'
mg 1
graph step(x: f32[N], lr: f32[]) -> (loss: f32[]) {
    param w: f32[] = 0
    p[n] = x[n] * w[]
    loss[] = mean[n] p[n]
    g = derivative(loss, w)
    far[] = exp(1000 * (g[] - 1))
    v[] = w[] + lr[] * far[]
    next w = v
}
EOF
{ printf '\0\0\100\100\0\0\100\100'; head -c 16 ones.raw; } > uneven.raw
over=(train over.mg --data x=uneven.raw --lr=0.1 --steps=1 --batch=1 --accumulate=6 --check=finite)
for seed in 0 1 2 3; do
    expect 3 "over.mg:7:5: note: 'far[]' is infinite, though its operands are finite" "$mgc" "${over[@]}" --seed=$seed
done

# A graph `validate` has no gradients to accumulate.
{
    cat net.mg
    cat << 'EOF'
graph validate(images: u8[N, 8, 8], labels: u8[N]) -> (loss: f32[]) {
    param net: mlp()
    x[n, (i, j)]: f32[N, 64] = f32(images[n, i, j]) / 16
    loss, logs = cross_entropy(net(x), labels)
}
EOF
} > judged.mg
expect 0 'held-out data' "$mgc" train judged.mg "${learn[@]:2}" --steps=2 --batch=8 --accumulate=2 --validate=100

# What is refused.
for n in 0 -3 two 1048577; do
    expect 2 "--accumulate takes a number from 1 to 1048576, not '$n'" "$mgc" "${learn[@]}" --steps=2 --accumulate=$n
done
expect 2 "a step takes 1800 samples (--accumulate=3 times --batch=600), more than the 1797 there are" "$mgc" "${learn[@]}" \
    --steps=2 --batch=600 --accumulate=3
expect 2 "more than the number of samples, 1797" "$mgc" "${learn[@]}" --steps=2 --batch=2147483647 --accumulate=1048576
sed 's/lr\[\] \* (d/loss[] * (d/' inner.mg > direct.mg
expect 1 "direct.mg:13:5: error: the next value of 'w' reads 'x' other than through a derivative with respect to a parameter" \
    "$mgc" train direct.mg --data x=ones.raw --steps=3 --lr=1 --batch=2 --accumulate=4
sed 's/\* g\[\]/* 2/' bad.mg > none.mg
expect 1 "none.mg:2:7: error: graph step has no derivative with respect to a parameter that a next value reads" "$mgc" train none.mg \
    --data x=six.raw --lr=0.1 --steps=1 --batch=2 --accumulate=3
finish
