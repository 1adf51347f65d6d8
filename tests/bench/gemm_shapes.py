#!/usr/bin/env python3
"""Matrix products of real nets (thin, tall, batched, vectors, transposed), both factors run-time inputs, against numpy's OpenBLAS.

    gemm_shapes.py [NUMBER…]

Prints a line per shape and, last, the geometric mean of the ratios. Results are compared before anything is timed.
"""
import os, sys, tempfile

os.environ["OPENBLAS_NUM_THREADS"] = "1"
try:
    import numpy as np
except ImportError:
    print("gemm_shapes: numpy is not there: nothing to compare with", file=sys.stderr)
    sys.exit(0)
import mg

# batch, m, n, k, and how the factors lie: n as written, t transposed
SHAPES = [
    (1, 1, 768, 768, "nt"), (1, 1, 3072, 768, "nt"), (1, 1, 768, 3072, "nt"), (1, 1, 4096, 4096, "nn"), (1, 1, 1000, 2048, "nt"),  # one token; a classifier
    (1, 8, 768, 768, "nt"), (1, 8, 3072, 768, "nt"), (1, 16, 1024, 1024, "nn"), (1, 32, 4096, 1024, "nt"), (1, 4, 2048, 512, "nn"),  # few rows
    (1, 128, 768, 768, "nt"), (1, 128, 3072, 768, "nt"), (1, 128, 768, 3072, "nt"), (1, 512, 768, 768, "nn"), (1, 384, 1024, 4096, "nt"),  # BERT
    (12, 128, 128, 64, "nt"), (12, 128, 64, 128, "nn"), (12, 512, 512, 64, "nt"), (16, 64, 64, 64, "nn"), (8, 197, 197, 64, "nt"), (8, 197, 64, 197, "nn"),  # attention
    (1, 64, 3136, 64, "nn"), (1, 256, 784, 128, "nn"), (1, 512, 196, 1024, "nn"), (1, 2048, 49, 512, "nn"), (1, 32, 12544, 27, "nn"),  # 1x1 convolutions
    (1, 32, 32, 32, "nn"), (1, 64, 64, 64, "nn"), (1, 17, 23, 31, "nn"), (1, 128, 128, 128, "nn"), (1, 100, 100, 100, "nt"), (64, 16, 16, 16, "nn"),  # small
    (1, 4096, 16, 256, "nn"), (1, 10000, 10, 64, "nn"), (1, 64, 10, 4096, "nn"), (1, 4096, 64, 64, "tn"),  # tall, thin
    (1, 1024, 1, 1024, "nn"), (1, 256, 256, 2048, "tn"), (1, 768, 768, 1024, "tn"), (1, 1000, 1000, 1000, "tt"),  # a vector; gradients
]


def one(batch, m, n, k, kinds, folder):
    rng = np.random.default_rng(1)
    shapes = [(k, m) if kinds[0] == "t" else (m, k), (n, k) if kinds[1] == "t" else (k, n)]
    lead = (batch,) if batch > 1 else ()
    a, b = (rng.standard_normal(lead + s, dtype=np.float32) for s in shapes)
    index = "n, " if batch > 1 else ""
    reads = [f"a[{index}{'k, i' if kinds[0] == 't' else 'i, k'}]", f"b[{index}{'j, k' if kinds[1] == 't' else 'k, j'}]"]
    path = os.path.join(folder, "g.mg")
    dims = lambda s: ", ".join(map(str, lead + s))
    open(path, "w").write(f"mg 1\ngraph g(a: f32[{dims(shapes[0])}], b: f32[{dims(shapes[1])}]) -> (y: f32[{dims((m, n))}])\n{{\n"
                          f"    y[{index}i, j] = sum[k] {reads[0]} * {reads[1]}\n}}\n")
    mine = mg.Net(path, [a, b])
    turned = [np.swapaxes(x, -1, -2) if kind == "t" else x for x, kind in zip((a, b), kinds)]
    out = np.empty(lead + (m, n), np.float32)
    peer = lambda: np.matmul(*turned, out=out)
    peer()
    if not np.allclose(mine.output(0, out.shape), out, atol=1e-4 * k**0.5, rtol=1e-4):
        sys.exit(f"gemm_shapes: {batch} x {m} x {n} x {k} {kinds}: results differ")
    return mg.compare("gemm_shapes", f"{batch}x {m}x{n}x{k} {kinds}", mine.run, peer, "OpenBLAS of numpy " + np.__version__, floor=2 * batch * m * n * k / mg.peak())


def main():
    ratios = []
    for i, shape in enumerate(SHAPES):
        if len(sys.argv) < 2 or str(i) in sys.argv[1:]:
            with tempfile.TemporaryDirectory() as folder:
                ratios.append(one(*shape, folder))
    mg.summary("gemm_shapes", ratios)


main()
