#!/usr/bin/env bash
# calls.sh SOURCE_FOLDER: checks that every function of mg.h whose first argument is a pointer gets NULL in a unit test.
set -u
cd "$1" || exit 1
functions=$(tr '\n' ' ' <include/mg.h | grep -oE '\<mg_[a-z_]+\((const )?[A-Za-z]+ \*' | grep -oE '^[a-z_]+' | sort -u)
[ "$(wc -w <<<"$functions")" -gt 50 ] || { echo "FAIL: the functions of mg.h were not found"; exit 1; }
failed=0
for function in $functions; do
    grep -qE "\<$function\(NULL[,)]" tests/unit/*.c || { echo "FAIL: no unit test calls $function(NULL…)"; failed=1; }
done
exit $failed
