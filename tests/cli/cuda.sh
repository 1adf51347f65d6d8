#!/usr/bin/env bash
# Tests CUDA's host over a driver that computes nothing (other_cuda.c), with this machine's OpenCL as its compiler: what is
# recorded and replayed, and what happens if any one call of the driver fails, or all from one on. Without a device, the
# test is skipped.
cuda=$2 opencl=$3 ports=$4
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own
mkdir pocl fake
"$mgc" devices > out 2> err || { finish; exit 77; }
MG_REAL_OPENCL=$(ldconfig -p | awk '/libOpenCL\.so\.1 .*x86-64/ { print $NF; exit }')
[ -n "$MG_REAL_OPENCL" ] || { finish; exit 77; }
export MG_REAL_OPENCL MG_PCI=7 MG_CUDA_LOG=$work/log
cp "$cuda" fake/libcuda.so.1
cp "$opencl" fake/libOpenCL.so.1

cat > net.mg <<'END'
mg 1
graph f(x: f32[32, 32], w: f32[32, 32]) -> (y: f32[32, 32], z: f32[32]) {
    a = softmax(matmul(x, w))
    y = softmax(matmul(a, w) + a)
    z = cumsum(sum(y, axes = [1]))
}
END
run=(env LD_LIBRARY_PATH="$work/fake" "$mgc" run net.mg --input x=ones --input w=ones --output y=y.npy --output z=z.npy --target=gpu --launch=separate)

# Ports bound to addresses, in the order of a stream.
expect 0 '' env LD_LIBRARY_PATH="$work/fake" "$ports"
grep -q alive log && fail "objects are left: $(cat log)"

# The second run of the launches is recorded, and each from then on is one replay, although inputs are written before it.
expect 0 '' "${run[@]}"
once=$(awk '/launches/ { print $1 }' log)
expect 0 '' "${run[@]}" --repeat=4
grep -qx "1 recordings" log && grep -qx "3 replays" log && grep -qx "$((4 * once)) launches" log || fail "replays: $(cat log)"
grep -q alive log && fail "objects are left: $(cat log)"

# fails N NAME ARGUMENTS…: call N of the driver fails. The command fails or not, but does not crash.
fails() {
    local n=$1 name=$2
    shift 2
    MG_CUDA_FAIL=$n=2 "${run[@]}" "$@" > out 2> err
    local got=$?
    checks=$((checks + 1))
    [ $got = 0 ] || [ $got = 3 ] || fail "$name: a failure of call $n ends with $got"
}
# every STEP ARGUMENTS…: lets each STEPth call fail alone, and some with all calls after them. What a lost queue may still
# write stays, and nothing can be freed in a context that can't be entered; everything else is freed.
every() {
    local step=$1
    shift
    expect 0 '' "${run[@]}" "$@"
    local calls n
    calls=$(awk '/calls/ { print $1 }' log)
    for ((n = 1; n <= calls; n += step)); do
        fails $n "${*:-a run}" "$@"
        ! grep -q "failed: cuLink[AC]" log || grep -qF "a program can't be made: CUDA_ERROR_OF_A_TEST (2)" err || fail "call $n fails"
        grep -q "failed: cuStreamSynchronize\|failed: cuCtxPushCurrent_v2" log || ! grep alive log > alive || fail "call $n fails: $(cat log)"
    done
    for ((n = 1; n <= calls; n += 10)); do
        fails "$n+" "all calls from one on: ${*:-a run}" "$@"
    done
}

# The kernels are compiled in parts, on threads. The cache has all parts.
rm -rf "$MG_CACHE_DIR"
expect 0 '' "${run[@]}"
[ "$(nproc)" = 1 ] || grep -qx "[2-9] links" log || fail "the program has no parts: $(cat log)"
expect 0 '' "${run[@]}"
grep -qx "0 links" log || fail "a program is linked again: $(cat log)"
# What is compiled already needs no context of OpenCL, which takes memory of the device.
expect 0 '' env MG_FAIL=clCreateContext=-6 "${run[@]}"
expect 3 "a program can't be made" env MG_FAIL=clCreateContext=-6 "${run[@]}" --no-cache

every 1 --repeat=2
every 3 --time --repeat=1 --warmup=0 --no-cache
finish
