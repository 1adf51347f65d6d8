#!/usr/bin/env bash
# Tests that outputs larger than the last-level cache are stored past it, with prefetches. The bits must be those of -O1, at odd
# sizes too, with one thread and two, and with vectors of 64 bytes and of 32.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph flat(x: f32[N], a: f32[]) -> (y: f32[N]) { y = relu(x) - exp(abs(x)) * a }
graph rows(x: f32[N, 1003]) -> (y: f32[N, 1003]) { y = softmax(x) }
graph halves(x: f32[N]) -> (y: f16[N]) { y = cast(x, to = f16) }
graph wide(x: f32[N, 129]) -> (y: f32[N, 129, 5]) { y[i, j, k in 0..5] = x[i, j] * f32(k) }
graph turn(x: f32[N, 1001]) -> (y: f32[1001, N]) { y = transpose(x, perm = [1, 0]) }
graph chosen(x: f32[N, 2003], u: f32[1101]) -> (y: f32[N, 1101]) {
    ids[j] = i64(floor(u[j] * 2003))
    y = gather(x, ids, axis = 1)
}
graph running(x: f32[N, 1003]) -> (y: f32[N, 1003]) { y = cummax(x, axis = 1) }
END
for case in "flat 9000019 --input a=0.5" "rows 9001" "halves 17000003" "wide 14003" "turn 9008" "chosen 7001 --input u=random:2" "running 9001"; do
    read -r graph size more <<< "$case"
    for march in native x86-64-v3; do
        [ $march = native ] || grep -q avx2 /proc/cpuinfo || continue
        command=("$mgc" run net.mg --graph=$graph --set N=$size --input x=random:1 $more --strict --march=$march --no-cache)
        expect 0 "" "${command[@]}" -O1 --output y=plain.npy
        for threads in 1 2; do
            expect 0 "" "${command[@]}" --threads=$threads --share=all --output y=large.npy
            cmp large.npy plain.npy || fail "$graph, $march, $threads threads: something else"
        done
    done
done
