#!/usr/bin/env bash
# Runs a fuzz target as a test: run.sh PROGRAM SEEDS RUNS OPTION…. The same tree always gives the same result: libFuzzer's
# own seed and the number of inputs are fixed, the seeds are given in a fixed order, and nothing is added to their folder.
# A limit on the time of the test would end it at another input on each machine. The limit here is for one input that
# hangs, and is generous, since a machine may be busy.
set -eu
program=$1 seeds=$2 runs=$3
shift 3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
find "$seeds" -type f | LC_ALL=C sort | paste -sd, > "$work/seeds"
[ ! -s "$work/seeds" ] || set -- "-seed_inputs=@$work/seeds" "$@"
"$program" -seed=1 "-runs=$runs" -max_len=4096 -rss_limit_mb=1024 -timeout=100 -print_final_stats=1 "$@"
