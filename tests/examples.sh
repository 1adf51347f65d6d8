#!/usr/bin/env bash
# Runs every example as its README says and checks what it prints. examples.sh MGC SOURCE_FOLDER [short]
# short: long trainings are left out, or take only a few steps.
set -euo pipefail
export MGC=$1
short=${3:-}
cd "$2/examples"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "examples: $*"; exit 1; }

last=$(digits/evaluate | tail -n 1)
awk -v line="$last" 'BEGIN { split(line, f, " "); exit !(f[1] == "accuracy" && f[2] >= 0.96 && f[2] <= 1) }' ||
    fail "digits: expected an accuracy of 0.96 or better, got '$last'"

# These files are in MNIST's format. Each digit has one bright row of its own, which is learned in few steps.
python3 - "$work" <<'EOF'
import gzip, random, struct, sys
random.seed(1)
labels = bytes(random.randrange(10) for _ in range(2000))
rows = [bytes(random.randrange(80) + (150 if y // 2 == 2 + d else 0) for y in range(28) for x in range(28)) for d in labels]
for name, head, data in ("images-idx3", (0x803, 2000, 28, 28), b"".join(rows)), ("labels-idx1", (0x801, 2000), labels):
    with gzip.open(f"{sys.argv[1]}/t10k-{name}-ubyte.gz", "wb") as f:
        f.write(struct.pack(f">{len(head)}I", *head) + data)
EOF
accuracy_after() { # FOLDER STEPS LEAST
    WEIGHTS=$work/mnist.safetensors mnist/train "$1" --steps="$2" > "$work/mnist"
    awk -v least="$3" '/held-out/ { right = $NF } END { exit !(right >= least) }' "$work/mnist" ||
        fail "mnist: an accuracy below $3: $(tail -n 1 "$work/mnist")"
    [ -s "$work/mnist.safetensors" ] || fail "mnist: no weights"
}
accuracy_after "$work" 60 0.95
[ -z "${MG_ZOO:-}" ] || [ -n "$short" ] || accuracy_after "$MG_ZOO/data" 350 0.96

# Runs a few steps of the large net on these few images.
if [ -n "${MG_ZOO:-}" ] && [ -z "$short" ] && python3 -c 'import numpy' 2> /dev/null; then
    resnet_cifar/prepare "$work/cifar.npz" "$MG_ZOO/data/cifar10_test_sample.bin" | grep -qx '120 images' || fail "resnet_cifar: images"
    WEIGHTS=$work/resnet.safetensors resnet_cifar/train "$work/cifar.npz" --steps=4 --batch=8 --lr=0.01 --json > "$work/out"
    grep '"training"' "$work/out" | sed 's/.*"loss": \([0-9.]*\).*/\1/' | awk '{ exit !($1 > 0 && $1 < 4) }' ||
        fail "resnet_cifar: $(cat "$work/out")"
    [ -s "$work/resnet.safetensors" ] || fail "resnet_cifar: no weights"
fi

# The sampler writes plausible characters, its cache gives what a pass over the whole text gives, and the net learns.
shakespeare/sample 1 400 > "$work/sample"
[ "$(wc -c < "$work/sample")" = 400 ] || fail "shakespeare: not 400 characters"
! LC_ALL=C grep -q '[^ -~]' "$work/sample" || fail "shakespeare: characters that are none"
grep -qwE 'the|and|to|of|you|my|that' "$work/sample" || fail "shakespeare: no English"
"$MGC" run shakespeare/shakespeare.mg --graph=sample --input seeds=random:2 --set N=64 --input temperature=1 \
    --output text="$work/text.npy"
"$MGC" run shakespeare/shakespeare.mg --graph=compare --input text="$work/text.npy" |
    awk '{ exit !($NF > 0 && $NF < 1e-3) }' || fail "shakespeare: the cache gives something else"
for _ in $(seq 20); do cat "$work/sample"; done > "$work/text"
steps=60 most=2.9
[ -z "$short" ] || steps=5 most=9
WEIGHTS=$work/learned.safetensors shakespeare/train "$work/text" --steps=$steps > "$work/out"
awk -v most=$most '/held-out/ { right = $NF < most } END { exit !right }' "$work/out" || fail "shakespeare: $(tail -n 1 "$work/out")"
[ -s "$work/learned.safetensors" ] || fail "shakespeare: no weights"
[ -n "$short" ] || "$MGC" train shakespeare/large.mg --data text="$work/text" --data targets="$work/text@1" --set S=8 --batch=2 --steps=2 \
    -O1 | awk '/^step 2/ { right = $4 > 4 && $4 < 6 } END { exit !right }' || fail "shakespeare: the large net"

transformer/decode > "$work/decode"
sed -n 's/^    \(token . done\|one at a time.*\)$/\1/p' transformer/README.md | diff - "$work/decode" || fail "transformer: another output than its README's"

"$MGC" run custom_op/correlation.mg --input images=digits/digits.npz:images > "$work/correlation"
sed -n 's/^    \(down\|right\): /\1: /p' custom_op/README.md | diff - "$work/correlation" || fail "custom_op: another output than its README's"

# A seed's layers are at the places that `mgc bench graphs` measures under the seed's name.
mlp/make_net.py --size 1 --out "$work/mlp"
layers=$(sed -n 's/.*nn.linear.*/L/p; s/.* relu(.*/R/p; s/.* softmax(.*/S/p' "$work/mlp/net.mg" | tr -d '\n')
"$MGC" bench graphs --sizes=1 --depths=, --modes=fused --seeds=1 --samples=1 --json > "$work/bench"
grep -qF "\"alder\", \"seed\": 101, \"layers\": \"$layers\"" "$work/bench" || fail "mlp: other layers than mgc bench graphs has: $layers"
for seed in alder fir; do
    mlp/make_net.py --seed $seed --depth 12 --size 16 --out "$work/mlp"
    printf 'mg 1\ngraph check(y: f32[N, N]) -> (off: f32[]) {\n s[i] = sum[j] y[i, j]\n off[] = max[i] abs(s[i] - 1)\n}\n' > "$work/check.mg"
    "$MGC" run "$work/mlp/net.mg" --input x=random:1 --output y="$work/y.npy"
    "$MGC" run "$work/check.mg" --input y="$work/y.npy" | awk '{ exit !($NF < 1e-5) }' || fail "mlp: the rows of the result don't sum to 1"
done
