#!/usr/bin/env bash
# Tests that long sums and products run, and that a text that is too long or too deep gets one correct message quickly.
source "$(dirname "$0")/lib.sh"

# net TEXT: writes a graph with this statement
net() { printf 'mg 1\ngraph g(x: f32[2]) -> (y: f32[2]) {\n    %s\n}\n' "$1" > net.mg; }
# chain OPERATOR TERM N
chain() { printf "$2"; for _ in $(seq 2 "$3"); do printf " $1 $2"; done; }
repeat() { for _ in $(seq "$2"); do printf '%s' "$1"; done; }
# one TEXT: checks that the only error says TEXT
one() {
    expect 1 "$1" timeout 60 "$mgc" run net.mg --input x=1,2
    [ "$(grep -c 'error:' err)" = 1 ] || fail "net.mg has more than one error"
}

for term in x 'x[i]'; do
    left=y
    [ $term = x ] || left='y[i]'
    net "$left = $(chain + "$term" 3000)"
    expect 0 'y: f32[2] = [3000.0, 6000.0]' timeout 60 "$mgc" run net.mg --input x=1,2
    net "$left = $(chain '*' "$term" 3000)"
    expect 0 'y: f32[2] = [1.0, inf]' timeout 60 "$mgc" run net.mg --input x=1,2
    net "$left = $(chain + "$term" 3000) + absent"
    one "nothing is named 'absent'"
done
net "y = $(chain + x 12100)"
one 'this expression is too deep'
net "y[i] = $(chain + 'x[i]' 4100)"
one 'more than 4000 operators and calls are nested here'
net "y = $(repeat 'relu(' 1100)x$(repeat ')' 1100)"
one 'this expression is too deep'
net "y[i] = $(repeat '-' 1100)x[i]"
one 'this expression is too deep'
# A chain of moves takes one walk, not a walk for each of them.
{
    printf 'mg 1\ngraph g(x: f32[2], w: f32[2]) -> (y: f32[2]) {\nh0[i] = x[i] + 1\n'
    for k in $(seq 30000); do printf 'h%d[i in 0..2] = h%d[1 - i]\n' "$k" $((k - 1)); done
    printf 'y[i] = f32(bf16(h30000[i])) * w[i]\n}\n'
} > net.mg
expect 0 'h1[i in 0..2]: bf16[2] = h0[1 - i]' timeout 30 "$mgc" --emit-ir --passes=narrow net.mg
finish
