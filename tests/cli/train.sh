#!/usr/bin/env bash
# Tests mgc train: learning, checkpoints, exact resumption, threads, streams, and what is refused.
. "$(dirname "$0")/lib.sh"
digits=$here/../../examples/digits
data=(--data "$digits/digits.npz")

# The example learns, and validates by its own graph. Figures are for held-out images.
expect 0 'held-out data' "$mgc" train "$digits/train.mg" "${data[@]}" --validate=500 --steps=200 --seed=2 --json --save=whole \
    --report=100 --plot=loss.svg
python3 - <<'EOF' || fail "the lines of JSON, or what was learned"
import json
lines = [json.loads(l) for l in open("out")]
assert [(l["step"], l["of"]) for l in lines] == [(s, w) for s in (100, 200) for w in ("training", "held-out data")], lines
assert lines[3]["accuracy"] > 0.7 and lines[3]["loss"] < lines[1]["loss"], lines
assert lines[0]["samples_per_second"] > 0
EOF
grep -q '<svg' loss.svg || fail "no plot"
[ "$(cat whole/latest)" = step-000200 ] && [ -s whole/step-000100/train.json ] || fail "checkpoints"

# The result is a file of weights for the net's other graphs.
sed 's/digits.safetensors/net.safetensors/' "$digits/digits.mg" > digits.mg
cp whole/step-000200/weights.safetensors net.safetensors
expect 0 'accuracy: f32[] = 0.' "$mgc" run digits.mg --graph evaluate --input "images=$digits/digits.npz:images" \
    --input "labels=$digits/digits.npz:labels"
awk '{exit !($NF > 0.7)}' out || fail "the weights it wrote"

# A training that is stopped and resumed, or has another number of threads, gives the same bits. Old checkpoints go.
expect 0 '' "$mgc" train "$digits/train.mg" "${data[@]}" --validate=500 --steps=120 --seed=2 --save=parts --report=40
[ "$(ls parts)" = "$(printf 'latest\nstep-000080\nstep-000120')" ] || fail "old checkpoints: $(ls parts)"
expect 0 '' "$mgc" train "$digits/train.mg" "${data[@]}" --validate=500 --steps=200 --resume=parts --save=parts --threads=2
for f in weights state; do
    cmp -s whole/step-000200/$f.safetensors parts/step-000200/$f.safetensors || fail "$f differ after a stop"
done

# A training that resumes with other batches says so, and so does one that has made all its steps.
expect 0 "has made 200 steps, so --steps=200 asks for no more" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=200 --resume=parts
expect 0 "had --batch=32; it goes on with --batch=16" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=201 --resume=parts --batch=16
expect 0 "had --accumulate=1; it goes on with --accumulate=2" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=201 --resume=parts \
    --accumulate=2
grep -q 'batch=' err && fail "--batch was told, though it is the same"

# After a kill, the last whole checkpoint is there.
"$mgc" train "$digits/train.mg" "${data[@]}" --steps=1000000 --save=killed --report=3 > /dev/null 2>&1 &
child=$!
for _ in $(seq 300); do [ -e killed/latest ] && break; sleep 0.1; done
sleep 0.3
kill -9 $child
wait $child 2> /dev/null
expect 0 '' "$mgc" train "$digits/train.mg" "${data[@]}" --steps=$((10#$(sed 's/step-//' killed/latest) + 2)) --resume=killed

# A stream of elements: a window of it is a sample, and the targets begin one later.
cat > next.mg <<'EOF'
mg 1
import nn
import optim
graph step(text: u8[B, S], targets: u8[B, S], lr: f32[]) -> (loss: f32[]) {
    param net: nn.embedding(entries = 256, width = 256)
    x = net(text)
    l[(b, s), v]: f32[B * S, 256] = x[b, s, v]
    t[(b, s)]: i64[B * S] = i64(targets[b, s])
    loss, logs = cross_entropy(l, t)
    for w in net {
        u = optim.adam(w, derivative(loss, w), lr)
        next w = u
    }
}
EOF
for _ in $(seq 40); do printf 'abcdefgh'; done > text.txt
stream=(--data text=text.txt --data targets=text.txt@1 --set S=16 --batch=4)
expect 0 'step 200, loss 0.0' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=200
expect 0 'held-out data, loss 0.0' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=200 --validate=0.2
expect 2 "leaves no window to learn from" "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=2 --validate=300

# --profile runs one more step, which changes nothing.
expect 0 'time, µs' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=5 --profile --save=profiled
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=5 --save=plain
cmp -s profiled/step-000003/weights.safetensors plain/step-000003/weights.safetensors || fail "--profile changes parameters"
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --json --profile=step.html
python3 - <<'EOF' || fail "the profile's JSON"
import json
last = [json.loads(l) for l in open("out")][-1]
assert last["of"] == "profile" and last["profile"] and all(k["ns"] >= 0 for k in last["profile"]), last
EOF
grep -q '<svg' step.html || fail "no page of the profile"
expect 2 "a page as FILE.html" "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --profile=step.txt

# The gradients that a step uses agree with differences. Next values are not outputs, so they are not differentiated.
expect 0 '1 right, 0 wrong, 2 zero, 0 without a derivative, 0 undecided, 0 not run' "$mgc" check-gradients next.mg --set B=2 --set S=3
grep -q 'loss by net.weight' out || fail "the gradient by the parameter: $(cat out)"

# --check=finite names the op that made the first number that is not finite. The mask's infinity is intended.
cat > bad.mg <<'EOF'
mg 1
graph step(x: f32[B, 3], lr: f32[]) -> (loss: f32[]) {
    param w: f32[3] = 0.5
    masked[b, i] = where(i == 2, -inf, x[b, i] * w[i])
    p = softmax(masked, axis = 1)
    gap[b] = p[b, 0] - 2
    l[b] = log(gap[b])
    loss[] = mean[b] l[b] * w[0]
    g = derivative(loss, w)
    v[i] = w[i] - lr[] * g[i]
    next w = v
}
EOF
cat > over.mg <<'EOF'
mg 1
graph step(x: f32[B, 3], step: i64[], lr: f32[]) -> (loss: f32[]) {
    param w: f32[3] = 0.5
    s[b] = sum[i] x[b, i] * w[i]
    loss[] = mean[b] s[b] * s[b]
    e[i] = exp(w[i] * f32(step[]) * 100)
    n[i] = e[i] - e[i] * e[i]
    v[i] = w[i] - lr[] * n[i] * 0
    next w = v
}
EOF
for _ in $(seq 48); do printf '\0\0\200\077'; done > ones.raw
for _ in $(seq 48); do printf '\0\0\300\177'; done > nan.raw
bad=(train bad.mg --data x=ones.raw --lr=0.1 --steps=9 --batch=8)
expect 3 '--check=finite names the op' "$mgc" "${bad[@]}"
expect 3 "bad.mg:7:5: note: 'l[0]' is not a number, though its operands are finite" "$mgc" "${bad[@]}" --check=finite
over=(train over.mg --lr=0.1 --steps=9 --batch=8)
expect 0 '' "$mgc" "${over[@]}" --data x=ones.raw --steps=1 --check=finite
expect 3 "step 1 gives 'w' a number that is not finite" "$mgc" "${over[@]}" --data x=ones.raw --check=finite
expect 3 "over.mg:7:5: note: 'n[0]' is infinite, though its operands are finite" "$mgc" "${over[@]}" --data x=ones.raw --check=finite
expect 3 "over.mg:2:12: note: 'x[" "$mgc" "${over[@]}" --data x=nan.raw --check=finite
expect 2 "is --check=finite" "$mgc" "${over[@]}" --data x=ones.raw --check

# A step whose update is not finite, though its loss is, replaces no checkpoint. A buffer may be infinite.
cat > rate.mg <<'EOF'
mg 1
graph step(x: f32[B, 3], step: u64[]) -> (loss: f32[]) {
    param w: f32[3] = 0.5
    buffer most: f32[] = inf
    loss[] = mean[b, i] x[b, i] * w[i] * w[i]
    g = derivative(loss, w)
    rate[]: f32[] = sqrt(2.5 - f32(step[]))
    v[i] = w[i] - rate[] * g[i] * 0.1
    next w = v, most = most
}
EOF
rate=(train rate.mg --data x=ones.raw --batch=8 --save=rates --report=1)
expect 0 '' "$mgc" "${rate[@]}" --steps=3
expect 3 "step 3 gives 'w' a number that is not finite; what --save kept is from before; --check=finite names" "$mgc" "${rate[@]}" --steps=4
[ "$(cat rates/latest)" = step-000003 ] || fail "a checkpoint with numbers that are not finite"

# A full disk: the files of the checkpoint go, and the one before stands.
head -c 2000 /dev/zero > wide.raw
full() { (ulimit -f 1; expect "$@") || exit 1; }
cat > wide.mg <<'EOF'
mg 1
graph step(x: f32[B]) -> (loss: f32[]) {
    param w: f32[500] = 0.5
    loss[] = mean[b, i] (x[b] - w[i]) * (x[b] - w[i])
    g = derivative(loss, w)
    v[i] = w[i] - 0.1 * g[i]
    next w = v
}
EOF
expect 0 '' "$mgc" train wide.mg --data x=wide.raw --no-cache --steps=1 --save=fulls
full 1 "the checkpoint 'step-000002' in 'fulls' was not saved; 'step-000001' stands" "$mgc" train wide.mg --data x=wide.raw --no-cache \
    --steps=2 --resume=fulls --save=fulls
grep -q "error: cannot write 'fulls/step-000002/weights.safetensors': File too large" err || fail "the reason: $(cat err)"
[ "$(ls fulls)" = "$(printf 'latest\nstep-000001')" ] || fail "what was not saved: $(ls fulls)"

expect 1 "error: the plan of 'step' does not fit into 10 bytes" "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --remat=10
grep -q '^error' err || fail "a diagnostic after other words: $(cat err)"

# What is refused gets one message that names what is wrong, and nothing is left behind.
expect 2 "needs data" "$mgc" train next.mg --steps=2
expect 2 "needs a number of steps" "$mgc" train next.mg "${stream[@]}"
expect 2 "--save=DIR names the folder" "$mgc" train next.mg "${stream[@]}" --steps=2 --lr=1 --save
expect 2 "give a learning rate" "$mgc" train next.mg "${stream[@]}" --steps=2
expect 2 "takes a number that is not negative" "$mgc" train next.mg "${stream[@]}" --steps=2 --lr=nan
expect 2 "no input 'lr'" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=2 --lr=0.1
expect 2 "need a size: --set S=SIZE" "$mgc" train next.mg --data text=text.txt --data targets=text.txt@1 --steps=2 --lr=1
expect 2 "takes no data 'texts'" "$mgc" train next.mg --data texts=text.txt --steps=2 --lr=1
expect 2 "input 'targets' has no data" "$mgc" train next.mg --data text=text.txt --set S=4 --steps=2 --lr=1
expect 1 "cannot read 'none'" "$mgc" train next.mg --data=none --set S=4 --steps=2 --lr=1
expect 1 "cannot read 'none.txt'" "$mgc" train next.mg --data text=none.txt --set S=4 --steps=2 --lr=1
expect 1 "shorter than a window" "$mgc" train next.mg --data text=text.txt --data targets=text.txt --set S=400 --steps=2 --lr=1
python3 -c '
import numpy as np
d = dict(np.load("'"$digits"'/digits.npz"))
np.savez("labels.npz", images=d["images"], labels=d["labels"] + 5)
np.savez("empty.npz", images=d["images"][:0], labels=d["labels"][:0])
np.savez("wide.npz", images=np.zeros((100, 8, 9), np.uint8), labels=d["labels"][:100])
np.savez("floats.npz", images=np.zeros((100, 8, 8), np.float32), labels=d["labels"][:100])
open("cut.npz", "wb").write(open("labels.npz", "rb").read()[:1000])'
expect 1 "subscript 2 of 'logs', computed from data, is outside 0 to 9: it is 1" "$mgc" train "$digits/train.mg" --data=labels.npz --steps=9
expect 1 "the data of 'images' have no sample" "$mgc" train "$digits/train.mg" --data=empty.npz --steps=2
expect 1 "dimension 2 of input 'images': expected 8, found 9" "$mgc" train "$digits/train.mg" --data=wide.npz --steps=2
printf 'mg 1\ngraph step(images: u8[B, H, W], lr: f32[]) -> (loss: f32[]) {\nparam w: f32[]\nloss[] = mean[b, h, w_ in 0..W] f32(images[b, h, w_]) * w[]\nd = derivative(loss, w)\nnext w = sub(w, mul(d, lr))\n}\n' > open.mg
expect 1 "--set says W = 7, but the data of 'images' have 9" "$mgc" train open.mg --data=wide.npz --set W=7 --steps=2 --lr=0
expect 0 "loss 0.0000" "$mgc" train open.mg --data=wide.npz --set W=9 --steps=2 --lr=0
expect 1 "input 'images' is u8, but 'floats.npz:images' holds f32" "$mgc" train "$digits/train.mg" --data=floats.npz --steps=2
expect 1 "not a valid npz file" "$mgc" train "$digits/train.mg" --data=cut.npz --steps=2
expect 2 "more than the number of samples, 1797" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=2 --batch=2000
expect 2 "holds out 1797 of 1797" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=2 --validate=1797
expect 2 "neither a number of samples nor a share" "$mgc" train next.mg "${stream[@]}" --lr=1 --steps=2 --validate=1.5
: > nothing.raw
expect 1 "shorter than a window of 16 elements, since the file is empty" "$mgc" train next.mg --data text=nothing.raw \
    --data targets=text.txt --set S=16 --steps=2 --lr=1
expect 1 "no checkpoint" "$mgc" train next.mg "${stream[@]}" --lr=1 --steps=2 --resume=nowhere
cp -r plain damaged
resume=(train next.mg "${stream[@]}" --lr=1 --steps=9 --resume=damaged)
printf '\1\2' > damaged/latest
expect 1 "'damaged/latest' is damaged: it names no checkpoint. The newest checkpoint there is 'step-000003'" "$mgc" "${resume[@]}"
echo ../plain/step-000003 > damaged/latest
expect 1 "'damaged/latest' names '../plain/step-000003', but there is no such checkpoint" "$mgc" "${resume[@]}"
echo step-000004 > damaged/latest
expect 1 "names 'step-000004', but there is no such checkpoint. The newest" "$mgc" "${resume[@]}"
: > damaged/latest
expect 1 "names '', but there is no such checkpoint" "$mgc" "${resume[@]}"
rm damaged/latest
expect 1 "no file 'latest' that names one. The newest checkpoint there is 'step-000003'" "$mgc" "${resume[@]}"
# Another training's checkpoint of the same step stands until the new one is whole.
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=6 --save=damaged
echo step-000003 > damaged/latest
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=7 --save=damaged
[ "$(cat damaged/latest)" = step-000003-again ] && [ -s damaged/step-000003/train.json ] || fail "a checkpoint of the same step"
# So does the one that is recommended if 'latest' is damaged.
echo step-000004 > damaged/latest
expect 1 "The newest checkpoint there is 'step-000003-again'" "$mgc" "${resume[@]}"
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=8 --save=damaged
[ "$(cat damaged/latest)" = step-000003 ] && [ -s damaged/step-000003-again/train.json ] || fail "the newest checkpoint"
rm -r damaged/latest damaged/step-000003-again
expect 0 '' "$mgc" train next.mg "${stream[@]}" --lr=0.1 --steps=3 --seed=9 --save=damaged
[ "$(cat damaged/latest)" = step-000003-again ] && [ -s damaged/step-000003/train.json ] || fail "a checkpoint without 'latest'"
# The newest is that of the last step, whatever its number of digits.
cp -r plain/step-000003 damaged/step-999999
cp -r plain/step-000003 damaged/step-1000000
rm damaged/latest
expect 1 "The newest checkpoint there is 'step-1000000'" "$mgc" "${resume[@]}"
sed 's/entries = 256/entries = 300/' next.mg > longer.mg
expect 1 "has 'net.weight' as f32[256, 256], but the graph has f32[300, 256]" "$mgc" train longer.mg "${stream[@]}" --lr=1 --steps=9 --resume=plain
cp -r plain typed
sed -i 's/"dtype":"F32"/"dtype":"F31"/' "typed/$(cat typed/latest)/weights.safetensors"
expect 1 "has 'net.weight' as F31[256, 256], but the graph has f32[256, 256]" "$mgc" train next.mg "${stream[@]}" --lr=1 --steps=9 --resume=typed
expect 1 "has no tensor 'net.weight', which the graph changes" "$mgc" train next.mg "${stream[@]}" --lr=1 --steps=2 --resume=whole
expect 1 "cannot make the folder" "$mgc" train next.mg "${stream[@]}" --lr=1 --steps=2 --save=text.txt
expect 3 "the loss of step" "$mgc" train next.mg "${stream[@]}" --lr=1e38 --steps=20 --save=failed
[ ! -e failed/latest ] || fail "a checkpoint of a step that failed"
cp -r whole broken
printf '{"step": "x"}' > broken/step-000200/train.json
expect 1 "is not what mgc train writes" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=300 --resume=broken
head -c 100 whole/step-000200/weights.safetensors > broken/step-000200/weights.safetensors
cp whole/step-000200/train.json broken/step-000200
expect 1 "weights.safetensors" "$mgc" train "$digits/train.mg" "${data[@]}" --steps=300 --resume=broken
sed 's/-> (loss:/-> (cost:/; s/    loss, logs/    cost, logs/; s/derivative(loss/derivative(cost/' next.mg > cost.mg
expect 1 "has no output 'loss'" "$mgc" train cost.mg "${stream[@]}" --lr=1 --steps=2
printf 'mg 1\ngraph step(x: f32[N]) -> (loss: f32[]) { loss[] = sum[n] x[n] }\n' > still.mg
printf '\0\0\0\0' > x.raw
expect 2 "changes no parameters" "$mgc" train still.mg --data x=x.raw --steps=2
finish
