#!/usr/bin/env bash
# Tests mgc bench graphs in every mode over small sizes and depths, as a table, JSON and a plot.
source "$(dirname "$0")/lib.sh"

mkdir "tmp$(printf '%099d' 0)" # some systems have folders with names as long as this
ln -s tmp0* tmp
export TMPDIR=$(echo "$work"/tmp0*)
expect 0 "seeds: alder=101" "$mgc" bench graphs --sizes=4 --depths=2 --modes=cached,fused,loop --samples=1 --seeds=1 --plot=plot.svg
[ "$(grep -cE '^cpu +(cached|fused|loop) +(4|256) +(64|2) ' out)" = 6 ] || fail "a line for each mode and place"
grep -q '^cpu *loop *4 *64 .* 1 *1000$' out || fail "loops of a thousand passes, a sample of one seed"
xmllint --noout plot.svg || fail "the plot is not well-formed"
for text in "CPU: over tensor size, 64 layers" "CPU: over depth, n = 256" ">cached<" ">loop<" ">time of one pass<" ; do
    grep -qF -- "$text" plot.svg || fail "the plot has no $text"
done
[ -z "$(ls tmp/)" ] || fail "files are left behind"

expect 0 '"sweep": "depth", "target": "cpu", "mode": "immediate", "size": 256, "depth": 2' \
    "$mgc" bench graphs --sizes= --depths=2 --modes=immediate --samples=1 --seeds=1 --json
expect 0 '"sweep": "size", "target": "cpu", "mode": "graph", "size": 2, "depth": 64' \
    "$mgc" bench graphs --sizes=2 --depths= --modes=graph --samples=1 --json
python3 - out <<'END' || fail "the JSON is not as it should be"
import json, sys
d = json.load(open(sys.argv[1]))
assert len(d["points"]) == 1 and d["points"][0]["ns"] > 0
for s in d["seeds"]:
    l = s["layers"]
    assert len(l) == 64 and l[0] == "L" and l[-1] == "S" and l.count("L") == 32 and l.count("R") == 31, l
assert len({s["layers"] for s in d["seeds"]}) == 5
END
expect 2 "there is no benchmark 'speed'; the only one is graphs" "$mgc" bench speed
expect 2 "--modes takes immediate, cached, graph, fused and loop, not 'fast'" "$mgc" bench graphs --modes=fast
expect 2 "--sizes takes numbers from 1 to 8192, not 'x'" "$mgc" bench graphs --sizes=x
finish
