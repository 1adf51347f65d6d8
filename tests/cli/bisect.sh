#!/usr/bin/env bash
# Tests mgc bisect and mgc reduce: tests/cli/bisect.sh MGC WRONG.so
source "$(dirname "$0")/lib.sh"
plugin=$2
cat > net.mg <<'END'
mg 1
graph f(x: f32[4, 8], w: f32[8, 8]) -> (y: f32[4, 8], z: f32[4]) {
    h = tanh(matmul(x, w))
    bad = exp(h)
    good = sigmoid(x)
    s = h + bad
    t = h * good
    y = softmax(s + t, axis = -1)
    z = sum(t, axes = [1])
}
END
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect net.mg
expect 0 "canonicalise   right" "$mgc" bisect net.mg -O2
expect 0 "the pass at fault is wrong: its rewrite" "$mgc" bisect net.mg --pass-plugin="$plugin" --passes=canonicalise,wrong,cse
grep -qE "at s \(net.mg:6:" out || fail "the op at fault is not named with its line"
[ -s mgc-bisect.mg ] || fail "no reduced program"
grep -q "^// shows it: mgc bisect mgc-bisect.mg --passes=canonicalise,wrong --pass-plugin=" mgc-bisect.mg || fail "the reduced program does not say how it shows it"
[ "$(grep -c '\] = \|: f32.* = ' mgc-bisect.mg)" -le 3 ] || { cat mgc-bisect.mg; fail "the reduced program has more than three ops"; }
expect 0 "wrong" "$mgc" bisect mgc-bisect.mg --pass-plugin="$plugin" --passes=wrong
expect 1 "nosuch.mg" "$mgc" bisect nosuch.mg

# One rounding too many moves a pixel. Elsewhere it stays within the bounds, and is not a fault.
cat > resize.mg <<'END'
mg 1
graph f(x: f32[31], v: f32[8]) -> (y: f32[62], z: f32[8]) {
    w = v / 3
    z = exp(w)
    y = resize_nearest(x, to = 62, axis = 0, coordinates = "align_corners", rounding = "floor")
}
END
expect 0 "the pass at fault is reciprocal: its rewrite 2 of 2, at" "$mgc" bisect resize.mg --pass-plugin="$plugin" --passes=canonicalise,reciprocal,cse
grep -qE "canonicalise +right" out || fail "a pass before it is blamed"
grep -qE "at [a-z_]+ \(resize.mg:5:" out || fail "the op at fault is not named with its line"
grep -q "exp(" mgc-bisect.mg && fail "the reduced program has what is right"
expect 0 "reciprocal" "$mgc" bisect mgc-bisect.mg --pass-plugin="$plugin" --passes=reciprocal
sed '/resize/d; s/x: f32\[31\], //; s/y: f32\[62\], //' resize.mg > quotient.mg
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect quotient.mg --pass-plugin="$plugin" --passes=canonicalise,reciprocal,cse
# a convolution by Winograd's algorithm is right within its own bound
cat > conv.mg <<'END'
mg 1
graph f(x: f32[1, 16, 8, 8]) -> (y: f32[1, 16, 8, 8]) {
    w[m in 0..16, c in 0..16, i in 0..3, j in 0..3]: f32[16, 16, 3, 3] = sin(7 * m + 3 * c + 5 * i * i + j)
    y = conv2d(x, w, pad = 1)
}
END
expect 0 "every pass gives what the interpreter gives" "$mgc" bisect conv.mg -O3 --winograd=4

# A pass that crashes or leaves invalid IR is traced to its rewrite. Sizes that are not given are small.
sed '/^graph f/s/f32\[4, 8\]/f32[N, 8]/g; /^graph f/s/f32\[4\]/f32[N]/' net.mg > any.mg
for fault in crashes breaks; do
    expect 0 "N = 5" "$mgc" bisect any.mg --pass-plugin="$plugin" --passes=default,$fault
    [ ! -s err ] || fail "$fault: the search is not silent on standard error"
    grep -qE "the pass at fault is $fault: its rewrite [0-9]+ of [0-9]+, at s \(any.mg:6:" out || { cat out; fail "$fault: the rewrite and op"; }
    [ $fault != crashes ] || grep -q "gives a crash: " out || { cat out; fail "a crash is not told as one"; }
    [ "$(grep -c "canonicalise   right" out)" = 2 ] || fail "$fault: the search ran more than once"
done
grep -q "invalid IR" out || fail "that the IR is invalid is not said"

# mgc reduce: the smallest program with an exp in it
cat > test.sh <<'END'
grep -q 'exp(' "$1" && "$MGC" --emit-ir -O0 "$1" > /dev/null 2>&1
END
export MGC=$mgc
expect 0 "tests" "$mgc" reduce net.mg --test='sh test.sh {}' -o small.mg
grep -q 'exp(' small.mg || fail "the reduced program lost what was looked for"
[ "$(grep -c ' = ' small.mg)" -le 1 ] || { cat small.mg; fail "the reduced program has more than one op"; }
expect 1 "does not exit 0 for net.mg itself" "$mgc" reduce net.mg --test=false
expect 2 "mgc reduce needs --test" "$mgc" reduce net.mg
# weights are found beside the program, and none are needed once no parameter is left
mkdir away
printf 'mg 1\ngraph f(x: f32[2]) -> (y: f32[2]) weights "w.safetensors" {\n    param w: f32[2]\n    h = exp(add(x, w))\n    y = relu(h)\n}\n' > away/net.mg
safetensors away/w.safetensors '{"w":{"dtype":"F32","shape":[2],"data_offsets":[0,8]}}' 8
expect 0 "tests" "$mgc" reduce away/net.mg --test="$mgc run {} --input x=1,2 | grep -q '2.71'" -o small.mg
[ "$(ls away)" = "$(printf 'net.mg\nw.safetensors')" ] || fail "mgc reduce leaves files"
expect 0 "tests" "$mgc" reduce away/net.mg --test="grep -q 'max(\|relu(' {}" -o small.mg
grep -q weights small.mg && fail "weights that nothing reads"
finish
