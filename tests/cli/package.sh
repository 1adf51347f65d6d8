#!/usr/bin/env bash
# Tests that a .mgb file contains all that a run needs, runs without its sources, and is refused if it is damaged.
source "$(dirname "$0")/lib.sh"

cat > net.mg <<'END'
mg 1
graph affine(x: f32[N, 2]) -> (y: f32[N, 2]) weights "w.safetensors" {
    param weight: f32[2]
    y[n, i] = x[n, i] * weight[i] + 1
}
END
safetensors w.safetensors '{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 0
printf '\x00\x00\x00\x40\x00\x00\x40\x40' >> w.safetensors # 2, 3

expect 0 "" "$mgc" net.mg --set N=2
[ -e net.mgb ] || fail "net.mgb is not beside its source"
mkdir elsewhere && mv net.mgb elsewhere && rm -r w.safetensors cache
expect 0 "y: f32[2, 2] =" "$mgc" run elsewhere/net.mgb --input x=1,2,3,4
grep -qF '[[3.0, 7.0],' out || fail "the values"
expect 0 "y: f32[1, 2] =" "$mgc" run elsewhere/net.mgb --input x=1,2
expect 0 "y: f32[2, 2] =" "$mgc" run elsewhere/net.mgb --input x=1,2,3,4 --interp
expect 0 "y: f32[2, 2] =" "$mgc" run elsewhere/net.mgb --input x=1,2,3,4 --march=x86-64-v3 --no-cache

# A requirement that fails names the line of the source, what was expected and what was found.
cat > shifted.mg <<'END'
mg 1
graph shifted(x: f32[N], y: f32[M]) -> (z: f32[N])
    require N != 3 : "{N} elements are too many by {N - 2}"
{
    z[i] = x[i] + y[i + 1]
}
END
expect 0 "" "$mgc" shifted.mg
mv shifted.mg elsewhere
expect 0 "z: f32[1] = [3.0]" "$mgc" run shifted.mgb --input x=1 --input y=1,2
expect 1 "shifted.mg:5:19: error: 'y' is read out of bounds at axis 0 of size 2: this needs M >= N + 1" \
    "$mgc" run shifted.mgb --input x=1,2 --input y=1,2
expect 1 "shifted.mg:3:13: error: 3 elements are too many by 1: this needs" \
    "$mgc" run shifted.mgb --input x=1,2,3 --input y=1,2,3,4

# Flags that only ask for information write nothing, unless -o names a file, and need no weights.
for flag in --explain=fusion --explain=guards --explain=layouts --print-changed --pass-stats --time-passes; do
    "$mgc" net.mg $flag > out 2> err || fail "$flag: $(cat err)"
    [ ! -e net.mgb ] || fail "$flag leaves net.mgb"
done
printf "mg 1\ngraph g(x: f32[N]) -> (y: f32[N]) { y[i] = 2 * x[i] }\n" > short.mg
expect 0 "kept" "$mgc" short.mg --explain=guards -o asked.mgb
[ -e asked.mgb ] || fail "-o asked.mgb is not written"
expect 0 "kept" sh -c "'$mgc' - --explain=guards < net.mg"

size=$(stat -c %s elsewhere/net.mgb)
for keep in 0 7 23 24 63 64 200 $((size / 2)) $((size - 1)); do
    head -c "$keep" elsewhere/net.mgb > cut.mgb
    expect 1 "'cut.mgb' is not a valid mgb file" "$mgc" run cut.mgb --input x=1,2
done
for at in 3 9 17 30 60 $((size / 3)); do
    cp elsewhere/net.mgb bent.mgb
    printf '\xa5' | dd of=bent.mgb bs=1 seek="$at" conv=notrunc 2> /dev/null
    expect 1 "'bent.mgb' is not a valid mgb file" "$mgc" run bent.mgb --input x=1,2
done

# a run keeps the settings of the build: it takes the file's code and compiles nothing
safetensors w.safetensors '{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 8
for flags in "-O0" "-O1" "-O3 --strict"; do
    expect 0 "" "$mgc" net.mg $flags --set N=2 --no-cache
    rm -rf cache
    expect 0 "y: f32[2, 2] =" "$mgc" run net.mgb --input x=1,2,3,4
    expect 0 "0 compiled objects" "$mgc" cache
done
expect 0 "y: f32[2, 2] =" "$mgc" run net.mgb --input x=1,2,3,4 -O2
expect 0 "1 compiled object," "$mgc" cache

# The run's own flags count: with another level, more threads or another CPU, the graph is compiled again.
for flags in "-O1" "--threads=2" "--march=x86-64-v2" "--strict"; do
    rm -rf cache
    expect 0 "y: f32[2, 2] =" "$mgc" run net.mgb --input x=1,2,3,4 $flags
    [ "$flags" = --strict ] || expect 0 "1 compiled object," "$mgc" cache # it is -O3 --strict already
done

# the same source gives the same bytes
safetensors w.safetensors '{"weight":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 8
expect 0 "" "$mgc" net.mg -o one.mgb --no-cache
expect 0 "" "$mgc" net.mg -o two.mgb --no-cache
cmp one.mgb two.mgb || fail "two compilations differ"

# a file with code for a device has code for the CPU too
if "$mgc" devices 2> /dev/null | grep -E '^ *[0-9]' > devices; then
    expect 0 "" "$mgc" net.mg --target=gpu --set N=2 --no-cache -o both.mgb
    rm -rf cache
    expect 0 "y: f32[2, 2] =" "$mgc" run both.mgb --input x=1,2,3,4
    expect 0 "0 compiled objects" "$mgc" cache
    expect 0 "y: f32[2, 2] =" "$mgc" run both.mgb --input x=1,2,3,4 --target=gpu
else
    echo "skipped: no OpenCL device, so packages for devices were not looked at"
    exit 77
fi
finish
