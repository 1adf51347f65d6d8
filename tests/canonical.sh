#!/usr/bin/env bash
# canonical.sh MGC: checks that the library and the examples are in canonical form.
set -u
root=$(realpath "$(dirname "$0")/..")
failed=0
for file in "$root"/lang/std/*.mg "$root"/examples/*/*.mg; do
    "$1" fmt "$file" | diff -q "$file" - >/dev/null || {
        echo "${file#"$root"/}: not in canonical form; run mgc fmt -i ${file#"$root"/}"
        failed=1
    }
done
exit $failed
