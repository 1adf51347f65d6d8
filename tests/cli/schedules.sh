#!/usr/bin/env bash
# Tests edited schedules: --emit-schedule, --schedule=FILE. A right one computes the same with other kernels. A wrong
# one is refused with its line and the reason.
source "$(dirname "$0")/lib.sh"
cat > net.mg <<'END'
mg 1
graph net(x: f32[64, 1000], b: f32[1000]) -> (y: f32[64, 1000], z: f32[64]) {
    h[i, j] = x[i, j] + b[j]
    y = relu(h)
    z = sum(h, axes = [1])
}
graph pair(x: f32[8, 5000]) -> (y: f32[8, 5000], z: f32[2, 5000]) {
    y = exp(x)
    z[i in 0..1, j] = x[i, j]
    z[1, j] = x[1, j] * 2
}
graph rows(x: f32[8, 16]) -> (y: f32[8, 16]) {
    m[i] = max[j] x[i, j]
    d[i] = m[i] * 2
    y[i, j] = x[i, j] - d[i]
}
graph turned(u: f32[2, 261, 150]) -> (w: f32[2, 150, 261]) { w[b, i, j] = u[b, j, i] + 1 }
graph product(a: f32[33, 47], b: f32[47, 29]) -> (c: f32[33, 29]) { c = matmul(a, b) }
graph window(x: f32[4, 21, 45], f: f32[4, 3, 3]) -> (r: f32[4, 21, 45]) {
    y[c, h in 0..21, w in 0..45] = sum[s, t] (x[c, h + s - 1, w + t - 1] else 0) * f[c, s, t]
    r = relu(y)
}
graph computed(x: f32[4, H, W]) -> (y: f32[4, H, W]) {
    y[c, h in 0..H, w in 0..W] = max[s in 0..3, t in 0..3] exp(x[c, h + s - 1, w + t - 1] else 0)
}
graph pixels(x: f32[21, 45, 20], f: f32[3, 3, 20]) -> (y: f32[21, 45, 20]) {
    y[h in 0..21, w in 0..45, c] = sum[s, t] (x[h + s - 1, w + t - 1, c] else 0) * f[s, t, c]
}
graph down(x: f32[3, 200, 300]) -> (y: f32[3, 300]) { y[b, j] = sum[i] x[b, i, j] }
graph running(x: f32[5, 300]) -> (y: f32[5, 300]) { y[i, j in 0..300] = sum[t in 0..j] x[i, t] }
graph sideways(x: f32[300, 21]) -> (y: f32[300, 21]) { y[i in 0..300, j] = max[t in i..300] x[t, j] }
graph joined(x: f32[3, 90001]) -> (y: f32[3]) {
    m[i] = max[j] x[i, j]
    e[i] = sum[j] exp(x[i, j] - m[i])
    y[i] = log(e[i]) + m[i]
}
graph placed(n: i64[40], x: f32[40, 21]) -> (y: f32[7, 21]) { y[n[i] % 7, j] = sum[i] x[i, j] }
graph wider(x: f32[6, 37]) -> (y: f32[6, 37, 2]) { y[c, w, b in 0..2] = x[c, w] * f32(b + 1) }
graph dots(x: f32[24, 700], v: f32[700]) -> (y: f32[24]) {
    d[i] = sum[k] x[i, k] * v[k]
    y = relu(d)
}
graph attend(q: f32[2, 90, 8], k: f32[2, 90, 8], v: f32[2, 90, 12], x: f32[90, 90]) -> (y: f32[2, 90, 12]) {
    s[h, i, j] = sum[d] q[h, i, d] * k[h, j, d]
    t[h, i, j] = where(j > i, -inf, s[h, i, j] + x[i, j])
    m[h, i] = max[j] t[h, i, j]
    e[h, i, j] = exp(t[h, i, j] - m[h, i])
    z[h, i] = sum[j] e[h, i, j]
    y[h, i, c] = sum[j] (e[h, i, j] / z[h, i]) * v[h, j, c]
}
graph tiles(x: f32[2, 24, 30, 37]) -> (y: f32[2, 40, 30, 37]) {
    param f: f32[40, 24, 3, 3]
    s[b, o, h in 0..30, w in 0..37] = sum[c, r, t] (x[b, c, h + r - 1, w + t - 1] else 0) * f[o, c, r, t]
    y = relu(s)
}
graph taps(x: f32[6, 20, 15, 16], d: f32[6, 24, 15, 16]) -> (y: f32[24, 20, 3, 3]) {
    s[o, c, r in 0..3, t in 0..3] = sum[b, h, w] d[b, o, h, w] * (x[b, c, h + r - 1, w + t - 1] else 0)
    y = s * 0.5
}
graph given_factor(x: f32[6, 24, 7, 8], f: f32[40, 24, 3, 3]) -> (y: f32[6, 40, 7, 8]) {
    s[b, o, h in 0..7, w in 0..8] = sum[c, r, t] (x[b, c, h + 1 - r, w + 1 - t] else 0) * f[o, c, r, t]
    y = relu(s)
}
graph few_outputs(x: f32[40, 7, 7]) -> (s: f32[6, 5, 5]) {
    param f: f32[6, 40, 3, 3]
    s[o, h in 0..5, w in 0..5] = sum[c, r, t] x[c, h + r, w + t] * f[o, c, r, t]
}
graph waves(b: f32[300, 45]) -> (c: f32[37, 45]) { c[i in 0..37, j] = sum[k] cos(i * k) * b[k, j] }
graph open_sizes(x: f32[B, 300], w: f32[300, 40]) -> (y: f32[B, 40]) { y[b, o] = sum[i] x[b, i] * w[i, o] }
graph longest(x: f32[5000]) -> (y: f32[5000]) { y[j in 0..5000] = sum[t in 0..j + 1] x[t] }
END
run() { "$mgc" run net.mg --graph=net --input x=random:1 --input b=random:2 --format=json "$@" | jq -c .outputs; }
run > reference

# the printed schedule is the one that runs, and reads back unchanged
"$mgc" --emit-schedule net.mg --graph=net > printed.mgs
expect 0 "schedule h, y, z on cpu" cat printed.mgs
"$mgc" --emit-schedule net.mg --graph=net --schedule=printed.mgs > again.mgs
cmp -s printed.mgs again.mgs || fail "what is read is printed otherwise"

# A run decides open sizes, so schedules for open sizes may not suit it, and the message says which ones do.
"$mgc" --emit-schedule net.mg --graph=open_sizes > open.mgs
expect 1 "mgc --emit-schedule --set B=1 prints those" "$mgc" run net.mg --graph=open_sizes --input x=ones --input w=ones --set B=1 --schedule=open.mgs
"$mgc" --emit-schedule net.mg --graph=open_sizes --set B=1 > one.mgs
expect 0 "300" "$mgc" run net.mg --graph=open_sizes --input x=ones --input w=ones --set B=1 --schedule=one.mgs

# An edited schedule makes h and y in one pass over the row, in registers, and sums 16 rows on each core.
cat > edited.mgs <<'END'
// comments and blank lines change nothing

schedule h, y, z on cpu
  for i by 16 on core
    for i          // the rows of a block
      keep h in local
      for j = time(*) reg(2) lane(4)
        do h, y
      for j = time(*) lane(4)
        do z
schedule something, else on gpu
  for nothing on core
END
run --schedule=edited.mgs > result
python3 - <<'END' || fail "an edited schedule computes something else"
import json
a, b = (json.load(open(f)) for f in ("reference", "result"))
assert all(abs(x - y) <= 1e-4 * (1 + abs(y)) for u, v in zip(a, b) for x, y in zip(u["data"], v["data"])), "values"
END
expect 0 "h.2: f32<8> = v.2 + v.3" "$mgc" --emit-kernels net.mg --graph=net --schedule=edited.mgs
expect 0 "parallel chunk in 0..4" "$mgc" --emit-kernels net.mg --graph=net --schedule=edited.mgs
# Another schedule makes another object.
run --cache=cache > first; run --cache=cache --schedule=edited.mgs > second; run --cache=cache > third
cmp -s first third && cmp -s second result || fail "the cache takes one schedule's object for another's"

# A kernel whose schedule has no text can be given one: here a product gets three plain loops.
cat > naive.mgs <<'END'
schedule c on cpu
  for i on core
    for j = time(*) lane(8) tail mask
      do c
END
expect 0 "do c" "$mgc" --emit-schedule net.mg --graph=product
product() { "$mgc" run net.mg --graph=product --input a=random:1 --input b=random:2 --format=json "$@" | jq -c '.outputs[0].data[:5] | map(. * 1000 | round)'; }
"$mgc" --emit-ir net.mg --graph=product > ir
product > chosen
sed -i "s/for i/for $(sed -n 's/.*c\[\([a-z0-9]*\) in .*/\1/p' ir | head -1)/; s/for j/for $(sed -n 's/.*c\[[^,]*, \([a-z0-9]*\) in .*/\1/p' ir | head -1)/" naive.mgs
product --schedule=naive.mgs > naive
cmp -s chosen naive || fail "a product as plain loops: $(cat chosen naive)"

# Tiles of a contraction: the printed schedule reads back, an edited tile computes the same, and wrong ones are refused.
"$mgc" --emit-schedule net.mg --graph=product --march=x86-64-v3 | sed '/^\/\//d' > tile.mgs
expect 0 "for i = reg(6), j = reg(2) lane(8)" cat tile.mgs
product --march=x86-64-v3 --schedule=tile.mgs > tiled
cmp -s chosen tiled || fail "a printed tile: $(cat chosen tiled)"
cat > edited.mgs <<'END'
schedule c on cpu
  for k by 24
    stage b as [j / 8, k, 8] in common
    for i by 9 on core
      stage a as [i / 3, k, 3] in local
      for j by 8
        for i by 3
          for k
            for i = reg(3), j = lane(8)
              do c
END
product --march=x86-64-v3 --threads=2 --schedule=edited.mgs > tiled
cmp -s chosen tiled || fail "an edited tile: $(cat chosen tiled)"
refuse_tile() { # TEXT SED-SCRIPT: the edited tile, edited so, is refused
    sed "$2" edited.mgs > wrong.mgs
    expect 1 "$1" "$mgc" --emit-kernels net.mg --graph=product --march=x86-64-v3 --threads=2 --schedule=wrong.mgs
}
refuse_tile "wrong.mgs:9:13: error: a tile of 16 rows and 1 vector does not fit" 's/reg(3)/reg(16)/'
refuse_tile "wrong.mgs:9:13: error: vectors have 8 lanes here" 's/lane(8)/lane(16)/'
refuse_tile "wrong.mgs:4:5: error: blocks of 10 rows are not a multiple of the tile's 3 rows" 's/i by 9/i by 10/'
refuse_tile "wrong.mgs:5:7: error: a contraction with these loops has 'stage a as [i / 3, k, 3] in local' here" 's,\[i / 3\, k\, 3\],[i / 6\, k\, 6],'
refuse_tile "wrong.mgs:5:7: error: a contraction with these loops has 'stage a as [i / 3, k, 3] in local' here" '5s/local/common/'
refuse_tile "wrong.mgs:3:5: error: only a factor that never changes, and is not too large, can be in kept" '3s/common/kept/'
refuse_tile "wrong.mgs:3:5: error: a contraction with these loops has 'stage b as [j / 8, k, 8] in common' here" '3s/b as/a as/'
refuse_tile "wrong.mgs:3:5: error: 'by fill' needs strips of one core" '3s/$/ by fill/'
refuse_tile "wrong.mgs:2:3: error: a packed block has more than 268435456 elements" 's/k by 24/k by 2000000000/'
refuse_tile "wrong.mgs:2:3: error: the sum has only 47 steps" 's/k by 24/k by 48/'
refuse_tile "wrong.mgs:10:15: error: a contraction with these loops has 'do c' here" 's/do c/do c at last k/'
refuse_tile "wrong.mgs:3:17: error: there is no index 'q' here" 's,j / 8,q / 8,'
refuse_tile "a tile of 3 rows and 536870912 vectors does not fit" 's/j = lane(8)/j = reg(536870912) lane(8)/'
refuse_tile "wrong.mgs:3:33: error: expected one of local, reg, common, kept, mem, found 'nowhere'" '3s/common/nowhere/'
refuse_tile "a contraction has a tile of registers" 's/i = reg(3), j = lane(8)/j = lane(8)/'

# a factor that reads no value
"$mgc" --emit-schedule net.mg --graph=waves --march=x86-64-v3 > waves.mgs
expect 0 "stage * as [i" cat waves.mgs
"$mgc" --emit-kernels net.mg --graph=waves --march=x86-64-v3 > chosen_waves
"$mgc" --emit-kernels net.mg --graph=waves --march=x86-64-v3 --schedule=waves.mgs | cmp -s - chosen_waves || fail "a factor without a name does not read back"
sed 's/stage \*/stage b/' waves.mgs > wrong.mgs
expect 1 "a contraction with these loops has 'stage * as" "$mgc" --emit-kernels net.mg --graph=waves --march=x86-64-v3 --schedule=wrong.mgs

# windows, and sums down columns
write_form() { # NAME: the schedule on standard input, for vectors of 8 lanes
    cat > "$1.mgs"
    expect 0 "kernel" "$mgc" --emit-kernels net.mg --graph="$1" --march=x86-64-v3 --threads=2 --schedule="$1.mgs"
}
refuse_form() { # NAME TEXT SED-SCRIPT: the schedule of that name, edited so, is refused
    sed "$3" "$1.mgs" > wrong.mgs
    expect 1 "$2" "$mgc" --emit-kernels net.mg --graph="$1" --march=x86-64-v3 --threads=2 --schedule=wrong.mgs
}
write_form window <<'END'
schedule y, r on cpu
  for c, h by 4 on core
    for w by 16
      stage x as [h + s, w + t] in local
      for w = time(*) lane(8) tail mask
        for h on reg
          for s, t on reg
            do y
          do r
END
refuse_form window "wrong.mgs:2:3: error: windows come in tiles of at most 21 rows here: 'for h by N'" 's/h by 4/h by 22/'
refuse_form window "wrong.mgs:3:5: error: blocks of 'w' are a multiple of 8 lanes, and at most 16777216" 's/w by 16/w by 12/'
refuse_form window "wrong.mgs:5:7: error: a vector has 8 lanes here, or a power of two of at least 2 below" 's/lane(8)/lane(16)/'
refuse_form window "wrong.mgs:3:5: error: a window with these loops has 'for w = time(*) lane(8) edges tail mask' here" 's/lane(8)/lane(8) edges/'
refuse_form window "wrong.mgs:4:7: error: a window with these loops has 'stage x as [h + s, w + t] in local' here" 's/h + s/h/'
refuse_form window "wrong.mgs:4:7: error: a window with these loops has 'stage x as [h + s, w + t] in local' here" 's/local/local by phases/'
refuse_form window "wrong.mgs:8:13: error: windows that share elements, or reach outside, are not reduced by phases" 's/do y/do y by phases/'
refuse_form window "wrong.mgs:7:11: error: a window with these loops has 'for s, t on reg' here" 's/s, t on/t, s on/'
refuse_form window "wrong.mgs:6:9: error: a window with these loops has 'do r' at the end of these lines" '/do r/d'
refuse_form window "wrong.mgs:1:1: error: no loop has lanes, as 'for i = time(*) lane(8)' has" 's/ = time(\*) lane(8) tail mask//'
refuse_form window "wrong.mgs:4:23: error: there is no index 'q' here" 's/h + s/h + q/'
refuse_form window "wrong.mgs:4:21: error: expected ']', found '*'" 's/h + s/h * s/'
write_form computed <<'END'
schedule y on cpu
  for c on core
    for h by 4
      for w by 32
        stage x as [h + s, w + t] in local
        for w = time(*) lane(8) tail mask
          for h on reg
            for s, t on reg
              do y
END
refuse_form computed "wrong.mgs:6:9: error: only what lies in memory as windows take it is read with edges" 's/lane(8)/lane(8) edges/'
refuse_form computed "wrong.mgs:4:7: error: the size of 'w' is open: a stage serves blocks of it, 'for w by N'" '4d; s/^    \( *\)\(stage\|for w =\|for h on\|for s\|do\)/  \1\2/'
refuse_form computed "wrong.mgs:5:9: error: the stage has more than 16777216 elements" 's/w by 32/w by 16777216/'
write_form pixels <<'END'
schedule y on cpu
  for h on core
    for w = time(*) reg(5) edges
      for c = time(*) lane(4)
        for s
          for t on reg
            do y
END
refuse_form pixels "wrong.mgs:3:5: error: a tile has at most 11 positions of 'w'" 's/reg(5)/reg(12)/'
refuse_form pixels "wrong.mgs:4:7: error: a window of channels with these loops has 'for c = time(*) lane(8) tail mask' here" 's/lane(4)/lane(8)/'
refuse_form pixels "wrong.mgs:4:7: error: below lanes there are only 'do' lines" 's/ edges/ tail mask/; s/time(\*) reg(5)/time(*) reg(4) lane(8)/'
write_form down <<'END'
schedule y on cpu
  for b, j by 64 on core
    keep y in local
    for i by 5
      for j = time(*) lane(8) tail mask
        for i on reg
          do y
END
refuse_form down "wrong.mgs:2:3: error: the sums of a block of 'j' are kept: a multiple of 8 lanes, and at most 16777216" 's/64/60/'
refuse_form down "wrong.mgs:4:5: error: each sum takes a block of 'i' at once: of at most 64" 's/i by 5/i by 65/'
refuse_form down "wrong.mgs:3:5: error: a reduction down columns with these loops has 'keep y in local' here" 's/local/common/'
refuse_form down "wrong.mgs:2:3: error: a reduction down columns with these loops has 'for b, j by 64 on core' here" 's/ on core//'
refuse_form down "wrong.mgs:7:11: error: a reduction down columns with these loops has 'do y' here" 's/do y/do y by phases/'

# attention
write_form attend <<'END'
schedule s, t, m, e, z, y on cpu
  for h, i by 32 on core dealt
    stage k as [j, d] in local
    for i by 16
      stage q as [d, i] in local by turn
      keep m, z in reg
      keep y in local by turn
      for j by 24 skip t
        keep s, e in local
        for j by 4
          for d
            for j = reg(4), i = reg(2) lane(8)
              do s
        for j by 8
          stage x as [j, i] in local by turn
          for j
            for i = reg(2) lane(8)
              do t, m
        for j
          for i = reg(2) lane(8)
            do e, z
        for c by 3
          for j
            for c = reg(3), i = reg(2) lane(8)
              do y
        join m, z, y over j by shifted in local
END
refuse_form attend "wrong.mgs:12:13: error: a strip has 1 to 4 vectors of rows" 's/reg(2)/reg(5)/'
refuse_form attend "wrong.mgs:12:13: error: a vector has 8 lanes here, or a power of two of at least 2 below" 's/lane(8)/lane(6)/'
refuse_form attend "wrong.mgs:2:3: error: a core takes strips of 16 rows: blocks of 'i' are a multiple of these" 's/i by 32/i by 24/'
refuse_form attend "wrong.mgs:4:5: error: attention with these loops has 'for i by 16' here" 's/i by 16/i by 32/'
refuse_form attend "wrong.mgs:8:7: error: blocks of 'j' are a multiple of the tile's 4, and at most 65536" 's/j by 24/j by 30/'
refuse_form attend "wrong.mgs:8:7: error: the only block is not skipped" 's/j by 24/j by 96/'
refuse_form attend "wrong.mgs:10:9: error: a tile has at most 16 positions of 'j'" 's/j by 24/j by 40/;s/j by 4$/j by 20/;s/reg(4)/reg(20)/'
refuse_form attend "wrong.mgs:1:1: error: no line stages [j, d], and tiles of 4 can't read it in place" '/stage k/d'
refuse_form attend "wrong.mgs:24:13: error: attention with these loops has 'for c = reg(2), i = reg(2) lane(8)' here" 's/c by 3/c by 2/'
refuse_form attend "wrong.mgs:13:15: error: the last tile of 'j' is not full, so its scores are finished in a loop of their own" 's/do s$/do s, t, m/;14,18d'
refuse_form attend "wrong.mgs:15:11: error: attention with these loops has 'stage x as [j, i] in local by turn' here" '15s/ by turn//'
refuse_form attend "wrong.mgs:7:7: error: attention with these loops has 'keep y in local by turn' here" 's/keep y in local/keep y in reg/'
refuse_form attend "wrong.mgs:1:1: error: no loop is over blocks of 'j'" 's/for j by .*/for j/'
refuse_form attend "wrong.mgs:26:9: error: attention with these loops has 'join m, z, y over j by shifted in local' here" 's/shifted/moments/'
refuse_form attend "wrong.mgs:8:23: error: expected a value, found the end of the line" 's/skip t/skip/'
refuse_form attend "wrong.mgs:8:7: error: attention with these loops has 'for j by 24 skip t' here" 's/skip t/skip s/'

# Winograd's algorithm
expect 0 "do s by winograd" "$mgc" --emit-schedule net.mg --graph=tiles -O3 --march=x86-64-v3
"$mgc" --emit-schedule net.mg --graph=few_outputs -O3 --march=x86-64-v3 > plain
if grep -q winograd plain; then fail "so few outputs are summed plainly: $(cat plain)"; fi
write_form tiles <<'END'
schedule s, y on cpu
  index p = h * w
  stage f as [o / 16, c, 16] in kept by winograd
  for b, h by 12
    stage x as [p, c] in common by winograd
    for o by 16 on core
      for h by 4, w by 4
        for c
          for p = reg(7), o = reg(2) lane(8)
            do s by winograd
        do y
END
refuse_form tiles "wrong.mgs:7:7: error: tiles have 2 x 2 or 4 x 4 outputs: 'for h by 4, w by 4'" 's/h by 4, w by 4/h by 3, w by 3/'
refuse_form tiles "wrong.mgs:7:7: error: a convolution by Winograd's algorithm with these loops has 'for h by 2, w by 2' here" 's/h by 4, w by 4/h by 4, w by 2/'
refuse_form tiles "wrong.mgs:9:11: error: registers have 1 to 16 tiles, and 1 to 4 vectors of maps" 's/reg(7)/reg(17)/'
refuse_form tiles "wrong.mgs:9:11: error: a vector has fewer lanes than a tile's row has outputs" 's/lane(8)/lane(2)/'
refuse_form tiles "wrong.mgs:4:3: error: blocks of 'h' are whole tiles, a multiple of 4, and at most 32" 's/h by 12/h by 36/'
refuse_form tiles "wrong.mgs:5:5: error: a convolution by Winograd's algorithm with these loops has 'stage x as [p, c] in common by winograd' here" 's/common/local/'
refuse_form tiles "wrong.mgs:3:3: error: a convolution by Winograd's algorithm with these loops has 'stage f as [o / 16, c, 16] in kept by winograd' here" '3s/kept/local/'
refuse_form tiles "walks these as one: begin with 'index NAME = h * w'" 's/h \* w/w * h/'

# the derivative with respect to the factor
expect 0 "do s by winograd" "$mgc" --emit-schedule net.mg --graph=taps -O3 --march=x86-64-v3 --winograd=4
write_form taps <<'END'
schedule s, y on cpu
  index p = h * w
  for b by 4
    stage x as [p, c] in common by winograd
    stage d as [p, o] in common by winograd
    for o by 16, c by 16 on core
      for h by 4, w by 4
        for o = reg(4), c = reg(2) lane(8)
          do s by winograd
      do y
END
refuse_form taps "wrong.mgs:7:7: error: tiles have 2 x 2 or 4 x 4 places: 'for h by 4, w by 4'" 's/h by 4, w by 4/h by 3, w by 3/'
refuse_form taps "wrong.mgs:8:9: error: registers have 1 to 16 maps, which divide the lanes, and 1 to 4 vectors of channels" 's/reg(4)/reg(3)/'
refuse_form taps "wrong.mgs:8:9: error: a vector has fewer lanes than a tile's row has places" 's/lane(8)/lane(2)/'
refuse_form taps "wrong.mgs:3:3: error: blocks of 'h' are whole tiles, a multiple of 4, and at most 16" 's/b by 4/h by 20/'
refuse_form taps "wrong.mgs:6:5: error: strips have whole vectors of maps, a multiple of 8, and at most 24" 's/o by 16, c/o by 12, c/'
refuse_form taps "wrong.mgs:5:5: error: a derivative by Winograd's algorithm with these loops has 'stage d as [p, o] in common by winograd' here" '5s/common/local/'

# the factor changes between runs; a block has several images
expect 0 "stage f as [o / 16, c, 16] in local by winograd" "$mgc" --emit-schedule net.mg --graph=given_factor -O3 --march=x86-64-v3
write_form given_factor <<'END'
schedule s, y on cpu
  index p = h * w
  for b by 4 on core
    stage x as [p, c] in local by winograd
    for o by 16
      stage f as [o / 16, c, 16] in local by winograd
      for h by 4, w by 4
        for c
          for p = reg(6), o = reg(2) lane(8)
            do s by winograd
        do y
END
refuse_form given_factor "wrong.mgs:3:3: error: a block has at most all 6 of 'b'" 's/b by 4/b by 7/'
write_form given_factor <<'END'
schedule s, y on cpu
  index p = h * w
  stage f as [o / 16, c, 16] in common by winograd
  for b, h by 4 on core
    stage x as [p, c] in local by winograd
    for o by 16
      for h by 4, w by 4
        for c
          for p = reg(2), o = reg(2) lane(8)
            do s by winograd
        do y
END
refuse_form given_factor "wrong.mgs:3:3: error: this factor may change between runs: stage it 'in common', or 'in local' in the loop over strips" '3s/common/kept/'

# scans: the printed schedule and an edited one compute the same
scan() { # NAME: the schedule on standard input
    cat > "$1.mgs"
    "$mgc" run net.mg --graph="$1" --input x=random:1 --format=json --march=x86-64-v3 --threads=3 | jq -c '[.outputs[0].data[] | . * 1000 | round]' > reference
    "$mgc" run net.mg --graph="$1" --input x=random:1 --format=json --march=x86-64-v3 --threads=3 --schedule="$1.mgs" | jq -c '[.outputs[0].data[] | . * 1000 | round]' > result
    python3 -c "
import json
a, b = (json.load(open(f)) for f in ('reference', 'result'))
assert len(a) == len(b) and all(abs(x - y) <= 1 for x, y in zip(a, b))" || fail "the schedule of $1 computes something else"
}
scan running <<'END'
schedule y on cpu
  for i on core
    for j = time(*) lane(2) carry y tail mask
      do y
END
refuse_form running "wrong.mgs:3:5: error: a vector has 4 lanes here, or a power of two of at least 2 below" 's/lane(2)/lane(8)/'
refuse_form running "wrong.mgs:3:5: error: a scan with these loops has 'for j = time(*) lane(2) carry y tail mask' here" 's/ tail mask//'
refuse_form running "wrong.mgs:2:3: error: a scan with these loops has 'for i on core' here" 's/ on core//'
refuse_form running "wrong.mgs:3:5: error: only one row of known length, which is walked by vectors, can be cut into parts" '2a\    for j by 128 on core carry y
3s/^/  /;4s/^/  /'
scan running <<'END'
schedule y on cpu
  for i on core
    for j carry y
      do y
END
refuse_form running "wrong.mgs:3:17: error: the unit does not compute 'x'; it computes y" 's/carry y/carry x/'
refuse_form running "wrong.mgs:3:16: error: expected a value, found the end of the line" 's/carry y/carry/'
scan sideways <<'END'
schedule y on cpu
  for j by 4 on core
    for j = lane(4) tail mask
      for i carry y
        do y
END
refuse_form sideways "wrong.mgs:3:5: error: a scan with these loops has 'for j = lane(4) tail mask' here" '3s/ tail mask//'
refuse_form running "wrong.mgs:2:3: error: results and what they are made of don't lie side by side along 'i'" 's/for i on core/for i = lane(4)/'
scan longest <<'END'
schedule y on cpu
  for j by 400 on core carry y
    for j = time(*) lane(4) carry y
      do y
END
refuse_form longest "wrong.mgs:2:3: error: the row is cut into 2 to 4096 parts, each a multiple of 4 steps" 's/by 400/by 402/'
refuse_form longest "wrong.mgs:2:3: error: the row is cut into 2 to 4096 parts, each a multiple of 4 steps" 's/by 400/by 5000/'
refuse_form down "wrong.mgs:2:3: error: 'y' is no running sum, so no loop carries it" 's/ on core/ carry y/;3,6d;s/      do/do/'

# reductions in parts, and scatters
scan joined <<'END'
schedule m, e, y on cpu
  for i
    for j by 1000 on core
      for j = time(*) reg(2) lane(8) tail mask
        do m
      for j = time(*) reg(2) lane(8) tail mask
        do e
  join m, e over j by shifted in common
  for i on core
    do y
END
refuse_form joined "wrong.mgs:8:3: error: a reduction in parts with these loops has 'join m, e over j by shifted in common' here" 's/shifted/moments/'
refuse_form joined "expected a monoid, as 'shifted', found 'softly'" 's/shifted/softly/'
refuse_form joined "wrong.mgs:3:5: error: there are 2 to 65536 parts; those of an open size have at least 64 steps" 's/1000/1/'
refuse_form joined "wrong.mgs:4:7: error: several vectors are whole ones, a power of two of them, and at most" 's/reg(2) lane(8)/reg(2) lane(4)/'
refuse_form joined "no loop is over parts of what is joined" 's/ by 1000//'
cat > no_sum.mgs <<'END'
schedule w on cpu
  for j by 10 on core
    do w
  join w over j in common
END
expect 1 "no_sum.mgs:1:1: error: the unit is not a reduction in parts" "$mgc" --emit-kernels net.mg --graph=turned --schedule=no_sum.mgs
cat > placed.mgs <<'END'
schedule y on cpu
  for j by 4 on core
    for i
      for j = time(*) lane(4) tail mask
        do y
END
place() { "$mgc" run net.mg --graph=placed --input n="$(seq -s, 0 39)" --input x=random:1 --format=json --march=x86-64-v3 "$@" | jq -c .outputs; }
place > reference
place --threads=3 --schedule=placed.mgs > result
cmp -s reference result || fail "an edited scatter computes something else"
refuse_form placed "wrong.mgs:2:3: error: blocks of 'j' are a multiple of 4 lanes, and at most 16777216" 's/by 4/by 6/'
refuse_form placed "wrong.mgs:2:3: error: two values of 'i' may go to one element: cores can't share them" 's/j by 4/i/;s/for i$/for j/'
refuse_form placed "wrong.mgs:4:7: error: a scatter with these loops has 'for j = time(*) lane(4) tail mask' here" 's/ tail mask//'
refuse_form placed "wrong.mgs:3:5: error: a scatter with these loops has 'for i' here" 's/for i$/for i on core/'

# registers: two columns interleaved, several sums at once
scan wider <<'END'
schedule y on cpu
  for c on core
    for w = time(*) lane(8) tail mask
      for b on reg
        do y
END
expect 0 "permute" "$mgc" --emit-kernels net.mg --graph=wider --march=x86-64-v3 --schedule=wider.mgs
refuse_form wider "wrong.mgs:4:7: error: registers interleave two positions of the result's last index, with 4 to 16 lanes" 's/lane(8)/lane(2)/'
refuse_form wider "wrong.mgs:4:7: error: registers interleave two positions of the result's last index" 's/for c on core/for b/;s/for w =/for c =/;s/for b on reg/for w on reg/;s/for b$/for b/'
refuse_form wider "wrong.mgs:3:5: error: below registers there are only 'do' lines" 's/c on core/c on reg/'
cat > dots.mgs <<'END'
schedule d, y on cpu
  for i by 3 on core
    for i on reg
      for k = time(*) reg(2) lane(8) tail mask
        do d
      do y
END
dots() { "$mgc" run net.mg --graph=dots --input x=random:1 --input v=random:2 --format=json --march=x86-64-v3 "$@" | jq -c '[.outputs[0].data[] | . * 1000 | round]'; }
dots > reference
dots --threads=3 --schedule=dots.mgs > result
cmp -s reference result || fail "sums in registers compute something else: $(cat reference result)"
expect 0 "acc[2] = fma(" "$mgc" --emit-kernels net.mg --graph=dots --march=x86-64-v3 --schedule=dots.mgs
refuse_form dots "wrong.mgs:3:5: error: a loop on registers is over one index" 's/by 3/by 5/'
refuse_form dots "wrong.mgs:3:5: error: a loop on registers is over one index" 's/by 3/by 24/'
# pieces, and units by number
cat > pieces.mgs <<'END'
schedule z (piece 2 of 2) on cpu
  for j by 100 on core
    for j = time(*) lane(2)
      do z
END
expect 0 "parallel chunk in 0..50" "$mgc" --emit-kernels net.mg --graph=pair --schedule=pieces.mgs
sed 's/2 of 2/2 of 3/' pieces.mgs > wrong.mgs
expect 1 "wrong.mgs:1:1: error: the unit has 2 pieces" "$mgc" --emit-kernels net.mg --graph=pair --schedule=wrong.mgs
sed 's/(piece 2 of 2)/(piece 2 of 2, unit 2 of 2)/' pieces.mgs > wrong.mgs
expect 1 "the number of units that compute z is 1, not 2" "$mgc" --emit-kernels net.mg --graph=pair --schedule=wrong.mgs

# refuse TEXT: the schedule on standard input, of graph net, is refused with TEXT
refuse() {
    cat > wrong.mgs
    expect 1 "$1" "$mgc" --emit-kernels net.mg --graph=net --schedule=wrong.mgs
}
head='schedule h, y, z on cpu'
cat printed.mgs printed.mgs > wrong.mgs
expect 1 "wrong.mgs:$(($(grep -c '' printed.mgs) + $(grep -n schedule printed.mgs | head -1 | cut -d: -f1))):1: error: line" \
    "$mgc" --emit-kernels net.mg --graph=net --schedule=wrong.mgs
refuse "wrong.mgs:1:1: error: no unit computes h, y: mgc --emit-schedule prints all units" <<< "schedule h, y on cpu
  do h"
refuse "wrong.mgs:1:1: error: no line computes 'h'" <<< "$head"
refuse "wrong.mgs:2:7: error: there is no index 'q' here; the unit's indices are i, j" <<< "$head
  for q on core
    do h"
refuse "wrong.mgs:2:3: error: only windows have code of their own for edges" <<< "$head
  for i edges
    do h"
refuse "wrong.mgs:3:5: error: only windows are reduced 'by phases', and only scatters 'by sort'" <<< "$head
  for i
    do h by phases"
refuse "wrong.mgs:3:8: error: the unit does not compute 'w'; it computes h, y, z" <<< "$head
  for i on core
    do w"
refuse "wrong.mgs:7:7: error: 'z' reads 'h' outside of the loop that computes it: write 'keep h in local'" <<< "$head
  for i on core
    for j = time(*) lane(8)
      do h
      do y
    for j = time(*) reg(4) lane(8) tail mask
      do z"
refuse "wrong.mgs:3:5: error: 'j' has 1000 positions, which blocks of 32 do not divide: add 'tail mask'" <<< "$head
  for i on core
    for j = time(*) reg(4) lane(8)
      do h
      do y"
refuse "wrong.mgs:4:5: error: 'z' reads 'h', which is computed below" <<< "$head
  for i on core
    keep h in local
    do z
    do h
    do y"
refuse "wrong.mgs:6:7: error: 'j' is summed in 'z'" <<< "$head
  for i on core
    for j
      do h
      do y
      do z"
refuse "wrong.mgs:4:5: error: 'y' is computed already" <<< "$head
  for i on core
    do y
    do y"
refuse "wrong.mgs:5:5: error: no line can stand beside a loop on cores: every core would execute it" <<< "$head
  for i by 8 on core
    for i on core
      do h
    do y"
refuse "wrong.mgs:3:5: error: a loop around this one walks 'i' already" <<< "$head
  for i on core
    for i
      do h"
refuse "wrong.mgs:3:5: error: 'y' leaves the unit, so it is in memory" <<< "$head
  for i on core
    keep y in local"
refuse "wrong.mgs:2:3: error: no line below the loop computes anything" <<< "$head
  for i
    keep h in local
  for i
    do h"
refuse "wrong.mgs:2:3: error: a row is kept inside the loops" <<< "$head
  keep h in local"
refuse "wrong.mgs:2:3: error: 'j' is not an index that all equations share" <<< "$head
  index p = i * j"
refuse "wrong.mgs:2:3: error: lanes and registers are powers of two" <<< "$head
  for i = time(*) lane(48) tail mask
    do y"
refuse "wrong.mgs:3:5: error: expected 'index', 'for', 'stage', 'keep', 'do' or 'join', found 'place'" <<< "$head
  for i on core
    place b in local"
refuse "wrong.mgs:2:12: error: expected one of time, core, reg, warp, lane, vec, found 'cores'" <<< "$head
  for i on cores
    do h"
refuse "wrong.mgs:2:12: error: expected a number above 0, found '0'" <<< "$head
  for i by 0 on core
    do h"
refuse "expected a number of at most 2147483648" <<< "$head
  for i by 99999999999999999999 on core
    do h"
refuse "wrong.mgs:4:5: error: expected the indentation of the line above" <<< "$head
  for i on core
      keep h in local
    do h"
refuse "wrong.mgs:3:5: error: expected no further indentation: only 'for' has lines below it" <<< "$head
  do h
    do y"
refuse "wrong.mgs:1:1: error: expected 'schedule' at the beginning of a line" <<< "for i"
refuse "expected blanks, not tabs" <<< "$head
	do h"
# rows that items share
rows() { printf 'schedule h, y, z on gpu\n  for i = %s\n    keep h in %s\n    for j = %s\n      do h\n    for j = %s\n      do y\n    for j = %s\n      do z\n' "$1" "$2" "$3" "${4:-$3}" "$3"; }
rows 'core(*) warp(4)' reg 'reg(*) lane(64) vec(2) tail mask' > edited.mgs
expect 0 "items 256 groups 16" "$mgc" --emit-kernels net.mg --graph=net --target=gpu --schedule=edited.mgs
refuse_rows() { rows "${@:2}" > wrong.mgs; expect 1 "$1" "$mgc" --emit-kernels net.mg --graph=net --target=gpu --schedule=wrong.mgs; }
refuse_rows "wrong.mgs:3:5: error: on a GPU a row is kept in registers: 'in reg'" 'core(*)' local 'reg(*) lane(64) tail mask'
refuse_rows "wrong.mgs:4:5: error: 'j' has 1000 positions, which blocks of 64 do not divide" 'core(*)' reg 'reg(*) lane(64)'
refuse_rows "wrong.mgs:6:5: error: all loops along rows must have the same digits" 'core(*)' reg 'reg(*) lane(64) tail mask' 'reg(*) lane(32) tail mask'
refuse_rows "wrong.mgs:2:3: error: on a GPU the digits of the rows' index are core(*)" 'core(*) vec(2)' reg 'reg(*) lane(64) tail mask'
refuse_rows "wrong.mgs:4:5: error: on a GPU the digits of a row's index are reg(*), warp(N)" 'core(*) lane(8)' reg 'reg(*) lane(8)'
refuse_rows "wrong.mgs:5:7: error: 'h' is a row, which items have in registers" 'core(*)' reg 'time(*) lane(8)'
refuse_rows "an item would have more than 32 vectors of a row" 'core(*)' reg 'reg(*) lane(8)'
# tiles of a transpose, by whole lines
cat > lines.mgs <<'END'
schedule w on cpu
  for b, i by 128, j by 256 on core
    keep w in mem by lines
    for j by 128
      for i by 64
        for i by 4, j by 4 tail mask
          stage u in reg by turn
          for i = reg(4)
            for j = lane(4)
              do w
END
"$mgc" run net.mg --graph=turned --input u=random:1 --format=json --schedule=lines.mgs --threads=2 | jq -c .outputs > result
"$mgc" run net.mg --graph=turned --input u=random:1 --format=json | jq -c .outputs > reference
cmp -s reference result || fail "tiles of a transpose compute something else"
refuse_lines() { sed "$2" lines.mgs > wrong.mgs; expect 1 "$1" "$mgc" --emit-kernels net.mg --graph=turned --schedule=wrong.mgs; }
refuse_lines "wrong.mgs:7:17: error: the unit does not read 'v' from outside; it reads u" 's/stage u/stage v/'
refuse_lines "wrong.mgs:7:11: error: a tile is staged 'in reg by turn'" 's/ by turn//'
refuse_lines "wrong.mgs:6:9: error: a tile is 'for i by S, j by S' with the lines" 's/lane(4)/lane(8)/'
refuse_lines "wrong.mgs:6:9: error: 'i' has 150 positions, which blocks of 4 do not divide: add 'tail mask'" 's/ tail mask//'
refuse_lines "wrong.mgs:6:9: error: tiles of 4 do not fill the blocks of 62 of 'i' around" 's/i by 128/i by 124/; s/64/62/'
refuse_lines "wrong.mgs:3:5: error: blocks inside fill those on cores" 's/for i by 64/for i by 48/'
refuse_lines "wrong.mgs:3:5: error: 'b' is not walked around this line" 's/for b, i/for i/'
refuse_lines "wrong.mgs:3:5: error: only 'in mem' takes a way" 's/in mem/in local/'
# and on a GPU, through local memory
"$mgc" --emit-schedule net.mg --graph=turned --target=gpu > squares.mgs
expect 0 "stage u as [j, i] in local" cat squares.mgs
"$mgc" --emit-kernels net.mg --graph=turned --target=gpu --schedule=squares.mgs > result
"$mgc" --emit-kernels net.mg --graph=turned --target=gpu > reference
cmp -s reference result || fail "squares that are read back make another kernel"
sed 's/lane(32)/lane(16)/' squares.mgs > wrong.mgs
expect 1 "error: a transpose with these loops has 'for j = lane(32) tail mask' here" "$mgc" --emit-kernels net.mg --graph=turned --target=gpu --schedule=wrong.mgs
cat > plain.mgs <<'END'
schedule w on gpu
  index p = b * i * j
  for p = core(*) lane(256) tail mask
    do w
END
expect 0 "items 256" "$mgc" --emit-kernels net.mg --graph=turned --target=gpu --schedule=plain.mgs
cat > wrong.mgs <<'END'
schedule m, d, y on cpu
  for i on core
    do m
    for j
      do d
END
expect 1 "wrong.mgs:5:7: error: 'd' has no index 'j': it would be computed again at each position" \
    "$mgc" --emit-kernels net.mg --graph=rows --schedule=wrong.mgs
sed -i '3,5d; 2a\    keep d in local' wrong.mgs
expect 1 "wrong.mgs:3:5: error: 'd' is one number at a point, so it is in a register" \
    "$mgc" --emit-kernels net.mg --graph=rows --schedule=wrong.mgs
expect 1 "cannot open 'absent.mgs'" "$mgc" --emit-kernels net.mg --graph=net --schedule=absent.mgs
# Tiles of a contraction on a GPU, by items and by matrix units: the printed schedule reads back, and wrong ones are refused.
cat > product.mg <<'EOF'
mg 1
graph items(a: f32[128, 256], b: f32[256, 96]) -> (c: f32[128, 96], r: f32[128, 96]) {
    c[i, j] = sum[k] a[i, k] * b[k, j]
    r[i, j] = max(c[i, j], 0)
}
graph units(a: bf16[128, 256], b: bf16[256, 96]) -> (c: f32[128, 96]) { c[i, j] = sum[k] cast(a[i, k], to = f32) * cast(b[k, j], to = f32) }
graph open(a: bf16[M, 256], b: bf16[256, 96]) -> (c: f32[M, 96]) { c[i, j] = sum[k] cast(a[i, k], to = f32) * cast(b[k, j], to = f32) }
EOF
cat > items.mgs <<'EOF'
schedule c, r on gpu
  for k = core(2) time(*)
    for i by 64, j by 32, i by 32 on core
      for k by 32
        stage a as [k, i] in local
        stage b as [k, j] in local
        for k = warp(2) time(*)
          for i = reg(2) lane(4) vec(4), j = reg(2) lane(4) vec(4)
            do c
  join c over k in common
  for i, j on core
    do r
EOF
cat > units.mgs <<'EOF'
schedule c on gpu
  for j by 32, i by 64 on core
    for k by 64
      stage a as [i, k] in local
      stage b as [k, j] in local
      for k = warp(2) time(*)
        for i by 32, j by 16 on warp
          do c with bf16
EOF
# reductions that are joined, on a GPU
cat > joined_gpu.mgs <<'END'
schedule m, e, y on gpu
  for i = core(*) warp(2) tail mask
    for j = core(8) time(*) reg(4) lane(64) tail mask
      do m, e
  join m, e over j by shifted in common
  for i = core(*) warp(2) tail mask
    do y
END
joined_on_gpu() { "$mgc" net.mg --graph=joined --target=gpu --march=h200 "$@"; }
joined_on_gpu --emit-schedule --schedule=joined_gpu.mgs | grep -v '^//' | sed '/^$/d' | cmp -s - joined_gpu.mgs || fail "joined parts on a GPU do not read back"
refuse_joined() { sed "$2" joined_gpu.mgs > wrong.mgs; expect 1 "$1" joined_on_gpu --emit-kernels --schedule=wrong.mgs; }
refuse_joined "wrong.mgs:3:5: error: a vector has a power of two of elements here, at most 1" 's/lane(64)/lane(64) vec(2)/'
refuse_joined "wrong.mgs:3:5: error: rows of a group and items of a row are powers of two, of at most 1024 items in all" 's/lane(64)/lane(48)/'
refuse_joined "wrong.mgs:3:5: error: a row has at most 1024 parts" 's/core(8)/core(1025)/'
refuse_joined "wrong.mgs:5:3: error: a reduction of joined parts with these loops has 'join m, e over j by shifted in local' here" 's/core(8) //'
refuse_joined "wrong.mgs:4:7: error: a reduction of joined parts with these loops has 'do m, e' here" 's/do m, e/do m/'

# attention on a GPU
printf 'mg 1\n%s\n' "$(sed -n '/^graph attend/,/^}/p' net.mg | sed 's/90/400/g')" > attend.mg
cat > attend.mgs <<'END'
schedule s, t, m, e, z, y on gpu
  for h, i by 32 on core
    for j = core(3) time(*)
      stage q as [i, d] in local
      keep m, z, y in reg
      for j by 16
        keep s, e in local
        stage v as [j, c] in local
        stage k as [j, d] in local
        for d
          for i = reg(8) lane(4), j = reg(2) lane(8)
            do s
        for i = lane(32)
          do t, m, e, z
        for j
          for i = lane(4) reg(8), c = lane(8) vec(4)
            do y
        join m, z, y over j by shifted in local
  join m, z, y over j by shifted in common
END
attend_on_gpu() { "$mgc" attend.mg --target=gpu --march=h200 "$@"; }
attend_on_gpu --emit-schedule --schedule=attend.mgs | grep -v '^//' | sed '/^$/d' | cmp -s - attend.mgs || fail "an attention on a GPU does not read back"
expect 0 "items 32 " attend_on_gpu --emit-kernels --schedule=attend.mgs
refuse_attention() { sed "$2" attend.mgs > wrong.mgs; expect 1 "$1" attend_on_gpu --emit-kernels --schedule=wrong.mgs; }
refuse_attention "wrong.mgs:6:7: error: a group has a multiple of 8 rows, each with an item, and 8, 16, 24 or 32 keys at once" 's/j by 16/j by 40/'
refuse_attention "wrong.mgs:6:7: error: the copies do not fit into a group's local memory" 's/i by 32/i by 512/'
refuse_attention "wrong.mgs:3:5: error: there are 2 to 512 parts: as many as its items can join, 16 each" 's/core(3)/core(513)/'
refuse_attention "wrong.mgs:6:7: error: only matrix units skip blocks" 's/j by 16/j by 16 skip t/'
refuse_attention "wrong.mgs:11:11: error: attention with these loops has 'for i = reg(8) lane(4), j = reg(2) lane(8)' here" 's/reg(2)/reg(4)/'
refuse_attention "wrong.mgs:6:7: error: matrix units need a device that has them" 's/do s/do s with bf16/;s/core(3) time(\*)/time(*)/'
refuse_attention "wrong.mgs:6:7: error: an item has a key only if there are at most 4 rows" 's/for d$/for j = lane(16)/'
refuse_attention "wrong.mgs:19:3: error: attention with these loops has 'join m, z, y over j by shifted in common' here" 's/in common/in local/'
refuse_attention "attention with these loops has 'stage v as" '/stage v/d'

on_gpu() { "$mgc" --emit-kernels product.mg --target=gpu --march=h200 "$@"; }
expect 0 "items 32 groups 96" on_gpu --graph=items --schedule=items.mgs
expect 0 "items 256 groups 6" on_gpu --graph=units --schedule=units.mgs
"$mgc" --emit-schedule product.mg --graph=items --target=gpu --march=h200 --schedule=items.mgs | grep -v '^//' | sed '/^$/d' | cmp -s - items.mgs || fail "a product by items does not read back"
"$mgc" --emit-schedule product.mg --graph=units --target=gpu --march=h200 --schedule=units.mgs | grep -v '^//' | sed '/^$/d' | cmp -s - units.mgs || fail "a product by units does not read back"
refuse_gpu() { # GRAPH TEXT SED-SCRIPT [FLAG]: the graph's schedule, edited so, is refused
    sed "$3" "${1/open/units}.mgs" > wrong.mgs
    cmp -s "${1/open/units}.mgs" wrong.mgs && fail "'$3' edits nothing"
    expect 1 "wrong.mgs:$2" on_gpu --graph="$1" --schedule=wrong.mgs ${4:-}
}
refuse_gpu items "3:5: error: a tile's sides are powers of two of at most 1024" '3s/j by 32/j by 24/'
refuse_gpu items "3:5: error: a tile's sides are powers of two of at most 1024" '3s/i by 32/i by 2048/'
refuse_gpu items "3:5: error: a band has at most 64 tiles, and 'i' has a known number of whole bands" '3s/i by 64/i by 96/'
refuse_gpu items "3:5: error: tiles are walked as 'for j by N, i by N on core'" '3s/j by 32, i by 32/i by 32, j by 32/'
refuse_gpu items "3:5: error: groups of a contraction have tiles: 'for j by N, i by N on core'" '3s/ on core//'
refuse_gpu items "4:7: error: a block's depth is a power of two of at most 2048" '4s/32/48/'
refuse_gpu items "2:3: error: a sum of known length is cut into 2 to 32 parts, each at least a block" '2s/2/9/'
refuse_gpu items "2:3: error: sums keep their order: they can't be cut into parts" '1s/$/ /' --strict
refuse_gpu items "7:9: error: a block's depth has 2 to 32 shares" '7s/2/16/'
refuse_gpu items "8:11: error: an item has 4, 8 or 16 positions of 'i', so many that items along it have all 32 of the tile" '8s/i = reg(2) lane(4)/i = reg(2) lane(8)/'
refuse_gpu items "8:11: error: an item has 4, 8 or 16 positions of 'j', so many that items along it have all 32 of the tile" '8s/j = reg(2) lane(4)/j = reg(8) lane(1)/'
refuse_gpu items "8:11: error: a group has several items, each with a part of the tile" '3s/.*/    for j by 8, i by 8 on core/;7s/.*/        for k/;8s/.*/          for i = reg(2) lane(1) vec(4), j = reg(2) lane(1) vec(4)/'
refuse_gpu items "9:13: error: items multiply by themselves; matrix units have 'for i by N, j by N on warp'" '9s/$/ with bf16/'
refuse_gpu items "5:9: error: a contraction with these loops has 'stage a as [k, i] in local' here" '5s/\[k, i\]/[i, k]/'
refuse_gpu items "2:3: error: a contraction with these loops has 'for i = reg(2) lane(4) vec(4), j = reg(2) lane(4) vec(4)' at the end" '2s/.*/  for i by 64, j by 32, i by 32 on core/;3d'
refuse_gpu items "3:5: error: two blocks of both factors are larger than a group's local memory" '4s/32/128/;7s/2/8/'
refuse_gpu items "2:3: error: a factor that never changes is staged 'kept', any other 'in common'" '2s/^/  stage b as [k, j] in kept\n/'
refuse_gpu units "8:11: error: matrix units multiply these factors 'with bf16'" '8s/bf16/f16/'
refuse_gpu units "8:21: error: expected an atom, as 'bf16'" '8s/bf16/mma/'
refuse_gpu units "7:9: error: a warp's part of a tile has a multiple of 16 rows and 8 columns" '7s/i by 32/i by 8/'
refuse_gpu units "3:5: error: a share of a block has a multiple of 16 steps 'with bf16'" '3s/64/16/'
refuse_gpu units "7:9: error: wide products have the tiles of machines/tiles.def alone" '8s/$/ by wide/'
refuse_gpu open "2:3: error: a band has at most 64 tiles, and 'i' has a known number of whole bands" '2s/for j/for i by 128, j/'
expect 1 "units.mgs:8:11: error: the target has no matrix units" "$mgc" --emit-kernels product.mg --graph=units --target=gpu --schedule=units.mgs

# Rows that groups own: the schedule decides, and names rows and items of a group; wrong ones are refused.
cat > own.mg <<'END'
mg 1
graph own(x: f32[8, 32], w: f32[12, 32]) -> (y: f32[8, 12]) {
    h[n, o] = sum[i] x[n, i] * w[o, i]
    y = tanh(h)
}
END
own() { "$mgc" own.mg --target=gpu --march=h200 "$@"; }
cat > own.mgs <<'END'
schedule h, y on gpu
  index p = n * o
  for n by 2 on core
    keep y in local
    for i = warp(4) time(*)
      for n = reg(2), o = time(*) lane(16)
        do h
    for p = time(*) lane(64)
      do y
END
own --emit-schedule --schedule=own.mgs | grep -v '^//' | sed '/^$/d' | cmp -s - own.mgs || fail "owned rows do not read back"
expect 0 "items 64 groups 4" own --emit-kernels --schedule=own.mgs
refuse_own() { sed "$2" own.mgs > wrong.mgs; expect 1 "wrong.mgs:$1" own --emit-kernels --schedule=wrong.mgs; }
for edit in "3s/2/3/" "3s/2/32/" "5s/4/3/" "6s/16/256/"; do
    refuse_own "3:3: error: a group has a power of two of rows, at most 16, which divides their number, and one of items, 32 to 512" "$edit"
done
refuse_own "5:5: error: a graph whose rows are owned with these loops has 'for i = warp(8) time(*)' here" "6s/16/32/"
refuse_own "6:7: error: a graph whose rows are owned with these loops has 'for n = reg(2), o = time(*) lane(16)' here" "6s/n = reg(2)/n/"
refuse_own "9:7: error: a graph whose rows are owned with these loops has 'do y' here" "9s/do y/do h/"
finish
