#!/usr/bin/env bash
# smoke.sh BUILD_FOLDER: the benchmarks run and print what they promise; how fast is not judged.
set -euo pipefail
export MG_BUILD=$1
run=$(dirname "$0")/run
for command in "call" "sgemm 64" "compile 20" "symbolic softmax_rows"; do
    lines=$("$run" $command --json)
    while read -r line; do
        for field in name size threads mg peer peer_name ratio spread; do
            grep -q "\"$field\": " <<< "$line" || { echo "run $command: no $field in: $line"; exit 1; }
        done
    done < <(grep . <<< "$lines" || true)
done
