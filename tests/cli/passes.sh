#!/usr/bin/env bash
# Tests the flags about passes, every --emit stage, and that the printed text reads back and runs.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph f(x: f32[N, 4]) -> (y: f32[N, 4]) { y = softmax(relu(add(x, x)), axis = -1) }
END
expect 0 "canonicalise" "$mgc" --list-passes
expect 0 "-O2: " "$mgc" --list-passes
expect 2 "there is no pass 'nosuch'" "$mgc" --emit-ir net.mg --passes=dce,nosuch
expect 2 "there is no pass 'dcee'; did you mean 'dce'?" "$mgc" --emit-ir net.mg --passes=dcee
expect 2 "there is no pass 'nosuch'" "$mgc" --emit-ir net.mg --print-after=nosuch
expect 0 "// before fuse" "$mgc" --emit-ir net.mg --print-before=fuse
expect 0 "fuse" "$mgc" --emit-ir net.mg --print-after=fuse
expect 0 "after fuse" "$mgc" --emit-ir net.mg --print-after-all
expect 0 "after" "$mgc" run net.mg --input x=1,2,3,4 --print-changed
expect 0 "all passes of f" "$mgc" run net.mg --input x=1,2,3,4 --time-passes
# A file made for a device has code for the CPU, too, but what is asked is answered for the device alone.
for flag in --print-before=fuse --print-after=fuse --print-after-all --print-changed --pass-stats; do
    expect 0 fuse "$mgc" net.mg --no-cache --target=gpu $flag
    grep -c . err > alone
    expect 0 fuse "$mgc" net.mg --no-cache --target=gpu $flag -o net.mgb
    [ "$(grep -c . err)" = "$(cat alone)" ] || fail "$flag is answered twice"
done
expect 0 "" "$mgc" --emit-ir net.mg --verify-each
expect 0 "" "$mgc" --emit-ir net.mg --passes=

for stage in ast ir dot kernels plan memplan llvm asm; do
    expect 0 "" "$mgc" --emit-$stage net.mg
    [ -s out ] || fail "--emit-$stage prints nothing"
    expect 0 "" "$mgc" --emit-$stage net.mg -o out.txt
    cmp -s out.txt <("$mgc" --emit-$stage net.mg) || fail "--emit-$stage writes something else than it prints"
done
expect 0 '"place"' "$mgc" --emit-memplan net.mg --format=json
expect 0 "" "$mgc" --emit-memplan net.mg --set N=3 -o plan.svg
expect 0 "" "$mgc" --emit-dot net.mg -o graph.svg
python3 -c 'import sys, xml.dom.minidom as x; d = x.parse("graph.svg"); sys.exit(not d.getElementsByTagName("path"))' ||
    fail "--emit-dot writes no picture"
python3 -c 'import sys, xml.dom.minidom as x; d = x.parse("plan.svg"); sys.exit(not d.getElementsByTagName("path"))' ||
    fail "the picture of the memory plan is no SVG"
cat > wide.mg <<'END'
mg 1
graph f(x: f32[4, N], w: f32[8, 4], v: f32[4, 8]) -> (y: f32[4, N]) { y = matmul(v, relu(matmul(w, x))) }
END
expect 1 "give them with --set" "$mgc" --emit-memplan wide.mg -o plan.svg
expect 2 "f has no dimension 'rows'" "$mgc" --emit-plan net.mg --set rows=3

# printed, read and printed again, the text and the values are the same at every level
"$mgc" run net.mg --input x=0.5,1,-2,4 > values
for level in 0 1 2 3; do
    expect 0 "" "$mgc" --emit-ir net.mg -O$level -o flat.mg
    expect 0 "" "$mgc" --emit-ir flat.mg -O0 -o again.mg
    cmp flat.mg again.mg || fail "-O$level: read back, it prints otherwise"
    expect 0 "y: f32[1, 4]" "$mgc" run flat.mg --input x=0.5,1,-2,4
    cmp out values || fail "-O$level: read back, it gives other values"
done
# Of several empty pieces one is left. It need not begin where the value begins.
printf 'mg 1\ngraph f(x: f32[0]) -> (y: f32[2, 0]) { y = stack(x, x, axis = 0) }\n' > none.mg
expect 0 "" "$mgc" --emit-ir none.mg -O1 -o flat.mg
expect 0 "" "$mgc" --emit-ir flat.mg -O0 -o again.mg
cmp flat.mg again.mg || fail "a value without elements, read back"
finish
