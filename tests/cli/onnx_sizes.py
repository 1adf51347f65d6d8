#!/usr/bin/env python3
"""onnx_sizes.py FOLDER: writes ONNX models whose sizes data decide, or whose sizes may be small or 0, as NAME.onnx.
onnx_models.py has the encoder."""
import os
import sys

from onnx_models import BOOL, F32, I64, floats, graph, longs, model, node, port, tensor

LINE, K, ENDS = port("x", F32, ["N"]), port("k", I64, [1]), port("e", I64, [1])
NUMBER = port("k", I64, [])
OUT = port("y", F32, ["M"])
ZERO, ONE = longs("zero", [1], [0]), longs("one", [1], [1])


def one(*nodes, inputs=(LINE, K), outputs=(OUT,), tensors=(ZERO, ONE), opset=17):
    return model(graph(nodes, inputs, outputs, tensors), opset)


def number(name, value):
    return graph([node("Identity", [name + "_is"], [name])], [], [port(name, I64, [])], [longs(name + "_is", [], [value])])


def body(goes_on):
    """Makes a loop that doubles v and stacks its sums."""
    nodes = [node("Add", ["v", "v"], ["twice"]), node("ReduceSum", ["twice"], ["total"], keepdims=0), goes_on]
    return graph(nodes, [port("round", I64, []), port("going", BOOL, []), port("v", F32, ["N"])],
                 [port("goes_on", BOOL, []), port("twice", F32, ["N"]), port("total", F32, [])], name="body")


def loop(count, goes_on, *more):
    return model(graph([node("Loop", [count, "true", "x"], ["last", "y"], "rounds", body=body(goes_on))],
                       [LINE, *more], [OUT], [tensor("true", BOOL, [], b"\1")]))


RATE = [node("Equal", ["k", "fast"], ["is_fast"])]
RATES = [longs("fast", [], [16000]), ZERO, ONE]


def squeeze_if(name):
    """Makes a branch that removes the first axis if its size is 1, as exporters write it."""
    return model(graph([node("Shape", ["x"], ["s"]), node("Gather", ["s", "first"], ["n"]), node("Equal", ["n", "single"], ["c"]),
                        node("If", ["c"], ["h"], "squeeze",
                             then_branch=graph([node("Squeeze", ["x", "zero"], ["a"])], [], [port("a", F32, ["M"])]),
                             else_branch=graph([node("Identity", ["x"], ["b"])], [], [port("b", F32, ["N", 2])])),
                        node("Neg", ["h"], ["y"])], [port("x", F32, ["N", 2])], [OUT],
                       [longs("first", [], [0]), longs("single", [], [1]), ZERO], name=name))


def reduction(by, **attributes):
    return one(node("Reduce" + by, ["x", "k"], ["y"], "reduced", **attributes), inputs=(port("x", F32, [2, 3]), port("k", I64, ["K"])),
               outputs=[port("y", F32, ["A", "B"])], opset=18)


REDUCTIONS = ["Mean", "Max", "Min", "Prod", "L1", "L2", "SumSquare", "LogSum", "LogSumExp"]

MODELS = {
    # data decide
    "topk": one(node("TopK", ["x", "k"], ["y", "place"], axis=0)),
    "slice": one(node("Slice", ["x", "k", "e"], ["y"]), inputs=(LINE, K, ENDS)),
    "slice_back": one(node("Slice", ["x", "k", "e", "zero", "back"], ["y"]), inputs=(LINE, K, ENDS),
                      tensors=[ZERO, longs("back", [1], [-2])]),
    "fill": one(node("ConstantOfShape", ["k"], ["y"]), inputs=(K,)),
    "expand": one(node("Concat", ["k", "one"], ["s"], axis=0), node("Expand", ["x", "s"], ["y"]), outputs=[port("y", F32, ["M", "N"])]),
    "expand_rows": one(node("Expand", ["x", "k"], ["y"], "rows"), inputs=(port("x", F32, ["N", 1]), port("k", I64, [2])),
                       outputs=[port("y", F32, ["N", "M"])]),
    "expand_open": one(node("Expand", ["x", "k"], ["y"], "rows")),
    "expand_kept": one(node("Expand", ["x", "k"], ["h"], "rows"), node("MatMul", ["x", "h"], ["y"]), outputs=[port("y", F32, [])]),
    "tile": one(node("Tile", ["x", "k"], ["y"])),
    "pad": one(node("Concat", ["k", "one"], ["s"], axis=0), node("Pad", ["x", "s"], ["y"], "wider")),
    "resize": one(node("Concat", ["one", "k"], ["s"], axis=0), node("Unsqueeze", ["x", "zero"], ["u"]),
                  node("Resize", ["u", "", "", "s"], ["y"], mode="nearest"), outputs=[port("y", F32, [1, "M"])]),
    "element": one(node("SequenceConstruct", ["x", "z"], ["s"]), node("SequenceAt", ["s", "k"], ["y"]),
                   inputs=(port("x", F32, [2]), port("z", F32, [2]), NUMBER), outputs=[port("y", F32, [2])]),
    "pad_any": one(node("Pad", ["x", "k", "", "a"], ["y"]), inputs=(port("x", F32, [2, 3]), port("k", I64, [2]), port("a", I64, [1])),
                   outputs=[port("y", F32, ["P", "Q"])], opset=18),
    "pad_nine": one(node("Pad", ["x", "k"], ["p"]), node("Reshape", ["p", "flat"], ["y"]),
                    inputs=(port("x", F32, [1] * 9), port("k", I64, [18])), tensors=[longs("flat", [1], [-1])]),
    "pad_around": one(node("Pad", ["x", "k"], ["y"], mode="reflect"), inputs=(LINE, port("k", I64, [2]))),
    "slice_step": one(node("Slice", ["x", "k", "e", "zero", "s"], ["y"]), inputs=(LINE, K, ENDS, port("s", I64, [1]))),
    "slice_any": one(node("Slice", ["x", "k", "e", "a", "s"], ["y"]),
                     inputs=(port("x", F32, [2, 3]), K, ENDS, port("a", I64, [1]), port("s", I64, [1])), outputs=[port("y", F32, ["P", "Q"])]),
    "resize_scale": one(node("Resize", ["x", "", "s"], ["y"], mode="linear"),
                        inputs=(port("x", F32, [1, 1, 2, 2]), port("s", F32, [4])), outputs=[port("y", F32, ["A", "B", "C", "D"])]),
    "resize_ratio": one(node("Resize", ["x", "", "", "k"], ["y"], mode="nearest", axes=[2, 3], keep_aspect_ratio_policy="not_larger"),
                        inputs=(port("x", F32, [1, 1, 2, 2]), port("k", I64, [2])), outputs=[port("y", F32, ["A", "B", "C", "D"])], opset=18),
    "resize_crop": one(node("Resize", ["x", "r", "", "k"], ["y"], mode="linear", coordinate_transformation_mode="tf_crop_and_resize"),
                       inputs=(LINE, port("r", F32, [2]), K)),
    "resize_old": one(node("Resize", ["x", "s"], ["y"], mode="nearest"), inputs=(LINE, port("s", F32, [1])), opset=10),
    "fill_three": one(node("ConstantOfShape", ["k"], ["y"]), inputs=(port("k", I64, [3]),), outputs=[port("y", F32, ["A", "B", "C"])]),
    "range": one(node("Squeeze", ["k"], ["n"]), node("Range", ["start", "n", "step"], ["r"]), node("Cast", ["r"], ["y"], to=1),
                 inputs=(K,), tensors=[longs("start", [], [1]), longs("step", [], [2])]),
    "reshape": one(node("Reshape", ["x", "k"], ["y"]), inputs=(LINE, port("k", I64, [2])), outputs=[port("y", F32, ["P", "Q"])]),
    # axes that the run decides
    "unsqueeze": one(node("Unsqueeze", ["x", "k"], ["y"], "wide"), outputs=[port("y", F32, ["A", "B"])]),
    "unsqueeze_two": one(node("Unsqueeze", ["x", "k"], ["y"], "wide"), inputs=(port("x", F32, ["N", 2]), port("k", I64, [2])),
                         outputs=[port("y", F32, ["A", "B", "C", "D"])]),
    "unsqueeze_any": one(node("Unsqueeze", ["x", "k"], ["y"], "wide"), inputs=(LINE, port("k", I64, ["K"])), outputs=[port("y", F32, ["A", "B"])]),
    "squeeze": one(node("Squeeze", ["x", "k"], ["y"], "flat"), inputs=(port("x", F32, [1, "N", 1]), K), outputs=[port("y", F32, ["A", "B"])]),
    "squeeze_any": one(node("Squeeze", ["x", "k"], ["y"], "flat"), inputs=(port("x", F32, [1, "N", 1]), port("k", I64, ["K"])), outputs=[OUT]),
    "sum_axes": one(node("ReduceSum", ["x", "k"], ["y"], "total"), inputs=(port("x", F32, [2, 3]), K), outputs=[port("y", F32, ["A", "B"])]),
    "sum_none": one(node("ReduceSum", ["x", "k"], ["y"]), inputs=(port("x", F32, [2, 3]), port("k", I64, [0])), outputs=[port("y", F32, [1, 1])]),
    "sum_any": one(node("ReduceSum", ["x", "k"], ["y"], "total", keepdims=0), inputs=(port("x", F32, [2, 3]), port("k", I64, ["K"])), outputs=[OUT]),
    "sum_drop": one(node("ReduceSum", ["x", "k"], ["y"], "total", keepdims=0), inputs=(port("x", F32, ["N", 2, 2]), port("k", I64, [2])), outputs=[OUT]),
    "centre": one(node("ReduceMean", ["x", "k"], ["m"]), node("Sub", ["x", "m"], ["y"]), inputs=(port("x", F32, ["N", "M"]), K),
                  outputs=[port("y", F32, ["N", "M"])], opset=18),
    "largest": one(node("ReduceMax", ["x", "k"], ["m"]), node("Equal", ["x", "m"], ["is"]), node("Where", ["is", "x", "zero_of"], ["y"]),
                   inputs=(port("x", F32, [2, 3]), K), outputs=[port("y", F32, [2, 3])], tensors=[floats("zero_of", [1], [0])], opset=18),
    "two_means": one(node("ReduceMean", ["x", "k"], ["m"]), node("ReduceMax", ["x", "k"], ["n"]), node("Sub", ["n", "m"], ["y"]),
                     inputs=(port("x", F32, [2, 3]), K), outputs=[port("y", F32, ["A", "B"])], opset=18),
    "centre_cut": one(node("Slice", ["x", "zero", "e"], ["h"]), node("ReduceMean", ["h", "k"], ["m"]), node("Sub", ["h", "m"], ["y"]),
                      inputs=(port("x", F32, [2, 3]), K, ENDS), outputs=[port("y", F32, ["A", "B"])], opset=18),
    # sizes that the run decides, and that nodes need to be others
    "found_product": one(node("NonZero", ["x"], ["i"]), node("Cast", ["i"], ["f"], to=1), node("MatMul", ["f", "w"], ["y"], "product"),
                         inputs=(LINE,), outputs=[port("y", F32, [1, 2])], tensors=[floats("w", [3, 2], [1, 10, 1, 0, 1, 0])]),
    "found_rows": one(node("NonZero", ["x"], ["i"]), node("Cast", ["i"], ["f"], to=1), node("Concat", ["f", "w"], ["y"], "rows", axis=0),
                      inputs=(LINE,), outputs=[port("y", F32, [3, 2])], tensors=[floats("w", [2, 2], [5, 6, 7, 8])]),
    "found_twice": one(node("NonZero", ["x"], ["i"]), node("Cast", ["i"], ["f"], to=1), node("NonZero", ["z"], ["j"]),
                       node("Cast", ["j"], ["g"], to=1), node("Transpose", ["g"], ["h"]), node("MatMul", ["f", "h"], ["y"], "product"),
                       inputs=(LINE, port("z", F32, ["M"])), outputs=[port("y", F32, [1, 1])]),
    "add_slice": one(node("Slice", ["x", "k", "e"], ["h"]), node("Add", ["h", "x"], ["y"], "both"), inputs=(LINE, K, ENDS)),
    "cumsum": one(node("CumSum", ["x", "k"], ["y"], "running"), inputs=(LINE, NUMBER)),
    "cumsum_back": one(node("CumSum", ["x", "k"], ["y"], reverse=1, exclusive=1), inputs=(port("x", F32, [2, 3]), NUMBER), outputs=[port("y", F32, [2, 3])]),
    "cumprod": one(node("CumProd", ["x", "k"], ["y"]), inputs=(port("x", F32, [2, 3]), K), outputs=[port("y", F32, [2, 3])], opset=26),
    "dft_half": one(node("DFT", ["x", "", "k"], ["y"], "spectrum", onesided=1), inputs=(port("x", F32, ["N", 4, 1]), NUMBER),
                    outputs=[port("y", F32, ["A", "B", 2])], opset=20),
    "dft_long": one(node("DFT", ["x", "four", "k"], ["y"], "spectrum"), inputs=(port("x", F32, [1, "N", 1]), NUMBER),
                    outputs=[port("y", F32, ["A", "B", 2])], tensors=[longs("four", [], [4])], opset=20),
    "dft_any": one(node("DFT", ["x", "l", "k"], ["y"], "spectrum"), inputs=(port("x", F32, [1, "N", 1]), port("l", I64, []), NUMBER),
                   outputs=[port("y", F32, ["A", "B", 2])], opset=20),
    "frames": one(node("STFT", ["x", "k", "w"], ["y"]), inputs=(port("x", F32, [1, 16, 1]), NUMBER, port("w", F32, [4])),
                  outputs=[port("y", F32, [1, "A", "B", 2])]),
    "frames_of": one(node("STFT", ["x", "step", "", "l"], ["y"]), inputs=(port("x", F32, [1, 16, 1]), port("l", I64, [])),
                     outputs=[port("y", F32, [1, "A", "B", 2])], tensors=[longs("step", [], [2])]),
    "frames_any": one(node("STFT", ["x", "k", "", "l"], ["y"]), inputs=(port("x", F32, [1, 16, 1]), NUMBER, port("l", I64, [])),
                      outputs=[port("y", F32, [1, "A", "B", 2])]),
    "columns_any": one(node("Col2Im", ["x", "image", "b"], ["y"]), inputs=(port("x", F32, [1, 5, 5]), port("b", I64, [2])),
                       outputs=[port("y", F32, [1, 1, "A", "B"])], tensors=[longs("image", [2], [5, 5])], opset=18),
    "columns": one(node("Col2Im", ["x", "k", "block"], ["y"]), inputs=(port("x", F32, [1, 5, 5]), port("k", I64, [2])),
                   outputs=[port("y", F32, [1, 1, "A", "B"])], tensors=[longs("block", [2], [1, 5])], opset=18),
    "triangle": one(node("Trilu", ["x", "k"], ["y"]), inputs=(port("x", F32, [2, 3]), NUMBER), outputs=[port("y", F32, [2, 3])]),
    "triangle_below": one(node("Trilu", ["x", "k"], ["y"], upper=0), inputs=(port("x", F32, [2, 3]), K), outputs=[port("y", F32, [2, 3])]),
    "boxes": one(node("NonMaxSuppression", ["b", "s", "m", "overlap", "t"], ["y"]), outputs=[port("y", I64, ["K", 3])],
                 inputs=(port("b", F32, [1, "N", 4]), port("s", F32, [1, 1, "N"]), port("m", I64, [1]), port("t", F32, [1])),
                 tensors=[floats("overlap", [1], [0.5])]),
    "boxes_overlap": one(node("NonMaxSuppression", ["b", "s", "m", "o", "t"], ["y"]), outputs=[port("y", I64, ["K", 3])],
                         inputs=(port("b", F32, [1, "N", 4]), port("s", F32, [1, 1, "N"]), port("o", F32, [1]), port("t", F32, [1])),
                         tensors=[longs("m", [1], [9])]),
    "counted": loop("k", node("Identity", ["going"], ["goes_on"]), NUMBER),
    "until": loop("", node("Less", ["total", "limit"], ["goes_on"]), port("limit", F32, [])),
    "counted_until": loop("k", node("Less", ["total", "limit"], ["goes_on"]), NUMBER, port("limit", F32, [])),
    "lengths": one(node("ReduceMax", ["k"], ["n"], keepdims=0), node("Range", ["start", "n", "step"], ["r"]),
                   node("Cast", ["r"], ["y"], to=1), inputs=(port("k", I64, ["N"]),),
                   tensors=[longs("start", [], [0]), longs("step", [], [1])]),
    "pad_by_rate": model(graph(RATE + [node("If", ["is_fast"], ["p"], then_branch=number("a", 3), else_branch=number("b", 1)),
                                       node("Unsqueeze", ["p", "zero"], ["p1"]), node("Concat", ["zero", "p1"], ["w"], axis=0),
                                       node("Pad", ["x", "w"], ["h"], "mirror", mode="reflect"), node("Neg", ["h"], ["y"])],
                               [LINE, NUMBER], [OUT], RATES)),
    "size_by_rate": model(graph(RATE + [node("If", ["is_fast"], ["h"], "windows",
                                             then_branch=graph([node("Slice", ["x", "zero", "four"], ["a"])], [], [port("a", F32, ["A"])],
                                                               [longs("four", [1], [4])]),
                                             else_branch=graph([node("Slice", ["x", "zero", "one"], ["b"])], [], [port("b", F32, ["B"])])),
                                        node("Neg", ["h"], ["y"])], [LINE, NUMBER], [OUT], RATES)),
    "squeeze_if": squeeze_if("squeezed"),
    # open sizes, which may be short or 0
    "last_eight": one(node("Slice", ["x", "from", "to"], ["y"]), inputs=(LINE,), tensors=[longs("from", [1], [-8]), longs("to", [1], [2**62])]),
    "beyond": one(node("Slice", ["x", "from", "to"], ["y"]), inputs=(LINE,), tensors=[longs("from", [1], [7]), longs("to", [1], [9])]),
    "crossed": one(node("Slice", ["x", "from", "to"], ["y"]), inputs=(port("x", F32, [5]),), tensors=[longs("from", [1], [3]), longs("to", [1], [1])]),
    "below": one(node("Slice", ["x", "from", "to", "zero", "back"], ["y"]), inputs=(port("x", F32, [1]),),
                 tensors=[ZERO, longs("from", [1], [-2]), longs("to", [1], [-(2**31)]), longs("back", [1], [-1])]),
    "reshape_zero": one(node("Shape", ["x"], ["s"]), node("Gather", ["s", "two"], ["q"]), node("Concat", ["minus", "q"], ["w"], axis=0),
                        node("Reshape", ["x", "w"], ["y"]), inputs=(port("x", F32, ["N", 16, "N"]),), outputs=[port("y", F32, ["P", "Q"])],
                        tensors=[longs("two", [1], [2]), longs("minus", [1], [-1])]),
    "split_twice": one(node("Split", ["x"], ["a", "b"], num_outputs=2), node("Split", ["b"], ["c", "y"], num_outputs=2),
                       inputs=(LINE,), opset=18),
    "softmax_old": one(node("Pad", ["x"], ["c"], "crop", pads=[0, 0, 0, -8, 0, 0]), node("Softmax", ["c"], ["y"], "soft", axis=1),
                       inputs=(port("x", F32, ["N", 2, "N"]),), outputs=[port("y", F32, ["P", 2, "N"])], opset=10),
    # names of dimensions that name nothing
    "unnamed": one(node("Reshape", ["x", "flat"], ["y"]), inputs=(port("x", F32, ["?", 3, "?", "?"]),), tensors=[longs("flat", [1], [-1])]),
    "two_sizes": one(node("Concat", ["x", "z"], ["y"], axis=0), inputs=(LINE, port("z", F32, ["N"]))),
    "added": one(node("Add", ["x", "z"], ["h"]), node("Mul", ["h", "w"], ["y"]),
                 inputs=(port("x", F32, ["?"]), port("z", F32, ["?"]), port("w", F32, ["N"]))),
    "added_sum": one(node("Concat", ["x", "z"], ["h"], axis=0), node("Mul", ["h", "w"], ["y"], "both"),
                     inputs=(LINE, port("z", F32, ["M"]), port("w", F32, ["K"]))),
    "joined": one(node("Concat", ["x", "z"], ["y"], axis=1), inputs=(port("x", F32, ["?", 2]), port("z", F32, ["?", 1])),
                  outputs=[port("y", F32, ["M", 3])]),
    "fits_weight": one(node("MatMul", ["x", "w"], ["y"]), inputs=(port("x", F32, ["?", "?"]),), outputs=[port("y", F32, ["M", 1])],
                       tensors=[floats("w", [2, 1], [1, 2])]),
    "squeeze_all": one(node("Squeeze", ["x"], ["y"]), inputs=(port("x", F32, ["N", 1, "M"]),), outputs=[port("y", F32, ["N", "M"])]),
    "squeeze_found": one(node("NonZero", ["x"], ["i"]), node("Squeeze", ["i"], ["y"], "flat"), inputs=(LINE,),
                         outputs=[port("y", I64, ["M"])]),
    "split_shape": one(node("Shape", ["x"], ["s"]), node("Split", ["s"], ["n", "m"], axis=0), node("ConstantOfShape", ["m"], ["y"]),
                       inputs=(port("x", F32, ["N", "M"]),)),
    "odd_differ": one(node("Add", ["x", "z"], ["y"]), inputs=(port("x", F32, ["batch size", "batch size"]), port("z", F32, ["batch size", 1])),
                      outputs=[port("y", F32, [2, 1])]),
    "odd_names": one(node("Add", ["x", "z"], ["y"]), inputs=(port("x", F32, ["batch size"]), port("z", F32, ["batch size"]))),
}
MODELS.update({"reduce_" + by: reduction(by) for by in REDUCTIONS})
MODELS["reduce_noop"] = reduction("L1", noop_with_empty_axes=1)

if __name__ == "__main__":
    for name, content in MODELS.items():
        with open(os.path.join(sys.argv[1], name + ".onnx"), "wb") as file:
            file.write(content)
