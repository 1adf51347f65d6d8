#!/usr/bin/env python3
"""Compares a linear layer and an op that reads whole rows of it with ONNX Runtime, whose inputs and outputs are bound, on the same parameters:
softmax(relu(linear(x))) with 1000 classes, and layer_norm(linear(x) + r), as transformers have it.

    linear_rows.py [--level=N] [--threads=N] [NAME…]    softmax_K or norm_K, with K inputs

The floor is the product at the machine's peak. The prediction adds the row op from a cache at VECTOR cycles for 16 elements (softmax: the
exponential and a division; layer_norm: three passes), as if the product's peak were one vector of multiply-adds in half a cycle.
"""
import os, sys

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import peers
try:
    import numpy as np, onnxruntime
    from onnx import helper
except ImportError as e:
    peers.absent("linear_rows", e)
import mg

VECTOR = {"softmax": 26, "norm": 8}  # cycles
CASES = [("softmax", 4096, 64, 1000), ("softmax", 4096, 256, 1000), ("softmax", 2048, 512, 1000), ("softmax", 2048, 1024, 1000), ("softmax", 1024, 2048, 1000),
         ("softmax", 128, 512, 1000), ("norm", 2048, 256, 256), ("norm", 1024, 768, 768), ("norm", 1024, 3072, 768)]


def text(kind, rows, k, n):
    ports = f"x: f32[{rows}, {k}]" + (f", r: f32[{rows}, {n}]" if kind == "norm" else "")
    end = "y = softmax(relu(h))" if kind == "softmax" else "y = nn.layer_norm(h + r)"
    return f'mg 1\nimport nn\ngraph g({ports}) -> (y: f32[{rows}, {n}])\n    weights "g.safetensors"\n{{\n    h = nn.linear(x, features = {n})\n    {end}\n}}\n'


def peer(kind, rows, k, n, params, inputs, threads):
    node = helper.make_node
    nodes = [node("Gemm", ["x", "h.weight", "h.bias"], ["h"], transB=1)]
    if kind == "softmax":
        nodes += [node("Relu", ["h"], ["a"]), node("Softmax", ["a"], ["y"], axis=-1)]
    else:
        nodes += [node("Add", ["h", "r"], ["a"]), node("LayerNormalization", ["a", "y.weight", "y.bias"], ["y"], axis=-1)]
    net = mg.session(nodes, {name: x.shape for name, x in inputs.items()}, {"y": (rows, n)}, params, threads)
    binding, out = net.io_binding(), onnxruntime.OrtValue.ortvalue_from_numpy(np.empty((rows, n), np.float32))
    for name, x in inputs.items():
        binding.bind_ortvalue_input(name, onnxruntime.OrtValue.ortvalue_from_numpy(x))
    binding.bind_ortvalue_output("y", out)
    return lambda: net.run_with_iobinding(binding), out.numpy


def one(case, level, threads, folder):
    kind, rows, k, n = case
    rng = np.random.default_rng(1)
    normal = lambda *shape: rng.standard_normal(shape, dtype=np.float32)
    params = {"h.weight": normal(n, k) / np.float32(k**0.5), "h.bias": normal(n)}
    inputs = {"x": normal(rows, k)}
    if kind == "norm":
        params |= {"y.weight": normal(n), "y.bias": normal(n)}
        inputs["r"] = normal(rows, n)
    path = os.path.join(folder, "g.mg")
    with open(path, "w") as f:
        f.write(text(kind, rows, k, n))
    mg.weights(os.path.join(folder, "g.safetensors"), params)
    mine = mg.Net(path, inputs.values(), threads=threads, level=level)
    run, result = peer(kind, rows, k, n, params, inputs, threads)
    run()
    if not np.allclose(mine.output(0, (rows, n)), result(), rtol=1e-3, atol=1e-4):
        sys.exit(f"linear_rows: {kind}_{k}: results differ")
    floor = 2 * rows * n * k / mg.peak() / threads
    predicted = floor + rows * -(-n // 16) * VECTOR[kind] * 32 / mg.peak() / threads
    mine_s, theirs, spread, ratios, least = mg.judge(*mg.rounds_of([mine.run, run], threads))
    ratio = sorted(ratios)[len(ratios) // 2]
    mg.line("linear_rows", f"{kind}_{k} {rows} x {n}", threads, mine_s, theirs, f"ONNX Runtime {onnxruntime.__version__}", ratio, spread, floor, least, predicted)
    return ratio


def main():
    mg.run("linear_rows", (((f"{kind}_{k}",), (kind, rows, k, n)) for kind, rows, k, n in CASES), one)


if __name__ == "__main__":
    main()
