#!/usr/bin/env python3
"""Image nets, batch 1, random weights of sensible scale, against ONNX Runtime on the same parameters.

    nets.py [--level=N] [--threads=N] [NET…]

Each net is written once, over a builder that makes MG source and an ONNX graph of it. Outputs are compared before anything is timed.
"""
import os, sys, tempfile

try:
    import numpy as np, onnx, onnxruntime as ort
    from onnx import helper, numpy_helper, TensorProto
except ImportError as e:
    print(f"nets: {e.name} is not there: nothing to compare with", file=sys.stderr)
    sys.exit(0)
import mg


class Build:
    """Values are (name, channels, size); each method adds one operator to both forms."""

    def __init__(self):
        self.rng, self.lines, self.params, self.weights, self.nodes = np.random.default_rng(1), [], [], {}, []

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
        args = dict(kernel_shape=[k] * 2, strides=[stride] * 2, pads=[pad] * 4)
        return self.add(f"{kind}_pool2d({name}, kernel = {k}, stride = {stride}, pad = {pad})", "MaxPool" if kind == "max" else "AveragePool", [name], c,
                        (n + 2 * pad - k) // stride + 1, **args)

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


NETS = [alexnet, vgg19, resnet50, densenet121, squeezenet, inception1, mobilenetv2]


def one(net, level, threads, folder):
    b = Build()
    y = net(b, ("x", 3, 224))
    kept = {k: v for k, v in b.weights.items() if v.ndim}
    mg.weights(os.path.join(folder, "net.safetensors"), kept)
    path = os.path.join(folder, "net.mg")
    body = "\n".join(b.params + b.lines)
    open(path, "w").write(f"mg 1\ngraph g(x: f32[1, 3, 224, 224]) -> ({y[0]}: f32[1, {y[1]}])\n    weights \"net.safetensors\"\n{{\n{body}\n}}\n")
    value = lambda name, shape: helper.make_tensor_value_info(name, TensorProto.FLOAT, shape)
    graph = helper.make_graph(b.nodes, "g", [value("x", [1, 3, 224, 224])], [value(y[0], [1, y[1]])], [numpy_helper.from_array(w, k) for k, w in b.weights.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    options = ort.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads = threads, 1
    peer = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    x = b.rng.standard_normal((1, 3, 224, 224), dtype=np.float32)
    mine = mg.Net(path, [x], threads, level)
    expected, got = peer.run(None, {"x": x})[0], mine.output(0, (1, y[1]))
    if not np.allclose(got, expected, atol=1e-3 * np.abs(expected).max(), rtol=1e-2):
        sys.exit(f"nets: {net.__name__}: results differ by {np.abs(got - expected).max()} of {np.abs(expected).max()}")
    return mg.compare("nets", net.__name__, mine.run, lambda: peer.run(None, {"x": x}), "ONNX Runtime " + ort.__version__, threads, seconds=0.1)


def main():
    level, threads, chosen = 2, 1, []
    for word in sys.argv[1:]:
        if word.startswith("--level="):
            level = int(word[8:])
        elif word.startswith("--threads="):
            threads = int(word[10:])
        else:
            chosen.append(word)
    ratios = []
    for net in NETS:
        if not chosen or net.__name__ in chosen:
            with tempfile.TemporaryDirectory() as folder:
                ratios.append(one(net, level, threads, folder))
    mg.summary("nets", ratios)


main()
