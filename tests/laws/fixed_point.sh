#!/usr/bin/env bash
# Tests that canonical forms are fixed points: for every program of the corpus, canonicalising twice prints the same as once.
# fixed_point.sh MGC
set -eu
mgc=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
programs=0
differ=0
for file in $(find "$here"/tests "$here"/examples -name "*.mg" | sort); do
    for level in 1 3; do
        "$mgc" --emit-ir -O$level --passes=canonicalise "$file" >"$dir/once" 2>"$dir/err" || continue 2 # the program is wrong on purpose
        "$mgc" --emit-ir -O$level --passes=canonicalise,canonicalise "$file" >"$dir/twice"
        if ! diff -u "$dir/once" "$dir/twice" >"$dir/diff"; then
            echo "-O$level ${file#"$here"/}: another round finds more"
            head -20 "$dir/diff"
            differ=$((differ + 1))
        fi
    done
    programs=$((programs + 1))
done
[ $programs -gt 100 ] || { echo "only $programs programs"; exit 1; }
[ $differ = 0 ] || exit 1
echo "$programs programs are in canonical form after one round"
