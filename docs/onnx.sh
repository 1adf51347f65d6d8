#!/usr/bin/env bash
# Generates the list of operators in docs/onnx.md from the tables of the ONNX front end.
#   onnx.sh --write MGC    writes it into the page
#   onnx.sh --check MGC    exits 1 and prints the difference if the page is out of date
# It is between the lines `<!-- made: operators -->` and `<!-- end -->`.
set -eu
page=$(dirname "$0")/onnx.md
[ $# = 2 ] || { echo "usage: docs/onnx.sh --write | --check MGC" >&2; exit 2; }
new=$(mktemp)
trap 'rm -f "$new"' EXIT
{
    sed '/^<!-- made: operators -->$/q' "$page"
    echo '```'
    "$2" import --list-ops
    echo '```'
    sed -n '/^<!-- end -->$/,$p' "$page"
} >"$new"
case $1 in
--write) cp "$new" "$page" ;;
--check) diff -u "$page" "$new" || { echo "run docs/onnx.sh --write MGC" >&2; exit 1; } ;;
*) echo "usage: docs/onnx.sh --write | --check MGC" >&2; exit 2 ;;
esac
