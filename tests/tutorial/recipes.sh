#!/usr/bin/env bash
# Tests the recipes of docs/hacking.md as written: each block of the page goes where the page says, into a copy of
# the tree, which is built and run. recipes.sh MGC BUILD
source "$(dirname "$0")/../cli/lib.sh"
build=$2
root=$(cd "$here/../.." && pwd)
page=$root/docs/hacking.md

# block TEXT: prints the fenced block that has a line beginning with TEXT, without its indentation
block() {
    awk -v text="$1" '
        /^ *```/ { if (inside && found) { printf "%s", block; exit } inside = !inside; block = ""; found = 0; next }
        inside { line = $0; if (block == "") { match(line, /^ */); indent = RLENGTH } line = substr(line, indent + 1)
                 block = block line "\n"; if (index(line, text) == 1) found = 1 }' "$page"
}

# ---- an operator: its definition parses, is canonical, and computes what its case says
block "op hard_shrink" > op.mg
[ -s op.mg ] || fail "the page has no operator"
{ echo "mg 1"; cat op.mg; echo 'graph g(x: f32[4]) -> (y: f32[4]) { y = hard_shrink(x) }'; } > shrink.mg
expect 0 "y: f32[4] = [-2.0, 0.0, 0.0, 1.0]" "$mgc" run shrink.mg --input x=-2,-0.5,0.25,1
{ echo "mg 1"; cat op.mg; } > alone.mg
"$mgc" fmt alone.mg > formatted 2> err || fail "mgc fmt"
cmp -s <(tail -n +2 alone.mg | sed '/^$/d') <(tail -n +2 formatted | sed '/^$/d') || fail "the page's operator is not in canonical form"
block "s.check(\"hard_shrink\"" > case.py
[ -s case.py ] || fail "the page has no case"
cat > check.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import numpy as np
from cases import Suite, draws
def d(a): return np.asarray(a, np.float64)
def f32(n): return draws.rng().uniform(-2, 2, n).astype(np.float32)
x = f32(7)
s = Suite("page")
exec(open(sys.argv[2]).read())
text = s.text().replace("mg 1\n", "mg 1\n" + open(sys.argv[3]).read(), 1)
open("page.mg", "w").write(text)
np.save("x.npy", x)
np.save("want.npy", s.outputs["hard_shrink"])
END
python3 check.py "$root/tests/std" case.py op.mg > out 2> err || fail "the page's case"
"$mgc" run page.mg --input x0=x.npy --output hard_shrink=got.npy > out 2> err || fail "the page's case does not run"
python3 -c 'import numpy as np; np.testing.assert_array_equal(np.load("got.npy"), np.load("want.npy"))' > out 2> err || fail "the case differs"
# A new case changes the data of no other case.
python3 - "$root/tests/std" > out 2> err <<'END' || fail "a case changes another's data"
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import cases
def draw(): return cases.draws.rng().random()
def data(added):
    cases.suites.clear()
    cases.draws.asked.clear()
    cases.Suite("first")
    first = [draw() for i in range(2 + added)]
    cases.Suite("second")
    return first[:2], [draw() for i in range(2)]
assert data(0) == data(1)
END

# ---- an ONNX operator: the page's rows and its thin operator are the tree's, and a model becomes a call of it
for name in LeakyRelu LpNormalization; do
    grep -qF "$(block "OP(\"$name\"")" "$root"/frontend/onnx/ops_*.def || fail "the page's row of $name is in no table"
done
block "// x, divided by its l1 or l2 norm" > thin.mg
[ -s thin.mg ] || fail "the page has no thin operator"
python3 -c 'import sys; sys.exit(open(sys.argv[1]).read() not in open(sys.argv[2]).read())' thin.mg \
    "$root/lang/std/onnx.mg" || fail "the page's thin operator is not the tree's"
block "MG_ONNX_OP(cast_like)" > like.c
while read -r line; do grep -qF -- "$line" "$root"/frontend/onnx/op_*.c || fail "the page's function is not the tree's: $line"; done < like.c
cat > norm.py <<'END'
import sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
from onnx_models import F32, node, one, port
for p in 1, 3:
    made = one(node("LpNormalization", ["x"], ["y"], "n", p=p), inputs=[port("x", F32, [4])], outputs=[port("y", F32, [4])])
    open(f"norm{p}.onnx", "wb").write(made)
END
python3 norm.py "$root/tests/cli" > out 2> err || fail "the page's model"
expect 0 "y = onnx.lp_normalization(x, p = 1)" "$mgc" import norm1.onnx
expect 0 "y: f32[4] = [0.25, 0.25, -0.5, 0.0]" "$mgc" run norm1.onnx --input x=1,1,-2,0
expect 1 "norm3.onnx: node 'n' (LpNormalization)" "$mgc" run norm3.onnx --input x=1,1,-2,0
expect 1 "attribute 'p' is 3; expected 1 or 2" "$mgc" run norm3.onnx --input x=1,1,-2,0

# ---- the page's rule is in the table; a backend's template is where the page says
grep -qF "$(block 'MG_RULE(sub_neg')" "$root/passes/rules.def" || fail "the page's rule is not in rules.def"
expect 0 "sub_neg" "$mgc" --list-passes
[ -d "$root/backends/null" ] && grep -q "mg_backends\[\]" "$root/backends/backend.c" || fail "the backend's places"
printf 'mg 1\ngraph net(x: f32[8]) -> (y: f32[8]) { y = floor(floor(x)) }\n' > net.mg
expect 0 "" "$mgc" --target=null --emit-asm net.mg
[ -s out ] || fail "the template prints nothing"

# ---- the flags, files and tests of every shell command of the page exist
block "cc -shared -fPIC" > commands
[ -s commands ] || fail "the page does not say how a plugin is compiled"
cp "$root/examples/pass_plugin"/once.{c,mg} .
mgc() { "$mgc" "$@"; }
MG=$root
. ./commands > out 2> err || fail "the commands of the page: $(cat commands)"
grep -q "passes of" err || fail "--pass-stats tells nothing"
grep -oE '`[a-zA-Z_]+/[a-zA-Z_/]+\.(c|h|def|mg|py|sh|cmake)`' "$page" | tr -d '`' | sort -u > files
while read -r file; do
    case $file in passes/once.c | tests/passes/once.mg) continue ;; esac # the reader writes this
    [ -e "$root/$file" ] || fail "the page names $file, which is not there"
done < files
"$mgc" --help > help 2> err
grep -oE -- '`(mgc |--)[^`]*`' "$page" | grep -oE -- '--[a-z][a-z-]+' | sort -u > flags
while read -r flag; do
    grep -qF -- "$flag" help || fail "the page names $flag, which mgc does not have"
done < flags
finish
