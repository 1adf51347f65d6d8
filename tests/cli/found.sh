#!/usr/bin/env bash
# Small programs over whole numbers, reduced from faults that random programs found. Every level must give the interpreter's
# bytes.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
// The first result of a group may not take the bytes of what the second one reads.
graph overwritten(x: f32[3, 4]) -> (p: i64[3, 4], a: f32[3, 4], b: f32[3, 4], m: f32[4]) {
    v[i, j] = x[i, j] + 2
    p = argsort(v, axis = 0)
    a1[i, j] = max(v[i, j], 1)
    b[i, j] = a1[i, j] - v[i, j]
    m[j] = max[i] a1[i, j]
    a[i, j] = a1[i, j]
}
// Parts of size 0 in a concatenation along an axis of size 1.
graph parts(x: f32[6, 3, 1], e: f32[6, 3, D], h: f32[3, 1 + 2 * D]) -> (final: f32[3, 1 + 2 * D], every: f32[6, 3, 1 + 2 * D]) {
    v = concat(x, e, e, axis = 2)
    final, every = loop t in 0..6 carry (c = h) {
        w[i, j] = v[t, i, j]
        n = c - w * 2
        next c = n
        emit n
    }
}
// Rows whose elements are not contiguous, kept in a worker's scratch.
graph apart(x: f16[D, 2, 2, 2], w: f16[2, 2]) -> (y: f16[D, 2, 2, 2]) {
    v[i, j, k, l]: f16[D, 2, 2, 2] = x[i, j, k, l] + w[l, k]
    u[i, j, k, l]: f16[D, 2, 2, 2] = v[i, j, k, l] * 2
    s[]: f32[] = (sum[i, j, k, l] f32(u[i, j, k, l])) / 8
    y[i, j, k, l] = f16(f32(u[i, j, k, l]) - s[])
}
END
same() { # GRAPH OUTPUTS INPUTS…
    local graph=$1 outputs=$2
    shift 2
    local files=()
    for o in $outputs; do files+=(--output "$o=$graph-$o.npy"); done
    expect 0 "" "$mgc" run net.mg --graph="$graph" "$@" --interp "${files[@]}"
    for o in $outputs; do mv "$graph-$o.npy" "want-$o.npy"; done
    for level in 0 1 2 3; do
        for threads in 1 2; do
            expect 0 "" "$mgc" run net.mg --graph="$graph" "$@" -O$level --threads=$threads --share=all "${files[@]}"
            for o in $outputs; do
                cmp "$graph-$o.npy" "want-$o.npy" || fail "$graph: $o at -O$level with $threads threads"
            done
        done
    done
}
same overwritten "p a b m" --input x=-4,1,2,-5,6,-7,3,1,-3,0,9,8
same parts "final every" --set D=0 --input x=1,2,3,4,5,6,7,8,9,1,2,3,4,5,6,7,8,9 --input e=zeros --input h=1,2,3
same apart y --set D=33 --input x=ones --input w=1,2,3,4
echo "$checks expectations hold"
