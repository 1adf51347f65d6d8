#!/usr/bin/env python3
"""Draws ONNX graphs of several nodes over opsets 7 to 24, runs them, and compares with ONNX Runtime.

    generate_graphs.py MGC FIRST COUNT [--nodes=N] [--levels=0123] [--keep=FOLDER] [--refused]

Sizes are numbers or open, and some are 0. Graphs compute shapes from shapes, as exporters write it. A graph runs from the
model, whose inputs `mgc run` sees, or from a .mgb that was built without them. If ONNX Runtime can't be imported, the
interpreter says what is right. Graphs that ONNX Runtime refuses are not compared. --refused prints what MG refuses. --keep
keeps graphs that differ or are refused. The last line is 'N right, N refused, N wrong, N not compared'."""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile

import numpy as np

from graph_net import Net
from graph_nodes import STATEMENTS

try:
    import onnxruntime
    onnxruntime.set_default_logger_severity(4)
except ImportError:
    onnxruntime = None

INTERNAL = re.compile(r"internal|invalid IR|result was lost|is expected, not|Assertion|Sanitizer|defect")


class Refused(Exception):
    pass


class Runner:
    def __init__(self, mgc, folder):
        self.mgc, self.folder = mgc, folder

    def call(self, words):
        done = subprocess.run([self.mgc] + words + ["--cache=" + os.path.join(self.folder, "cache")],
                              capture_output=True, text=True, timeout=600, cwd=self.folder)
        if done.returncode not in (0, 1, 3) or INTERNAL.search(done.stderr):
            raise AssertionError(f"mgc {' '.join(words)}: status {done.returncode}: {done.stderr}")
        if done.returncode:
            raise Refused(done.stderr)

    def run(self, net, built, flags):
        if os.path.exists(os.path.join(self.folder, "out.npz")):
            os.remove(os.path.join(self.folder, "out.npz"))
        file = "model.onnx"
        if built:
            file = "model.mgb"
            self.call(["model.onnx", "-o", file] + flags)
        words = ["run", file] + flags
        for v, _ in net.ports:
            words += ["--input", f"{v.name}={v.name}.npy"]
        for v in net.outputs:
            words += ["--output", f"{v.name}=out.npz"]
        self.call(words)
        with np.load(os.path.join(self.folder, "out.npz")) as f:
            return [f[v.name] for v in net.outputs]


def expected(net, model, runner):
    """Returns the right results, or None if nothing tells them."""
    if not onnxruntime:
        try:
            return runner.run(net, False, ["--interp"])
        except Refused:
            return None
    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.intra_op_num_threads = 1
    try:
        session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
        return session.run(None, {v.name: v.data for v, _ in net.ports})
    except Exception as e:
        return str(e)


def differ(net, want, got):
    for v, a, b in zip(net.outputs, want, got):
        if a.shape != b.shape or a.dtype != b.dtype:
            return f"{v.name} is {b.dtype}{list(b.shape)}, expected {a.dtype}{list(a.shape)}"
        if a.dtype.kind == "i":  # the result of casting NaN, or a number out of range, is not defined
            a = np.where(a == np.iinfo(a.dtype).min, b, a)
        scale = np.max(np.abs(a[np.isfinite(a)]), initial=1) if a.dtype.kind == "f" else 0
        if not np.allclose(a, b, rtol=1e-4, atol=1e-4 * scale, equal_nan=True):
            return f"{v.name} is {b.tolist()}, expected {a.tolist()}"
    return None


def keep(o, folder, seed):
    if o.keep:
        shutil.copytree(folder, os.path.join(o.keep, str(seed)), dirs_exist_ok=True,
                        ignore=shutil.ignore_patterns("cache", "out.npz"))


def one(seed, o, folder, count):
    net = Net(seed, o.nodes, STATEMENTS)
    if not net.outputs:
        count["not compared"] += 1
        return
    model = net.model()
    runner = Runner(o.mgc, folder)
    with open(os.path.join(folder, "model.onnx"), "wb") as f:
        f.write(model)
    for v, _ in net.ports:
        np.save(os.path.join(folder, v.name + ".npy"), v.data)
    want = expected(net, model, runner)
    built = net.chance(0.35)
    flags = ["-O" + net.of(o.levels)] + (["--verify-each"] if net.chance(0.3) else [])
    try:
        got = runner.run(net, built, flags)
        what = None if want is None or isinstance(want, str) else differ(net, want, got)
    except Refused as e:
        if want is not None and not isinstance(want, str):
            count["refused"] += 1
            if o.refused:
                print(f"seed {seed} (opset {net.opset}{', built' if built else ''}): refused: {e}", flush=True)
                keep(o, folder, seed)
        else:
            count["not compared"] += 1
        return
    except (AssertionError, subprocess.TimeoutExpired) as e:
        what = str(e)
    if what:
        count["wrong"] += 1
        print(f"seed {seed} (opset {net.opset}{', built' if built else ''}, {flags[0]}): {what}", flush=True)
        keep(o, folder, seed)
    else:
        count["right" if want is not None and not isinstance(want, str) else "not compared"] += 1


def main():
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("mgc")
    p.add_argument("first", type=int)
    p.add_argument("count", type=int)
    p.add_argument("--nodes", type=int, default=8)
    p.add_argument("--levels", default="0123")
    p.add_argument("--keep")
    p.add_argument("--refused", action="store_true")
    o = p.parse_args()
    o.mgc = os.path.abspath(o.mgc)
    count = {"right": 0, "refused": 0, "wrong": 0, "not compared": 0}
    if not onnxruntime:
        print("there is no onnxruntime: the interpreter says what is right")
    for seed in range(o.first, o.first + o.count):
        with tempfile.TemporaryDirectory() as folder:
            one(seed, o, folder, count)
    print(", ".join(f"{n} {what}" for what, n in count.items()))
    return 1 if count["wrong"] else 0


if __name__ == "__main__":
    sys.exit(main())
