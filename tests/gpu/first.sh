#!/usr/bin/env bash
# Times the digits network on a device from process start to the first result, with warm caches, against
# the least that any program with a device does (first.c), in turn. Prints one JSON line; `excess` must be at most 0.3 s.
#
#   first.sh BUILD SOURCE [ROUNDS]
set -eu
build=$1 source=$2 rounds=${3:-9}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MG_CACHE_DIR=$work/cache
net=("$build/mgc" run "$source/examples/digits/digits.mg" --target=gpu --graph=digits --input images=random --set N=1)
least=("$build/tests/gpu/gpu_first" "$work/kept")
"${net[@]}" > "$work/out" && "${net[@]}" > /dev/null && "${least[@]}" > /dev/null && "${least[@]}" > /dev/null
mine=() theirs=()
for ((i = 0; i < rounds; i++)); do
    mine+=("$("$build/tests/bench/bench_process" 1 "${net[@]}" | cut -d' ' -f1)")
    theirs+=("$("$build/tests/bench/bench_process" 1 "${least[@]}" | cut -d' ' -f1)")
done
median() { printf '%s\n' "$@" | sort -n | sed -n "$(((rounds + 1) / 2))p"; }
a=$(median "${mine[@]}") b=$(median "${theirs[@]}")
echo "$a $b" | awk '{ printf "{\"name\": \"first result\", \"size\": \"digits\", \"threads\": 1, \"mg\": %s, \"peer\": %s, \"peer_name\": \"one cached kernel\", \"ratio\": %.3f, \"excess\": %.3f}\n", $1, $2, $2 / $1, $1 - $2 }'
