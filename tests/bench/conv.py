#!/usr/bin/env python3
"""Compares the distinct convolutions of four nets (conv_layers.txt), each with a bias and known weights, with ONNX Runtime on the same numbers.

    conv.py [--level=N] [--threads=N] [NET | NUMBER…]

Prints a line for each layer with its floor (operations over the peak of one core), and last the geometric mean of the ratios.
Results are compared before anything is timed.
"""
import os, sys

import peers
try:
    import numpy as np, onnxruntime as ort
    from onnx import helper
except ImportError as e:
    peers.absent("conv", e)
import mg

FIELDS = "net c h w m kh kw stride pad dilation groups".split()


def layers():
    for line in open(os.path.join(mg.HERE, "conv_layers.txt")):
        if not line.startswith("#"):
            net, *rest = line.split()
            yield dict(zip(FIELDS, [net, *map(int, rest)]))


def title(l):
    text = f"{l['net']} {l['c']}x{l['h']}x{l['w']} {l['kh']}x{l['kw']} {l['m']}"
    for word in ("stride", "dilation", "groups"):
        text += f" {word[0]}{l[word]}" if l[word] > 1 else ""
    return text


def source(folder, l, weight, bias):
    mg.weights(os.path.join(folder, "w.safetensors"), {"weight": weight, "bias": bias})
    path = os.path.join(folder, "conv.mg")
    text = f"""mg 1
graph g(x: f32[1, {l['c']}, {l['h']}, {l['w']}]) -> (y)
    weights "w.safetensors"
{{
    param weight: f32[{', '.join(map(str, weight.shape))}]
    param bias: f32[{l['m']}]
    y = conv2d(x, weight, bias, stride = {l['stride']}, pad = {l['pad']}, dilation = {l['dilation']}, groups = {l['groups']})
}}
"""
    open(path, "w").write(text)
    return path


def one(l, level, threads, folder):
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1, l["c"], l["h"], l["w"]), dtype=np.float32)
    weight = rng.standard_normal((l["m"], l["c"] // l["groups"], l["kh"], l["kw"]), dtype=np.float32)
    bias = rng.standard_normal(l["m"], dtype=np.float32)
    size = lambda n, k: (n + 2 * l["pad"] - l["dilation"] * (k - 1) - 1) // l["stride"] + 1
    out = [1, l["m"], size(l["h"], l["kh"]), size(l["w"], l["kw"])]
    node = helper.make_node("Conv", ["x", "w", "b"], ["y"], strides=[l["stride"]] * 2, pads=[l["pad"]] * 4, dilations=[l["dilation"]] * 2, group=l["groups"])
    peer = mg.session([node], {"x": x.shape}, {"y": out}, {"w": weight, "b": bias}, threads)
    mine = mg.Net(source(folder, l, weight, bias), [x], threads, level)
    given = ort.OrtValue.ortvalue_from_numpy(x)
    binding = peer.io_binding()
    binding.bind_ortvalue_input("x", given)
    binding.bind_ortvalue_output("y", ort.OrtValue.ortvalue_from_numpy(np.zeros(out, np.float32)))
    peer.run_with_iobinding(binding)
    expected, got = binding.copy_outputs_to_cpu()[0], mine.output(0, out)
    depth = weight[0].size
    if not np.allclose(got, expected, atol=1e-4 * depth**0.5 * (10 if level > 2 else 1), rtol=1e-4):
        sys.exit(f"conv: {title(l)}: results differ by {np.abs(got - expected).max()}")
    flops = 2 * depth * np.prod(out)
    return mg.compare("conv", title(l), mine.run, lambda: peer.run_with_iobinding(binding), "ONNX Runtime " + ort.__version__, threads,
                      floor=flops / mg.peak() / threads)


def main():
    mg.run("conv", (((l["net"], str(i)), l) for i, l in enumerate(layers())), one)


if __name__ == "__main__":
    main()
