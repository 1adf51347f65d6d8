#!/usr/bin/env python3
"""Compares the random graph (32 linear layers with bias, 31 ReLUs at random places, and a softmax; square f32 matrices of size n) with ONNX
Runtime, whose inputs and outputs are bound beforehand, and with PyTorch if it is installed.

    graph.py [--level=N] [--threads=N] [--seeds=N] [--dynamic] [N…]

For each size and number of threads (both, unless one is given), prints a line for every peer with geometric means over the seeds. --dynamic
leaves the number of rows of MG's graph open and runs the code for any number. Outputs are compared before anything is timed.

The floor is the multiplications of the linear layers at the peak. The prediction adds, counted in vector multiply-adds, 60 for the end of
each register tile of 14 x 32 and 20 for each vector of the softmax.
"""
import functools, os, statistics, subprocess, sys, tempfile

import peers
try:
    import numpy as np, onnxruntime as ort
    from onnx import helper
except ImportError as e:
    peers.absent("graph", e)
try:
    import torch
except ImportError:
    torch = None
import mg

DEPTH, SEEDS = 64, 5


def write(seed, n, folder):
    """Draws the layers, a letter for each, and the input."""
    made = subprocess.run([os.path.join(mg.BUILD, "tests", "bench", "bench_random_net"), str(seed), str(n), str(DEPTH), folder], capture_output=True, text=True, check=True)
    return made.stdout.strip(), np.fromfile(os.path.join(folder, "x.f32"), np.float32).reshape(n, n)


def read_weights(path):
    import json
    data = open(path, "rb").read()
    length = int.from_bytes(data[:8], "little")
    at = lambda t: np.frombuffer(data, np.float32, offset=8 + length + t["data_offsets"][0], count=int(np.prod(t["shape"]))).reshape(t["shape"])
    return {k: at(t) for k, t in json.loads(data[8:8 + length]).items() if k != "__metadata__"}


def onnx_nodes(layers):
    nodes, last = [], "x"
    for i, letter in enumerate(layers):
        to = f"h{i + 1}" if i + 1 < len(layers) else "y"
        nodes.append(helper.make_node("Gemm", [last, f"{to}.weight", f"{to}.bias"], [to], transB=1) if letter == "L" else
                     helper.make_node("Relu", [last], [to]) if letter == "R" else helper.make_node("Softmax", [last], [to], axis=-1))
        last = to
    return nodes


def onnx_runtime(layers, weights, x, threads):
    session = mg.session(onnx_nodes(layers), {"x": x.shape}, {"y": x.shape}, weights, threads)
    out, binding = np.empty_like(x), session.io_binding()
    binding.bind_input("x", "cpu", 0, np.float32, x.shape, x.ctypes.data)
    binding.bind_output("y", "cpu", 0, np.float32, out.shape, out.ctypes.data)
    return functools.partial(session.run_with_iobinding, binding), lambda: out


def pytorch(layers, weights, x, threads, compiled):
    torch.set_num_threads(threads)
    parts = []
    for i, letter in enumerate(layers):
        if letter == "L":
            linear = torch.nn.Linear(len(x), len(x))
            linear.weight.data, linear.bias.data = (torch.from_numpy(weights[f"h{i + 1}.{k}"].copy()) for k in ("weight", "bias"))
        parts.append(linear if letter == "L" else torch.nn.ReLU() if letter == "R" else torch.nn.Softmax(dim=-1))
    net, given, kept = torch.nn.Sequential(*parts).eval(), torch.from_numpy(x), []
    if compiled:
        # The whole net must be one graph. PyTorch counts the compilations of earlier nets against a limit, and beyond it runs eagerly
        # without a message.
        torch._dynamo.reset()
        torch._dynamo.config.error_on_recompile = True
        net = torch.compile(net, fullgraph=True)

    def run():
        with torch.inference_mode():
            kept[:] = [net(given)]
    return run, lambda: kept[0].numpy()


def peers(layers, weights, x, threads):
    yield f"ONNX Runtime {ort.__version__}", onnx_runtime(layers, weights, x, threads)
    if torch:
        yield f"PyTorch {torch.__version__}, eager", pytorch(layers, weights, x, threads, False)
        yield f"PyTorch {torch.__version__}, compiled", pytorch(layers, weights, x, threads, True)


def one(seed, n, threads, level, dynamic, folder):
    layers, x = write(seed, n, folder)
    weights = read_weights(os.path.join(folder, "net.safetensors"))
    path = os.path.join(folder, "net.mg")
    if dynamic:
        text = open(path).read().replace(f"x: f32[{n}, {n}]", f"x: f32[B, {n}]").replace(f"y: f32[{n}, {n}]", f"y: f32[B, {n}]")
        open(path, "w").write(text)
    mine = mg.Net(path, [x[:1] if dynamic else x], threads=threads, level=level)
    for rows in range(2, 7 if dynamic else 0):  # more sizes than get code of their own
        mine.bind([x[:rows]])
        mine.run()
    mine.bind([x])
    mine.run()
    for name, (run, result) in peers(layers, weights, x, threads):
        run()
        if not np.allclose(mine.output(0, x.shape), result(), rtol=1e-3, atol=1e-5):
            sys.exit(f"graph: n = {n}, seed {seed}: {name} computes something else")
        call = functools.partial(mg.lib.mg_run, mine.instance)  # both sides run the same amount of Python
        yield (name,) + mg.measure(call, run, threads, rounds=mg.ROUNDS if n < 512 else 5)[:3]


def bench(n, threads, level, seeds, dynamic):
    rows = {}
    for seed in range(seeds):
        with tempfile.TemporaryDirectory() as folder:
            for name, mine, theirs, spread in one(seed, n, threads, level, dynamic, folder):
                rows.setdefault(name, []).append((mine, theirs, spread))
    layers = DEPTH // 2
    floor = layers * 2 * n**3 / mg.peak() / threads
    more = layers * -(-n // 14) * -(-n // 32) * 60 + n * n / 16 * 20
    predicted = floor + more * 32 / mg.peak() / threads
    for name, row in rows.items():
        mean = [statistics.geometric_mean(r[i] for r in row) for i in (0, 1)]
        mg.line("graph", str(n) + (" rows open" if dynamic else ""), threads, *mean, name, mean[1] / mean[0], max(r[2] for r in row), floor=floor, predicted=predicted)


def main():
    words = {w.split("=")[0]: w.split("=")[-1] for w in sys.argv[1:] if w.startswith("--")}
    sizes = [int(w) for w in sys.argv[1:] if not w.startswith("--")] or [32, 64, 128, 256, 512, 1024]
    for n in sizes:
        for threads in [int(words["--threads"])] if "--threads" in words else [1, 2]:
            bench(n, threads, int(words.get("--level", 2)), int(words.get("--seeds", SEEDS)), "--dynamic" in words)


if __name__ == "__main__":
    main()
