#!/usr/bin/env bash
# Tests the law that derivatives agree with differences: for every float output of every case of the library, and of
# equations that no operator has, with respect to every input that it reads.   derivatives.sh MGC
set -u
mgc=$1
here=$(dirname "$0")
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
failed=0 right=0

# check FILE LEAST: checks that no derivative is wrong or missing, and that at least LEAST are right
check() {
    local sets=() status dim n
    while :; do # open dimensions get a size
        "$mgc" check-gradients "$1" "${sets[@]}" >"$dir/out" 2>"$dir/err"
        status=$?
        dim=$(sed -n 's/.* is open: give --set \(.*\)=SIZE$/\1/p' "$dir/err")
        [ -n "$dim" ] && [ ${#sets[@]} -lt 64 ] || break
        sets+=(--set "$dim=4")
    done
    n=$(sed -n 's/^\([0-9]*\) right, .*/\1/p' "$dir/out")
    if [ $status != 0 ] || grep -qE '^(WRONG|none)' "$dir/out" || [ "${n:-0}" -lt "$2" ]; then
        echo "$(basename "$1"): status $status, ${n:-no} right (at least $2 expected)"
        grep -E '^(WRONG|none)' "$dir/out" | head -5
        cat "$dir/err"
        failed=1
    fi
    right=$((right + ${n:-0}))
}

for file in "$here"/../std/*.mg; do
    check "$file" 0
done
[ $right -ge 1500 ] || { echo "only $right derivatives of the library were checked"; failed=1; }
check "$here/derivatives.mg" 30
check "$here/derivatives_parts.mg" 36
[ $failed != 0 ] || echo "$right derivatives agree with differences"
exit $failed
