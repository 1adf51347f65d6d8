#!/usr/bin/env bash
# Tests products by instructions that multiply words: which instruction the code for each machine has, schedules with
# another one, and the messages that refuse it.
source "$(dirname "$0")/lib.sh"
cat > net.mg <<'END'
mg 1
graph bytes(a: i8[64, 96], b: i8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] i32(a[m, k]) * i32(b[k, n]) }
graph mixed(a: u8[64, 96], b: i8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] i32(a[m, k]) * i32(b[k, n]) }
graph plain(a: u8[64, 96], b: u8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] i32(a[m, k]) * i32(b[k, n]) }
graph shifted(a: u8[64, 96], b: i8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] (i32(a[m, k]) - 128) * i32(b[k, n]) }
graph zeros(a: u8[64, 96], z: u8[], b: i8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] (i32(a[m, k]) - i32(z[])) * i32(b[k, n]) }
graph pairs(a: i16[64, 96], b: i8[96, 64]) -> (y: i32[64, 64]) { y[m, n] = sum[k] i32(a[m, k]) * i32(b[k, n]) }
graph near(a: bf16[64, 96], b: bf16[96, 64]) -> (y: f32[64, 64]) { y[m, n] = sum[k] f32(a[m, k]) * f32(b[k, n]) }
graph halves(a: bf16[64, 256], b: bf16[256, 512]) -> (y: f32[64, 512]) { y[m, n] = sum[k] f32(a[m, k]) * f32(b[k, n]) }
graph floats(a: f32[64, 96], b: f32[96, 64]) -> (y: f32[64, 64]) { y[m, n] = sum[k] a[m, k] * b[k, n] }
END

# has GRAPH MARCH INSTRUCTION [SCHEDULE]: checks that the code has the instruction many times. A tile has dozens of them.
has() {
    local n
    n=$("$mgc" net.mg --graph="$1" --march="$2" ${4:+--schedule=$4} --emit-asm --no-cache | grep -cw "$3")
    [ "$n" -ge 8 ] || fail "$1 on $2: $n of $3"
    checks=$((checks + 1))
}
has bytes znver4 vpdpbusd
has mixed znver4 vpdpbusd
has plain sapphirerapids vpdpbusd
has pairs znver4 vpdpwssd
has shifted znver4 vpdpbusd
has zeros znver4 vpdpwssd
has bytes alderlake vpdpbusd
has bytes x86-64-v3 vpmaddwd
has pairs x86-64-v4 vpmaddwd
has bytes neoverse-n1 sdot
has plain neoverse-n1 udot
has mixed neoverse-v2 usdot

# edit GRAPH MARCH SCRIPT: prints the schedule that the compiler chose, edited
edit() { "$mgc" net.mg --graph="$1" --march="$2" --emit-schedule | sed "$3" > edited.mgs; }
refused() { # GRAPH MARCH SCRIPT REASON
    edit "$1" "$2" "$3"
    expect 1 "$4" "$mgc" net.mg --graph="$1" --march="$2" --schedule=edited.mgs --emit-kernels
    grep -q '^edited.mgs:[0-9]*:[0-9]*: error: ' err || fail "no line: $(cat err)"
}
# bf16 is optional: its sums round in another order
[ -z "$("$mgc" net.mg --graph=halves --march=znver4 --emit-asm | grep -w vdpbf16ps)" ] || fail "bf16 by default"
for machine in znver4:vdpbf16ps neoverse-v2:bfdot; do
    edit halves ${machine%:*} 's/do y$/do y with bf16/'
    has halves ${machine%:*} ${machine#*:} edited.mgs
    "$mgc" net.mg --graph=halves --march=${machine%:*} --schedule=edited.mgs --emit-schedule > again.mgs
    grep -q 'do y with bf16' again.mgs || fail "the edit is not printed"
done
refused near znver4 's/do y$/do y with bf16/' "no line stages the columns: 'bf16' multiplies words, which copies hold"
refused halves x86-64-v3 's/do y$/do y with bf16/' "this machine has no instruction for 'bf16'"
refused floats znver4 's/do y$/do y with bf16/' "'bf16' multiplies bf16 by bf16 to f32; not every value of these factors is one"
refused halves znver4 's/do y$/do y with u8_i8/' "'u8_i8' multiplies u8 by i8 to i32; not every value of these factors is one"
refused halves znver4 's/do y$/do y with bf16/; s/for k$/for k by 31/' "blocks of 31 steps are not whole words of 2"
refused bytes znver4 's/reg(13)/reg(14)/' "R * V + V + 1, and V for the rows' offset"

# The numbers are the same with and without these instructions, on this machine and for AVX2.
run() { "$mgc" run net.mg --graph="$1" --input a=random:1 --input b=random:2 --format=json "${@:2}" | jq -c .outputs; }
for graph in bytes mixed plain pairs; do
    run $graph -O0 > plain
    run $graph > words
    cmp -s plain words || fail "$graph: other numbers"
    checks=$((checks + 1))
done
"$mgc" net.mg --graph=bytes --emit-schedule | sed 's/ with .*//' > edited.mgs
run bytes --schedule=edited.mgs > words
run bytes -O0 > plain
cmp -s plain words || fail "other numbers without the atom"
if grep -qw avx512_bf16 /proc/cpuinfo; then
    "$mgc" net.mg --graph=halves --emit-schedule | sed 's/do y$/do y with bf16/' > edited.mgs
    run halves > plain
    run halves --schedule=edited.mgs > words
    jq -n --slurpfile a plain --slurpfile b words -e \
        '[$a[0][0].data, $b[0][0].data | flatten] | transpose | all((.[0] - .[1]) | fabs < 1e-4)' > /dev/null || fail "bf16: other numbers"
    checks=$((checks + 1))
fi
finish
