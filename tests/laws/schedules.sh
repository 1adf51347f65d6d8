#!/usr/bin/env bash
# Tests that a printed schedule, read back, gives the same kernels to the byte, for every program of the corpus, on both targets,
# and with several threads, which share kernels out in other ways; nets also for a CPU that is probably not this one. Every kernel of an
# equation must have a schedule's text.
#   schedules.sh MGC
set -eu
mgc=$1
here=$(cd "$(dirname "$0")/../.." && pwd)
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
programs=0 schedules=0 differ=0
for file in $(find "$here"/tests "$here"/examples -name "*.mg" | sort); do
    for target in cpu znver3 gpu; do
        threads="--threads=$((1 + programs % 8))"
        case $target in
        cpu) options=$threads ;;
        gpu) options=--target=gpu ;;
        *)
            [[ $file = */bench/nets/* ]] || continue
            options="--march=$target $threads"
            ;;
        esac
        # shellcheck disable=SC2086
        "$mgc" --emit-schedule $options "$file" >"$dir/net.mgs" 2>"$dir/err" || {
            [ $? = 1 ] && continue 2 # wrong, on purpose, or several graphs
            echo "$target ${file#"$here"/}: mgc crashes"
            exit 1
        }
        sed -n "s/^schedule .*/text/p; s/.*: the form '\(.*\)' has no text$/\1/p" "$dir/net.mgs" >>"$dir/forms.$target"
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

for target in cpu gpu; do
    all=$(wc -l <"$dir/forms.$target") text=$(grep -cx text "$dir/forms.$target")
    echo "$target: $text of $all kernels have a schedule"
    [ "$text" = "$all" ] || { echo "$target: without text:" "$(grep -vx text "$dir/forms.$target" | sort | uniq -c)"; exit 1; }
done
echo "$schedules schedules of $programs programs read back"
