#!/usr/bin/env python3
"""Compares pooling of every kind, and reductions of rows, of columns and to one element, with ONNX Runtime, whose inputs and outputs are bound.

    pools.py [--threads=N] [--level=N] [NAME…]

The floor is a copy of as many bytes as are read and written, by as many threads, timed in the same rounds (numpy's, of one thread).
"""
import os, sys

import peers
try:
    import numpy as np, onnxruntime
    from onnx import TensorProto, helper
except ImportError as e:
    peers.absent("pools", e)
import mg


def pool(op, k, stride=1, pad=0, **more):
    return lambda: helper.make_node(op, ["x"], ["y"], kernel_shape=[k, k], strides=[stride] * 2, pads=[pad] * 4, **more)


def node(op, **more):
    return lambda: helper.make_node(op, ["x"], ["y"], **more)


def reduce(op, axes):
    return lambda: helper.make_node(op, ["x", "axes"], ["y"], keepdims=0)


CASES = {  # name: (shape of x, of y, MG, ONNX, axes or None)
    "max_2": ((1, 256, 56, 56), (1, 256, 28, 28), "max_pool2d(x, kernel = 2)", pool("MaxPool", 2, 2)),
    "max_2_large": ((1, 64, 224, 224), (1, 64, 112, 112), "max_pool2d(x, kernel = 2)", pool("MaxPool", 2, 2)),
    "max_3_stride": ((1, 64, 112, 112), (1, 64, 56, 56), "max_pool2d(x, kernel = 3, stride = 2, pad = 1)", pool("MaxPool", 3, 2, 1)),
    "max_3_valid": ((1, 64, 54, 54), (1, 64, 26, 26), "max_pool2d(x, kernel = 3, stride = 2)", pool("MaxPool", 3, 2)),
    "max_3": ((1, 192, 28, 28), (1, 192, 28, 28), "max_pool2d(x, kernel = 3, stride = 1, pad = 1)", pool("MaxPool", 3, 1, 1)),
    "max_3_small": ((1, 832, 7, 7), (1, 832, 7, 7), "max_pool2d(x, kernel = 3, stride = 1, pad = 1)", pool("MaxPool", 3, 1, 1)),
    "max_5": ((1, 256, 20, 20), (1, 256, 20, 20), "max_pool2d(x, kernel = 5, stride = 1, pad = 2)", pool("MaxPool", 5, 1, 2)),
    "mean_2": ((1, 128, 56, 56), (1, 128, 28, 28), "avg_pool2d(x, kernel = 2)", pool("AveragePool", 2, 2)),
    "mean_3": ((1, 64, 56, 56), (1, 64, 56, 56), "avg_pool2d(x, kernel = 3, stride = 1, pad = 1, count_pad = false)", pool("AveragePool", 3, 1, 1)),
    "mean_3_counted": ((1, 64, 56, 56), (1, 64, 56, 56), "avg_pool2d(x, kernel = 3, stride = 1, pad = 1)",
                       pool("AveragePool", 3, 1, 1, count_include_pad=1)),
    "mean_all": ((1, 2048, 7, 7), (1, 2048, 1, 1), "global_avg_pool(x)", node("GlobalAveragePool")),
    "sum_one": ((1 << 20,), (), "sum(x)", reduce("ReduceSum", [0]), [0]),
    "sum_one_large": ((1 << 24,), (), "sum(x)", reduce("ReduceSum", [0]), [0]),
    "max_one": ((1 << 20,), (), "max(x)", reduce("ReduceMax", [0]), [0]),
    "sum_rows": ((4096, 1000), (4096,), "sum(x, axes = [1])", reduce("ReduceSum", [1]), [1]),
    "max_rows": ((4096, 1000), (4096,), "max(x, axes = [1])", reduce("ReduceMax", [1]), [1]),
    "sum_columns": ((4096, 1000), (1000,), "sum(x, axes = [0])", reduce("ReduceSum", [0]), [0]),
    "max_columns": ((4096, 1000), (1000,), "max(x, axes = [0])", reduce("ReduceMax", [0]), [0]),
    "argmax_rows": ((4096, 1000), (4096,), "argmax(x)", node("ArgMax", axis=1, keepdims=0)),
    "argmax_columns": ((4096, 1000), (1000,), "argmax(x, axis = 0)", node("ArgMax", axis=0, keepdims=0)),
    "cumsum_rows": ((4096, 1000), (4096, 1000), "cumsum(x)", lambda: helper.make_node("CumSum", ["x", "axes"], ["y"]), 1),
}


def one(case, level, threads, folder):
    name = case
    shape, result, mine, make, *axes = CASES[name]
    x = np.random.default_rng(1).standard_normal(shape, dtype=np.float32)
    places = name.startswith("argmax")
    path = os.path.join(folder, "g.mg")
    dims = lambda s: ", ".join(map(str, s))
    with open(path, "w") as f:
        f.write(f"mg 1\ngraph g(x: f32[{dims(shape)}]) -> (y: {'i64' if places else 'f32'}[{dims(result)}]) {{ y = {mine} }}\n")
    net = mg.Net(path, [x], threads=threads, level=level)
    constants = {"axes": np.array(axes[0], np.int64)} if axes else {}
    kind = TensorProto.INT64 if places else TensorProto.FLOAT
    peer = mg.session([make()], {"x": shape}, {"y": result}, constants, threads, kind)
    binding = peer.io_binding()
    out = onnxruntime.OrtValue.ortvalue_from_numpy(np.empty(result, np.int64 if places else np.float32))
    binding.bind_ortvalue_input("x", onnxruntime.OrtValue.ortvalue_from_numpy(x))
    binding.bind_ortvalue_output("y", out)
    run = lambda: peer.run_with_iobinding(binding)
    run()
    count = int(np.prod(result)) * (2 if places else 1)
    got = net.output(0, (count,))
    if not np.allclose(got.view(np.int64) if places else got, out.numpy().ravel(), rtol=1e-3, atol=1e-2):
        sys.exit(f"pools: {name}: results differ")
    size = (x.nbytes + out.numpy().nbytes) // 8
    a, b = np.ones(size, np.float32), np.ones(size, np.float32)
    mine_s, theirs, copies = mg.rounds_of([net.run, run, lambda: np.copyto(b, a)], threads)
    mine_s, theirs, spread, ratios, least = mg.judge(mine_s, theirs)
    ratio = sorted(ratios)[len(ratios) // 2]
    mg.line("pools", f"{name} {' x '.join(map(str, shape))}", threads, mine_s, theirs, f"ONNX Runtime {onnxruntime.__version__}", ratio, spread,
            sorted(copies)[len(copies) // 2], mine_s)
    return ratio


if __name__ == "__main__":
    mg.run("pools", (((name,), name) for name in CASES), one)
