#!/usr/bin/env bash
# format.sh SOURCE_FOLDER: checks that every C file is formatted as clang-format 14 does it. Skipped (77) if it isn't
# installed.
set -u
cd "$1" || exit 1
format=$(command -v clang-format-14 || command -v clang-format) || { echo "skipped: there is no clang-format"; exit 77; }
"$format" --version | grep -q 'version 14\.' || { echo "skipped: $("$format" --version) is not 14"; exit 77; }

# The check itself must work: it finds a file that is formatted otherwise.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp .clang-format "$work"
echo 'int  f( void ){return 1 ;}' >"$work/wrong.c"
"$format" --dry-run -Werror "$work/wrong.c" 2>/dev/null && { echo "FAIL: it does not see a wrong file"; exit 1; }

find . -name 'build*' -prune -o -name '.git' -prune -o -type f -name '*.[ch]' -print0 >"$work/files"
[ -s "$work/files" ] || { echo "FAIL: there are no C files"; exit 1; }
xargs -0 -P 2 -n 60 "$format" --dry-run -Werror <"$work/files" || {
    echo "FAIL: $format -i on these files puts them into form"
    exit 1
}
