#!/usr/bin/env bash
# Tests mixed precision: training in bf16 and f16, a scale of the loss, and weights in bf16 that are rounded by chance.
. "$(dirname "$0")/lib.sh"
digits=$here/../../examples/digits/digits.npz
head=$(cat <<'EOF'
mg 1
import nn
import optim
layer mlp(x: f32[N, 64]) -> (y: f32[N, 10]) {
    param a: nn.linear(features = 48)
    param b: nn.linear(features = 10)
    y = b(relu(a(x)))
}
EOF
)
step='graph step(images: u8[N, 8, 8], labels: u8[N], lr: f32[])'
body=$(cat <<'EOF'
    param net: mlp()
    x[n, (i, j)]: f32[N, 64] = f32(images[n, i, j]) / 16
    loss, logs = cross_entropy(net(x), labels)
EOF
)
printf '%s\n%s -> (loss: f32[])\n{\n%s\n    for w in net { u = optim.adamw(w, derivative(loss, w), lr)   next w = u }\n}\n' "$head" "$step" "$body" > net.mg
# The library's way with f16: gradients of a scaled loss; a step whose gradients are not finite changes nothing but the scale.
cat > tail.txt <<'EOF'
    buffer scale: f32[] = 1e12
    buffer good: i64[] = 0
    inverse[] = 1 / scale[]
    total[]: f32[] = 0
    for w in net { total = add(total, optim.squares(mul(derivative(loss, w, along = scale), inverse))) }
    fine[] = total[] < inf
    for w in net {
        u = optim.adamw(w, mul(derivative(loss, w, along = scale), inverse), lr, fine)
        next w = u
    }
    s, n = optim.adjust_scale(scale, good, fine, every = 20)
    next scale = s, good = n
    factor[] = scale[]
    took[] = where(fine[], f32(1), 0)
EOF
printf '%s\n%s -> (loss: f32[], factor: f32[], took: f32[])\n{\n%s\n%s\n}\n' "$head" "$step" "$body" "$(cat tail.txt)" > scaled.mg

learn=(--data="$digits" --lr=0.003 --seed=2 --json --steps=150 --report=150)
loss() { python3 -c 'import json; print(json.loads(open("out").read().splitlines()[-1])["loss"])'; }
expect 0 '' "$mgc" train net.mg "${learn[@]}" --save=f32
full=$(loss)
expect 0 '' "$mgc" train net.mg "${learn[@]}" --precision=bf16 --save=bf16
half=$(loss)
python3 -c "import sys; sys.exit(not (0 < abs($full - $half) < 0.2 * $full))" || fail "bf16 learns otherwise: $half, not $full"
cmp -s f32/step-000150/weights.safetensors bf16/step-000150/weights.safetensors && fail "bf16 changes nothing"
# A training that is stopped and resumed, or has another number of threads, gives the same bits. Plain loops learn the same.
expect 0 '' "$mgc" train net.mg --data="$digits" --lr=0.003 --seed=2 --steps=70 --precision=bf16 --save=two
expect 0 '' "$mgc" train net.mg --data="$digits" --lr=0.003 --seed=2 --steps=150 --precision=bf16 --save=two --resume=two --threads=2
cmp -s two/step-000150/weights.safetensors bf16/step-000150/weights.safetensors || fail "bf16: other bits after a stop"
expect 0 '' "$mgc" train net.mg --data="$digits" --lr=0.003 --seed=2 --steps=5 --precision=bf16 --json
fused=$(loss)
expect 0 '' "$mgc" train net.mg --data="$digits" --lr=0.003 --seed=2 --steps=5 --precision=bf16 --json -O0
python3 -c "import sys; sys.exit(not abs($(loss) - $fused) < 1e-3)" || fail "-O0 learns otherwise in bf16"

# A scale that is far too large comes down first, and then the net learns. The loss is nearly that of f32.
expect 0 '' "$mgc" train scaled.mg "${learn[@]}" --precision=f16 --steps=200 --report=1
python3 - <<'EOF' || fail "f16 with a scale"
import json
lines = [json.loads(l) for l in open("out")]
took = [l["took"] for l in lines]
assert not any(took[:10]) and sum(took) > 150, sum(took)
for a, b in zip(lines, lines[1:]):
    times = round(b["factor"] / a["factor"], 6)
    assert times in ((1, 2) if a["took"] else (0.5,)), (a, b)
assert sum(l["loss"] for l in lines[-20:]) / 20 < 0.5, lines[-1]
EOF

# Weights in bf16 stand still under steps smaller than half a unit in the last place, unless chance rounds them.
cat > narrow.mg <<'EOF'
mg 1
import optim
graph step(x: f32[N], lr: f32[], seed: u64[]) -> (loss: f32[], middle: f32[])
    training seed
{
    param w: bf16[1000] = 1
    loss[] = mean[n, i] x[n] * f32(w[i])
    u = optim.adamw(w, derivative(loss, w), lr, decay = 0.0, stochastic = CHANCE)
    next w = u
    middle[] = mean[i] f32(w[i])
}
EOF
for _ in $(seq 64); do printf '\0\0\200\077'; done > ones.raw
sed 's/CHANCE/false/' narrow.mg > still.mg
sed 's/CHANCE/true/' narrow.mg > chance.mg
expect 0 '' "$mgc" train still.mg --data x=ones.raw --lr=0.0001 --steps=101 --json
grep -q '"middle": 1,' out || fail "weights without chance: $(cat out)"
expect 0 '' "$mgc" train chance.mg --data x=ones.raw --lr=0.0001 --steps=101 --json
python3 -c 'import json; m = json.loads(open("out").read())["middle"]; assert 0.9885 < m < 0.9915, m' || fail "weights by chance: $(cat out)"
sed 's/bf16\[/f32[/; s/CHANCE/true/' narrow.mg > wide.mg
expect 1 "stochastic rounding is for weights in bf16" "$mgc" train wide.mg --data x=ones.raw --lr=0.1 --steps=1
expect 2 "--precision" "$mgc" train net.mg "${learn[@]}" --precision=f8

# Weights in narrow types give what the interpreter computes with them, which is near what they were.
cat > weights.mg <<'EOF'
mg 1
graph g(x: f32[7, 96], q: f32[1, 4, 12, 12]) -> (y: f32[7, 40], z: f32[1, 8, 10, 10]) {
    param w: f32[40, 96]
    param b: f32[40]
    param f: f32[8, 2, 3, 3]
    y = tanh(linear(x, w, b))
    z = conv2d(q, f, groups = 2)
}
EOF
given=(weights.mg --input x=random:3 --input q=random:4 --weights=random --no-cache)
expect 0 '' "$mgc" run "${given[@]}" --output y=y.npy --output z=z.npy
for type in bf16 f16 i8 f8e4m3; do
    expect 0 '' "$mgc" run "${given[@]}" --weights-type=$type --interp --output y=yi.npy --output z=zi.npy
    for level in 0 2 3; do
        expect 0 '' "$mgc" run "${given[@]}" --weights-type=$type -O$level --output y=yn.npy --output z=zn.npy
        python3 - $type <<'EOF' || fail "weights in $type at -O$level"
import numpy as np, sys
near = {"bf16": 1e-2, "f16": 1e-3, "i8": 2e-2, "f8e4m3": 1e-1}[sys.argv[1]]
for v in "yz":
    was, want, got = (np.load(v + n + ".npy") for n in ("", "i", "n"))
    assert abs(got - want).max() <= 1e-5 * abs(want).max(), (v, abs(got - want).max())
    off = abs(want - was).max() / abs(was).max()
    assert 1e-6 < off < near, (v, off)
EOF
    done
done
expect 2 "--weights-type is one of given|bf16|f16|i8|f8e4m3, not 'i4'" "$mgc" run weights.mg --weights-type=i4

# Floats of eight bits are multiplied as bf16, unless sums may keep few bits.
cat > bytes.mg <<'EOF'
mg 1
graph g(a: f8e4m3[1024, 1024], b: f8e5m2[1024, 1024]) -> (y: f32[1024, 1024]) {
    y[i, j] = sum[k] f32(a[i, k]) * f32(b[j, k])
}
EOF
hopper=(--target=gpu --march=h200,cu=132,items=1024,local=49152,warp=32,ptx=90)
expect 0 'not by products of f8e4m3_f8e5m2: its sums keep 14 bits, which --short-sums allows' \
    "$mgc" bytes.mg --emit-kernels "${hopper[@]}" --explain=precision
grep -q 'deep by bf16' out || fail "by bf16: $(head -5 out)"
# a file made for a device has code for the CPU, too, but what is asked is asked about the device
expect 0 'by f8e5m2 to sums' "$mgc" bytes.mg --no-cache "${hopper[@]}" --explain=precision
test "$(grep -c 'a product of matrices' err)" = 1 || fail "whose product: $(cat err)"
expect 0 'by f8e5m2 to sums' "$mgc" bytes.mg --no-cache "${hopper[@]}" --explain=precision -o bytes.mgb
test "$(grep -c 'a product of matrices' err)" = 1 || fail "whose product, with a file: $(cat err)"
expect 0 'sums of a block keep 14 bits by --short-sums' \
    "$mgc" bytes.mg --emit-kernels "${hopper[@]}" --explain=precision --short-sums
grep -q 'deep by f8e4m3_f8e5m2' out || fail "short sums: $(head -5 out)"
expect 0 '' "$mgc" bytes.mg --emit-kernels "${hopper[@]}" --short-sums --strict
if grep -q 'deep by' out; then fail "strict sums by units"; fi
finish
