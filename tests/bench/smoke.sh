#!/usr/bin/env bash
# smoke.sh BUILD_FOLDER: checks that the benchmarks run and print their lines. It does not judge their speed.
set -euo pipefail
export MG_BUILD=$1
run=$(dirname "$0")/run
for command in "call" "sgemm 64" "compile 20" "symbolic softmax_rows"; do
    status=0
    lines=$("$run" $command --json) || status=$?
    [ "$status" != 77 ] || continue # its peer is not there
    [ "$status" = 0 ] && [ -n "$lines" ] || { echo "run $command: status $status: $lines"; exit 1; }
    while read -r line; do
        for field in name size threads mg peer peer_name ratio spread; do
            grep -q "\"$field\": " <<< "$line" || { echo "run $command: no $field in: $line"; exit 1; }
        done
    done <<< "$lines"
done
# On a terminal, run says what it runs, beside the rows. In a pipe it says nothing.
terminal=$(script -qec "$run compile 300" /dev/null)
[[ $terminal == *$'\r\033[Kcompile, '*" s"*"300 layers"* ]] || { echo "run compile: no progress on a terminal: $terminal"; exit 1; }
piped=$("$run" compile 20 2>&1)
[[ $piped != *$'\r'* ]] || { echo "run compile: progress in a pipe: $piped"; exit 1; }
# A benchmark that lacks its peers says so, and does not count as run.
bare=$(mktemp -d)
trap 'rm -rf "$bare"' EXIT
printf '#!/bin/sh\nexec %s -S "$@"\n' "$(command -v python3)" > "$bare/python" && chmod +x "$bare/python"
for name in sgemm conv nets gemm_shapes graph attention linear_rows pools; do
    status=0
    out=$(PYTHONPATH= MG_OPENBLAS=$bare/none MG_PYTHON=$bare/python "$run" "$name" 2>&1) || status=$?
    [ "$status" = 77 ] || { echo "run $name: status $status without a peer, not 77: $out"; exit 1; }
    [[ $out == "$name: "*" is not there: nothing to compare with"* ]] || { echo "run $name: without a peer it says: $out"; exit 1; }
done
# What is neither a flag nor a size is refused, not taken for a size of 0.
! "$run" sgemm --seeds=3 64 > /dev/null 2>&1 || { echo "run sgemm: takes --seeds"; exit 1; }
! "$run" sgemm 6x4 > /dev/null 2>&1 || { echo "run sgemm: takes 6x4 for a size"; exit 1; }
