#!/usr/bin/env bash
# Tests random weights: every command that runs or builds takes --weights=random, and mgc weights writes the same weights to
# a file.
source "$(dirname "$0")/lib.sh"

# README's first program, verbatim
sed -n '/^```mg$/,/^```$/{/^```/d;p}' "$here/../../README.md" | sed '/^op softmax/,$d' > digits.mg
run=("$mgc" run digits.mg --input image=random --set B=2)
expect 1 "note: without trained weights, \`mgc weights digits.mg\` writes random ones" "${run[@]}"
expect 0 "probability: f32[2, 10]" "${run[@]}" --weights=random
cp "$work/out" zero
expect 0 "probability: f32[2, 10]" "${run[@]}" --weights=random:0
cmp -s "$work/out" zero || fail "random is not random:0"
expect 0 "probability: f32[2, 10]" "${run[@]}" --weights=random:7
cmp -s "$work/out" zero && fail "two seeds give the same"
expect 0 "" "$mgc" weights digits.mg
expect 0 "probability: f32[2, 10]" "${run[@]}"
cmp -s "$work/out" zero || fail "the file has other weights than --weights=random"
expect 0 "probability: f32[2, 10]" "${run[@]}" --weights=random:7
cp digits.safetensors kept
expect 1 "'digits.safetensors' is there already; -o digits.safetensors replaces it" "$mgc" weights digits.mg
cmp -s digits.safetensors kept || fail "the file was written"
expect 0 "" "$mgc" weights digits.mg --weights=random:7 -o digits.safetensors
cmp -s digits.safetensors kept && fail "-o does not replace"
rm digits.safetensors

# All the other commands
expect 0 "" "$mgc" digits.mg --weights=random -o digits.mgb
expect 0 "probability: f32[2, 10]" "$mgc" run digits.mgb --input image=random --set B=2
cmp -s "$work/out" zero || fail "a package has other weights"
expect 0 "" "$mgc" digits.mg --weights=random --weights-place=beside -o digits.o
[ -s digits.weights ] || fail "no file beside the object"
expect 0 "kernel pack_0" "$mgc" --emit-kernels digits.mg --weights=random
expect 0 "right" "$mgc" bisect digits.mg --weights=random --set B=1 --passes=canonicalise
expect 0 "" "$mgc" tune digits.mg --weights=random --set B=1 -o tuned.txt
expect 0 "fused" "$mgc" bench graphs --weights=random:3 --sizes=32 --depths=4 --modes=fused --samples=1 --seeds=1

# Values depend on their use: factors are uniform with variance 1 / fan-in, scales are near 1, operands of roots are
# positive.
cat > net.mg <<'EOF'
mg 1
import nn
graph net(x: f32[N, 64], ids: i64[2]) -> (y: f32[N, 32], z: f32[2, 8]) weights "net.safetensors" {
    param twice: f32[64, 64]
    h = nn.layer_norm(matmul(x, transpose(twice, perm = [1, 0])))
    f = nn.linear(h, features = 32)
    y = nn.batch_norm(f)
    z = nn.embedding(ids, entries = 10, width = 8)
}
EOF
expect 0 "" "$mgc" weights net.mg
python3 - <<'EOF' > checked 2>&1 || { cat checked; fail "the scale of a weight"; }
import json, struct
import numpy as np
raw = open("net.safetensors", "rb").read()
n = struct.unpack("<Q", raw[:8])[0]
w = {k: np.frombuffer(raw[8 + n:][slice(*v["data_offsets"])], np.float32) for k, v in json.loads(raw[8:8 + n]).items()}
bounds = {"twice": (-(3 / 64) ** .5, (3 / 64) ** .5), "f.weight": (-(3 / 64) ** .5, (3 / 64) ** .5), "h.weight": (.9, 1.1),
          "h.bias": (-.1, .1), "f.bias": (-.1, .1), "y.weight": (.9, 1.1), "y.bias": (-.1, .1), "y.running_mean": (-.1, .1),
          "y.running_var": (.5, 1.5), "z.weight": (-3 ** .5, 3 ** .5)}
assert set(w) == set(bounds), set(w) ^ set(bounds)
for key, (low, high) in bounds.items():
    a = w[key]
    assert low <= a.min() and a.max() <= high, (key, a.min(), a.max())
    assert len(a) < 64 or a.max() - a.min() > .9 * (high - low), (key, a.min(), a.max())
EOF
checks=$((checks + 1))

# Used types other than floats; sizes from --set; a choice of graphs; files without parameters
cat > ints.mg <<'EOF'
mg 1
graph one(x: f32[N, 3]) -> (y: f32[N, 3]) {
    param q: i8[3, 4]
    param at: i64[3]
    param on: bool[3]
    y[n, i] = where(on[i], x[n, at[i]], 1) + sum[k] f32(q[i, k])
}
graph open(x: f32[N]) -> (y: f32[N]) { param w: f32[N]
    y = x * w }
graph none(x: f32[N]) -> (y: f32[N]) { y = x + 1 }
EOF
expect 0 "y: f32[2, 3]" "$mgc" run ints.mg --graph=one --weights=random --input x=ones --set N=2
expect 1 "has 3 graphs (one, open, none)" "$mgc" weights ints.mg -o w.safetensors
expect 2 "one names no weights file: give -o FILE.safetensors" "$mgc" weights ints.mg --graph=one
expect 1 "the shape of parameter 'w' depends on dimensions" "$mgc" weights ints.mg --graph=open -o w.safetensors
expect 0 "" "$mgc" weights ints.mg --graph=open --set N=4 -o w.safetensors
expect 2 "has no dimension 'M'" "$mgc" weights ints.mg --graph=open --set M=4 -o w.safetensors
expect 1 "none has no parameters" "$mgc" weights ints.mg --graph=none -o w.safetensors

# ONNX models have the keys of mgc import. A hostile one is refused as everywhere, and leaves no file.
mkdir models
python3 "$here/onnx_models.py" models || fail "the models cannot be made"
expect 0 "" "$mgc" weights models/scale.onnx -o scale.safetensors
expect 0 "" "$mgc" import models/scale.onnx -o scale.mg # which overwrites them with its own
expect 0 "" "$mgc" weights scale.mg -o again.safetensors
expect 2 "names no weights file" "$mgc" weights models/scale.onnx
for model in models/*.onnx; do
    rm -f left.safetensors
    "$mgc" weights "$model" -o left.safetensors > "$work/out" 2> "$work/err"
    status=$?
    [ $status -le 3 ] || fail "$model ends with $status"
    [ $status = 0 ] || [ ! -e left.safetensors ] || fail "$model leaves a file behind"
    checks=$((checks + 1))
done

# usage, and weights that do not fit
for bad in '' rand 'random:' 'random:-1' 'random:x' 'random:1x' 'random:99999999999999999999' file.safetensors; do
    expect 2 "--weights takes random, random:SEED, initial" "$mgc" run net.mg "--weights=$bad" --input x=random
done
expect 2 "a graph names its file itself, after its results: weights" "$mgc" run net.mg --weights=file.safetensors --input x=random
expect 2 "--weights-place says where a library has them" "$mgc" net.mg --weights=inside -o net.so
expect 2 "weights are written to FILE.safetensors" "$mgc" weights net.mg -o w.npz
expect 2 "give -o FILE.safetensors" "$mgc" weights -
expect 1 "cannot open 'absent.mg'" "$mgc" weights absent.mg
printf 'mg 1\ngraph g(x: f32[]) -> (y: f32[]) { param w: f32[1048576, 1048576, 1048576, 8]\n y[] = x[] * w[0, 0, 0, 0] }\n' > huge.mg
expect 1 "is larger than any memory" "$mgc" weights huge.mg -o w2.safetensors
sed 's/f32\[1048576, 1048576, 1048576, 8\]/f32[1048576, 1048576, 2, 1]/' huge.mg > large.mg
expect 1 "out of memory: the limit is" "$mgc" weights large.mg -o w2.safetensors
expect 1 "out of memory: the limit is" "$mgc" run large.mg --weights=random --input x=1
[ ! -e w2.safetensors ] || fail "a file was left behind"
expect 1 "cannot write 'absent/w.safetensors'" "$mgc" weights net.mg -o absent/w.safetensors
finish
