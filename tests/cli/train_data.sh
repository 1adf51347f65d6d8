#!/usr/bin/env bash
# Tests the data of mgc train: folders of pictures, files of elements, batches that are read ahead, and what is refused.
. "$(dirname "$0")/lib.sh"

cat > png.py <<'E2'
"""png(path, pixels, …): writes an array [H, W] or [H, W, C] as a PNG."""
import os, struct, zlib
import numpy as np
def png(path, pixels, depth=8, palette=None, cut=None):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    h, w = pixels.shape[:2]
    kind = 3 if palette is not None else {1: 0, 2: 4, 3: 2, 4: 6}[1 if pixels.ndim == 2 else pixels.shape[2]]
    chunk = lambda name, data: struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + pixels[i].astype(">u2" if depth == 16 else np.uint8).tobytes() for i in range(h))
    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, depth, kind, 0, 0, 0))
    if palette is not None:
        data += chunk(b"PLTE", bytes(palette))
    data += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    open(path, "wb").write(data[:cut])
E2
python3 - <<'E2'
import numpy as np
from png import png
rng = np.random.default_rng(1)
for c, name in enumerate(["cats", "dogs", "emus"]):  # one third of the pixels is bright, another one in each class
    for k in range(40):
        x = rng.integers(0, 60, (6, 5, 3))
        x[2 * c:2 * c + 2] += 180
        png(f"photos/{name}/{k}.png", x)
        png(f"grey/{name}/{k}.png", x[:, :, 0])
open("photos/cats/readme.txt", "w").write("not a picture")
E2
cat > photos.mg <<'EOF'
mg 1
import nn
graph step(images: u8[N, 6, 5, 3], labels: u8[N], lr: f32[]) -> (loss: f32[], first: f32[], total: f32[]) {
    param net: nn.linear(features = 3)
    x[n, (i, j, c)]: f32[N, 90] = f32(images[n, i, j, c]) / 255
    loss, logs = cross_entropy(net(x), labels)
    first[] = f32(labels[0])
    total[] = sum[n, i, j, c] f32(images[n, i, j, c]) * f32(1 + 2 * i + 12 * j + 60 * c)
    for w in net { d = derivative(loss, w)   v = sub(w, mul(d, lr))   next w = v }
}
EOF
sed 's/N, 6, 5, 3/N, 3, 6, 5/; s/n, i, j, c\([],]\)/n, c, i, j\1/g' photos.mg > planes.mg
sed 's/N, 6, 5, 3/N, 6, 5/; s/, (i, j, c)/, (i, j)/; s/n, i, j, c\]/n, i, j]/g; s/sum\[n, i, j, c/sum[n, i, j/; s/ + 60 \* c//; s/N, 90/N, 30/' photos.mg > grey.mg

# A folder gives pixels to one input, and the classes, in the order of their names, to the other.
learn=(--steps=60 --batch=24 --lr=0.5 --seed=3)
expect 0 'held-out data, loss 0.0' "$mgc" train photos.mg --data=photos --validate=30 "${learn[@]}" --save=one
expect 0 'held-out data, loss 0.' "$mgc" train grey.mg --data=grey/ --validate=30 "${learn[@]}"
# Pictures of all classes are held out, so the mean of the first label of batches of one is near 1.
expect 0 'of' "$mgc" train photos.mg --data=photos --validate=60 --batch=1 --steps=1 --lr=0.1 --json
python3 - <<'EOF' || fail "the classes of what is held out: $(cat out)"
import json
last = json.loads(open("out").read().splitlines()[-1])
assert last["of"] == "held-out data" and 0.7 < last["first"] < 1.3, last
EOF
# The same with channels outermost, and with only the labels or only the pixels named. All pixels are in their places.
expect 0 '' "$mgc" train photos.mg --data images=photos --data labels=photos "${learn[@]}" --json
cp out last
expect 0 '' "$mgc" train planes.mg --data=photos "${learn[@]}" --json
python3 - <<'EOF' || fail "channels first: $(cat last out)"
import json
a, b = (json.loads(open(f).read()) for f in ("last", "out"))
assert abs(a["loss"] - b["loss"]) < 1e-5 and a["total"] == b["total"], (a, b)
EOF
# Palettes are colours; interlaced or grey ones are read by libpng. One sample, whose sum is known.
python3 - <<'EOF'
import numpy as np
from png import png
png("palette/a/x.png", np.arange(30).reshape(6, 5) % 2, palette=[10, 20, 30, 40, 50, 60])
EOF
expect 0 '' "$mgc" train photos.mg --data=palette --batch=1 --steps=1 --lr=0 --json
python3 - <<'EOF' || fail "the palette's sum: $(cat out)"
import json
i, j, c = (range(n) for n in (6, 5, 3))
want = sum(((10, 20, 30), (40, 50, 60))[(5 * a + b) % 2][k] * (1 + 2 * a + 12 * b + 60 * k) for a in i for b in j for k in c)
assert abs(json.loads(open("out").read())["total"] / want - 1) < 1e-6, want
EOF

# Batches that are read ahead are those of a training that stops after each step.
expect 0 '' "$mgc" train photos.mg --data=photos --batch=24 --lr=0.5 --seed=3 --steps=7 --save=never
for n in 1 2 3 4 5 6 7; do
    more=(); [ $n = 1 ] || more=(--resume=each)
    expect 0 '' "$mgc" train photos.mg --data=photos --batch=24 --lr=0.5 --seed=3 --steps=$n --save=each "${more[@]}"
done
cmp -s never/step-000007/weights.safetensors each/step-000007/weights.safetensors || fail "other batches after a stop"

# What is refused.
bad() { # bad STATUS TEXT FOLDER: checks that the folder is refused with TEXT
    expect "$1" "$2" "$mgc" train photos.mg --data="$3" --steps=3 --batch=1 --lr=0.1
}
python3 - <<'EOF'
import numpy as np, os
from png import png
x = np.zeros((6, 5, 3))
png("mixed/a/1.png", x); png("mixed/2.png", x)
png("sizes/a/1.png", x); png("sizes/a/2.png", x[:, :4])
png("deep/a/1.png", x, depth=16)
png("opaque/a/1.png", np.zeros((6, 5, 4)))
png("wide/a/1.png", np.zeros((6, 7, 3)))
png("plain/1.png", x)
png("cut/a/1.png", np.random.default_rng(1).integers(0, 255, (6, 5, 3)), cut=80)
png("head/a/1.png", x, cut=20)
os.makedirs("empty"); os.makedirs("hollow/a")
for k in range(257):
    png(f"many/{k:03}/1.png", x)
EOF
bad 1 "has pictures and folders" mixed
bad 1 "'sizes/a/1.png' has 6 x 5 of 3" sizes
bad 1 "'deep/a/1.png' has 16 bits a channel" deep
bad 1 "the pictures of 'opaque' have 4 channels: input 'images' has to be u8[N, H, W, 4] or u8[N, 4, H, W]" opaque
bad 1 "dimension 2 of input 'images': expected 5, found 7" wide
bad 1 "the folder 'plain' has no folders, whose names would be the classes" plain
bad 1 "'cut/a/1.png' cannot be read as a PNG" cut
bad 1 "'head/a/1.png' cannot be read as a PNG" head
bad 1 "the folder 'empty/' has no PNG file" empty
bad 1 "the folder 'hollow/a/' has no PNG file" hollow
bad 1 "the 257 classes of 'many' are more than u8 has numbers for" many
sed 's/labels: u8/labels: f32/; s/labels)/i64(labels))/; s/f32(labels/(labels/' photos.mg > floats.mg
expect 1 "but 'labels' is neither" "$mgc" train floats.mg --data=photos --steps=3 --lr=0.1
expect 1 "cannot read 'nowhere': No such file" "$mgc" train photos.mg --data=nowhere --steps=3 --lr=0.1
expect 2 "--data takes FILE.npz or a folder, or NAME=FILE for one input, not 'photos.mg'" "$mgc" train photos.mg --data=photos.mg --steps=3 --lr=0.1

# Elements of a file are read where they are needed. A file that is not a whole number of them, or becomes shorter, is reported.
cat > line.mg <<'EOF'
mg 1
graph step(x: f32[B, S], lr: f32[]) -> (loss: f32[]) {
    param w: f32[] = 1
    loss[] = mean[b, s] w[] * x[b, s]
    v[] = w[] - lr[]
    next w = v
}
EOF
head -c 4098 /dev/zero > odd.raw
head -c 40000 /dev/zero > even.raw
: > empty.raw
line=(train line.mg --set S=100 --lr=0 --batch=4)
expect 1 "'odd.raw' has 4098 bytes, no whole number of f32 (4 bytes each)" "$mgc" "${line[@]}" --data x=odd.raw --steps=3
expect 1 "the data of 'x' have no sample: they are shorter than a window" "$mgc" "${line[@]}" --data x=empty.raw --steps=3
expect 1 "cannot read '/dev/null': it is no regular file" "$mgc" "${line[@]}" --data x=/dev/null --steps=3
"$mgc" "${line[@]}" --data x=even.raw --steps=100000000 > out 2> err &
child=$!
sleep 1
: > even.raw
wait $child
[ $? = 1 ] && grep -q "cannot read 'even.raw': it became shorter" err || fail "a file that becomes shorter"

# A full disk: the checkpoint is not written, the previous one stays, and no half-written file is left.
expect 0 '' "$mgc" train photos.mg --data=photos "${learn[@]}" --save=disk
(
    trap '' XFSZ # a write beyond the limit fails
    ulimit -f 1
    exec "$mgc" train photos.mg --data=photos --batch=24 --lr=0.5 --steps=90 --resume=disk --save=disk --no-cache
) > out 2> err
[ $? = 1 ] && grep -q "cannot write 'disk/step-000090/weights.safetensors'" err || fail "a full disk: $(cat err)"
[ "$(cat disk/latest)" = step-000060 ] && [ ! -e disk/step-000090/weights.safetensors ] || fail "half a checkpoint"
expect 0 '' "$mgc" train photos.mg --data=photos --batch=24 --lr=0.5 --steps=90 --resume=disk --save=disk
finish
