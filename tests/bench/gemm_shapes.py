#!/usr/bin/env python3
"""Compares matrix products of real nets (thin, tall, batched, vectors, transposed), whose factors are both inputs of the run, with the
faster of numpy's OpenBLAS and oneDNN. oneDNN takes part if it was there when the build was configured (Debian: libdnnl-dev).

    gemm_shapes.py [--threads=N] [NUMBER…]

Prints a line for each shape, and last the geometric mean of the ratios. Results are compared before anything is timed.
"""
import ctypes as C
import functools, os, sys

THREADS = next((word[10:] for word in sys.argv if word.startswith("--threads=")), "1")
os.environ["OPENBLAS_NUM_THREADS"] = os.environ["OMP_NUM_THREADS"] = THREADS
os.environ["OMP_WAIT_POLICY"] = "active" if THREADS != "1" else "passive"
os.environ["GOMP_SPINCOUNT"] = "1000000"  # about 10 ms: threads that spin for ever would take a core from the others
for word in ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE"):
    os.environ.pop(word, None)  # they would slow the peer down
import peers
try:
    import numpy as np
except ImportError as e:
    peers.absent("gemm_shapes", e)
import mg

# batch, m, n, k, and the layout of the factors: n as written, t transposed
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


def load_dnnl():
    try:
        lib = C.CDLL(os.path.join(mg.BUILD, "tests", "bench", "libpeer_dnnl.so"))
    except OSError:
        return None
    lib.peer_dnnl_name.restype, lib.peer_dnnl_new.restype = C.c_char_p, C.c_void_p
    lib.peer_dnnl_run.argtypes = lib.peer_dnnl_free.argtypes = [C.c_void_p]
    return lib


def one(dnnl, shape, _, threads, folder):
    batch, m, n, k, kinds = shape
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
    mine = mg.Net(path, [a, b], threads)
    turned = [np.swapaxes(x, -1, -2) if kind == "t" else x for x, kind in zip((a, b), kinds)]
    name, out = f"{batch}x {m}x{n}x{k} {kinds}", np.empty(lead + (m, n), np.float32)
    peers = {"OpenBLAS of numpy " + np.__version__: lambda: np.matmul(*turned, out=out)}
    check(mine, peers, out, name, k)
    other = None
    if dnnl:
        pointer = lambda x: x.ctypes.data_as(C.c_void_p)
        other = dnnl.peer_dnnl_new((C.c_int64 * 4)(batch, m, n, k), kinds[0] == "t", kinds[1] == "t", pointer(a), pointer(b), pointer(out))
    if other:
        out[:] = 0
        fast = {dnnl.peer_dnnl_name().decode(): lambda: dnnl.peer_dnnl_run(other)}
        check(mine, fast, out, name, k)
        peers |= fast
    ratio = mg.compare_best("gemm_shapes", name, mine.run, peers, threads, floor=2 * batch * m * n * k / mg.peak() / threads)
    if other:
        dnnl.peer_dnnl_free(other)
    return ratio


def check(mine, peers, out, name, k):
    for key, run in peers.items():
        run()
        if not np.allclose(mine.output(0, out.shape), out, atol=1e-4 * k**0.5, rtol=1e-4):
            sys.exit(f"gemm_shapes: {name}: results differ from {key}")


def main():
    mg.run("gemm_shapes", (((str(i),), shape) for i, shape in enumerate(SHAPES)), functools.partial(one, load_dnnl()))


if __name__ == "__main__":
    main()
