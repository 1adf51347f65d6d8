#!/usr/bin/env bash
# Tests docs/schedules.md: each schedule of the page is accepted, and computes what the net computes without it. The
# printed schedules are those that the page shows.
#   schedules.sh MGC
source "$(dirname "$0")/../cli/lib.sh"
page=$(cd "$here/../.." && pwd)/docs/schedules.md

# The page's blocks of code, in order: N.mg for nets, N-K.mgs for the schedules after each.
awk '/^```mg$/ { net++; step = 0; out = net ".mg"; next }
     /^```mgs$/ { step++; out = net "-" step ".mgs"; next }
     /^```/ { out = ""; next }
     out { print > out }' "$page"
[ -e 1-8.mgs ] && [ -e 2-2.mgs ] && [ -e 3-2.mgs ] && [ -e 5-2.mgs ] && [ -e 6-2.mgs ] && [ -e 7-2.mgs ] || fail "the page has fewer steps"
inputs() {
    case $1 in
    1 | 2) echo --input a=random:1 --input b=random:2 ;;
    3) echo --input x=random:1 --input b=random:2 ;;
    4 | 7) echo --input x=random:1 ;;
    5 | 6) echo --input x=random:1 --input f=random:2 ;;
    esac
}
# Checks that the result has the reference's values.
same() {
    python3 - <<'END'
import json, sys
a, b = ([x for out in json.load(open(f))["outputs"] for x in out["data"]] for f in ("reference", "result"))
sys.exit(len(a) != len(b) or any(not abs(x - y) < 1e-3 for x, y in zip(a, b)))
END
}
for net in 1 2 3 4 5 6 7; do
    # shellcheck disable=SC2046
    "$mgc" run $net.mg $(inputs $net) --march=x86-64-v3 --format=json > reference
    for schedule in $net-*.mgs; do
        # shellcheck disable=SC2046
        "$mgc" run $net.mg $(inputs $net) --schedule="$schedule" --march=x86-64-v3 --threads=2 --format=json > result ||
            fail "$schedule is refused"
        same || fail "$schedule computes something else"
        checks=$((checks + 1))
    done
done
"$mgc" --emit-schedule 1.mg --march=x86-64-v3 --threads=2 | grep -v '^//' | sed '/^$/d' > printed
cmp -s printed 1-8.mgs || fail "the last step is not what is chosen for two threads"
for net in 2 3 4 5 6 7; do
    "$mgc" --emit-schedule $net.mg --march=x86-64-v3 | grep -v '^//' | sed '/^$/d' > printed
    cmp -s printed $net-1.mgs || fail "the page shows another schedule than the one that is printed"
done
sed '/keep/d' 3-2.mgs > wrong.mgs
expect 1 "'z' reads 'h' outside of the loop that computes it: write 'keep h in local' above both" \
    "$mgc" --emit-kernels 3.mg --schedule=wrong.mgs
finish
