"""The nodes of random ONNX graphs: each function adds one to a graph, or raises Again if no value fits."""
import numpy as np

from graph_net import KINDS, Again, Value, axes_or_input, node, unsqueezed


def unsqueeze(n):
    v = n.use("fi", 0, 3)
    unsqueezed(n, v, [n.r.randrange(v.rank + 1)])


def squeeze(n):
    v = n.use("fi", 1, 5, lambda v: 1 in v.shape)
    axes = [i for i, s in enumerate(v.shape) if s == 1]
    axes = axes[:n.int(1, len(axes))]
    axes_or_input(n, "Squeeze", v, axes, np.squeeze(v.data, tuple(axes)), 13)


def unary(n):
    op, since = n.pick(("Relu", 7), ("Neg", 7), ("Abs", 7), ("Sigmoid", 7), ("Tanh", 7), ("Exp", 7), ("Identity", 7),
                       ("Sqrt", 7), ("Floor", 7), ("Erf", 9), ("Softplus", 7), ("Elu", 7), ("LeakyRelu", 7),
                       ("HardSwish", 14), ("Mish", 18), ("Gelu", 20))
    if n.opset < since:
        raise Again
    v = n.use("f")
    if op == "Sqrt":  # no NaN, which ONNX's minima and maxima may keep or drop
        v = n.add("Abs", [v], v.data)
    n.add(op, [v], v.data)


def clip(n):
    v = n.use("f")
    if n.opset < 11:
        n.add("Clip", [v], v.data, min=-1.0, max=1.5)
    else:
        n.add("Clip", [v, n.constant(np.float32(-1.0)), n.pick(None, n.constant(np.float32(1.5)))], v.data)


def binary(n):
    a = n.use("f")
    b = n.pick("other", "constant", "row", "same")
    if b == "other":
        b = n.use("f")
    elif b == "constant":
        b = n.constant(n.fill("f", n.pick([], [1])))
    elif b == "row":
        b = n.constant(n.fill("f", a.shape[-n.int(1, a.rank):] if a.rank else []))
    else:
        b = a
    try:
        data = a.data + b.data
    except ValueError:
        raise Again
    op = n.pick("Add", "Sub", "Mul", "Max", "Min", "Div")
    if op == "Div":
        n.add(op, [a, n.constant(np.float32(n.pick(-0.7, 3.0)))], a.data)
        return
    if op in ("Max", "Min") and n.opset < 8 and a.shape != b.shape:
        raise Again
    n.add(op, [a, b] if n.chance(0.5) else [b, a], data)


def compare(n):
    a, b = n.use("f"), n.constant(np.float32(0.5))
    if n.opset < 9:
        raise Again
    c = n.add(n.pick("Less", "Greater"), [a, b], a.data < 0.5, "b")
    n.add("Where", [c, a, n.pick(b, a)], a.data, "f")


def cast(n):
    v = n.use("fij")
    kind = n.pick("f", "i", "j")
    n.add("Cast", [v], v.data, kind, to=KINDS[kind][0])


def integers(n):
    v = n.use("i", 0, 5)
    k = n.constant(np.array(n.int(1, 4)))
    op = n.pick("Add", "Sub", "Mul", "Div")
    by = {"Add": lambda a, b: a + b, "Sub": lambda a, b: a - b, "Mul": lambda a, b: a * b,
          "Div": lambda a, b: np.trunc(a / b)}[op]
    n.add(op, [v, k], by(v.data, k.data))


def transpose(n):
    v = n.use("fi", 2, 5)
    perm = list(range(v.rank))
    n.r.shuffle(perm)
    n.add("Transpose", [v], v.data.transpose(perm), perm=perm)


def slice_(n):
    v = n.use("fi", 1, 5)
    axes, starts, ends, steps, cut = [], [], [], [], [slice(None)] * v.rank
    for a in n.r.sample(range(v.rank), n.int(1, min(2, v.rank))):
        size = v.shape[a]
        step = n.pick(1, 1, 1, 2, 3, -1, -2) if n.opset >= 10 else 1
        def end():
            return n.pick(n.int(-size - 2, size + 2), n.int(-size - 2, size + 2), 2**31 - 1, 2**63 - 1, -8,
                          -2**31 if step < 0 else 0, size)
        start, stop = n.int(-size - 2, size + 2), end()
        axes.append(a), starts.append(start), ends.append(stop), steps.append(step)
        cut[a] = onnx_slice(start, stop, step, size)
    data = v.data[tuple(cut)]
    if n.opset < 10:
        n.add("Slice", [v], data, axes=axes, starts=starts, ends=ends)
        return
    inputs = [v, n.numbers(starts), n.numbers(ends), n.constant(np.array(axes))]
    if any(s != 1 for s in steps):
        inputs.append(n.constant(np.array(steps)))
    n.add("Slice", inputs, data, v.kind)


def onnx_slice(start, stop, step, size):
    """Returns the slice of Python that ONNX means: ends are clamped, and an end of -1 is counted from the back only once."""
    low, high = (0, size) if step > 0 else (-1, size - 1)
    if step < 0 and stop in (2**31 - 1, 2**63 - 1):  # ONNX Runtime takes this for the first element
        stop = -2**31
    wrap = lambda p, low, high: min(max(p + size if p < 0 else p, low), high)
    if step > 0:
        return slice(wrap(start, low, high), max(wrap(stop, low, high), 0), step)
    start, stop = wrap(start, 0, high), wrap(stop, low, high)
    if size == 0 or start <= stop:
        return slice(0, 0)
    return slice(start, None if stop < 0 else stop, step)


def slice_by_size(n):
    """Adds a slice whose ends are computed from sizes."""
    if n.opset < 10:
        raise Again
    v = n.use("f", 1, 4)
    a = n.r.randrange(v.rank)
    other = n.use("f", 1, 4)
    end = n.size(other, n.r.randrange(other.rank))
    start = n.constant(np.array([n.pick(0, 0, 1, -8, -3)]))
    cut = [slice(None)] * v.rank
    if n.chance(0.3):
        start, end = n.add("Neg", [end], -end.data) if n.opset >= 8 else start, n.constant(np.array([2**31 - 1]))
    cut[a] = onnx_slice(int(start.data[0]), int(end.data[0]), 1, v.shape[a])
    n.add("Slice", [v, start, end, n.constant(np.array([a]))], v.data[tuple(cut)], "f")


def slice_by_run(n):
    """Adds a slice whose ends are inputs of the graph."""
    if n.opset < 10:
        raise Again
    v = n.use("f", 1, 3)
    a = n.r.randrange(v.rank)
    size, step = v.shape[a], n.pick(1, 1, 2, -1)
    start, stop = n.int(-size - 2, size + 2), n.pick(n.int(-size - 2, size + 2), 2**31 - 1, 2**63 - 1, -2**31)
    cut = [slice(None)] * v.rank
    cut[a] = onnx_slice(start, stop, step, size)
    ends = []
    for k in (start, stop):
        port = Value(f"x{len(n.ports)}", "i", np.array([k]))
        n.ports.append((port, [1]))
        ends.append(port)
    n.add("Slice", [v, *ends, n.constant(np.array([a])), n.constant(np.array([step]))], v.data[tuple(cut)], "f")


def concat(n):
    a = n.use("fi", 1, 5)
    axis, at = n.axis(a.rank)
    def fits(v):
        return v.kind == a.kind and v.rank == a.rank and all(s == t for i, (s, t) in enumerate(zip(v.shape, a.shape)) if i != at)
    parts = [a] + [n.use(a.kind, 1, 5, fits) for _ in range(n.int(1, 2))]
    n.add("Concat", parts, np.concatenate([p.data for p in parts], at), axis=axis)


def split(n):
    v = n.use("f", 1, 5)
    axis, at = n.axis(v.rank)
    size, pieces = v.shape[at], n.int(2, 3)
    if size < pieces:
        raise Again
    sizes = [1] * (pieces - 1) + [size - pieces + 1]
    n.r.shuffle(sizes)
    name = f"v{len(n.nodes)}"
    outs = [name] + [f"{name}_{k}" for k in range(1, pieces)]
    attributes, names = {"axis": axis}, [v.name]
    if n.chance(0.4) and size % pieces == 0:
        sizes = [size // pieces] * pieces
        if n.opset >= 18:
            attributes["num_outputs"] = pieces
    elif n.opset < 13:
        attributes["split"] = sizes
    else:
        names.append(n.numbers(sizes).name if n.chance(0.5) else n.constant(np.array(sizes)).name)
    name = f"v{len(n.nodes)}"
    outs = [name] + [f"{name}_{k}" for k in range(1, pieces)]
    n.read |= set(names)
    n.nodes.append(node("Split", names, outs, name, **attributes))
    for out, data in zip(outs, np.split(v.data, np.cumsum(sizes)[:-1], at)):
        n.values.append(Value(out, "f", data))


def reshape(n):
    v = n.use("fi", 0, 5)
    size = v.data.size
    if size == 0:
        shape = n.pick([0, -1] if v.rank and v.shape[0] else [0], [0] * v.rank)
        raise_if = -1 in shape or not v.rank
        if raise_if:
            raise Again
        data = v.data
    else:
        factors = [f for f in range(1, size + 1) if size % f == 0]
        a = n.of(factors)
        b = n.of([f for f in factors if (size // a) % f == 0])
        shape = n.pick([-1], [a, -1], [-1, a], [a, b, -1], [a, size // a], [1, a, size // a])
        data = v.data.reshape(shape)
        if n.chance(0.3) and v.rank > 1 and 0 not in v.shape:
            shape = [0, -1]
            data = v.data.reshape(v.shape[0], -1)
    n.add("Reshape", [v, n.numbers(shape)], data)


def flatten(n):
    v = n.use("f", 1, 5)
    a = n.int(0, v.rank)
    n.add("Flatten", [v], v.data.reshape(int(np.prod(v.shape[:a])), int(np.prod(v.shape[a:]))), axis=a)


def pad(n):
    v = n.use("f", 1, 4)
    mode = n.pick("constant", "constant", "edge", "reflect")
    least = min(v.shape) if mode != "constant" else 9
    if least < 2 and mode != "constant":
        raise Again
    before = [n.int(0, 2 if mode == "constant" else least - 1) for _ in v.shape]
    after = [n.int(0, 2 if mode == "constant" else least - 1) for _ in v.shape]
    if mode == "constant" and n.chance(0.2) and v.shape[0] > 1:
        before[0] = -1
    data = np.zeros([s + a + b for s, a, b in zip(v.shape, before, after)])
    if n.opset < 11:
        n.add("Pad", [v], data, pads=before + after, mode=mode)
    else:
        value = n.pick(None, n.constant(np.float32(1.5))) if mode == "constant" else None
        n.add("Pad", [v, n.numbers(before + after), value], data, "f", mode=mode)


def tile(n):
    v = n.use("f", 1, 4)
    times = [n.int(1, 2) for _ in v.shape]
    n.add("Tile", [v, n.numbers(times)], np.tile(v.data, times))


def expand(n):
    if n.opset < 8:
        raise Again
    v = n.use("f", 0, 4)
    shape = [n.int(1, 4) if s == 1 else s for s in v.shape]
    if n.chance(0.3):
        shape = [n.int(1, 3)] + shape
    n.add("Expand", [v, n.numbers(shape)], np.broadcast_to(v.data, shape)) if shape else unary(n)


def gather(n):
    v = n.use("fi", 1, 4)
    axis, at = n.axis(v.rank)
    size = v.shape[at]
    if not size:
        raise Again
    low = -size if n.opset >= 11 else 0
    shape = n.pick([], [2], [3], [2, 2], [0])
    ids = np.array([n.int(low, size - 1) for _ in range(int(np.prod(shape)))], "i8").reshape(shape)
    n.add("Gather", [v, n.constant(ids)], np.take(v.data, ids, at), v.kind, axis=axis)


def gather_elements(n):
    if n.opset < 11:
        raise Again
    v = n.use("f", 1, 4, lambda v: v.data.size > 0)
    axis, at = n.axis(v.rank)
    shape = list(v.shape)
    shape[at] = n.int(1, 4)
    ids = n.np.integers(-v.shape[at], v.shape[at], shape)
    n.add("GatherElements", [v, n.constant(ids)], np.zeros(shape), "f", axis=axis)


def reduce(n):
    v = n.use("f", 1, 5)
    op = n.pick("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL2", "ReduceLogSumExp",
                "ReduceSumSquare")
    axes = sorted(n.r.sample(range(v.rank), n.int(1, v.rank)))
    if any(v.shape[a] == 0 for a in axes) and op not in ("ReduceSum", "ReduceProd"):
        raise Again
    keep = n.int(0, 1)
    data = np.sum(v.data, tuple(axes), keepdims=bool(keep))
    axes_or_input(n, op, v, axes, data, 13 if op == "ReduceSum" else 18, keepdims=keep)


def arg(n):
    v = n.use("f", 1, 4, lambda v: v.data.size > 0)
    axis, at = n.axis(v.rank)
    keep = n.int(0, 1)
    data = np.argmax(v.data, at)
    n.add(n.pick("ArgMax", "ArgMin"), [v], np.expand_dims(data, at) if keep else data, "i", axis=axis, keepdims=keep)
    n.values.pop()  # its numbers are not known, so nothing else may read them


def softmax(n):
    v = n.use("f", 1, 4, lambda v: v.data.size > 0)
    n.add(n.pick("Softmax", "LogSoftmax"), [v], v.data, axis=n.axis(v.rank)[0])


def cumsum(n):
    if n.opset < 11:
        raise Again
    v = n.use("f", 1, 4)
    axis, _ = n.axis(v.rank)
    n.add("CumSum", [v, n.constant(np.array(axis))], v.data, exclusive=n.int(0, 1), reverse=n.int(0, 1))


def topk(n):
    v = n.use("f", 1, 4, lambda v: v.data.size > 0)
    axis, at = n.axis(v.rank)
    k = n.int(1, v.shape[at])
    data = np.take(v.data, range(k), at)
    name = f"v{len(n.nodes)}"
    if n.opset < 10:
        names, attributes = [v.name], {"axis": axis, "k": k}
    else:
        names, attributes = [v.name, n.numbers([k]).name], {"axis": axis}
        name = f"v{len(n.nodes)}"
    n.read |= set(names)
    n.nodes.append(node("TopK", names, [name, name + "_at"], name, **attributes))
    n.values.append(Value(name, "f", data))


def matmul(n):
    a = n.use("f", 1, 4)
    if n.chance(0.5):
        b = n.constant(n.fill("f", [a.shape[-1], n.int(1, 5)]))
    else:
        b = n.use("f", 1, 4, lambda v: v.shape[-2 if v.rank > 1 else 0] == a.shape[-1])
    try:
        n.add("MatMul", [a, b], np.matmul(a.data, b.data))
    except ValueError:
        raise Again


def gemm(n):
    a = n.use("f", 2, 2)
    by, columns = n.int(0, 1), n.int(1, 5)
    k = a.shape[1]
    b = n.constant(n.fill("f", [columns, k] if by else [k, columns]))
    n.add("Gemm", [a, b, n.constant(n.fill("f", n.pick([columns], [1, columns])))], np.zeros([a.shape[0], columns]),
          transB=by, alpha=0.5)


def image(n, low=3, high=4):
    return n.use("f", low, high, lambda v: all(v.shape))


def windows(n, v, kernel, strides, dilations, pads):
    out = []
    for i, s in enumerate(v.shape[2:]):
        reach = dilations[i] * (kernel[i] - 1) + 1
        room = s + pads[i] + pads[i + len(kernel)] - reach
        if room < 0:
            raise Again
        out.append(room // strides[i] + 1)
    return out


def conv(n):
    v = image(n)
    r = v.rank - 2
    kernel, strides, dilations = ([n.int(1, m) for _ in range(r)] for m in (3, 2, 2))
    pads = [n.int(0, 2) for _ in range(2 * r)]
    groups = n.pick(1, 1, v.shape[1])
    filters = groups * n.int(1, 3)
    out = windows(n, v, kernel, strides, dilations, pads)
    w = n.constant(n.fill("f", [filters, v.shape[1] // groups] + kernel))
    b = n.pick(None, n.constant(n.fill("f", [filters])))
    n.add("Conv", [v, w, b], np.zeros([v.shape[0], filters] + out), kernel_shape=kernel, strides=strides,
          dilations=dilations, pads=pads, group=groups)


def conv_transpose(n):
    v = image(n)
    r = v.rank - 2
    kernel, strides = [n.int(1, 3) for _ in range(r)], [n.int(1, 2) for _ in range(r)]
    pads = [n.int(0, (k - 1) // 2) for k in kernel] * 2
    filters = n.int(1, 3)
    out = [(s - 1) * t + k - 2 * p for s, t, k, p in zip(v.shape[2:], strides, kernel, pads)]
    if min(out) < 1:
        raise Again
    n.add("ConvTranspose", [v, n.constant(n.fill("f", [v.shape[1], filters] + kernel))],
          np.zeros([v.shape[0], filters] + out), kernel_shape=kernel, strides=strides, pads=pads)


def pool(n):
    v = image(n)
    r = v.rank - 2
    kernel, strides = [n.int(1, 3) for _ in range(r)], [n.int(1, 2) for _ in range(r)]
    pads = [n.int(0, k - 1) for k in kernel + kernel]
    out = windows(n, v, kernel, strides, [1] * r, pads)
    op, more = n.pick(("MaxPool", {}), ("AveragePool", {"count_include_pad": n.int(0, 1)}))
    n.add(op, [v], np.zeros(v.shape[:2] + out), kernel_shape=kernel, strides=strides, pads=pads, **more)


def pool_all(n):
    v = image(n)
    n.add(n.pick("GlobalAveragePool", "GlobalMaxPool"), [v], np.zeros(v.shape[:2] + [1] * (v.rank - 2)))


def batch_norm(n):
    v = image(n)
    c = v.shape[1]
    n.add("BatchNormalization", [v] + [n.constant(abs(n.fill("f", [c]))) for _ in range(4)], v.data)


def layer_norm(n):
    if n.opset < 17:
        raise Again
    v = n.use("f", 1, 4, lambda v: v.data.size > 0)
    n.add("LayerNormalization", [v, n.constant(n.fill("f", v.shape[-1:]))], v.data, axis=-1)


def resize(n):
    v = image(n)
    if n.opset < 11:
        scales = [1.0, 1.0] + [float(n.int(1, 2)) for _ in v.shape[2:]]
        data = np.zeros([int(s * t) for s, t in zip(v.shape, scales)])
        if n.opset < 9:
            raise Again
        n.add("Upsample" if n.opset == 9 else "Resize", [v, n.constant(np.array(scales, "f4"))], data, mode="nearest")
        return
    mode = n.pick("nearest", "nearest", "linear")
    to = [s if i < 2 else n.int(1, 8) for i, s in enumerate(v.shape)]
    empty = n.constant(np.zeros(0, "f4"))
    form = n.pick("half_pixel", "asymmetric", "align_corners")
    n.add("Resize", [v, empty, empty, n.numbers(to)] if n.opset < 13 else [v, None, None, n.numbers(to)],
          np.zeros(to), mode=mode, coordinate_transformation_mode=form,
          **({"nearest_mode": n.pick("floor", "round_prefer_floor")} if mode == "nearest" else {}))


def constant_of_shape(n):
    if n.opset < 9:
        raise Again
    v = n.use("f", 1, 4)
    shape = n.add("Shape", [v], np.array(v.shape, "i8"), "i")
    n.add("ConstantOfShape", [shape], np.zeros(v.shape), "f")


def range_(n):
    if n.opset < 11:
        raise Again
    v = n.use("f", 1, 4)
    i = n.r.randrange(v.rank)
    shape = n.add("Shape", [v], np.array(v.shape, "i8"), "i")
    end = n.add("Gather", [shape, n.constant(np.array(i))], shape.data[i], axis=0)
    start, step = n.pick((0, 1), (1, 2))
    ids = n.add("Range", [n.constant(np.array(start)), end, n.constant(np.array(step))],
                np.arange(start, v.shape[i], step), "i")
    if n.chance(0.5):
        n.add("Gather", [v, ids], np.take(v.data, ids.data, i), "f", axis=i)


def shape_of(n):
    v = n.use("f", 1, 4)
    if n.opset >= 15 and n.chance(0.5):
        start = n.int(-v.rank, v.rank - 1)
        n.add("Shape", [v], np.array(v.shape[start:], "i8"), "i", start=start)
    else:
        n.add(n.pick("Shape", "Size"), [v], np.array(v.shape, "i8"), "i")
        if n.nodes[-1].find(b"Size") >= 0:
            n.values[-1] = Value(n.values[-1].name, "i", np.array(v.data.size))


def trilu(n):
    if n.opset < 14:
        raise Again
    v = n.use("f", 2, 4)
    n.add("Trilu", [v, n.pick(None, n.constant(np.array(n.int(-2, 2))))], v.data, "f", upper=n.int(0, 1))


def scatter(n):
    if n.opset < 11:
        raise Again
    v = n.use("f", 1, 3, lambda v: v.data.size > 0)
    axis, at = n.axis(v.rank)
    shape = list(v.shape)
    shape[at] = 1
    ids = n.np.integers(0, v.shape[at], shape)
    n.add("ScatterElements", [v, n.constant(ids), n.constant(n.fill("f", shape))], v.data, "f", axis=axis)


def one_hot(n):
    if n.opset < 9:
        raise Again
    ids = n.constant(n.np.integers(0, 4, [n.int(1, 3)]))
    n.add("OneHot", [ids, n.constant(np.array([4])), n.constant(np.array([0, 1], "f4"))], np.zeros([ids.shape[0], 4]),
          "f", axis=-1)


def depth_to_space(n):
    v = n.use("f", 4, 4, lambda v: v.shape[1] % 4 == 0 and all(v.shape))
    s = v.shape
    n.add("DepthToSpace", [v], np.zeros([s[0], s[1] // 4, s[2] * 2, s[3] * 2]), blocksize=2)


STATEMENTS = ([unary] * 5 + [binary] * 5 + [slice_] * 5 + [slice_by_size] * 4 + [slice_by_run] + [reshape] * 5 + [concat] * 4 +
              [split] * 3 + [pad] * 3 + [transpose] * 3 + [gather] * 3 + [reduce] * 3 + [resize] * 3 + [matmul] * 3 +
              [unsqueeze, unsqueeze, squeeze, squeeze, expand, expand, tile, tile, flatten, clip, compare, cast,
               integers, gather_elements, arg, softmax, cumsum, topk, gemm, conv, conv, conv_transpose, pool, pool,
               pool_all, batch_norm, layer_norm, constant_of_shape, range_, range_, shape_of, trilu, scatter, one_hot,
               depth_to_space])
