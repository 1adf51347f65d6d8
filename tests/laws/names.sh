#!/usr/bin/env bash
# Tests that names don't matter: a program whose operators are all the user's own copies, under other names, has the
# same kernels, plan and machine code as the one that calls the library.   names.sh MGC
set -eu
mgc=$1
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
cat >"$dir/library.mg" <<'MG'
mg 1
graph g(x: f32[64, 96], w: f32[96, 48], b: f32[48], k: f32[4, 1, 3, 3]) -> (y: f32[64, 48], z: f32[1, 4, 64, 96])
{
    y = softmax(relu(add(matmul(x, w), b)), axis = -1)
    image = reshape(x, shape = [1, 1, 64, 96])
    z = gelu(conv(image, k, pad = [1, 1]))
}
MG
# The library's definitions of what the program calls, renamed.
{
    echo "mg 1"
    sed -n '/^graph/,$p' "$dir/library.mg"
    cat "$(dirname "$0")/../../lang/std/"{scalar,elementwise,activation,reduce,contraction,window,move,norm}.mg |
        grep -v '^mg 1$'
} >"$dir/renamed.mg"
for name in softmax relu add matmul reshape gelu conv; do
    sed -i -E "s/(^|[^A-Za-z0-9_.])$name([<(])/\1my_$name\2/g" "$dir/renamed.mg"
done
grep -q 'my_softmax(my_relu(my_add(my_matmul' "$dir/renamed.mg"
for what in ir kernels plan asm; do
    "$mgc" "--emit-$what" -O2 "$dir/library.mg" >"$dir/a"
    "$mgc" "--emit-$what" -O2 "$dir/renamed.mg" >"$dir/b"
    # The names of locals carry the operator's name for people, and places differ; nothing else may.
    sed -E 's/my_//g; s/(library|renamed)\.mg:[0-9]+:[0-9]+//g' "$dir/b" >"$dir/b.plain"
    sed -E 's/(library|renamed)\.mg:[0-9]+:[0-9]+//g' "$dir/a" >"$dir/a.plain"
    [ "$what" != asm ] || sed -i -E '/^\s*\.(quad|ascii|asciz|long|xword)|^\.L|^\s*\.(file|size|type|p2align)/d' "$dir/a.plain" "$dir/b.plain"
    diff "$dir/a.plain" "$dir/b.plain" >"$dir/diff" || { echo "names change what --emit-$what prints:"; head -20 "$dir/diff"; exit 1; }
done
echo "same IR, kernels, plan and code under other names"
