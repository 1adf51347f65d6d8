#!/usr/bin/env bash
# Compares the forms of mgc run --target=gpu --launch on a device with the CPU. Skipped without OpenCL.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own

cat > net.mg <<'END'
mg 1
graph net(x: f32[6, 8], w: f32[12, 8], b: f32[12], v: f32[12, 8]) -> (y: f32[6, 8], m: f32[6]) {
    h[n, o] = sum[i] x[n, i] * w[o, i]
    r = relu(add(h, b))
    u[n, o] = sum[i] r[n, i] * v[i, o]
    y = softmax(u)
    m[n] = mean[i] u[n, i]
}
graph turns(x: f32[32, 32], w: f32[32, 32]) -> (y: f32[32, 32]) {
    y = loop t in 0..3 carry (h = x) {
        next h = softmax(matmul(h, w))
    }
}
graph wide(x: f32[512, 512], w: f32[512, 512]) -> (y: f32[512, 512]) {
    y = matmul(x, w)
}
graph chosen(x: f32[64]) -> (y) {
    y = nonzero(x)
}
graph infinite(x: f32[5, 8], w: f32[5, 8], v: f32[5, 5]) -> (y: f32[5, 5], m: f32[5]) {
    g[n, i] = exp(x[n, i] * x[n, i] + 200)
    t[n, i] = tanh(g[n, i])
    m[n] = max[i] g[n, i]
    u[n, o] = sum[i] t[n, i] * w[o, i]
    y[n, o] = sum[i] u[n, i] * v[o, i]
}
graph mixes(x: f32[4, 4]) -> (y: f32[4, 4], h: f32[4, 4]) {
    h = relu(x)
    y[i, j] = h[j, i] + h[i, j]
}
END
net=(net.mg --graph=net --input x=random:1 --input w=random:2 --input b=random:3 --input v=random:4)
if ! "$mgc" run "${net[@]}" --target=gpu > out 2> err; then
    grep -qi opencl err || fail "no device, and no word about it"
    echo "skipped: no OpenCL device"
    exit 77
fi
close() { # FILE FILE: element by element within 1e-5
    python3 - "$1" "$2" <<'END' || fail "$1 and $2 differ"
import struct, sys
def load(path):
    d = open(path, "rb").read()
    n = struct.unpack("<H", d[8:10])[0]
    return struct.unpack("<%df" % ((len(d) - 10 - n) // 4), d[10 + n:])
a, b = load(sys.argv[1]), load(sys.argv[2])
assert len(a) == len(b) and len(a) > 0
assert all(abs(p - q) <= 1e-5 for p, q in zip(a, b)), [(p, q) for p, q in zip(a, b) if abs(p - q) > 1e-5][:3]
END
}
for repeat in 1 2 37; do
    expect 0 "" "$mgc" run "${net[@]}" --mode=loop --repeat=$repeat --output y=y.npy --output m=m.npy
    for launch in owned separate; do
        "$mgc" run "${net[@]}" --mode=loop --repeat=$repeat --target=gpu --launch=$launch --output y=gy.npy --output m=gm.npy \
            > out 2> err || fail "$launch, $repeat passes"
        close y.npy gy.npy
        close m.npy gm.npy
        [ $repeat = 1 ] || [ $launch != separate ] || grep -q "the host started each pass" err || fail "separate launches don't loop"
        [ $launch = separate ] || [ ! -s err ] || fail "$launch loops on the device"
    done
done
# Groups that meet between layers give the same results, with kernels of few and of many items.
turns=(net.mg --graph=turns --input x=random:1 --input w=random:2)
for repeat in 1 6; do
    for graph in net turns; do
        declare -n run=$graph
        expect 0 "" "$mgc" run "${run[@]}" --mode=loop --repeat=$repeat --output y=y.npy
        "$mgc" run "${run[@]}" --mode=loop --repeat=$repeat --target=gpu --launch=persistent --output y=gy.npy > out 2> err ||
            fail "persistent $graph, $repeat passes"
        [ ! -s err ] || fail "persistent $graph loops on the device"
        close y.npy gy.npy
    done
done
expect 0 "turns: one kernel, its groups meet at barriers between the calls, any number of passes in one launch" \
    "$mgc" run "${turns[@]}" --target=gpu --launch=persistent --explain=launch
expect 0 "net: one kernel, its groups meet" "$mgc" run "${net[@]}" --target=gpu --launch=persistent --explain=launch
grep -qE "^[0-9]+ calls in one kernel: up to [0-9]+ groups of [0-9]+ items, where kernels have [0-9]+ and more, [0-9]+ bytes" err ||
    fail "what the kernel is"
# The bytes after the 5 elements of a row of u were infinite before, and zero times infinity is NaN.
infinite=(net.mg --graph=infinite --input x=random:1 --input w=random:2 --input v=random:3)
expect 0 "" "$mgc" run "${infinite[@]}" --output y=y.npy
expect 0 "" "$mgc" run "${infinite[@]}" --target=gpu --launch=owned --output y=gy.npy
close y.npy gy.npy
# An op that reads another row has no owned form, but it still runs.
expect 0 "y: f32[4, 4] =" "$mgc" run net.mg --graph=mixes --input x=random:1 --target=gpu --launch=owned
"$mgc" --emit-opencl net.mg --graph=net --target=gpu --launch=owned > out 2> err || fail "no OpenCL C"
[ "$(grep -c '^__kernel' out)" = 2 ] || fail "two kernels: packing, and all layers"
"$mgc" --emit-opencl net.mg --graph=mixes --target=gpu --launch=owned > out 2> err || fail "no OpenCL C"
! grep -q owned out || fail "rows that are mixed are not owned"
"$mgc" --emit-opencl net.mg --graph=mixes --target=gpu --launch=persistent > out 2> err || fail "no OpenCL C"
grep -q 'mg_meet(meeting' out || fail "groups meet"
for launch in separate persistent; do
    "$mgc" run net.mg --graph=mixes --input x=random:1 --mode=loop --repeat=9 --target=gpu --launch=$launch --output y=$launch.npy \
        --output h=h.npy > out 2> err || fail "$launch"
done
close separate.npy persistent.npy
expect 0 "net: one kernel, each group walks all layers for its own rows, any number of passes in one launch" \
    "$mgc" run "${net[@]}" --target=gpu --launch=owned --explain=launch
grep -q "rows owned by groups: blocks of.*: asked for$" err || fail "what the model says"
expect 0 "net: separate launches" "$mgc" run "${net[@]}" --target=gpu --mode=loop --repeat=3 --explain=launch
[ "$(grep -cE "rows owned by groups|one kernel with barriers, about" err)" = 2 ] || fail "the model says something of each form"
[ "$(grep -cE "[0-9]+ separate launches, about [0-9.]+ (µs|ms|s) a pass$" err)" = 1 ] || fail "separate launches have one estimate"
! grep -E "rows owned|with barriers" err | grep -vqE ": (not taken: .*|chosen)$" || fail "a form is neither chosen nor refused"
grep -q "a launch costs 5 µs (assumed; mgc probe" err || fail "costs before a probe"
expect 0 "overhead (one launch among many): " "$mgc" probe --target=gpu
whose=measured # on a machine so busy that groups came late, nothing is kept
grep -q "barrier over the grid: not measured" out && whose=assumed
expect 0 "a launch costs " "$mgc" run "${net[@]}" --target=gpu --launch=owned --explain=launch
grep -qE "a launch costs [0-9.e-]+ µs \($whose" err || fail "costs after a probe"
expect 0 "net: contractions may round factors to tf32; opencl computes them in f32" \
    "$mgc" run "${net[@]}" --target=gpu --precision=tf32 --explain=launch
expect 0 "wide: contractions may round factors to tf32; opencl does so where its matrix units are faster" \
    "$mgc" --emit-opencl net.mg --graph=wide --target=gpu --march=cu=132,items=256,local=49152,ptx=90 --precision=tf32 --explain=launch
grep -q "mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32" out || fail "matrix units"
expect 0 "one kernel with barriers is impossible: data decide sizes in it" \
    "$mgc" run net.mg --graph=chosen --input x=random:1 --target=gpu --launch=persistent --explain=launch
"$mgc" run "${net[@]}" --target=gpu --mode=graph --profile > out 2> err || fail "mode graph"
[ "$(grep -c 'net.mg:' out)" -gt 4 ] || fail "mode graph launches op by op"
expect 0 "net: the workers enter the plan once" "$mgc" run "${net[@]}" --explain=launch
finish
