#!/usr/bin/env bash
# Tests that mgc survives a driver that fails: the message says what failed and on which device, and the status is 3.
# failing_opencl.c takes the loader's place. Without a device, the test is skipped.
failing=$2
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own
mkdir pocl fake
"$mgc" devices > out 2> err || { finish; exit; }
MG_REAL_OPENCL=$(ldconfig -p | awk '/libOpenCL\.so\.1 .*x86-64/ { print $NF; exit }')
[ -n "$MG_REAL_OPENCL" ] || { finish; exit; }
export MG_REAL_OPENCL
cp "$failing" fake/libOpenCL.so.1

printf 'mg 1\ngraph f(x: f32[3, 3], w: f32[3, 3]) -> (y: f32[3, 3]) { y = relu(matmul(x, w)) }\n' > net.mg
run=(env LD_LIBRARY_PATH="$work/fake" "$mgc" run net.mg --input x=ones --input w=ones --target=gpu)
failed() { # CALL=STATUS 'TEXT' [AFTER]
    expect 3 "$2" env MG_FAIL="$1" MG_FAIL_AFTER="${3:-1}" "${run[@]}"
}
expect 0 "[[3.0, 3.0, 3.0]," "${run[@]}" --no-cache
failed clGetPlatformIDs=-1001 "there is no OpenCL device"
failed clGetDeviceIDs=-1 "there is no OpenCL device"
failed clCreateContext=-2 "the device can't be opened: CL_DEVICE_NOT_AVAILABLE (-2)"
failed clBuildProgram=-11 "refuses the kernels: CL_BUILD_PROGRAM_FAILURE (-11)"
for after in 1 2 3 4 5; do failed clCreateBuffer=-4 "out of memory: " $after; done
failed clCreateBuffer=-61 "CL_INVALID_BUFFER_SIZE" 2
failed clEnqueueWriteBuffer=-5 "memory of the device can't be written: CL_OUT_OF_RESOURCES (-5)"
failed clSetKernelArg=-51 "the arguments of a kernel can't be set: CL_INVALID_ARG_SIZE (-51)"
failed clEnqueueNDRangeKernel=-54 "a kernel can't be launched: CL_INVALID_WORK_GROUP_SIZE (-54)"
failed clEnqueueReadBuffer=-5 "memory of the device can't be read: CL_OUT_OF_RESOURCES (-5)"
failed clFinish=-36 "the run failed: CL_INVALID_COMMAND_QUEUE (-36)"
# If a driver crashes, no pass is to blame, so the passes are not run again to find one.
expect 139 "mgc: internal error: a crash while the program ran; \`mgc bisect\` tells" \
    env MG_FAIL=clFinish=crash "${run[@]}"
[ ! -e mgc-reproducer.mg ] || fail "a crash of the driver leaves the IR before a pass"
# A program that can't be cached or read back only costs time.
expect 0 "[[3.0, 3.0, 3.0]," "${run[@]}"
expect 0 "[[3.0, 3.0, 3.0]," env MG_FAIL=clGetProgramInfo=-30 "${run[@]}" --cache="$work/other"
# A cached program that the driver no longer accepts is compiled again.
expect 0 "[[3.0, 3.0, 3.0]," env MG_FAIL=clCreateProgramWithBinary=-42 "${run[@]}"

# A group is admitted but never arrives. The others wait for a bounded time and leave, the run reports it, and the next
# run is right.
printf 'mg 1\ngraph f(x: f32[32, 32], w: f32[32, 32]) -> (y: f32[32, 32]) { y = softmax(matmul(relu(matmul(x, w)), w)) }\n' > net.mg
run=(env LD_LIBRARY_PATH="$work/fake" "$mgc" run net.mg --input x=random:1 --input w=random:2 --target=gpu --launch=persistent --mode=loop
    --repeat=40 --output y=y.npy)
came='atomic_or((volatile __global uint *)m, MG_CLOSED);'
expect 0 "" "${run[@]}"
mv y.npy right.npy
expect 3 "the groups of the persistent kernel did not meet in time; run it with --launch=separate" \
    env MG_REPLACE="$came" MG_WITH="${came%;} + 1;" "${run[@]}" --no-cache
expect 0 "" "${run[@]}"
cmp y.npy right.npy || fail "a run after one that was given up"

# Threads of PoCL's CPU go on, so groups may wait for earlier ones; a GPU that it drives promises nothing.
printf 'mg 1\ngraph f(x: f32[8192]) -> (y: f32[8192]) { y = cumsum(x) }\n' > sum.mg
sums=(env MG_REPLACE=atomic_inc MG_WITH=wrong LD_LIBRARY_PATH="$work/fake" "$mgc" run sum.mg --input x=ones --target=gpu
    --driver=opencl --no-cache)
expect 3 "refuses the kernels" "${sums[@]}"
expect 0 "8192.0]" env MG_PCI=7 "${sums[@]}"
finish
