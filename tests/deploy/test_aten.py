"""Tests how ATen's operators become MG, on recorded graphs of single operators and of small networks. It doesn't need PyTorch."""

import json
import os

import numpy as np

import mg
from mg import _aten, _aten_rows

HERE = os.path.dirname(os.path.abspath(__file__))


def records(base):
    arrays = np.load(os.path.join(HERE, base + ".npz"))
    with open(os.path.join(HERE, base + ".json")) as file:
        lines = json.load(file)
    for n, (name, graph) in enumerate(lines):
        inputs = [arrays[f"{n}.x{i}"] for i in range(len(graph["inputs"]))]
        outputs = [arrays[f"{n}.y{i}"] for i in range(len(graph["outputs"]))]
        yield name, _aten.load(json.dumps(graph)), inputs, outputs


def in_memory(x, order):
    return np.array(np.transpose(x, order) if order else x, order="C")


def check(name, graph, inputs, outputs, level):
    text, _ = _aten.write(graph)
    try:
        model = mg._capture.compile_captured(text, "aten.mg", level=level, interpret=level == 0)
        types = {**graph.inputs, **{n: t for node in graph.nodes for n, t in zip(node.names, node.types) if n}}
        given = [in_memory(x, t.order) for x, t in zip(inputs, graph.inputs.values())]
        if graph.dims:
            raise AssertionError("a size that no input has")
        results = model(*given)
    except mg.Error as e:
        raise AssertionError(f"{name}: {e}\n{text}")
    for y, want, output in zip(results if isinstance(results, tuple) else (results,), outputs, graph.outputs):
        want = in_memory(want, types[output].order)
        assert y.dtype == want.dtype and y.shape == want.shape, (name, y.dtype, y.shape, want.dtype, want.shape, text)
        close = 2e-4 if want.dtype.kind == "f" else 0
        assert np.allclose(y, want, rtol=close, atol=close / 10, equal_nan=want.dtype.kind == "f"), (name, y, want, text)


def test_operators():
    count = 0
    for case in [*records("aten_ops"), *records("aten_more")]:
        check(*case, level=0)
        count += 1
    assert count > 700, count


def test_nets():
    count = 0
    for name, graph, inputs, outputs in records("aten_nets"):
        for level in (0, 2):
            check(name, graph, inputs, outputs, level)
        assert _aten.dump(_aten.load(_aten.dump(graph))) == _aten.dump(graph)
        count += 1
    assert count == 16, count


# No recorded graph has these rows: PyTorch makes the operators in other ways than by calls that the recorder traces.
UNRECORDED = set(
    "_adaptive_avg_pool2d_backward _fused_rms_norm _unsafe_index_put _transformer_encoder_layer_fwd "
    "adaptive_avg_pool1d argsort avg_pool1d avg_pool2d_backward div.Scalar_mode empty empty_like empty_permuted empty_strided "
    "lift_fresh_copy linear new_empty new_empty_strided prims.convert_element_type.default prims.iota.default reshape sort.stable "
    "where.Scalar where.ScalarOther where.ScalarSelf _scaled_dot_product_cudnn_attention _scaled_dot_product_efficient_attention "
    "_scaled_dot_product_flash_attention _neg_view resolve_conj resolve_neg".split())  # those of CUDA and of views are in test_torch.py


def test_coverage():
    """Every other row is in a recorded graph."""
    nodes = [n.op for base in ("aten_ops", "aten_more", "aten_nets") for _, graph, _, _ in records(base) for n in graph.nodes]
    seen = {row for op in nodes for row in (op, op.rsplit(".", 1)[0])}
    assert set(_aten_rows.ROWS) - seen == UNRECORDED, sorted((set(_aten_rows.ROWS) - seen) ^ UNRECORDED)


def test_refusals():
    """All nodes without a text are named at once, and sizes that differ stay apart."""
    f32 = _aten.Type("f32", (2, 3))
    x = {"self": _aten.Value("x")}
    nodes = [_aten.Node("no_such", x, ["a"], [f32], "net.py:1: a"), _aten.Node("abs", x, ["b"], [f32]),
             _aten.Node("sum.dim_IntList", {**x, "dim": [1]}, ["c"], [f32])]
    try:
        _aten.write(_aten.Graph({"x": f32}, nodes, ["b"]))
    except _aten.Refused as e:
        assert [(n.op, why) for n, why in e.args[0]] == [("no_such", "it has no row"), ("sum.dim_IntList", "it has no argument 'keepdim'")], e
    else:
        raise AssertionError("not refused")


def test_types():
    """The types that PyTorch finds for operands: tensors with dimensions before those without, and both before numbers."""
    types = {"f": _aten.Type("f32", (2,)), "h": _aten.Type("f16", (2,)), "b": _aten.Type("bf16", (2,)), "i": _aten.Type("i64", (2,)),
             "u": _aten.Type("u8", (2,)), "s": _aten.Type("i8", (2,)), "d": _aten.Type("f64", ()), "t": _aten.Type("bool", (2,))}
    for operands, want in ((["f", "d"], "f32"), (["i", "d"], "f64"), (["h", "b"], "f32"), (["u", "s"], "i16"), (["t", 1], "i64"),
                           (["i", 0.5], "f32"), (["h", 0.5], "f16"), (["u", "i"], "i64"), (["t", True], "bool"), (["d", 2], "f64")):
        operands = [_aten.Value(x) if isinstance(x, str) else x for x in operands]
        assert _aten.common_type(operands, types) == want, (operands, _aten.common_type(operands, types))


if __name__ == "__main__":
    ran = [f for n, f in sorted(globals().items()) if n.startswith("test_")]
    for f in ran:
        f()
    print(f"Ran {len(ran)} tests")
