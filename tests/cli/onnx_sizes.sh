#!/usr/bin/env bash
# Tests ONNX models whose sizes only data decide, also as files that are built without knowing them; models whose open sizes
# turn out to be small or 0; and names of dimensions that name nothing.
. "$(dirname "$0")/lib.sh"
python3 "$here/onnx_sizes.py" . || fail "the models could not be written"

# ---- sizes that data decide: the model and the file built from it give the same
both() { # both NAME 'TEXT' FLAG…
    local name=$1 text=$2
    shift 2
    expect 0 "$text" "$mgc" run "$name.onnx" "$@"
    [ -e "$name.mgb" ] || expect 0 "" "$mgc" "$name.onnx" -o "$name.mgb"
    expect 0 "$text" "$mgc" run "$name.mgb" "$@"
}
x="--input x=1,2,3,4"
both topk "y: f32[2] = [4.0, 3.0]" $x --input k=2
both topk "y: f32[0] = []" $x --input k=0
both slice "y: f32[2] = [2.0, 3.0]" $x --input k=1 --input e=3
both slice "y: f32[4] = [1.0, 2.0, 3.0, 4.0]" $x --input k=-9 --input e=99
both slice "y: f32[0] = []" $x --input k=3 --input e=1
both slice_back "y: f32[2] = [4.0, 2.0]" $x --input k=99 --input e=-99
both slice_back "y: f32[1] = [1.0]" $x --input k=-9 --input e=-99
both fill "y: f32[3] = [0.0, 0.0, 0.0]" --input k=3
both expand "y: f32[2, 4] =" $x --input k=2
both expand_rows "y: f32[2, 3] =" --input x=1,2 --set N=2 --input k=2,3
both expand_rows "y: f32[2, 3] =" --input x=1,2 --set N=2 --input k=1,3
expect 3 "node 'rows' (Expand):" "$mgc" run expand_rows.mgb --input x=1,2 --set N=2 --input k=3,3
both expand_open "y: f32[3] = [7.0, 7.0, 7.0]" --input x=7 --input k=3
both expand_open "y: f32[1] = [7.0]" --input x=7 --input k=1
both expand_open "y: f32[0] = []" --input x=7 --input k=0
both expand_open "y: f32[2] = [7.0, 8.0]" --input x=7,8 --input k=1
both expand_open "y: f32[2] = [7.0, 8.0]" --input x=7,8 --input k=2
expect 3 "node 'rows' (Expand):6:20: axis 0 has size 2; expected 1 or 3" "$mgc" run expand_open.mgb --input x=7,8 --input k=3
expect 3 "node 'rows' (Expand):" "$mgc" run expand_open.mgb --input x=7,8 --input k=0
both expand_kept "y: f32[] = 113.0" --input x=7,8 --input k=1 # the product needs the axis of x
expect 3 "the shape has 3 for an axis that keeps its size 1" "$mgc" run expand_kept.mgb --input x=7 --input k=3
both tile "y: f32[8] = [1.0, 2.0, 3.0, 4.0, 1.0, 2.0, 3.0, 4.0]" $x --input k=2
both pad "y: f32[7] = [0.0, 0.0, 1.0, 2.0, 3.0, 4.0, 0.0]" $x --input k=2
both resize "[[1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]]" $x --input k=8
both element "y: f32[2] = [3.0, 4.0]" --input x=1,2 --input z=3,4 --input k=1
both element "y: f32[2] = [1.0, 2.0]" --input x=1,2 --input z=3,4 --input k=-2
both pad_any "[[0.0, 1.0, 2.0, 3.0, 0.0, 0.0]," --input x=1,2,3,4,5,6 --input k=1,2 --input a=1
both pad_any "y: f32[1, 3] =" --input x=1,2,3,4,5,6 --input k=-1,0 --input a=-2
nine=0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0
both pad_nine "y: f32[2] = [0.0, 7.0]" --input x=7 --input k=$nine
both pad_nine "y: f32[3] = [0.0, 7.0, 0.0]" --input x=7 --input k=${nine%,0,0},0,1
both pad_around "y: f32[6] = [2.0, 1.0, 2.0, 3.0, 4.0, 3.0]" $x --input k=1,1
both pad_around "y: f32[3] = [2.0, 3.0, 4.0]" $x --input k=-1,0
both slice_step "y: f32[2] = [4.0, 2.0]" $x --input k=3 --input e=0 --input s=-2
both slice_step "y: f32[4] = [1.0, 2.0, 3.0, 4.0]" $x --input k=-9 --input e=99 --input s=1
both slice_any "[[3.0, 1.0]," --input x=1,2,3,4,5,6 --input k=2 --input e=-9 --input a=1 --input s=-2
both slice_any "[[4.0, 5.0, 6.0]]" --input x=1,2,3,4,5,6 --input k=1 --input e=2 --input a=-2 --input s=1
both resize_scale "[[[[1.0, 1.25, 1.75, 2.0]," --input x=1,2,3,4 --input s=1,1,1,2
both resize_scale "[[[[1.5]]]]" --input x=1,1,2,2 --input s=1,1,0.5,0.5
both resize_ratio "y: f32[1, 1, 3, 3] =" --input x=1,2,3,4 --input k=3,5
both resize_ratio "y: f32[1, 1, 4, 4] =" --input x=1,2,3,4 --input k=9,4
both resize_crop "y: f32[3] = [2.0, 2.5, 3.0]" --input x=1,2,3,4,5 --input r=0.25,0.5 --input k=3
both resize_crop "y: f32[2] = [1.0, 5.0]" --input x=1,2,3,4,5 --input r=0,1 --input k=2
both resize_old "y: f32[8] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]" $x --input s=2
both resize_old "y: f32[2] = [1.0, 3.0]" $x --input s=0.5
both fill_three "y: f32[2, 1, 2] =" --input k=2,1,2
both fill_three "y: f32[2, 0, 2] =" --input k=2,0,2
both range "y: f32[3] = [1.0, 3.0, 5.0]" --input k=7
both pad_any "[[0.0, 1.0, 2.0, 3.0, 0.0, 0.0]," --input x=1,2,3,4,5,6 --input k=1,2 --input a=1
both pad_any "y: f32[1, 3] =" --input x=1,2,3,4,5,6 --input k=-1,0 --input a=-2
nine=0,0,0,0,0,0,0,0,1,0,0,0,0,0,0,0,0,0
both pad_nine "y: f32[2] = [0.0, 7.0]" --input x=7 --input k=$nine
both pad_nine "y: f32[3] = [0.0, 7.0, 0.0]" --input x=7 --input k=${nine%,0,0},0,1
both pad_around "y: f32[6] = [2.0, 1.0, 2.0, 3.0, 4.0, 3.0]" $x --input k=1,1
both pad_around "y: f32[3] = [2.0, 3.0, 4.0]" $x --input k=-1,0
both slice_step "y: f32[2] = [4.0, 2.0]" $x --input k=3 --input e=0 --input s=-2
both slice_step "y: f32[4] = [1.0, 2.0, 3.0, 4.0]" $x --input k=-9 --input e=99 --input s=1
both slice_any "[[3.0, 1.0]," --input x=1,2,3,4,5,6 --input k=2 --input e=-9 --input a=1 --input s=-2
both slice_any "[[4.0, 5.0, 6.0]]" --input x=1,2,3,4,5,6 --input k=1 --input e=2 --input a=-2 --input s=1
both resize_scale "[[[[1.0, 1.25, 1.75, 2.0]," --input x=1,2,3,4 --input s=1,1,1,2
both resize_scale "[[[[1.5]]]]" --input x=1,1,2,2 --input s=1,1,0.5,0.5
both resize_ratio "y: f32[1, 1, 3, 3] =" --input x=1,2,3,4 --input k=3,5
both resize_ratio "y: f32[1, 1, 4, 4] =" --input x=1,2,3,4 --input k=9,4
both resize_crop "y: f32[3] = [2.0, 2.5, 3.0]" --input x=1,2,3,4,5 --input r=0.25,0.5 --input k=3
both resize_crop "y: f32[2] = [1.0, 5.0]" --input x=1,2,3,4,5 --input r=0,1 --input k=2
both resize_old "y: f32[8] = [1.0, 1.0, 2.0, 2.0, 3.0, 3.0, 4.0, 4.0]" $x --input s=2
both resize_old "y: f32[2] = [1.0, 3.0]" $x --input s=0.5
both fill_three "y: f32[2, 1, 2] =" --input k=2,1,2
both fill_three "y: f32[2, 0, 2] =" --input k=2,0,2
both range "y: f32[0] = []" --input k=-7
six="--input x=1,2,3,4,5,6"
both triangle " [0.0, 5.0, 6.0]]" $six --input k=0
both triangle "[[0.0, 0.0, 3.0]," $six --input k=2
both triangle " [4.0, 5.0, 6.0]]" $six --input k=-9223372036854775808
both triangle_below " [4.0, 0.0, 0.0]]" $six --input k=-1
boxes="--input b=0,0,1,1,0,0,1,1,5,5,6,6 --input s=0.9,0.8,0.3 --set N=3"
both boxes " [0, 0, 2]]" $boxes --input m=9 --input t=0.2
both boxes "[[0, 0, 0]]" $boxes --input m=9 --input t=0.3
both boxes "[[0, 0, 0]]" $boxes --input m=1 --input t=-1
both boxes "y: i64[0, 3]" $boxes --input m=0 --input t=-1
half="--input b=0,0,2,1,1,0,3,1,5,5,6,6 --input s=0.9,0.8,0.3 --set N=3" # the first two boxes share a third
both boxes_overlap "y: i64[2, 3] =" $half --input o=0.3 --input t=0
both boxes_overlap "y: i64[3, 3] =" $half --input o=0.4 --input t=0
both boxes_overlap "y: i64[2, 3] =" $half --input o=0.4 --input t=0.5
wave="--input x=1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16"
both frames "y: f32[1, 4, 3, 2]" $wave --input w=1,1,1,1 --input k=4
both frames "y: f32[1, 3, 3, 2]" $wave --input w=1,1,1,1 --input k=6
both frames_of "y: f32[1, 7, 3, 2]" $wave --input l=4
both columns "[3.0, 8.0, 13.0, 18.0, 23.0]" --input x=$(seq -s, 25) --input k=5,5
both reshape "y: f32[2, 2] =" $x --input k=2,-1
both reshape "y: f32[4, 1] =" $x --input k=0,1
both counted "y: f32[3] = [20.0, 40.0, 80.0]" $x --input k=3
both counted "y: f32[0] = []" $x --input k=0
both until "y: f32[2] = [20.0, 40.0]" $x --input limit=30
both counted_until "y: f32[1] = [20.0]" $x --input limit=30 --input k=1
both counted_until "y: f32[2] = [20.0, 40.0]" $x --input limit=30 --input k=9
both lengths "y: f32[5] = [0.0, 1.0, 2.0, 3.0, 4.0]" --input k=3,5,1
both pad_by_rate "y: f32[7] = [-1.0, -2.0, -3.0, -4.0, -3.0, -2.0, -1.0]" $x --input k=16000
both pad_by_rate "y: f32[5] = [-1.0, -2.0, -3.0, -4.0, -3.0]" $x --input k=8000
both size_by_rate "y: f32[4] = [-1.0, -2.0, -3.0, -4.0]" $x --input k=16000
both size_by_rate "y: f32[1] = [-1.0]" $x --input k=8000
expect 3 "node 'wider' (Pad):" "$mgc" run pad.mgb $x --input k=5000
expect 3 "computed from data, is outside 0 to 4100: it is 5005" "$mgc" run pad.mgb $x --input k=5000

# ---- what a run cannot decide gets one message, which names the node; a run that is given the values may know it
expect 1 "node 'y' (STFT): not supported: input 3 ('l') is known only when the graph runs" "$mgc" import frames_any.onnx
expect 1 "node 'y' (Col2Im): not supported: input 2 ('b') is known only when the graph runs" "$mgc" import columns_any.onnx
expect 1 "node 'spectrum' (DFT): not supported: input 2 ('k') is known only when the graph runs" "$mgc" import dft_any.onnx
number="not supported: only the run decides how many axes there are"
expect 1 "node 'wide' (Unsqueeze):" "$mgc" import unsqueeze_any.onnx
expect 1 "$number" "$mgc" import unsqueeze_any.onnx
expect 1 "$number" "$mgc" import squeeze_any.onnx
expect 1 "$number" "$mgc" import sum_any.onnx
expect 0 "y: f32[3] = [5.0, 7.0, 9.0]" "$mgc" run sum_any.onnx $six --input k=0

# ---- axes that the run decides
empty=empty.npy
python3 -c 'import numpy; numpy.save("empty.npy", numpy.zeros(0, "i8")); numpy.save("none.npy", numpy.zeros((1, 0, 2), "f"))'
both sum_axes "[[5.0, 7.0, 9.0]]" $six --input k=0
both sum_axes "y: f32[2, 1] =" $six --input k=-1
expect 3 "node 'total' (ReduceSum):4:22: subscript 1 of 'y_on_axis', computed from data, is outside 0 to 1: it is 2" \
    "$mgc" run sum_axes.mgb $six --input k=2
expect 0 "-> (y: f32[1, 1])" "$mgc" import sum_none.onnx
both sum_drop "y: f32[2] = [10.0, 26.0]" --input x=1,2,3,4,5,6,7,8 --set N=2 --input k=2,-2
both sum_drop "y: f32[2] = [16.0, 20.0]" --input x=1,2,3,4,5,6,7,8 --set N=2 --input k=0,1
expect 3 "node 'total' (ReduceSum):" "$mgc" run sum_drop.mgb --input x=random --set N=2 --input k=1,-2
expect 3 "size axes_named_twice" "$mgc" run sum_drop.mgb --input x=random --set N=2 --input k=1,-2
reduced() { # reduced OP 'OVER ROWS' 'OVER COLUMNS' 'OVER BOTH'
    local x="--input x=1,1,2,1,3,2"
    both "reduce_$1" "$2" $x --input k=0
    both "reduce_$1" "$3" $x --input k=-1
    both "reduce_$1" "[[$4" $x --input k=1,0
    both "reduce_$1" "[[$4" $x --input k=$empty
}
reduced Mean "[[1.0, 2.0, 2.0]]" " [2.0]]" 1.66666
reduced Max "[[1.0, 3.0, 2.0]]" " [3.0]]" 3.0
reduced Min "[[1.0, 1.0, 2.0]]" " [1.0]]" 1.0
reduced Prod "[[1.0, 3.0, 4.0]]" " [6.0]]" 12.0
reduced L1 "[[2.0, 4.0, 4.0]]" " [6.0]]" 10.0
reduced L2 "[[1.414213" " [3.741657" 4.472136
reduced SumSquare "[[2.0, 10.0, 8.0]]" " [14.0]]" 20.0
reduced LogSum "[[0.693147" " [1.791759" 2.302585
reduced LogSumExp "[[1.69314" " [3.4076" 3.76163
both reduce_noop "[[1.0, 2.0, 3.0]," --input x=-1,2,-3,4,5,6 --input k=$empty
# their results broadcast, as long as each size is 1 or that of the other operand
both centre "[[-1.5, -1.5, -1.5]," $six --set N=2 --set M=3 --input k=0
both centre "[[-1.0, 0.0, 1.0]," $six --set N=2 --set M=3 --input k=1
both centre "[[0.0, 0.0]]" --input x=1,2 --set N=1 --set M=2 --input k=0
both largest "[[0.0, 0.0, 3.0]," --input x=1,2,3,0,0,0 --input k=-1
both largest "[[1.0, 0.0, 3.0]," --input x=1,2,3,0,9,0 --input k=0
both two_means "y: f32[1, 3] =" $six --input k=0
both two_means " [1.0]]" $six --input k=1
both centre_cut "[[-1.5, -1.5, -1.5]," $six --input k=0 --input e=2
both centre_cut "[[-1.0, 0.0, 1.0]]" $six --input k=1 --input e=1
both add_slice "y: f32[4] = [4.0, 5.0, 6.0, 7.0]" $x --input k=2 --input e=3
both add_slice "y: f32[4] = [2.0, 4.0, 6.0, 8.0]" $x --input k=0 --input e=4
expect 3 "node 'both' (Add):6:12: axis 0 has size 2; expected 1 or 4" "$mgc" run add_slice.mgb $x --input k=0 --input e=2
both found_product "[[6.0, 0.0]]" --input x=1,0,1,0,1,0 # places 0, 2 and 4
expect 3 "node 'product' (MatMul):" "$mgc" run found_product.mgb --input x=1,1,1,1
expect 3 "axis 1 has size 2; expected 3" "$mgc" run found_product.onnx --input x=1,1
both found_rows "[[0.0, 2.0]," --input x=1,0,1
expect 3 "node 'rows' (Concat):" "$mgc" run found_rows.mgb --input x=1,1,1
both found_twice "[[2.0]]" --input x=0,1,1 --input z=1,1,0
expect 3 "node 'product' (MatMul):" "$mgc" run found_twice.mgb --input x=0,1,1 --input z=1,0,0
both unsqueeze "y: f32[1, 2] =" --input x=1,2 --input k=0
both unsqueeze "y: f32[2, 1] =" --input x=1,2 --input k=-1
both unsqueeze_two "y: f32[1, 3, 2, 1] =" --input x=1,2,3,4,5,6 --set N=3 --input k=-1,0
both unsqueeze_two "y: f32[3, 1, 1, 2] =" --input x=1,2,3,4,5,6 --set N=3 --input k=2,1
expect 3 "node 'wide' (Unsqueeze):" "$mgc" run unsqueeze_two.mgb --input x=1,2 --set N=1 --input k=0,4
expect 3 "size axes_named_twice" "$mgc" run unsqueeze_two.mgb --input x=1,2 --set N=1 --input k=0,-4
both squeeze "y: f32[3, 1] =" --input x=1,2,3 --set N=3 --input k=0
both squeeze "y: f32[1, 3] =" --input x=1,2,3 --set N=3 --input k=-1
both squeeze "y: f32[1, 1] =" --input x=7 --set N=1 --input k=1
expect 3 "node 'flat' (Squeeze):" "$mgc" run squeeze.mgb --input x=1,2,3 --set N=3 --input k=1
expect 3 "size elements_beside_the_first" "$mgc" run squeeze.mgb --input x=1,2,3 --set N=3 --input k=1
both cumsum "y: f32[4] = [1.0, 3.0, 6.0, 10.0]" $x --input k=-1
expect 3 "node 'running' (CumSum):" "$mgc" run cumsum.mgb $x --input k=1
both cumsum_back "[[4.0, 5.0, 6.0]," $six --input k=0
both cumsum_back "[[5.0, 3.0, 0.0]," $six --input k=-1
both cumprod " [4.0, 10.0, 18.0]]" $six --input k=0
both cumprod " [4.0, 20.0, 120.0]]" $six --input k=1
both dft_half "y: f32[2, 4, 2] =" --input x=1,2,3,4,5,6,7,8 --set N=2 --input k=0
both dft_half "y: f32[2, 3, 2] =" --input x=1,2,3,4,5,6,7,8 --set N=2 --input k=1
both dft_half "  [-2.0, 2.0]," --input x=1,2,3,4 --set N=1 --input k=-2
both dft_long "y: f32[4, 2, 2] =" --input x=1,2 --set N=2 --input k=0
both dft_long "[[[3.0, 0.0]," --input x=1,2 --set N=2 --input k=1
expect 3 "size axis_of_a_number" "$mgc" run dft_long.mgb --input x=1,2 --set N=2 --input k=-1

# ---- a model that was translated for one of two branches refuses a run that would take the other
both squeeze_if "y: f32[2] = [-1.0, -2.0]" --input x=1,2 --set N=1
expect 1 "elements into" "$mgc" run squeeze_if.mgb --input x=1,2,3,4 --set N=2

# ---- open sizes that turn out to be small or 0
both last_eight "y: f32[3] = [1.0, 2.0, 3.0]" --input x=1,2,3
both last_eight "y: f32[8] = [2.0, 3.0," --input x=1,2,3,4,5,6,7,8,9
both last_eight "y: f32[0] = []" --input x=random --set N=0
both beyond "y: f32[0] = []" --input x=1,2,3
both beyond "y: f32[1] = [8.0]" --input x=1,2,3,4,5,6,7,8
both crossed "y: f32[0] = []" --input x=1,2,3,4,5
both below "y: f32[1] = [7.0]" --input x=7
both reshape_zero "y: f32[0, 16]" --input x=random --set N=0
both reshape_zero "y: f32[32, 2]" --input x=random --set N=2
both split_twice "y: f32[1] = [5.0]" --input x=1,2,3,4,5
both split_twice "y: f32[0] = []" --input x=1,2
both softmax_old "y: f32[1, 2, 9]" --input x=random --set N=9
expect 1 "node 'crop' (Pad):" "$mgc" run softmax_old.onnx --input x=random --set N=3
expect 1 "node 'crop' (Pad):4:9: error: dimension 0 of 'c' is negative: N - 8 = -5" "$mgc" run softmax_old.mgb --input x=random --set N=3

# ---- names of dimensions that name nothing
both unnamed "y: f32[6] =" --input x=random --set x_0=1 --set x_2=2 --set x_3=1
expect 0 "y: f32[5] = [1.0, 2.0, 3.0, 4.0, 5.0]" "$mgc" run two_sizes.onnx --input x=1,2 --input z=3,4,5
python3 -c 'import numpy; numpy.save("column.npy", numpy.ones((2, 1), "f")); numpy.save("cell.npy", numpy.ones((1, 1), "f"))'
expect 0 "y: f32[2, 1] =" "$mgc" run odd_differ.onnx --input x=column.npy --input z=cell.npy
both odd_names "y: f32[2] = [4.0, 6.0]" --input x=1,2 --input z=3,4

# ---- sizes with several names that a node needs equal get one name, or the number, in the file that is built
equal() { # equal NAME 'SIGNATURE' 'TEXT' FLAG…
    local name=$1 signature=$2
    shift 2
    expect 0 "$signature" "$mgc" import "$name.onnx"
    both "$name" "$@"
    expect 0 "" "$mgc" "$name.onnx" -o "$name.so"
}
equal added "(x: f32[N], z: f32[N], w: f32[N]) -> (y: f32[N])" "y: f32[2] = [20.0, 60.0]" --input x=1,2 --input z=3,4 --input w=5,10
equal joined "(x: f32[x_0, 2], z: f32[x_0, 1]) -> (y: f32[x_0, 3])" "[3.0, 4.0, 6.0]]" --input x=1,2,3,4 --input z=5,6 --set x_0=2
equal fits_weight "(x: f32[x_0, 2]) -> (y: f32[x_0, 1])" " [11.0]]" --input x=1,2,3,4 --set x_0=2
expect 0 "y: f32[3] = [9.0, 10.0, 11.0]" "$mgc" run added.onnx --input x=1,2,3 --input z=8 --input w=1
python3 -c 'import numpy; numpy.save("two.npy", numpy.ones(2, "f")); numpy.save("three.npy", numpy.ones(3, "f")); numpy.save("one.npy", numpy.ones((1, 1, 3), "f"))'
expect 1 "dimension 0 of input 'z': expected N = 2" "$mgc" run added.mgb --input x=two.npy --input z=three.npy --input w=two.npy

both added_sum "y: f32[3] = [10.0, 40.0, 90.0]" --input x=1,2 --input z=3 --input w=10,20,30
python3 -c 'import numpy; numpy.save("seven.npy", numpy.array([7], "f"))'
ones="--input x=two.npy --input z=seven.npy --input w=seven.npy"
expect 0 "y: f32[3] = [7.0, 7.0, 49.0]" "$mgc" run added_sum.onnx $ones
expect 1 "node 'both' (Mul):4:16: error: 'h' [3] and 'w' [1] do not broadcast: only a size that is 1 at compile time" \
    "$mgc" run added_sum.mgb $ones
expect 1 "this needs M + N == K (N = 2 from x, M = 1 from z, K = 1 from w)" "$mgc" run added_sum.mgb $ones

# ---- an open size that decides the rank of the result
both squeeze_all "y: f32[2, 3] =" --input x=random --set N=2 --set M=3
expect 0 "y: f32[3] = [1.0, 1.0, 1.0]" "$mgc" run squeeze_all.onnx --input x=one.npy
expect 1 "N is 1, and would be squeezed" "$mgc" run squeeze_all.mgb --input x=one.npy
both squeeze_found "y: i64[2] = [0, 2]" --input x=1,0,2
expect 3 "node 'flat' (Squeeze):" "$mgc" run squeeze_found.mgb --input x=0,0,2

# ---- the pieces of a known shape are known
expect 0 "-> (y: f32[M])" "$mgc" import split_shape.onnx
both split_shape "y: f32[3] = [0.0, 0.0, 0.0]" --input x=random --set N=2 --set M=3
finish
