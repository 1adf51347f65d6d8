#!/usr/bin/env bash
# headers.sh KIND COMPILER FLAGS...: checks that headers compile alone and together.
# KIND c: each header of the library alone; all of a room together, in either order; those of all rooms together.
# KIND c++: the public headers as C++. The status is 77 if COMPILER is none (no C++ compiler was found).
# KIND self: whether the other kinds find a header that lacks an include, a clash in a room, and one between rooms.
set -u
here=$(realpath "$(dirname "$0")") kind=$1 compiler=$2
shift 2
flags=("$@")
# Notations have short words for files that write kernels. No header includes one, so no two of them meet.
notations='^(ir/kernel_math|passes/schedule/(gpu/attention_)?words)\.h$'

# try NAME HEADER...: compiles a file that includes the headers
try() {
    local name=$1
    shift
    printf '#include "%s"\n' "$@" | "$compiler" -x "$kind" "${flags[@]}" -Wall -Wextra -Werror -fsyntax-only - 2> "$errors" && return
    echo "FAIL: $name"
    grep -m 3 error: "$errors" || cat "$errors"
    failed=1
}

headers_of_tree() { # headers_of_tree ROOT: every header of its folders but those of tests, examples and builds
    (cd "$1" && find . -name '*.h' -printf '%P\n' | grep -vE '^(tests|examples|docs|build[^/]*|python|packaging)/' | sort)
}

check_c() { # check_c ROOT
    local headers room
    mapfile -t headers < <(headers_of_tree "$1")
    [ ${#headers[@]} -gt 0 ] || { echo "FAIL: no headers in $1"; failed=1; return; }
    for header in "${headers[@]}"; do try "$header alone" "$header"; done
    while read -r room; do
        mapfile -t headers < <(headers_of_tree "$1" | grep -E "^$room/[^/]*\$")
        try "the headers of $room" "${headers[@]}"
        mapfile -t headers < <(printf '%s\n' "${headers[@]}" | tac)
        try "the headers of $room, the other way round" "${headers[@]}"
    done < <(headers_of_tree "$1" | sed 's#/[^/]*$##' | sort -u)
    mapfile -t headers < <(headers_of_tree "$1" | grep -vE "$notations")
    try "all headers" "${headers[@]}"
}

check_self() {
    kind=c
    local tree=$work/tree
    mkdir -p "$tree/low" "$tree/high"
    flags=(-I "$tree")
    echo 'typedef struct MgA { int a; } MgA;' > "$tree/low/a.h"
    echo 'enum { MG_B = 1 };' > "$tree/high/b.h"
    check_c "$tree" > "$work/out"
    [ $failed = 0 ] || { echo "FAIL: refuses a plain tree"; cat "$work/out"; return; }
    echo 'MgA mg_c(void);' > "$tree/low/c.h"
    refuses "low/c.h alone"
    echo 'enum { MG_B = 2 };' > "$tree/high/c.h"
    refuses "the headers of high"
    echo 'enum { MgA };' > "$tree/high/c.h"
    refuses "all headers"
}

refuses() { # refuses NAME, then removes the header that is wrong
    failed=0
    check_c "$tree" > "$work/out"
    grep -qxF "FAIL: $1" "$work/out" && failed=0 || { echo "FAIL: sees nothing wrong with $1"; wrong=1; }
    rm -f "$tree"/*/c.h
}

work=$(mktemp -d) failed=0 wrong=0
errors=$work/errors
trap 'rm -rf "$work"' EXIT
case $kind in
c) check_c "$here/.." ;;
c++)
    [ "$compiler" = none ] && { echo "skipped: no C++ compiler"; exit 77; }
    try "mg.h in C++" include/mg.h
    try "all public headers in C++" $(headers_of_tree "$here/.." | grep '^include/') ;;
self) check_self ;;
esac
[ $failed = 0 ] && [ $wrong = 0 ]
