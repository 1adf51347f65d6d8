#!/usr/bin/env bash
# Tests that the CPU walks a plan of many calls as a table, with the results of straight code and a tick for every site.
source "$(dirname "$0")/lib.sh"

# Layers differ in place and constant, so that kernels are shared but not all alike; there are weights, constants, a
# dimension in scalars, and a step in the middle that no table can hold.
{
    echo 'mg 1'
    echo 'graph net(x0: f32[N, 8], w: f32[8, 8], many: i64[]) -> (y: f32[N, 8], z: f32[N, 8]) {'
    for i in $(seq 1 160); do
        echo "    m$i = matmul(x$((i - 1)), w)"
        echo "    x$i[n, d] = tanh(m$i[n, d]) + $((i % 3))"
        if [ "$i" = 80 ]; then
            echo "    dim K <= 64 = many"
            echo "    s = loop t in 0..K carry (c = x80) { d[n, k] = tanh(c[n, k]) next c = d }"
            echo "    x80a[n, d] = x80[n, d] + s[n, d]"
        fi
    done
    echo '    y = x160'
    echo '    z[n, d] = x80a[n, d] - x30[n, d]'
    echo '}'
} > net.mg
common=(run net.mg --input x0=random:1 --input w=random:2 --input many=3)
expect 0 "" "$mgc" "${common[@]}" --set N=5 --interp --output y=y.npy --output z=z.npy
for level in 0 1 2; do
    expect 0 "" "$mgc" "${common[@]}" --set N=5 -O$level --strict --output y=want-y.npy --output z=want-z.npy
    for threads in 1 2; do
        expect 0 "" "$mgc" "${common[@]}" --set N=5 -O$level --strict --threads=$threads --share=all --output y=got-y.npy --output z=got-z.npy
        cmp got-y.npy want-y.npy && cmp got-z.npy want-z.npy || fail "-O$level with $threads threads gives something else"
    done
done
expect 0 "" "$mgc" --emit-llvm net.mg -o net.ll
grep -q 'rows = ' net.ll || fail "the plan is no table"
expect 0 "" "$mgc" "${common[@]}" --set N=5 -O1 --profile --format=json
kernels=$(grep -o '"kernel"' out | wc -l)
[ "$kernels" -ge 160 ] || fail "the profile has $kernels kernels of 160 layers"
echo "$checks expectations hold"
