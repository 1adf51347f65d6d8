#!/usr/bin/env bash
# layers.sh: checks that no file includes a header that its room must not use (layers.py), and that layers.py finds every
# violation.
set -u
here=$(realpath "$(dirname "$0")") work=$(mktemp -d) failed=0
trap 'rm -rf "$work"' EXIT
"$here/layers.py" || failed=1

tree=$work/tree # two rooms, one above the other
plain() {
    rm -rf "$tree"
    mkdir -p "$tree/docs" "$tree/low" "$tree/high/inner"
    printf '%s\n' '| folder | what | below |' '|---|---|---|' '| `low/` | a | |' '| `high/` | b | `low` |' \
        '| `high/inner/` | c | `low` |' '| `top/` | d | every folder |' > "$tree/docs/architecture.md"
    mkdir -p "$tree/top"
    echo '#include "high/inner/inner.h"' > "$tree/top/top.c"
    echo 'file(GLOB S low/*.c high/*.c high/inner/*.c)' > "$tree/CMakeLists.txt"
    echo '#include "low/low.h"' > "$tree/low/low.c"
    printf '#include <stdio.h>\n#include "low/low.h"\n#include "beside.h"\n' > "$tree/high/high.c"
    touch "$tree/low/low.h" "$tree/high/beside.h" "$tree/high/inner/inner.h"
}
refuses() { # refuses MESSAGE
    "$here/layers.py" "$tree" > "$work/out" && { echo "FAIL: accepted: $1"; failed=1; }
    grep -qF -- "$1" "$work/out" || { echo "FAIL: not said: $1"; cat "$work/out"; failed=1; }
    plain
}

plain
"$here/layers.py" "$tree" > "$work/out" || { echo "FAIL: the plain tree is refused"; cat "$work/out"; failed=1; }
echo '  #  include "high/high.h"' >> "$tree/low/low.h"
refuses 'low/low.h:1: low includes "high/high.h", but it stands on nothing'
echo '#include "../high/high.h"' >> "$tree/low/low.c"
refuses 'low/low.c:2: low includes "../high/high.h"'
echo '#include "high/beside.h"' > "$tree/high/inner/inner.h"
refuses 'high/inner/inner.h:1: high/inner includes "high/beside.h", but it stands on low'
echo '#include "inner/inner.h"' >> "$tree/high/high.c"
refuses 'high/high.c:4: high includes "inner/inner.h"'
sed -i 's/`low\/` | a | |/`low\/` | a | `high` |/' "$tree/docs/architecture.md"
refuses '`low` stands on `high`, which is not above it in the table'
sed -i 's/high\/inner/high\/outer/' "$tree/docs/architecture.md"
refuses 'there is no source in `high/outer/`'
sed -i 's/low\/\*.c/low\/*.c attic\/*.c/' "$tree/CMakeLists.txt"
refuses 'attic/ is no room of docs/architecture.md'
: > "$tree/docs/architecture.md"
refuses 'has no table of rooms'
# and in a copy of this tree
rm -rf "$tree"
mkdir "$tree"
(cd "$here/.." && cp -r CMakeLists.txt docs include lang support machines ir formats image derive frontend passes backends runtime editor tools "$tree")
echo '#include "runtime/cache.h"' >> "$tree/ir/ix.h"
"$here/layers.py" "$tree" > "$work/out" && { echo "FAIL: ir may include runtime"; failed=1; }
[ "$(cat "$work/out" | wc -l)" = 1 ] && grep -q '^ir/ix.h:[0-9]*: ir includes "runtime/cache.h"' "$work/out" || { echo "FAIL: not said of ir/ix.h"; failed=1; }
exit $failed
