#!/usr/bin/env python3
"""onnx_models.py FOLDER: writes small ONNX models for tests, right and wrong, as NAME.onnx.

The protocol buffers are written by hand, so that nothing needs to be installed, and so that files can be written that no
library would write."""
import os
import struct
import sys


def varint(n):
    n &= (1 << 64) - 1
    out = b""
    while n > 127:
        out += bytes([n & 127 | 128])
        n >>= 7
    return out + bytes([n])


def field(number, value):
    """Encodes a field: a number, bytes, text or an encoded message."""
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    value = value.encode() if isinstance(value, str) else value
    return varint(number << 3 | 2) + varint(len(value)) + value


F32, I64, STRING, BOOL = 1, 7, 8, 9


def tensor(name, kind, dims, raw):
    return b"".join(field(1, d) for d in dims) + field(2, kind) + field(8, name) + field(9, raw)


def floats(name, dims, values):
    return tensor(name, F32, dims, struct.pack(f"<{len(values)}f", *values))


def longs(name, dims, values):
    return tensor(name, I64, dims, struct.pack(f"<{len(values)}q", *values))


def external(name, dims, **where):
    data = b"".join(field(13, field(1, k) + field(2, str(v))) for k, v in where.items())
    return b"".join(field(1, d) for d in dims) + field(2, F32) + field(8, name) + data + field(14, 1)


def tensor_type(kind, dims):
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d)) for d in dims)
    return field(1, field(1, kind) + field(2, shape))


def port(name, kind, dims):
    return field(1, name) + field(2, tensor_type(kind, dims))


def sequence(name, kind, dims):
    return field(1, name) + field(2, field(4, field(1, tensor_type(kind, dims))))


def attribute(name, value):
    if isinstance(value, int):
        return field(1, name) + field(3, value) + field(20, 2)
    if isinstance(value, float):
        return field(1, name) + field(2, value) + field(20, 1)
    if isinstance(value, str):
        return field(1, name) + field(4, value) + field(20, 3)
    if isinstance(value, list):
        return field(1, name) + b"".join(field(8, v) for v in value) + field(20, 7)
    return field(1, name) + field(6, value) + field(20, 5)  # a graph


def node(op, inputs, outputs, name="", domain="", **attributes):
    return (b"".join(field(1, i) for i in inputs) + b"".join(field(2, o) for o in outputs) + field(3, name) +
            field(4, op) + b"".join(field(5, attribute(k, v)) for k, v in attributes.items()) +
            (field(7, domain) if domain else b""))


def graph(nodes, inputs, outputs, tensors=(), name="net"):
    return (b"".join(field(1, n) for n in nodes) + field(2, name) + b"".join(field(5, t) for t in tensors) +
            b"".join(field(11, i) for i in inputs) + b"".join(field(12, o) for o in outputs))


def model(g, opset=17, domains=(), functions=()):
    return (field(1, 8) + field(7, g) + field(8, field(1, "") + field(2, opset)) +
            b"".join(field(8, field(1, d) + field(2, 1)) for d in domains) + b"".join(field(25, f) for f in functions))


X, Y = port("x", F32, ["N", 3]), port("y", F32, ["N", 3])


def one(*nodes, tensors=(), inputs=(X,), outputs=(Y,), **more):
    return model(graph(nodes, inputs, outputs, tensors), **more)


def nested(depth):
    g = graph([node("Identity", ["x"], ["inner"])], [], [port("inner", F32, ["N", 3])])
    for i in range(depth):
        g = graph([node("If", ["c"], [f"out{i}"], then_branch=g, else_branch=g if i < 1 else
                        graph([node("Identity", ["x"], ["e"])], [], [port("e", F32, ["N", 3])]))],
                  [], [port(f"out{i}", F32, ["N", 3])])
    return g


def deep_bytes(depth):
    """Nests graphs in attributes deeper than any exporter would write."""
    inner = b""
    for _ in range(depth):
        inner = field(1, field(5, field(6, inner)))
    return inner


def grown():
    """Makes the body of a loop that adds the number of its round to a sequence."""
    return graph([node("Cast", ["i"], ["f"], to=F32), node("SequenceInsert", ["before", "f"], ["after"])],
                 [port("i", I64, []), port("going", BOOL, []), sequence("before", F32, [])],
                 [port("going", BOOL, []), sequence("after", F32, [])])


def function(name, nodes):
    """Makes functions of a domain of their own, from x to y."""
    return (field(1, name) + field(4, "x") + field(5, "y") + b"".join(field(7, n) for n in nodes) +
            field(9, field(1, "") + field(2, 17)) + field(9, field(1, "mine") + field(2, 1)) + field(10, "mine"))


def doubling(levels):
    """Makes functions each of which calls the next one twice."""
    calls = [function(f"F{i}", [node(f"F{i + 1}", ["x"], ["h"], domain="mine"), node(f"F{i + 1}", ["h"], ["y"], domain="mine")])
             for i in range(levels)]
    return one(node("F0", ["x"], ["y"], "call", "mine"), domains=["mine"],
               functions=calls + [function(f"F{levels}", [node("Relu", ["x"], ["y"])])])


def rounds_in_rounds(levels):
    """Makes nested loops of two rounds, which carry a sequence."""
    def list_of(name):
        return sequence(name, F32, ["N", 3])
    nodes = [node("SequenceInsert", ["s0", "x"], ["r0"])]
    for i in range(1, levels + 1):
        body = graph(nodes + [node("Identity", [f"in{i}"], [f"out{i}"])],
                     [port(f"i{i}", I64, []), port(f"in{i}", BOOL, []), list_of(f"s{i - 1}")],
                     [port(f"out{i}", BOOL, []), list_of(f"r{i - 1}")])
        nodes = [node("Loop", ["two", "", f"s{i}"], [f"r{i}"], body=body)]
    return one(node("SequenceEmpty", [], [f"s{levels}"]), *nodes, node("SequenceAt", [f"r{levels}", "zero"], ["y"]),
               tensors=[longs("two", [], [2]), longs("zero", [], [0])])


MODELS = {
    # right: lists, and truth values of one element
    "pair": one(node("SequenceAt", ["xs", "first"], ["a"]), node("SequenceAt", ["xs", "last"], ["b"]),
                node("Sub", ["a", "b"], ["y"]), inputs=[sequence("xs", F32, [2])], outputs=[port("y", F32, [2])],
                tensors=[longs("first", [], [0]), longs("last", [], [-1])]),
    "apart": one(node("SplitToSequence", ["x"], ["xs"], axis=1), outputs=[sequence("xs", F32, ["N", 1])]),
    "rounds": one(node("SequenceEmpty", [], ["none"]), node("Loop", ["three", "", "none"], ["all"], body=grown()),
                  node("ConcatFromSequence", ["all"], ["y"], axis=0, new_axis=1), inputs=[],
                  outputs=[port("y", F32, [3])], tensors=[longs("three", [], [3])]),
    "one_truth": one(node("If", ["c"], ["y"], then_branch=graph([node("Neg", ["x"], ["a"])], [], [port("a", F32, ["N", 3])]),
                          else_branch=graph([node("Abs", ["x"], ["b"])], [], [port("b", F32, ["N", 3])])),
                     inputs=[X, port("c", BOOL, [1])]),
    # right
    "scale": one(node("Mul", ["x", "two"], ["h"], "double"), node("Add", ["h", "shift"], ["y"], "move"),
                 tensors=[floats("two", [], [2]), floats("shift", [3], [1, 2, 3])]),
    "unsorted": one(node("Relu", ["h"], ["y"], "second"), node("Neg", ["x"], ["h"], "first")),
    "outside": one(node("Add", ["x", "w"], ["y"]), tensors=[external("w", [3], location="w.bin", offset=4)]),
    "reshaped": one(node("Shape", ["x"], ["s"]), node("Gather", ["s", "zero"], ["n"]),
                    node("Unsqueeze", ["n", "axes"], ["n1"]), node("Concat", ["n1", "rest"], ["to"], axis=0),
                    node("Reshape", ["x", "to"], ["y"]), outputs=[port("y", F32, ["N", 1, 3])],
                    tensors=[longs("zero", [], [0]), longs("axes", [1], [0]), longs("rest", [2], [1, 3])]),
    "strided": one(node("Slice", ["sizes", "low", "high", "axes", "far"], ["to"], "far"), node("Reshape", ["x", "to"], ["y"]),
                   outputs=[port("y", F32, [3])], inputs=[port("x", F32, [1, 3])],
                   tensors=[longs("sizes", [2], [3, 1]), longs("low", [1], [0]), longs("high", [1], [2]),
                            longs("axes", [1], [0]), longs("far", [1], [(1 << 63) - 1])]),
    "chosen": one(node("If", ["c"], ["y"], "choose",
                       then_branch=graph([node("Neg", ["x"], ["a"])], [], [port("a", F32, ["N", 3])]),
                       else_branch=graph([node("Identity", ["x"], ["b"])], [], [port("b", F32, ["N", 3])])),
                  inputs=(X, port("c", BOOL, []))),
    "many_sum": one(node("Sum", ["x"] + [f"t{i}" for i in range(2000)], ["y"]),
                    tensors=[floats(f"t{i}", [3], [i, 1, -1]) for i in range(2000)]),
    "many_max": one(node("Max", ["x"] + [f"t{i}" for i in range(2000)], ["y"]),
                    tensors=[floats(f"t{i}", [3], [i % 1009, 1, -1]) for i in range(2000)]),
    "many_sizes": one(*[node("Add", [f"h{i}" if i else "x", f"x{i}"], [f"h{i + 1}" if i < 299 else "y"]) for i in range(300)],
                      inputs=[port("x", F32, ["N"])] + [port(f"x{i}", F32, [f"N{i}"]) for i in range(300)],
                      outputs=[port("y", F32, ["N"])]),
    "called": one(node("Twice", ["x"], ["y"], "call", "mine", by=3.0), domains=["mine"],
                  functions=[field(1, "Twice") + field(4, "a") + field(5, "b") + field(6, "by") +
                             field(7, node("Constant", [], ["k"]).replace(field(4, "Constant"), field(4, "Constant") +
                                   field(5, field(1, "value_float") + field(21, "by") + field(20, 1)))) +
                             field(7, node("Mul", ["a", "k"], ["b"])) + field(9, field(1, "") + field(2, 17)) +
                             field(10, "mine")]),
    # wrong
    "cycle": one(node("Add", ["x", "b"], ["a"], "first"), node("Relu", ["a"], ["b"], "second"),
                 node("Relu", ["b"], ["y"], "third")),
    "twice": one(node("Relu", ["x"], ["y"], "first"), node("Neg", ["x"], ["y"], "second")),
    "two_inputs": one(node("Add", ["x", "x"], ["y"]), inputs=(X, X)),
    "two_weights": one(node("Add", ["x", "w"], ["y"]), tensors=[floats("w", [1], [1]), floats("w", [1], [2])]),
    "dangling": one(node("Add", ["x", "nowhere"], ["y"], "sum")),
    "no_values": one(node("Constant", [], [], "idle", value_float=1.0), node("Relu", ["x"], ["y"])),
    "no_rank": one(node("Relu", ["x"], ["y"]), inputs=[field(1, "x") + field(2, field(1, field(1, F32)))]),
    "no_operand": one(node("Max", ["x", "", "x"], ["y"], "most")),
    "no_part": one(node("Concat", ["", "x"], ["y"], "joined", axis=0)),
    "no_shape": one(node("Reshape", ["x"], ["y"], "lost")),
    "no_mode": one(node("Dropout", ["x", "ratio", "mode"], ["y"], "drop"), tensors=[floats("ratio", [], [0.5]), longs("mode", [0], [])]),
    "real_mode": one(node("Dropout", ["x", "ratio", "mode"], ["y"], "drop"), tensors=[floats("ratio", [], [0.5]), floats("mode", [], [1])]),
    "no_output": one(node("Relu", ["x"], ["h"], "only")),
    "unknown": one(node("Frobnicate", ["x"], ["h"], "odd", "com.acme"), node("Xyzzy", ["h"], ["y"], "magic"),
                   domains=["com.acme"]),
    "words": one(node("StringNormalizer", ["x"], ["y"], "words")),
    "nothing_there": one(node("SequenceEmpty", [], ["none"]), node("SequenceAt", ["none", "first"], ["y"], "at"),
                         tensors=[longs("first", [], [0])]),
    "no_list": one(node("SequenceLength", ["x"], ["y"], "long")),
    "list_added": one(node("SplitToSequence", ["x"], ["xs"], axis=1), node("Add", ["x", "xs"], ["y"], "sum")),
    "unknown_often": one(*[node("Xyzzy", ["x"], [f"h{k}"]) for k in range(3)], node("Frob", ["h1"], ["y"], "last")),
    "wrong_shape": one(node("Add", ["x", "w"], ["y"], "sum"), tensors=[floats("w", [4], [1, 2, 3, 4])]),
    "wrong_kind": one(node("Softmax", ["x"], ["y"], "soft", axis=[1])),
    "wrong_axis": one(node("Softmax", ["x"], ["y"], "soft", axis=5)),
    "short_weight": one(node("Add", ["x", "w"], ["y"]), tensors=[tensor("w", F32, [3], b"\0" * 8)]),
    "negative": one(node("Add", ["x", "w"], ["y"]), tensors=[tensor("w", F32, [-3], b"\0" * 8)]),
    "huge": one(node("Add", ["x", "w"], ["y"]), tensors=[tensor("w", F32, [1 << 40, 1 << 40], b"\0" * 8)]),
    "strings": one(node("Add", ["x", "w"], ["y"]), tensors=[tensor("w", STRING, [1], b"")]),
    "no_opset": field(1, 8) + field(7, graph([node("Relu", ["x"], ["y"])], [X], [Y])),
    "far_opset": one(node("Relu", ["x"], ["y"]), opset=99),
    "no_graph": field(1, 8),
    "deep": model(graph([node("Identity", ["x"], ["y"])], [X], [Y]) + deep_bytes(2000)),
    "nested": model(graph([node("If", ["c"], ["y"], "top", then_branch=nested(24), else_branch=nested(1))],
                          [X, port("c", BOOL, [])], [Y])),
    "doubling": doubling(24),
    "rounds_in_rounds": rounds_in_rounds(18),
    "not_text": one(node("Relu", ["x"], ["y"], b"\xff\xfe")) if False else
                model(graph([field(1, b"\xff\xfe") + field(2, "y") + field(4, "Relu")], [X], [Y])),
    "recursive": one(node("F", ["x"], ["y"], "call", "mine"), domains=["mine"],
                     functions=[field(1, "F") + field(4, "a") + field(5, "b") +
                                field(7, node("F", ["a"], ["b"], "again", "mine")) +
                                field(9, field(1, "mine") + field(2, 1)) + field(10, "mine")]),
}
for escape, location in {"up": "../w.bin", "root": "/etc/hostname", "link": "link.bin", "inner": "sub/../../w.bin",
                         "missing": "none.bin", "short": "w.bin"}.items():
    size = [1000] if escape == "short" else [3]
    MODELS["external_" + escape] = one(node("Add", ["x", "w"], ["y"]), tensors=[external("w", size, location=location)])

if __name__ == "__main__":
    for name, content in MODELS.items():
        with open(os.path.join(sys.argv[1], name + ".onnx"), "wb") as file:
            file.write(content)
