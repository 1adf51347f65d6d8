#!/usr/bin/env bash
# Tests that the five modes of mgc run --mode give one result. In a loop, each pass takes the outputs of the one before.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph net(x: f32[N, 8], w: f32[8, 8], b: f32[8]) -> (y: f32[N, 8]) {
    y = softmax(relu(add(matmul(x, w), b)))
}
graph pick(table: f32[V, 2], ids: i64[N]) -> (rows: f32[N, 2]) {
    rows[n, d] = table[ids[n], d]
}
graph dynamic(x: f32[N <= 16], k: i64[]) -> (at: i64[1, C], twice: f32[K]) {
    at = nonzero(x)
    dim K <= 64 = k
    twice[i in 0..K] = x[0] * 2
}
graph two(a: f32[4], b: f32[4], c: i64[4]) -> (d: f32[4], e: f32[4], f: i64[3]) {
    d[i] = a[i] + b[i] + 1
    e[i] = a[i] * 0.5
    f[i in 0..3] = c[i + 1]
}
END
modes="immediate cached graph fused loop"
net=(net.mg --graph=net --input x=random:1 --input w=random:2 --input b=random:3 --set N=5 --strict)
for threads in 1 2; do
    for mode in $modes; do
        expect 0 "" "$mgc" run "${net[@]}" --mode=$mode --threads=$threads --share=all --output y=$mode.npy
        cmp $mode.npy immediate.npy || fail "mode $mode gives something else"
    done
done
for mode in $modes; do
    expect 3 "net.mg:6:5: subscript 1 of 'table', computed from data, is outside 0 to 1: it is 5" \
        "$mgc" run net.mg --graph=pick --input table=1,2,3,4 --input ids=1,5 --mode=$mode
done
for mode in $modes; do
    expect 0 "[[0, 2]]" "$mgc" run net.mg --graph=dynamic --input x=1,0,3 --input k=5 --mode=$mode
    grep -qF "twice: f32[5] = [2.0, 2.0, 2.0, 2.0, 2.0]" out || fail "mode $mode: sizes that data decide"
    expect 3 "net.mg:10:" "$mgc" run net.mg --graph=dynamic --input x=1,0,3 --input k=65 --mode=$mode
done

# Passes give the same as runs whose outputs are carried by hand.
cp fused.npy x.npy
expect 0 "" "$mgc" run "${net[@]:0:2}" --input x=x.npy --input w=random:2 --input b=random:3 --strict --output y=by_hand.npy
for k in 3 4; do
    expect 0 "" "$mgc" run "${net[@]:0:2}" --input x=by_hand.npy --input w=random:2 --input b=random:3 --strict --output y=next.npy
    mv next.npy by_hand.npy
    for threads in 1 2; do
        expect 0 "" "$mgc" run "${net[@]}" --mode=loop --repeat=$k --threads=$threads --share=all --output y=loop.npy
        cmp loop.npy by_hand.npy || fail "$k passes with $threads threads"
    done
done
expect 0 "time of a pass, of 50 in each of 10 runs:" "$mgc" run "${net[@]}" --mode=loop --repeat=50 --time
expect 0 '"passes": 50, ' "$mgc" run "${net[@]}" --mode=loop --repeat=50 --time --format=json
# Outputs become inputs in order, if type and shape agree; others are dropped. Here d becomes a, and e becomes b.
expect 0 "d: f32[4] = [4.5, 4.5, 4.5, 4.5]" "$mgc" run net.mg --graph=two --input a=1 --input b=1 --input c=1,2,3,4 --mode=loop --repeat=2
grep -qF "e: f32[4] = [1.5, 1.5, 1.5, 1.5]" out || fail "the second pair"
grep -qF "f: i64[3] = [2, 3, 4]" out || fail "what is not fed back"
expect 0 "d: f32[4] = [4.5" "$mgc" run net.mg --graph=two --input a=1 --input b=1 --input c=1,2,3,4 --mode=loop --repeat=2 --interp

# A run op by op reports one line for each op, with the user's names and places.
expect 0 "net.mg:3:" "$mgc" run "${net[@]}" --mode=cached --warmup=0 --profile=trace.json
[ "$(grep -c net.mg:3: out)" = 7 ] || fail "seven ops"
grep -q '"kind": "compile"' trace.json || fail "compiling is in the trace"
expect 0 "elementwise" "$mgc" run "${net[@]}" --mode=immediate --profile
for flag in --passes=default,dce --verify-each --explain=fusion --pass-stats; do
    expect 2 "${flag%%=*} needs a mode that compiles the graph as a whole; --mode=cached compiles each op by itself" \
        "$mgc" run "${net[@]}" --mode=cached $flag
done
expect 0 "" "$mgc" run "${net[@]}" --mode=graph --passes=default,dce
expect 2 "--mode is one of fused|graph|cached|immediate|loop, not 'fast'" "$mgc" run "${net[@]}" --mode=fast
finish
