#!/usr/bin/env bash
# Tests the commands of the tutorial in docs/hacking.md: steps.sh MGC MGC_WITH_THE_PASS FOLDER PLUGIN.so WRONG.so RECIPROCAL.so
source "$(dirname "$0")/../cli/lib.sh"
tutorial=$2 cut=$3 plugin=$4 wrong=$5 reciprocal=$6
root=$(cd "$here/../.." && pwd)

cmp "$cut/once_plugin.c" "$root/examples/pass_plugin/once.c" || fail "examples/pass_plugin/once.c is not the tutorial's"
# mgc prints for the first net what the page shows
cat > net.mg <<'END'
mg 1
graph net(x: f32[8]) -> (y: f32[8]) { y = floor(floor(x)) }
END
grep -qF "$(sed -n 2p net.mg)" "$root/docs/hacking.md" || fail "the page has another net"
"$mgc" --emit-ir -O1 net.mg > ir
grep -F 'floor(' ir | sed 's/^ *//; s/ #.*//' > printed
[ "$(wc -l < printed)" = 2 ] || fail "two roundings"
while read -r line; do grep -qF "$line" "$root/docs/hacking.md" || fail "the page does not show: $line"; done < printed

for passes in canonicalise,once,dce default,once,dce; do
    "$tutorial" --emit-ir --passes=$passes net.mg > inside 2> err || fail "inside the tree: $passes"
    "$mgc" --emit-ir --passes=$passes --pass-plugin="$plugin" net.mg > outside 2> err || fail "outside: $passes"
    cmp -s inside outside || fail "the plugin does something else"
    checks=$((checks + 2))
done
"$tutorial" --emit-ir --passes=canonicalise,once,dce net.mg > inside
[ "$(grep -c 'floor(' inside)" = 1 ] || fail "the second rounding is still there"
expect 0 "+++ after once" "$tutorial" --emit-ir --passes=canonicalise,once,dce --print-changed net.mg
expect 0 "passes of net" "$tutorial" run net.mg --input x=random --passes=default,once,dce --pass-stats --verify-each
expect 0 "once           -O1  what changes nothing again" "$tutorial" --list-passes
"$tutorial" run net.mg --input x=random --passes=once,dce > with 2> err
"$tutorial" run net.mg --input x=random > without 2> err
cmp -s with without || fail "another result"

# a pass that makes an op leaves what the page shows, and the results are right
"$mgc" --emit-ir "$cut/rows.mg" --pass-plugin="$reciprocal" --passes=reciprocal > ir 2> err || fail "reciprocal"
grep -E '^ +(s_once|y)\[' ir | sed 's/^ *//' > printed
[ "$(wc -l < printed)" = 2 ] || fail "a division for each row, and a product"
while read -r line; do grep -qF "$line" "$root/docs/hacking.md" || fail "the page does not show: $line"; done < printed
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect "$cut/rows.mg" --pass-plugin="$reciprocal" --passes=reciprocal,default
expect 0 "" "$mgc" --emit-ir "$cut/rows.mg" --pass-plugin="$reciprocal" --passes=reciprocal --strict
grep -q once out && fail "--strict is not kept"
"$mgc" --emit-ir "$cut/rows.mg" --pass-plugin="$reciprocal" --passes=reciprocal --debug-counter=reciprocal=..0 > ir 2> err || fail "held back"
grep -q once ir && fail "what is held back is made"
for header in $(grep -oE '^\| `[a-z]+/[a-z]+\.h`' "$root/docs/hacking.md" | tr -d '|` '); do
    [ -e "$root/$header" ] || fail "the page lists $header, which is not there"
done

# without the check of the place
cat > net.mg <<'END'
mg 1
graph net(x: f32[8]) -> (d: f32[8]) {
    c[i]: f32[8] = abs(x[7 - i])
    d[i] = abs(c[7 - i])
}
END
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect net.mg --pass-plugin="$plugin" --passes=default,once
expect 0 "the pass at fault is once: its rewrite 1 of 1, at d (net.mg:4:5)" "$mgc" bisect net.mg --pass-plugin="$wrong" --passes=default,once
cat out
finish
