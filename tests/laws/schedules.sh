#!/usr/bin/env bash
# Tests that a printed schedule, read back, gives the same kernels to the byte, for every program of the corpus, on both targets,
# and with several threads, which share kernels out in other ways. Enough kernels must have a schedule's text. The test prints the
# forms that have none, and how many kernels each makes.   schedules.sh MGC
set -eu
mgc=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
programs=0 schedules=0 differ=0
for file in $(find "$here"/tests "$here"/examples -name "*.mg" | sort); do
    for target in cpu gpu; do
        options="--target=$target"
        [ $target = gpu ] || options="$options --threads=$((1 + programs % 8))"
        # shellcheck disable=SC2086
        "$mgc" --emit-schedule $options "$file" >"$dir/net.mgs" 2>"$dir/err" || {
            [ $? = 1 ] && continue 2 # wrong, on purpose, or several graphs
            echo "$target ${file#"$here"/}: mgc crashes"
            exit 1
        }
        sed -n "s/^schedule .*/text/p; s/.*: the form '\(.*\)' has no text yet$/\1/p" "$dir/net.mgs" >>"$dir/forms.$target"
        n=$(grep -c ^schedule "$dir/net.mgs") || continue
        # shellcheck disable=SC2086
        "$mgc" --emit-kernels $options "$file" >"$dir/chosen" 2>"$dir/err"
        # shellcheck disable=SC2086
        "$mgc" --emit-kernels $options "$file" --schedule="$dir/net.mgs" >"$dir/read" 2>"$dir/err" || true
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

# On a CPU, every kernel of an equation has a schedule. On a GPU, rows owned by groups, kernels for workers that are spread over
# items, and attention of one row without an index may have none. No other form may lose its text.
untold() { # TARGET FORMS
    all=$(wc -l <"$dir/forms.$1") text=$(grep -cx text "$dir/forms.$1")
    echo "$1: $text of $all kernels have a schedule; without text:" \
        $(grep -vx text "$dir/forms.$1" | sort | uniq -c | sort -rn | awk '{ print sep $2, $1; sep = ", " }' ORS=)
    for form in $(grep -vx text "$dir/forms.$1" | sort -u); do
        [[ " $2 " == *" $form "* ]] || { echo "$1: the form '$form' has no text"; exit 1; }
    done
}
untold cpu ""
untold gpu "owned spread attention"
echo "$schedules schedules of $programs programs read back"
