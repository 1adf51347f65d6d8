#!/usr/bin/env bash
# Tests the limits of mgc probe as a table, JSON and a plot, and that --profile compares with them.
source "$(dirname "$0")/lib.sh"
export POCL_CACHE_DIR=$work/pocl ASAN_OPTIONS=detect_leaks=0 # drivers keep memory of their own
expect 0 "compute (f32 fused multiply-add): " "$mgc" probe
grep -qE '^L1 +[0-9.]+ KiB' out || fail "no row for the first cache"
for walk in sequential strided wrapped-strided random row-major column-major flat pointer-chasing; do
    grep -q "^$walk " out || fail "no row for $walk"
done
# A probe that was disturbed says so, and its result is not kept. Both outcomes may occur here.
kept=1
! grep -q 'the machine was busy: times of the same code differed by' out || kept=0
expect 0 "0 compiled objects, $kept measurement" "$mgc" cache
expect 0 "\"measurements\": $kept" "$mgc" cache --format=json
cat > net.mg <<'END'
mg 1
graph f(x: f32[64, 64], w: f32[64, 64]) -> (y: f32[64, 64]) { y = softmax(matmul(x, w), axis = -1) }
END
expect 0 "bound by" "$mgc" run net.mg --input x=random --input w=random --profile --repeat=5
grep -qE '(compute|memory|overhead) +[0-9]+%' out || fail "no regime in the profile"
# The schedules that ran are printed with their times, and read back.
expect 0 "" "$mgc" run net.mg --input x=random --input w=random --profile=ran.mgs --repeat=5 --format=json
grep -qE '^// took [0-9.]+ .s, bound by (compute|memory|overhead); [0-9]+% of its roof ' ran.mgs || fail "no time in the schedules: $(cat ran.mgs)"
expect 0 "" "$mgc" run net.mg --input x=random --input w=random --schedule=ran.mgs
expect 2 "or schedules with their times as FILE.mgs, not 'ran.txt'" "$mgc" run net.mg --input x=random --input w=random --profile=ran.txt
expect 0 '"regime": "' "$mgc" run net.mg --input x=random --input w=random --profile --repeat=5 --format=json
# what runs in a loop is counted in each trip, as its time is
printf 'mg 1\ngraph f(x: f32[16, 16], w: f32[16, 16]) -> (y) {\n y = loop t in 0..10 carry (a = x) {\n  b = matmul(a, w)\n  next a = b\n }\n}\n' > loop.mg
expect 0 '"flops": 81920, ' "$mgc" run loop.mg --input x=random --input w=random --profile --repeat=5 --format=json
# a file that can't be written is reported before minutes of measuring
expect 1 "cannot write 'nosuch/probe.svg'" "$mgc" probe --plot=nosuch/probe.svg
expect 1 "cannot write 'nosuch/probe.txt'" "$mgc" probe -o nosuch/probe.txt
expect 2 "a plot is written as SVG: --plot=FILE.svg" "$mgc" probe --plot=probe.png
expect 1 "cannot write 'nosuch/graphs.svg'" "$mgc" bench graphs --plot=nosuch/graphs.svg
expect 2 "a plot is written as SVG: --plot=FILE.svg" "$mgc" bench graphs --plot=graphs
expect 2 "--plot draws the CPU's memory" "$mgc" probe --target=gpu --plot=no.svg
finish
