#!/usr/bin/env python3
"""Compares image nets, for one image and with random weights of sensible scale, with ONNX Runtime on the same parameters.

    nets.py [--level=N] [--threads=N] [NET…]

Each net is written once, over a builder that makes MG source and an ONNX graph of it. Outputs are compared before anything is timed.
"""
import os, sys

import peers
try:
    import numpy as np, onnxruntime as ort
    from onnx import helper
except ImportError as e:
    peers.absent("nets", e)
import mg


class Build:
    """Builds a net in both forms. Values are (name, channels, size); each method adds one operator to both forms."""

    def __init__(self):
        self.rng, self.lines, self.params, self.weights, self.nodes = np.random.default_rng(1), [], [], {}, []
        self.shapes = {}  # operands of ONNX's Reshape

    def weight(self, shape, scale=1.0, offset=0.0, plain=False):
        name = f"p{len(self.weights)}"
        x = self.rng.standard_normal(shape, dtype=np.float32) if not plain else self.rng.random(shape, dtype=np.float32)
        self.weights[name] = (x * np.float32(scale) + np.float32(offset)).astype(np.float32)
        self.params.append(f"    param {name}: f32[{', '.join(map(str, shape))}]")
        return name

    def add(self, text, op, inputs, c, size, **attributes):
        name = f"h{len(self.lines)}"
        self.lines.append(f"    {name} = {text}")
        self.nodes.append(helper.make_node(op, inputs, [name], **attributes))
        return name, c, size

    def conv(self, x, m, k, stride=1, pad=None, groups=1, bias=False, relu=False, norm=False):
        name, c, n = x
        pad = k // 2 if pad is None else pad
        w = self.weight((m, c // groups, k, k), (2.0 / (c // groups * k * k)) ** 0.5)
        b = [self.weight((m,), 0.1)] if bias else []
        y = self.add(f"conv2d({', '.join([name, w] + b)}, stride = {stride}, pad = {pad}, groups = {groups})", "Conv", [name, w] + b, m,
                     (n + 2 * pad - k) // stride + 1, strides=[stride] * 2, pads=[pad] * 4, group=groups, kernel_shape=[k, k])
        y = self.norm(y) if norm else y
        return self.relu(y) if relu else y

    def norm(self, x):
        name, c, n = x
        mean, var = self.weight((c,), 0.1), self.weight((c,), 0.5, 0.75, plain=True)
        scale, shift = self.weight((c,), 0.5, 0.75, plain=True), self.weight((c,), 0.1)
        return self.add(f"batch_norm({name}, {mean}, {var}, {scale}, {shift})", "BatchNormalization", [name, scale, shift, mean, var], c, n)

    def relu(self, x):
        return self.add(f"relu({x[0]})", "Relu", [x[0]], *x[1:])

    def relu6(self, x):
        for bound, value in (("low", 0.0), ("high", 6.0)):
            if bound not in self.weights:
                self.weights[bound] = np.float32(value)
        return self.add(f"relu6({x[0]})", "Clip", [x[0], "low", "high"], *x[1:])

    def pool(self, x, k, stride, pad=0, kind="max"):
        name, c, n = x
        args = dict(kernel_shape=[k] * 2, strides=[stride] * 2, pads=[pad] * 4) | ({} if kind == "max" else {"count_include_pad": 1})
        return self.add(f"{kind}_pool2d({name}, kernel = {k}, stride = {stride}, pad = {pad})", "MaxPool" if kind == "max" else "AveragePool", [name], c,
                        (n + 2 * pad - k) // stride + 1, **args)

    # These add an operator, or a reshape, to the ONNX form alone, and return the names of its results.
    def node(self, op, *inputs, results=1, **attributes):
        names = [f"o{len(self.nodes)}_{i}" for i in range(results)]
        self.nodes.append(helper.make_node(op, inputs, names, **attributes))
        return names if results > 1 else names[0]

    def shape(self, *sizes):
        name = f"s{len(self.shapes)}"
        self.shapes[name] = np.array(sizes, np.int64)
        return name

    def shuffle(self, x, groups):
        name, c, n = x
        y = self.node("Transpose", self.node("Reshape", name, self.shape(1, groups, c // groups, n, n)), perm=[0, 2, 1, 3, 4])
        return self.add(f"channel_shuffle({name}, groups = {groups})", "Reshape", [y, self.shape(1, c, n, n)], c, n)

    # Turns an image into tokens, values (name, features, tokens), after one for the class.
    def tokens(self, x):
        name, c, n = x
        first, place = self.weight((1, 1, c), 0.1), self.weight((1, n * n + 1, c), 0.1)
        y = self.add(f"reshape({name}, shape = [1, {c}, {n * n}])", "Reshape", [name, self.shape(1, c, n * n)], c, n * n)
        y = self.add(f"transpose({y[0]}, perm = [0, 2, 1])", "Transpose", [y[0]], c, n * n, perm=[0, 2, 1])
        y = self.add(f"concat({first}, {y[0]}, axis = 1)", "Concat", [first, y[0]], c, n * n + 1, axis=1)
        return self.add(f"{y[0]} + {place}", "Add", [y[0], place], *y[1:])

    def layer_norm(self, x):
        w, b = self.weight((x[1],), 0.5, 0.75, plain=True), self.weight((x[1],), 0.1)
        return self.add(f"layer_norm({x[0]}, {w}, {b}, eps = 1e-6)", "LayerNormalization", [x[0], w, b], *x[1:], axis=-1, epsilon=1e-6)

    def dense(self, x, m):
        w, b = self.weight((m, x[1]), (1.0 / x[1]) ** 0.5), self.weight((m,), 0.1)
        y = self.node("MatMul", x[0], self.node("Transpose", w, perm=[1, 0]))  # w is constant, so this is folded when the model is loaded
        return self.add(f"linear({x[0]}, {w}, {b})", "Add", [y, b], m, x[2])

    def gelu(self, x):
        return self.add(f"gelu({x[0]})", "Gelu", [x[0]], *x[1:])

    def attention(self, x, heads):
        name, c, n = x[0], x[1] // 3, x[2]
        q, k, v = parts = self.node("Split", name, results=3, axis=2, num_outputs=3)
        self.lines.append(f"    {', '.join(parts)} = chunk3({name}, axis = 2)")
        split = [self.node("Transpose", self.node("Reshape", part, self.shape(1, n, heads, c // heads)), perm=perm)
                 for part, perm in ((q, [0, 2, 1, 3]), (k, [0, 2, 3, 1]), (v, [0, 2, 1, 3]))]
        scale = f"scale{c // heads}"
        self.weights[scale] = np.float32((c // heads) ** -0.5)
        p = self.node("Softmax", self.node("Mul", self.node("MatMul", *split[:2]), scale), axis=-1)
        y = self.node("Transpose", self.node("MatMul", p, split[2]), perm=[0, 2, 1, 3])
        text = ", ".join(f"split_heads({part}, heads = {heads})" for part in parts)
        return self.add(f"merge_heads(attention({text}))", "Reshape", [y, self.shape(1, n, c)], c, n)

    def first_token(self, x):
        end = self.shape(1)
        return self.add(f"select({x[0]}, index = 0, axis = 1)", "Reshape",
                        [self.node("Slice", x[0], self.shape(0), end, end), self.shape(1, x[1])], x[1], 1)

    def join(self, a, b):
        return self.add(f"{a[0]} + {b[0]}", "Add", [a[0], b[0]], *a[1:])

    def concat(self, values):
        return self.add(f"concat({', '.join(v[0] for v in values)}, axis = 1)", "Concat", [v[0] for v in values], sum(v[1] for v in values), values[0][2], axis=1)

    def mean(self, x):
        return self.add(f"global_avg_pool({x[0]})", "GlobalAveragePool", [x[0]], x[1], 1)

    def flatten(self, x):
        return self.add(f"flatten({x[0]}, from = 1)", "Flatten", [x[0]], x[1] * x[2] * x[2], 1, axis=1)

    def linear(self, x, m):
        w, b = self.weight((m, x[1]), (2.0 / x[1]) ** 0.5), self.weight((m,), 0.1)
        return self.add(f"linear({x[0]}, {w}, {b})", "Gemm", [x[0], w, b], m, 1, transB=1)

    def softmax(self, x):
        return self.add(f"softmax({x[0]}, axis = 1)", "Softmax", [x[0]], *x[1:], axis=1)


def alexnet(b, x):
    x = b.pool(b.conv(x, 64, 11, 4, 2, bias=True, relu=True), 3, 2)
    x = b.pool(b.conv(x, 192, 5, bias=True, relu=True), 3, 2)
    for m in (384, 256, 256):
        x = b.conv(x, m, 3, bias=True, relu=True)
    x = b.flatten(b.pool(x, 3, 2))
    return b.linear(b.relu(b.linear(b.relu(b.linear(x, 4096)), 4096)), 1000)


def vgg19(b, x):
    for m, count in ((64, 2), (128, 2), (256, 4), (512, 4), (512, 4)):
        for _ in range(count):
            x = b.conv(x, m, 3, bias=True, relu=True)
        x = b.pool(x, 2, 2)
    return b.linear(b.relu(b.linear(b.relu(b.linear(b.flatten(x), 4096)), 4096)), 1000)


def resnet50(b, x):
    x = b.pool(b.conv(x, 64, 7, 2, relu=True, norm=True), 3, 2, 1)
    for width, blocks, stride in ((64, 3, 1), (128, 4, 2), (256, 6, 2), (512, 3, 2)):
        for i in range(blocks):
            s = stride if i == 0 else 1
            y = b.conv(x, width, 1, relu=True, norm=True)
            y = b.conv(b.conv(y, width, 3, s, relu=True, norm=True), 4 * width, 1, norm=True)
            x = b.relu(b.join(y, x if i else b.conv(x, 4 * width, 1, s, norm=True)))
    return b.linear(b.flatten(b.mean(x)), 1000)


def densenet121(b, x):
    x = b.pool(b.conv(x, 64, 7, 2, relu=True, norm=True), 3, 2, 1)
    for stage, blocks in enumerate((6, 12, 24, 16)):
        for _ in range(blocks):
            y = b.conv(b.relu(b.norm(x)), 128, 1, relu=True, norm=True)
            x = b.concat([x, b.conv(y, 32, 3)])
        x = b.relu(b.norm(x))
        if stage < 3:
            x = b.pool(b.conv(x, x[1] // 2, 1), 2, 2, kind="avg")
    return b.linear(b.flatten(b.mean(x)), 1000)


def squeezenet(b, x):
    x = b.pool(b.conv(x, 64, 3, 2, 0, bias=True, relu=True), 3, 2)
    for squeeze, expand, pool in ((16, 64, 0), (16, 64, 1), (32, 128, 0), (32, 128, 1), (48, 192, 0), (48, 192, 0), (64, 256, 0), (64, 256, 0)):
        s = b.conv(x, squeeze, 1, bias=True, relu=True)
        x = b.concat([b.conv(s, expand, 1, bias=True, relu=True), b.conv(s, expand, 3, bias=True, relu=True)])
        x = b.pool(x, 3, 2) if pool else x
    return b.softmax(b.flatten(b.mean(b.conv(x, 1000, 1, bias=True, relu=True))))


def inception1(b, x):
    x = b.pool(b.conv(x, 64, 7, 2, bias=True, relu=True), 3, 2, 1)
    x = b.pool(b.conv(b.conv(x, 64, 1, bias=True, relu=True), 192, 3, bias=True, relu=True), 3, 2, 1)
    for a, r3, c3, r5, c5, p, pool in ((64, 96, 128, 16, 32, 32, 0), (128, 128, 192, 32, 96, 64, 1), (192, 96, 208, 16, 48, 64, 0), (160, 112, 224, 24, 64, 64, 0),
                                       (128, 128, 256, 24, 64, 64, 0), (112, 144, 288, 32, 64, 64, 0), (256, 160, 320, 32, 128, 128, 1), (256, 160, 320, 32, 128, 128, 0),
                                       (384, 192, 384, 48, 128, 128, 0)):
        part = lambda x, m, k: b.conv(x, m, k, bias=True, relu=True)
        x = b.concat([part(x, a, 1), part(part(x, r3, 1), c3, 3), part(part(x, r5, 1), c5, 5), part(b.pool(x, 3, 1, 1), p, 1)])
        x = b.pool(x, 3, 2, 1) if pool else x
    return b.softmax(b.linear(b.flatten(b.mean(x)), 1000))


# Zhang et al., 2018, with 3 groups.
def shufflenet(b, x):
    x = b.pool(b.conv(x, 24, 3, 2, relu=True, norm=True), 3, 2, 1)
    for m, count in ((240, 4), (480, 8), (960, 4)):
        for i in range(count):
            s = 1 if i else 2
            y = b.shuffle(b.conv(x, m // 4, 1, groups=3 if x[1] > 24 else 1, relu=True, norm=True), 3)
            y = b.conv(y, m // 4, 3, s, groups=m // 4, norm=True)
            y = b.conv(y, m if i else m - x[1], 1, groups=3, norm=True)
            x = b.relu(b.join(x, y) if i else b.concat([b.pool(x, 3, 2, 1, kind="avg"), y]))
    return b.linear(b.flatten(b.mean(x)), 1000)


def mobilenetv2(b, x):
    x = b.relu6(b.conv(x, 32, 3, 2, norm=True))
    for t, m, count, stride in ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)):
        for i in range(count):
            s = stride if i == 0 else 1
            y = b.relu6(b.conv(x, x[1] * t, 1, norm=True)) if t > 1 else x
            y = b.relu6(b.conv(y, y[1], 3, s, groups=y[1], norm=True))
            y = b.conv(y, m, 1, norm=True)
            x = b.join(x, y) if s == 1 and x[1] == m else y
    return b.linear(b.flatten(b.mean(b.relu6(b.conv(x, 1280, 1, norm=True)))), 1000)


# Dosovitskiy et al., 2021, in the smallest size of Touvron et al., 2021.
def vit_tiny(b, x):
    x = b.tokens(b.conv(x, 192, 16, 16, 0, bias=True))
    for _ in range(12):
        x = b.join(x, b.dense(b.attention(b.dense(b.layer_norm(x), 3 * 192), 3), 192))
        x = b.join(x, b.dense(b.gelu(b.dense(b.layer_norm(x), 4 * 192)), 192))
    return b.linear(b.first_token(b.layer_norm(x)), 1000)


NETS = [alexnet, vgg19, resnet50, densenet121, squeezenet, inception1, shufflenet, mobilenetv2, vit_tiny]


def one(net, level, threads, folder):
    b = Build()
    y = net(b, ("x", 3, 224))
    kept = {k: v for k, v in b.weights.items() if v.ndim}
    mg.weights(os.path.join(folder, "net.safetensors"), kept)
    path = os.path.join(folder, "net.mg")
    body = "\n".join(b.params + b.lines)
    open(path, "w").write(f"mg 1\ngraph g(x: f32[1, 3, 224, 224]) -> ({y[0]}: f32[1, {y[1]}])\n    weights \"net.safetensors\"\n{{\n{body}\n}}\n")
    peer = mg.session(b.nodes, {"x": (1, 3, 224, 224)}, {y[0]: (1, y[1])}, b.weights | b.shapes, threads)
    x = b.rng.standard_normal((1, 3, 224, 224), dtype=np.float32)
    mine = mg.Net(path, [x], threads, level)
    expected, got = peer.run(None, {"x": x})[0], mine.output(0, (1, y[1]))
    if not np.allclose(got, expected, atol=1e-3 * np.abs(expected).max(), rtol=1e-2):
        sys.exit(f"nets: {net.__name__}: results differ by {np.abs(got - expected).max()} of {np.abs(expected).max()}")
    return mg.compare("nets", net.__name__, mine.run, lambda: peer.run(None, {"x": x}), "ONNX Runtime " + ort.__version__, threads, seconds=0.1)


def main():
    mg.run("nets", (((net.__name__,), net) for net in NETS), one)


if __name__ == "__main__":
    main()
