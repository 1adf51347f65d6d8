#!/usr/bin/env bash
# Tests kernels that move data: tiles transposed in registers, rows gathered, extremes found by lanes. The bits must be those of -O1 for
# the same CPU (others may compute exp in another way), at odd sizes too, with two threads and this CPU's vectors, and with one thread and
# vectors of 32 bytes.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph turn(x: f32[N, M]) -> (y: f32[M, N]) { y = transpose(x, perm = [1, 0]) }
graph with(x: f32[3, N, M], z: f32[3, M, N], c: f32[N]) -> (y: f32[3, M, N]) {
    y = relu(swap_axes(x) + z * c)
}
graph widen(x: f16[3, N, M]) -> (y: f32[M, 3, N]) { y[m, b, n] = f32(x[b, n, m]) + 1 }
graph both(x: f64[N, M], z: f64[N, M]) -> (y: f64[M, N]) { y[m, n] = x[n, m] * z[n, m] }
graph bytes(x: u8[N, M]) -> (y: u8[M, N]) { y = transpose(x, perm = [1, 0]) }
graph two(x: f32[N, M]) -> (w: f32[M, N]) { w = exp(transpose(x, perm = [1, 0])) * 2 }
graph most(x: f32[N, M]) -> (y: i64[N]) { y = argmax(floor(x * 8)) }
graph least(x: f32[N, M]) -> (y: i64[]) { y[] = argmin[i, j] floor(log(x[i, j] - 0.01) * 8) }
graph largest(x: f32[N, M]) -> (y: f32[]) { y = exp(max(x)) }
graph total(x: f32[N, M], z: f32[]) -> (y: f32[]) { y = sqrt(sum(x * x)) + z }
graph fetch(x: f32[N, M], s: f32[300]) -> (y: f32[300, M]) {
    y[t, d] = x[i64(abs(s[t]) * 1000) % N, d] * s[t]
}
graph pick(x: f32[N, M], s: f32[300]) -> (y: f32[N, 300]) {
    y[i, t] = x[i, i64(s[t] * M)] else 7
}
graph same(x: f32[N, N]) -> (y: f32[N, N]) { y = x + transpose(x, perm = [1, 0]) }
END
check() { # GRAPH SIZES… -- INPUTS…
    local graph=$1 march threads sizes=()
    shift
    while [ "$1" != -- ]; do sizes+=(--set "$1"); shift; done
    shift
    local command=("$mgc" run net.mg --graph="$graph" "${sizes[@]}" "$@" --strict --no-cache) out
    out=$(result "$graph")
    for march in native x86-64-v3; do
        [ $march = native ] || grep -q avx2 /proc/cpuinfo || continue
        [ $march = native ] && threads=2 || threads=1
        expect 0 "" "${command[@]}" --march=$march -O1 --output "$out=plain.npy"
        expect 0 "" "${command[@]}" --march=$march --threads=$threads --share=all --output "$out=moved.npy"
        cmp moved.npy plain.npy || fail "$graph, ${sizes[*]}, $march, $threads threads: something else"
    done
}
result() { sed -n "s/^graph $1(.*-> (\([a-z]*\):.*/\1/p" net.mg; }

for sizes in "N=37 M=53" "N=100 M=9" "N=130 M=257"; do
    check turn $sizes -- --input x=random:1
    check with $sizes -- --input x=random:1 --input z=random:2 --input c=random:3
    check widen $sizes -- --input x=random:1
    check both $sizes -- --input x=random:1 --input z=random:2
    check bytes $sizes -- --input x=random:1
    check two $sizes -- --input x=random:1
done
for sizes in "N=7 M=53" "N=3 M=30011" "N=300 M=257"; do
    check most $sizes -- --input x=random:1
    check least $sizes -- --input x=random:2 # ties, and NaN in places
    check largest $sizes -- --input x=random:1
done
for sizes in "N=37 M=53" "N=50 M=129"; do
    check fetch $sizes -- --input x=random:1 --input s=random:2
    check pick $sizes -- --input x=random:1 --input s=random:2
done
for threads in 1 2 3; do # parts are added in order, by whichever worker
    expect 0 "" "$mgc" run net.mg --graph=total --set N=300 --set M=257 --input x=random:1 --input z=1 --threads=$threads --share=all --no-cache --output y=$threads.npy
    cmp $threads.npy 1.npy || fail "total, $threads threads: something else"
done
check same N=77 -- --input x=random:1
"$mgc" --emit-kernels net.mg --graph=bytes > kernels && grep -q "permute" kernels || fail "no tile is turned in registers"
