#!/usr/bin/env bash
# Tests that printed schedules, read back, give the same kernels to the byte, for every program of the corpus, on both targets.
# schedules.sh MGC
set -eu
mgc=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
programs=0 schedules=0 differ=0
for file in $(find "$here"/tests "$here"/examples -name "*.mg" | sort); do
    for target in cpu gpu; do
        "$mgc" --emit-schedule --target=$target "$file" >"$dir/net.mgs" 2>"$dir/err" || continue 2 # wrong, on purpose, or several graphs
        n=$(grep -c ^schedule "$dir/net.mgs") || continue
        "$mgc" --emit-kernels --target=$target "$file" >"$dir/chosen" 2>"$dir/err"
        "$mgc" --emit-kernels --target=$target "$file" --schedule="$dir/net.mgs" >"$dir/read" 2>"$dir/err" || true
        if ! cmp -s "$dir/chosen" "$dir/read"; then
            echo "$target ${file#"$here"/}: other kernels"
            cat "$dir/err"
            diff "$dir/chosen" "$dir/read" | head -20
            differ=$((differ + 1))
        fi
        schedules=$((schedules + n))
    done
    programs=$((programs + 1))
done
[ $programs -gt 80 ] && [ $schedules -gt 1000 ] || { echo "only $schedules schedules of $programs programs"; exit 1; }
[ $differ = 0 ] || exit 1
echo "$schedules schedules of $programs programs read back"
