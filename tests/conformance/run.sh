#!/usr/bin/env bash
# Compares a conformance suite with its pinned results: run.sh [--pin] MGC EXPECTED FOLDER [FLAG…]
#
# EXPECTED has a line `passed N`, a line `unsupported CASE: why` for each case that MG does not support, and a line
# `fails CASE: why` for each case that is itself wrong. The test fails if any other case fails, if a case is
# unsupported that EXPECTED does not list, or if fewer than N cases pass. --pin writes EXPECTED from the results; look at
# the difference before you commit it. FOLDER may be zoo:NAME, a folder of $MG_ZOO. The exit status is 77
# (skipped) if the folder does not exist.
set -uo pipefail
pin=
[ "$1" = --pin ] && { pin=1; shift; }
mgc=$1 expected=$2 folder=$3
shift 3
case $folder in
zoo:*)
    [ "${MG_ZOO:-}" ] || { echo "skipped: MG_ZOO names no folder of models"; exit 77; }
    folder=$MG_ZOO/${folder#zoo:} ;;
esac
if [ ! -d "$folder" ]; then
    echo "skipped: there is no folder '$folder'"
    exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export MG_CACHE_DIR=$work/cache
"$mgc" test --json --timeout=1500 "$@" "$folder" > "$work/json"
[ $? -le 1 ] || { cat "$work/json"; exit 1; }
jq -r '.cases[] | [.result, (.case | split("/") | .[-1]), .why] | @tsv' "$work/json" > "$work/results" || exit 1
passed=$(grep -c ^pass "$work/results")
sed -n 's/^unsupported\t\([^\t]*\)\t/unsupported \1: /p' "$work/results" | sort > "$work/unsupported"

if [ "$pin" ]; then
    { sed -n '/^#\|^fails /p' "$expected" 2> /dev/null; echo "passed $passed"; cat "$work/unsupported"; } > "$work/new"
    cp "$work/new" "$expected"
fi
bad=0
while IFS=$'\t' read -r result name why; do
    [ "$result" = fail ] && ! grep -q "^fails $name:" "$expected" && { echo "FAIL $name: $why"; bad=1; }
done < "$work/results"
cut -d: -f1 "$work/unsupported" > "$work/names"
grep ^unsupported "$expected" | cut -d: -f1 | sort > "$work/known"
for name in $(comm -23 "$work/names" "$work/known" | cut -d' ' -f2); do
    grep "^unsupported $name:" "$work/unsupported"
    bad=1
done
want=$(sed -n 's/^passed //p' "$expected")
echo "$passed passed, $want expected; $(wc -l < "$work/unsupported") unsupported"
[ "$passed" -ge "$want" ] || bad=1
[ "$passed" -le "$want" ] || echo "more than expected: pin it with tests/conformance/run.sh --pin"
exit $bad
