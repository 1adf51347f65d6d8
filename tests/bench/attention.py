#!/usr/bin/env python3
"""Compares attention of 12 heads, 64 wide, with all inputs given at run time, with ONNX Runtime's operator, with the plain graph in ONNX
Runtime, and with PyTorch's operator if that is installed.

    attention.py [--level=N] [--threads=N] [LENGTH…]

Prints a line for each length and peer, and last the geometric mean of the ratios to the best peer of each length. The floor is the two products
at the machine's peak. Results are compared before anything is timed.
"""
import os, sys, tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"
import peers
try:
    import numpy as np, onnxruntime
    from onnx import helper
except ImportError as e:
    peers.absent("attention", e)
import mg

HEADS, WIDTH = 12, 64
LENGTHS = (128, 256, 512, 1024, 2048, 4096)


def bound(nodes, inputs, constants, threads):
    """Returns a function that runs y = nodes(q, k, v) with everything bound beforehand, and y's memory."""
    shape = inputs[0].shape
    net = mg.session(nodes, dict.fromkeys("qkv", shape), {"y": shape}, constants, threads)
    binding, out = net.io_binding(), onnxruntime.OrtValue.ortvalue_from_numpy(np.empty(shape, np.float32))
    kept = [onnxruntime.OrtValue.ortvalue_from_numpy(x) for x in inputs]
    for name, x in zip("qkv", kept):
        binding.bind_ortvalue_input(name, x)
    binding.bind_ortvalue_output("y", out)
    return lambda: net.run_with_iobinding(binding), lambda: out.numpy()


def operator(q, k, v, threads):
    """Makes a model of com.microsoft.MultiHeadAttention, which takes heads side by side."""
    node = helper.make_node("MultiHeadAttention", list("qkv"), ["y"], domain="com.microsoft", num_heads=HEADS)
    flat = [np.ascontiguousarray(x.transpose(0, 2, 1, 3).reshape(1, -1, HEADS * WIDTH)) for x in (q, k, v)]
    run, result = bound([node], flat, {}, threads)
    return run, lambda: result().reshape(1, -1, HEADS, WIDTH).transpose(0, 2, 1, 3)


def plain(q, k, v, threads):
    nodes = [helper.make_node("Transpose", ["k"], ["kt"], perm=[0, 1, 3, 2]), helper.make_node("MatMul", ["q", "kt"], ["a"]),
             helper.make_node("Mul", ["a", "c"], ["s"]), helper.make_node("Softmax", ["s"], ["p"], axis=-1), helper.make_node("MatMul", ["p", "v"], ["y"])]
    return bound(nodes, (q, k, v), {"c": np.float32(WIDTH**-0.5)}, threads)


def torch_peer(q, k, v, threads):
    import torch
    torch.set_num_threads(threads)
    args, kept = [torch.from_numpy(x) for x in (q, k, v)], []

    def run():
        with torch.inference_mode():
            kept[:] = [torch.nn.functional.scaled_dot_product_attention(*args)]
    return run, lambda: kept[0].numpy()


def peers():
    yield f"ONNX Runtime {onnxruntime.__version__} operator", operator
    yield f"ONNX Runtime {onnxruntime.__version__} graph", plain
    try:
        import torch
        yield f"PyTorch {torch.__version__}", torch_peer
    except ImportError:
        pass


def one(length, level, threads, folder):
    rng = np.random.default_rng(1)
    shape = (1, HEADS, length, WIDTH)
    q, k, v = (rng.standard_normal(shape, dtype=np.float32) for _ in range(3))
    path = os.path.join(folder, "g.mg")
    kind = f"f32[1, {HEADS}, {length}, {WIDTH}]"
    with open(path, "w") as f:
        f.write(f"mg 1\ngraph g(q: {kind}, k: {kind}, v: {kind}) -> (y: {kind})\n{{\n    y = attention(q, k, v)\n}}\n")
    mine = mg.Net(path, [q, k, v], threads=threads, level=level)
    ratios = []
    for name, make in peers():
        run, result = make(q, k, v, threads)
        run()
        if not np.allclose(mine.output(0, shape), result(), atol=1e-4):
            sys.exit(f"attention: {length}: results differ from {name}")
        floor = 4 * HEADS * length * length * WIDTH / mg.peak() / threads
        ratios.append(mg.compare("attention", f"{HEADS} x {length} x {WIDTH}", mine.run, run, name, threads=threads, floor=floor))
    return min(ratios)


def main():
    level, threads, words = mg.arguments()
    ratios = []
    for length in map(int, words or LENGTHS):
        with tempfile.TemporaryDirectory() as folder:
            ratios.append(one(length, level, threads, folder))
    mg.summary("attention", ratios, threads)


if __name__ == "__main__":
    main()
