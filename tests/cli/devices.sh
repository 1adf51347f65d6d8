#!/usr/bin/env bash
# Tests the list of devices, the program cache, and the message when there is no device. Results and failures on a device
# must be those of the CPU. Without an OpenCL device, only the message is tested.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own
mkdir pocl none

expect 3 "there is no OpenCL device: install your GPU's driver" env OCL_ICD_VENDORS="$work/none/" "$mgc" devices
printf 'mg 1\ngraph f(x: f32[3]) -> (y: f32[3]) { y = relu(x) }\n' > net.mg
expect 3 "there is no OpenCL device" env OCL_ICD_VENDORS="$work/none/" "$mgc" run net.mg --input x=-1,2,3 --target=gpu
echo "no library" > none/libOpenCL.so.1
expect 3 "libOpenCL.so.1 cannot be loaded: install the OpenCL loader" env LD_LIBRARY_PATH="$work/none" "$mgc" devices
rm none/libOpenCL.so.1
"$mgc" devices > out 2> err || { finish; exit; }

# Another driver may be missing, broken, or without a device. It is told only if it was asked for.
mkdir cuda
cuda() { # STATUS TEXT
    expect 3 "$2" env LD_LIBRARY_PATH="$work/cuda" MG_CUDA="$1" "$mgc" run net.mg --input x=-1,2,3 --target=gpu --driver=cuda
    expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" env LD_LIBRARY_PATH="$work/cuda" MG_CUDA="$1" "$mgc" run net.mg --input x=-1,2,3 --target=gpu
}
if [ -n "${MG_OTHER_CUDA:-}" ] && ! "$mgc" devices | grep -q "through cuda"; then
    echo "no library" > cuda/libcuda.so.1
    cuda 0 "libcuda.so.1 cannot be loaded: install NVIDIA's driver"
    cp "$MG_OTHER_CUDA" cuda/libcuda.so.1
    cuda 100 "there is no CUDA device"
    cuda 0 "no device of CUDA is one of OpenCL, whose compiler it needs"
fi

expect 0 "type" "$mgc" devices
expect 0 '"number": 0, "name": ' "$mgc" devices --json
run=("$mgc" run net.mg --input x=-1,2,3 --target=gpu)
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}" --device=0
expect 2 "--device=0 chooses a device: it needs --target=gpu" "$mgc" run net.mg --input x=-1,2,3 --device=0
expect 2 "--driver=cuda chooses a device: it needs --target=gpu" "$mgc" run net.mg --input x=-1,2,3 --driver=cuda
expect 2 "--driver=metal: the drivers are opencl and cuda, or auto" "$mgc" run net.mg --input x=-1,2,3 --target=gpu --driver=metal
expect 2 "no device has the number, type or name '77'; the devices are: 0 (" "${run[@]}" --device=77
expect 2 "no device has the number, type or name 'Abacus'; the devices are: 0 (" "${run[@]}" --device=Abacus
expect 2 "name 'Abacus'; the devices are: 0 (" env MG_DEVICE=Abacus "${run[@]}"
expect 0 "elementwise" "${run[@]}" --profile
expect 0 "time of a run, over 3" "${run[@]}" --time --warmup=1 --repeat=3
for mode in immediate cached graph fused loop; do # what a timing hook receives in each
    expect 0 "beside the kernels, in each run: compiling" "${run[@]}" --mode=$mode --warmup=0 --profile=trace.json
    for kind in compile transfer launch elementwise call; do
        grep -q "\"kind\": \"$kind\"" trace.json || fail "mode $mode tells of no $kind"
    done
done

# A row is reduced to one element before an axis of size 1: the kernel writes one element, not a row.
cat > one.mg <<'END'
mg 1
graph k(x: f32[3, 16], y: f32[]) -> (z) {
    z = clip(log_sum_exp(x, axes = [-2, 1], keepdims = true), y)
}
END
# The CPU's exponential rounds in its own way: five digits are the same.
"$mgc" run one.mg --input x=random --input y=0.5 > want
expect 0 "$(tail -n 1 want | cut -c 1-7)" env LD_PRELOAD= "$mgc" run one.mg --input x=random --input y=0.5 --target=gpu
cat > both.sh <<'END'
"$1" --emit-opencl one.mg | grep -c 'float4 \*)(b2_'
END
[ "$(sh both.sh "$mgc")" = 0 ] || fail "a vector is stored where one element is"

# The cache holds the object and the program. A damaged or unwritable one is a miss, never a failure.
expect 0 "" "$mgc" cache clear
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
expect 0 "2 compiled objects" "$mgc" cache
for file in cache/*.mgo; do head -c 70 "$file" > t && mv t "$file"; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
for file in cache/*.mgo; do printf '\xa5' | dd of="$file" bs=1 seek=200 conv=notrunc 2> /dev/null; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
expect 0 "2 compiled objects" "$mgc" cache
for file in cache/*.mgo; do head -c 3000 /dev/urandom > "$file"; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
for file in cache/*.mgo; do : > "$file"; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
for file in cache/*.mgo; do rm "$file" && mkdir "$file"; done
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "${run[@]}"
rmdir cache/*.mgo
expect 0 "warning: the cache folder '/proc/none' cannot be made" "${run[@]}" --cache=/proc/none
grep -qF "y: f32[3] = [0.0, 2.0, 3.0]" out || fail "a run without a cache"
expect 0 "" "$mgc" cache clear
for i in 1 2 3 4; do "${run[@]}" > "many$i" 2>&1 & done
wait
for i in 1 2 3 4; do grep -qF "[0.0, 2.0, 3.0]" "many$i" || fail "several processes at once: $(cat "many$i")"; done
expect 0 "2 compiled objects" "$mgc" cache

# Failures at run time name the line, as on the CPU.
cat > bad.mg <<'END'
mg 1
graph pick(table: f32[V, 2], ids: i64[N]) -> (rows: f32[N, 2]) {
    rows[n, d] = table[ids[n], d]
}
graph even(x: f32[N]) -> (y: f32[N]) {
    require N % 2 == 0 : "N must be even"
    y = relu(x)
}
END
for level in 0 2; do
    expect 3 "bad.mg:3:5: subscript 1 of 'table', computed from data, is outside 0 to 2: it is 3" \
        "$mgc" run bad.mg --graph=pick --input table=1,2,3,4,5,6 --input ids=2,3 --target=gpu -O$level
done
expect 0 "[[5.0, 6.0]," "$mgc" run bad.mg --graph=pick --input table=1,2,3,4,5,6 --input ids=2,0 --target=gpu
expect 1 "bad.mg:6:13: error: N must be even" "$mgc" run bad.mg --graph=even --input x=1,2,3 --target=gpu

# A package contains the device's code.
expect 0 "" "$mgc" net.mg --target=gpu -o net.mgb
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "$mgc" run net.mgb --input x=-1,2,3 --target=gpu
expect 0 "y: f32[3] = [0.0, 2.0, 3.0]" "$mgc" run net.mgb --input x=-1,2,3
expect 0 "__kernel void mg_" "$mgc" net.mg --emit-opencl --target=gpu
finish
