#!/usr/bin/env bash
# Tests ONNX models on the command line: models that run, the output of import, and the messages for wrong models. A
# wrong model leaves no file.
. "$(dirname "$0")/lib.sh"
python3 "$here/onnx_models.py" . || fail "the models could not be written"
printf '\0\0\0\0\0\0\x80\x3f\0\0\0\x40\0\0\x40\x40' > w.bin # 0, 1, 2, 3
mkdir deeper && cp external_*.onnx deeper/
ln -s ../w.bin deeper/link.bin

# ---- models run, and the imported sources give the same
x=x=1,-2,3
same() { # same NAME 'VALUES' FLAG…
    local name=$1 text=$2
    shift 2
    expect 0 "$text" "$mgc" run "$name.onnx" "$@"
    expect 0 "" "$mgc" import "$name.onnx" -o "$name.mg"
    expect 0 "$text" "$mgc" run "$name.mg" "$@"
    expect 0 "" "$mgc" fmt -i "$name.mg"
    "$mgc" import "$name.onnx" | sed "s/net.safetensors/$name.safetensors/" | cmp -s - "$name.mg" ||
        fail "$name.mg is not in canonical form"
}
same scale "[[3.0, -2.0, 9.0]]" --input $x --set N=1
same unsorted "[[0.0, 2.0, 0.0]]" --input $x --set N=1
same outside "[[2.0, 0.0, 6.0]]" --input $x --set N=1
same reshaped "y: f32[1, 1, 3]" --input $x --set N=1
same strided "y: f32[3]" --input $x
same chosen "[[-1.0, 2.0, -3.0]]" --input $x --input c=true --set N=1
same chosen "[[1.0, -2.0, 3.0]]" --input $x --input c=false --set N=1
same one_truth "[[-1.0, 2.0, -3.0]]" --input $x --input c=true --set N=1
same rounds "[0.0, 1.0, 2.0]"
same apart "xs_2: f32[1, 1]" --input $x --set N=1
expect 0 "[-2.0, 4.0]" "$mgc" run pair.onnx --input xs_0=1,2 --input xs_1=3,-2
expect 0 "[-3.0, -1.0]" "$mgc" run pair.onnx --input xs_0=1,2 --input xs_1=3,-2 --input xs_2=4,3
expect 0 "StringConcat" "$mgc" import --list-ops
same called "[[3.0, -6.0, 9.0]]" --input $x --set N=1
expect 0 "graph net(x: f32[N, 3]) -> (y: f32[N, 3])" "$mgc" import scale.onnx
expect 0 "h = mul(x, 2.0)" "$mgc" import scale.onnx
expect 0 "h[s0 in 0..N, s1 in 0..3]: f32[N, 3] = x[s0, s1] * 2.0" "$mgc" --emit-ir -O0 scale.onnx
expect 0 "" "$mgc" scale.onnx -o scale.mgb
expect 0 "[[3.0, -2.0, 9.0]]" "$mgc" run scale.mgb --input $x --set N=1

# ---- models that are wrong: the node is named, the status is 1, nothing is written
wrong() { # wrong MODEL 'TEXT'
    rm -rf none.mg none.safetensors none.mgb
    expect 1 "$2" "$mgc" run "$1" --input $x --set N=1
    expect 1 "$2" "$mgc" import "$1" -o none.mg
    expect 1 "$2" "$mgc" "$1" -o none.mgb
    for file in none.mg none.safetensors none.mgb; do
        [ ! -e $file ] || fail "$1: left $file behind"
    done
}
wrong cycle.onnx "'second' (Relu) takes 'a', which depends on it: a cycle"
wrong twice.onnx "node 'second' (Neg) computes 'y', which already exists"
wrong two_inputs.onnx "inputs 1 and 2 have the same name, 'x'"
wrong two_weights.onnx "there are two initializers named 'w'"
wrong dangling.onnx "node 'sum' (Add): nothing computes its input 'nowhere'"
wrong no_values.onnx "node 'idle' (Constant): it has no outputs; a node makes at least one value"
wrong no_rank.onnx "input 'x': not supported: a tensor of unknown rank: run the model with this input given"
wrong no_operand.onnx "node 'most' (Max): input 1 is missing"
wrong no_part.onnx "node 'joined' (Concat): input 0 is missing"
wrong no_shape.onnx "node 'lost' (Reshape): a required input or attribute is missing"
wrong no_mode.onnx "node 'drop' (Dropout): not supported: training that is turned on when the graph runs"
wrong real_mode.onnx "node 'drop' (Dropout): not supported: training that is turned on when the graph runs"
wrong no_output.onnx "no node computes output 'y'"
wrong unknown.onnx "Frobnicate of com.acme, version 1 (node 'odd'), Xyzzy of opset 17 (node 'magic')"
wrong words.onnx "not supported: StringNormalizer of opset 17, which needs strings (node 'words')"
wrong pair.onnx "input 'xs': not supported: a sequence of unknown length: give its tensors, 'xs_0' and so on"
wrong nothing_there.onnx "node 'at' (SequenceAt): position 0 does not exist: the sequence's length is 0"
wrong no_list.onnx "node 'long' (SequenceLength): input 0 is a tensor; expected a sequence"
wrong list_added.onnx "node 'sum' (Add): input 1 ('xs') is a sequence; expected a tensor"
wrong doubling.onnx "functions and graphs expand it to more than 500000 nodes"
wrong rounds_in_rounds.onnx "not supported: loops over sequences that have more than 10000 rounds together"
wrong unknown_often.onnx "no such operator: Xyzzy of opset 17 (3 nodes, the first: 'h0'), Frob of opset 17 (node 'last')"
wrong wrong_shape.onnx "node 'sum' (Add)"
wrong wrong_kind.onnx "node 'soft' (Softmax)"
wrong wrong_axis.onnx "node 'soft' (Softmax)"
wrong short_weight.onnx "initializer 'w'"
wrong negative.onnx "initializer 'w'"
wrong huge.onnx "initializer 'w'"
wrong strings.onnx "initializer 'w': not supported: its elements are string"
wrong no_opset.onnx "it names no opset"
wrong far_opset.onnx "opset 99; this version reads opsets"
wrong no_graph.onnx "it has no graph"
wrong deep.onnx "messages nested too deeply"
wrong nested.onnx "nested more than"
wrong not_text.onnx "the input of a NodeProto is not text"
wrong recursive.onnx "nested more than"
wrong deeper/external_up.onnx "its data would lie outside the model's folder: '../w.bin'"
wrong deeper/external_root.onnx "its data would lie outside the model's folder: '/etc/hostname'"
wrong deeper/external_link.onnx "its data would lie outside the model's folder: 'link.bin'"
wrong deeper/external_inner.onnx "its data would lie outside the model's folder: 'sub/../../w.bin'"
wrong external_missing.onnx "none.bin"
wrong external_short.onnx "initializer 'w'"
wrong none.onnx "cannot open 'none.onnx'"

# ---- more operands than an expression may nest
expect 0 '[[1999001.0, 2002.0, -1997.0]]' "$mgc" run many_sum.onnx --input x=1,2,3
expect 0 '[[1008.0, 2.0, 3.0]]' "$mgc" run many_max.onnx --input x=1,2,3

# ---- 301 names of one size, all found by one translation
"$mgc" import many_sizes.onnx -o many_sizes.mg
[ "$(grep -o 'x[0-9]*: f32\[N\]' many_sizes.mg | wc -l)" = 301 ]

# ---- every prefix of a model gives a message or, by chance, a model, never a crash
size=$(stat -c %s called.onnx)
for ((n = 0; n < size; n += 7)); do
    head -c $n called.onnx > cut.onnx
    "$mgc" import cut.onnx > out 2> err
    status=$?
    [ $status = 0 ] || { [ $status = 1 ] && [ -s err ]; } || fail "the first $n bytes of a model: status $status"
    checks=$((checks + 1))
done
expect 2 "import reads FILE.onnx" "$mgc" import scale.mg
expect 2 "import writes FILE.mg" "$mgc" import scale.onnx -o scale.txt
finish
