#!/usr/bin/env bash
# Tests mgc run: values of every type, files in and out, run-time failures, timing and profiles.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph pick(table: f32[V, 2], ids: i64[N]) -> (rows: f32[N, 2]) {
    rows[n, d] = table[ids[n], d]
}
graph pair(x: f32[N] , y: f32[N]) -> (total: f32[N], difference: f32[N]) {
    total = add(x, y)
    difference = sub(x, y)
}
graph types(a: f16[2], b: bf16[2], c: u8[2], d: i64[2], e: bool[2], f: f64[2]) ->
    (va: f16[2], vb: bf16[2], vc: u8[2], vd: i64[2], ve: bool[2], vf: f64[2]) {
    va[i] = a[i]
    vb[i] = b[i]
    vc[i] = c[i]
    vd[i] = d[i]
    ve[i] = not e[i]
    vf[i] = f[i]
}
graph big(x: f32[N <= 4096, 512]) -> (y: f32[N, 512]) { y = relu(x) }
END
expect 0 "rows: f32[2, 2] =" "$mgc" run net.mg --graph=pick --input table=1,2,3,4,5,6 --input ids=2,0
grep -qF '[[5.0, 6.0],' out || fail "the rows"
for level in 0 1 2 3; do
    expect 3 "net.mg:3:" "$mgc" run net.mg --graph=pick --input table=1,2,3,4,5,6 --input ids=2,3 -O$level
done
# A kernel with more buffers than any fixed table would hold.
{
    echo "mg 1"
    echo "graph wide($(seq -s ', ' -f 'x%g: f32[2]' 0 99)) -> (y: f32[200]) {"
    echo "    y = concat($(seq -s ', ' -f 'x%g' 0 99), axis = 0)"
    echo "}"
} > wide.mg
inputs=()
for i in {0..99}; do inputs+=(--input "x$i=$i,-$i"); done
for level in 0 2; do
    expect 0 "99.0, -99.0]" "$mgc" run wide.mg -O$level "${inputs[@]}"
done
expect 3 "net.mg:3:" "$mgc" run net.mg --graph=pick --input table=1,2,3,4,5,6 --input ids=2,-1 --interp
expect 1 "input 'y' has 2 elements, but '1,2,3' has 3" "$mgc" run net.mg --graph=pair --input x=1,2 --input y=1,2,3
expect 0 "va: f16[2] = [0.5, -inf]" "$mgc" run net.mg --graph=types --input a=0.5,-inf --input b=1,nan --input c=255,0 \
    --input d=9223372036854775807,-9223372036854775808 --input e=true,false --input f=1e300,0.1
for line in "vb: bf16[2] = [1.0, nan]" "vc: u8[2] = [255, 0]" "vd: i64[2] = [9223372036854775807, -9223372036854775808]" \
    "ve: bool[2] = [false, true]" "vf: f64[2] = [1e+300, 0.1]"; do
    grep -qF -- "$line" out || fail "$line"
done
expect 1 "'256' is not a value of type u8" "$mgc" run net.mg --graph=types --input a=0,0 --input b=0,0 --input c=256,0 \
    --input d=0,0 --input e=0,0 --input f=0,0
expect 1 "N is 5000 from x; it must be at most 4096" "$mgc" run net.mg --graph=big --input x=zeros --set N=5000

cat > least.mg <<'END'
mg 1
graph least(x: i64[2]) -> (y: i64[2]) {
    const k: i64[2] = [1, -9223372036854775808]
    y[i] = x[i] + k[i] + where(i == 0, -9223372036854775808, 0)
}
END
expect 0 "y: i64[2] = [-9223372036854775806, -9223372036854775806]" "$mgc" run least.mg --input x=1,2
sed -i 's/\[1, -/[1, 2 * -/' least.mg
expect 1 "the result of '*' does not fit 64 bits" "$mgc" run least.mg --input x=1,2
cat > most.mg <<'END'
mg 1
graph most(x: u64[2]) -> (y: u64[2]) { y[i] = where(i == 0, 18446744073709551615, x[i]) }
graph mixed(x: f32[2]) -> (y: f32[2]) { y[i] = x[i] + 18446744073709551615 }
graph sized(x: f32[2]) -> (y: f32[18446744073709551615]) { y[i] = 1.0 }
END
sed '/mixed/,$d' most.mg > alone.mg
expect 0 "y: u64[2] = [18446744073709551615, 2]" "$mgc" run alone.mg --input x=1,2
expect 1 "'+' between f32 and u64" "$mgc" run most.mg --graph=mixed --input x=1,2
grep -q "a dimension: expected an integer, found a scalar u64" err || fail "a dimension beyond i64"
cat > far.mg <<'END'
mg 1
graph far(x: i64[2]) -> (y: i64[2]) { y[i] = x[i] + where(i + -9223372036854775808 > 3, 1, 2) }
END
"$mgc" --emit-ir -O0 far.mg > far_ir.mg || fail "far.mg"
expect 0 "where(i + (-9223372036854775808) > 3" "$mgc" --emit-ir -O0 far_ir.mg
sed 's/i + -/i - -/' far.mg > farther.mg
expect 1 "the result of '-' does not fit 64 bits" "$mgc" run farther.mg --input x=1,2

# files
expect 0 "" "$mgc" run net.mg --graph=pair --input x=1,2 --input y=5,7 --output total=s.npy --output difference=d.npz
[ ! -s out ] || fail "what goes to files is not printed"
expect 0 "difference: f32[2] = [10.0, 14.0]" "$mgc" run net.mg --graph=pair --input x=s.npy --input y=d.npz:difference
expect 0 "" "$mgc" run net.mg --graph=pair --input x=1,2 --input y=5,7 --output total=b.npz --output difference=b.npz
expect 0 "total: f32[2] = [2.0, 4.0]" "$mgc" run net.mg --graph=pair --input x=b.npz:total --input y=b.npz:difference
expect 0 "" "$mgc" run net.mg --graph=pair --input x=random:5 --input y=random:5 --set N=1000 --output total=r1.npy --output difference=d.npy
expect 0 "" "$mgc" run net.mg --graph=pair --input x=random:5 --input y=random:5 --set N=1000 --output total=r2.npy --output difference=d.npy --threads=2
expect 2 "two outputs, 'total' and 'difference', can't go to one file 'd.npy'; a .npz holds several" "$mgc" run net.mg --graph=pair --input x=1,2 --input y=5,7 --output total=d.npy --output difference=d.npy
cmp r1.npy r2.npy || fail "the same seed gives the same numbers"

# one kernel that is large enough for several parts of an image
printf 'mg 1\ngraph f(x: f32[1, 3, 40, 40]) -> (y)\n{\n    w[m in 0..16, c in 0..3, i in 0..7, j in 0..7]: f32[16, 3, 7, 7] = c\n' > large.mg
printf '    y = conv2d(x, w, stride = 2, pad = 3)\n}\n' >> large.mg
expect 0 "y: f32[1, 16, 20, 20]" "$mgc" run large.mg --no-cache --input x=zeros

# timing
expect 0 "time of a run, over 5:  min" "$mgc" run net.mg --graph=big --input x=random --set N=64 --time --warmup=2 --repeat=5
expect 0 '"time_ns": {"runs": 3' "$mgc" run net.mg --graph=big --input x=random --set N=64 --time --repeat=3 --format=json
expect 0 "GFLOP/s" "$mgc" run net.mg --graph=big --input x=random --set N=64 --profile=trace.json --threads=2
grep -q 'net.mg:18:' out || fail "the profile names the line"
grep -q '"ph": "X"' trace.json || fail "the trace has no events"
expect 0 '"profile": [{"kernel": ' "$mgc" run net.mg --graph=big --input x=random --set N=64 --profile --format=json

# a file that can't be written is reported before anything runs
expect 2 "--profile writes a trace as FILE.json, a page as FILE.html, or schedules with their times as FILE.mgs, not 'trace.txt'" "$mgc" run net.mg --graph=big --input x=random --set N=64 --profile=trace.txt
expect 1 "cannot write 'nosuch/trace.json'" "$mgc" run net.mg --graph=big --input x=random --set N=64 --profile=nosuch/trace.json
expect 1 "cannot write 'nosuch/s.npy'" "$mgc" run net.mg --graph=pair --input x=1,2 --input y=5,7 --output total=nosuch/s.npy

# Two workers take rows in blocks, and one of them the rest. However many there are, a profile's kernels add up to the graph's work.
printf 'mg 1\ngraph f(x: f32[37, 40], w: f32[40, 24]) -> (y: f32[37, 24]) { y = softmax(relu(matmul(x, w))) }\n' > rest.mg
for threads in 1 2; do
    expect 0 "" "$mgc" run rest.mg --input x=random --input w=random:2 --threads=$threads --profile --format=json
    python3 -c 'import json, sys; print(sum(k["flops"] for k in json.load(open("out"))["profile"]))' > flops-$threads
done
cmp flops-1 flops-2 || fail "two workers compute $(cat flops-2) FLOPs, one $(cat flops-1)"

# A read outside is an error, masked or not, but not if sizes leave nothing to read.
cat > places.mg <<'END'
mg 1
graph empty(a: f32[N, 64, 100], ids: i64[200]) -> (y) {
    y[n in 0..N, i in 0..64, j in 0..200] = a[n, i, ids[j]]
}
graph unseen(q: f32[1, 2, 300, 16], k: f32[1, 2, 600, 16], v: f32[1, 2, 600, 16], bias: f32[10], ids: i64[600]) -> (y) {
    s = attention_scores(q, k)
    m[b, h, i, j in 0..600] = where(j <= i, s[b, h, i, j] + bias[ids[j]], -inf)
    y = attend_values(masked_softmax(m), v)
}
END
python3 - <<'END'
import struct
def npy(name, values):
    head = "{'descr': '<i8', 'fortran_order': False, 'shape': (%d,), }" % len(values)
    head = head.ljust(117) + "\n"
    open(name, "wb").write(b"\x93NUMPY\x01\x00" + struct.pack("<H", len(head)) + head.encode() + struct.pack("<%dq" % len(values), *values))
npy("far.npy", [0] * 150 + [1000] + [0] * 49)
npy("last.npy", [0] * 599 + [99])
END
for level in 0 2 3 "2 --interp"; do
    expect 0 "y: f32[0, 64, 200]" "$mgc" run places.mg --graph=empty -O$level --input a=zeros --input ids=far.npy --set N=0
    expect 3 "places.mg:3:5: " "$mgc" run places.mg --graph=empty -O$level --input a=zeros --input ids=far.npy --set N=1
    expect 3 "places.mg:7:5: " "$mgc" run places.mg --graph=unseen -O$level --input q=random --input k=random:2 --input v=random:3 --input bias=random:4 --input ids=last.npy
done

# A subscript that data put outside is reported with its value and range, even if several subscripts and lanes are
# checked at once.
cat > outside.mg <<'END'
mg 1
graph two(table: f32[8, 4], a: i32[N], b: u8[N]) -> (y: f32[N]) {
    y[i] = table[a[i], b[i]]
}
graph put(x: f32[N], places: i64[N, 1], base: f32[10]) -> (y: f32[10]) { y = scatter_nd(base, places, x) }
graph many(x: f32[2], k: i64) -> (y) {
    dim K <= 64 = k
    y[i in 0..K] = x[0] * 2
}
END
twenty=0,1,2,3,0,0,0,0,0,0,0,0,0,0,0,0,0,0
for level in 0 2; do
    for threads in 1 2; do
        run=("$mgc" run outside.mg -O$level --threads=$threads)
        expect 3 "outside.mg:3:5: subscript 1 of 'table', computed from data, is outside 0 to 7: it is -9" \
            "${run[@]}" --graph=two --input table=random --input a=$twenty,-9,0 --input b=$twenty,1,0
        expect 3 "outside.mg:3:5: subscript 2 of 'table', computed from data, is outside 0 to 3: it is 200" \
            "${run[@]}" --graph=two --input table=random --input a=$twenty,1,0 --input b=$twenty,0,200
        expect 3 "outside.mg:5:78: subscript 1 of 'y', computed from data, is outside 0 to 9: it is 77" \
            "${run[@]}" --graph=put --input x=1,2,3 --input places=0,3,77 --input base=zeros --set N=3
        expect 3 "outside.mg:7:5: size K, computed from data, is outside 0 to 64: it is 65" \
            "${run[@]}" --graph=many --input x=1,2 --input k=65
    done
done

# If a size shrinks as a size that data decide grows, the plan takes the least that data may decide.
cat > falls.mg <<'EOF'
mg 1
graph g(k: i64[], x: f32[100000]) -> (z) {
    dim K <= 100000 = k
    t[i in 0..100000 - K] = x[i] * 2
    z[i in 0..100000 - K] = t[100000 - K - 1 - i] + 1
}
EOF
for level in 0 2 3; do
    expect 0 'z: f32[99997] = [3.0, 3.0' "$mgc" run falls.mg -O$level --input k=3 --input x=ones
    expect 0 'z: f32[0] = []' "$mgc" run falls.mg -O$level --input k=100000 --input x=ones
done
expect 1 "a library can't tell the memory of output 'z': its size 100000 - K" "$mgc" falls.mg -o falls.so

# colours only on a terminal
printf 'mg 1\ngraph f(x: f32[2]) -> (y: f32[2]) { y = nosuch(x) }\n' > bad.mg
expect 1 "error:" "$mgc" run bad.mg
grep -q $'\033' err && fail "colours in a file"
finish
