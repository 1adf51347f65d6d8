"""Draws the rest of the operators for generate.py: gathers and scatters, resizing, quantisation, recurrences, generators."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from generate import ANY, FLOATS, NUMBERS, SIGNED, UNSIGNED, Skip
from generate_ops import OPS, ints, op, scale
import generate_windows  # registers its operators


# ---------------------------------------------------------------- gathers and scatters
@op("Gather")
def gather(d, name):
    x = d.tensor(d.shape(1, 4), d.dtype(name))
    axis = d.axis(x.ndim)
    n = x.shape[axis]
    at = d.np.integers(-n if d.opset >= 11 else 0, n, d.shape(0, 3, 4)).astype(d.pick(np.int32, np.int64))
    if d.opset < 11 and axis < 0:
        axis += x.ndim
    return d.node(name, [x, np.asarray(at)], d.maybe({}, axis=axis) if axis == 0 else {"axis": axis})


@op("GatherElements")
def gather_elements(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name))
    axis = d.axis(x.ndim)
    shape = [d.int(1, s) for s in x.shape]
    shape[axis] = d.int(1, 6)
    at = d.np.integers(-x.shape[axis], x.shape[axis], shape).astype(d.pick(np.int32, np.int64))
    return d.node(name, [x, at], {"axis": axis} if axis else {})


@op("GatherND")
def gather_nd(d, name):
    x = d.tensor(d.shape(2, 4), d.dtype(name))
    b = d.int(0, 1) if d.opset >= 12 else 0
    k = d.int(1, x.ndim - b)
    shape = list(x.shape[:b]) + d.shape(0 if b else 1, 2, 3) + [k]
    at = np.stack([d.np.integers(-x.shape[b + i], x.shape[b + i], shape[:-1]) for i in range(k)], -1)
    return d.node(name, [x, at.astype(np.int64)], {"batch_dims": b} if b or d.chance(0.3) and d.opset >= 12 else {})


def reduction(d, since):
    some = ["none"] + (["add", "mul"] if d.opset >= 16 else []) + (["min", "max"] if d.opset >= 18 else [])
    return {"reduction": d.of(some)} if d.opset >= since and d.chance(0.7) else {}


@op("ScatterElements", "Scatter")
def scatter_elements(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name, [np.float32, np.float64, np.int32, np.int64]))
    axis = d.axis(x.ndim) if d.opset >= 11 else d.int(0, x.ndim - 1)
    shape = [d.int(1, s) for s in x.shape]
    how = reduction(d, 16) if name == "ScatterElements" else {}
    if how.get("reduction", "none") != "none":
        at = d.np.integers(-x.shape[axis], x.shape[axis], shape)
    else:  # no index twice
        at = np.argsort(d.np.random([shape[i] if i != axis % x.ndim else x.shape[i] for i in range(x.ndim)]), axis)
        at = np.take(at, range(shape[axis]), axis)
    return d.node(name, [x, at.astype(d.pick(np.int32, np.int64)), d.tensor(shape, x.dtype)],
                  {**({"axis": axis} if axis else {}), **how})


@op("ScatterND")
def scatter_nd(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name, [np.float32, np.float64, np.int32, np.int64]))
    k = d.int(1, x.ndim)
    places = int(np.prod(x.shape[:k]))
    n = d.int(1, places)
    flat = d.np.permutation(places)[:n]
    how = reduction(d, 16)
    if how.get("reduction", "none") != "none":
        flat = d.np.integers(0, places, n)
    at = np.stack(np.unravel_index(flat, x.shape[:k]), -1).astype(np.int64)
    return d.node(name, [x, at, d.tensor([n] + list(x.shape[k:]), x.dtype)], how)


@op("OneHot")
def one_hot(d, name):
    depth = d.int(1, 6)
    t = d.pick(np.int64, np.int32, np.float32)
    at = d.np.integers(-depth if d.opset >= 11 else 0, depth + 1, d.shape(1, 3)).astype(t)
    values = d.tensor([2], d.pick(np.float32, np.int64, np.int32))
    size = ints(depth) if d.chance() else np.array(depth, d.pick(np.int64, np.float32))
    return d.node(name, [at, size, values], d.maybe({}, axis=d.int(-at.ndim - 1, at.ndim)), fixed=[1] if d.chance(0.7) else [])


@op("NonZero")
def non_zero(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name, [np.float32, np.int32, np.int64, np.uint8, np.bool_]))
    return d.node(name, [np.round(x).astype(x.dtype)])


@op("Compress")
def compress(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name, [np.float32, np.int64]))
    axis = None if d.chance(0.3) else d.axis(x.ndim) if d.opset >= 11 else d.int(0, x.ndim - 1)
    n = x.size if axis is None else x.shape[axis]
    return d.node(name, [x, d.tensor([d.int(1, n)], np.bool_)], {} if axis is None else {"axis": axis},
                  fixed=[1] if d.chance() else [])


@op("Unique")
def unique(d, name):
    x = np.round(d.tensor(d.shape(1, 2), d.dtype(name, [np.float32, np.int64])))
    a = d.maybe({}, sorted=d.int(0, 1), axis=d.axis(x.ndim))
    return d.node(name, [x], a, d.int(1, 4))


# ---------------------------------------------------------------- resizing
MODES = ["nearest", "linear", "cubic"]


@op("Resize")
def resize(d, name):
    if d.opset < 10:
        raise Skip
    rank = d.int(2, 4)
    t = d.dtype(name, [np.float32], "T1" if d.opset >= 11 else "T")
    x = d.tensor([d.int(1, 2) for _ in range(rank - 2)] + d.shape(2, 2, 6, 2), t)
    mode = d.of(MODES if d.opset >= 11 else MODES[:2])
    if mode == "cubic" and rank != 4:
        mode = "linear"
    scales = [1.0] * (rank - 2) + [d.pick(0.5, 0.6, 1.0, 1.5, 2.0, 2.3, 3.0) for _ in range(2)]
    a = {"mode": mode}
    if d.opset == 10:
        return d.node(name, [x, np.array(scales, np.float32)], a, fixed=[1])
    coords = ["half_pixel", "pytorch_half_pixel", "align_corners", "asymmetric", "tf_crop_and_resize"]
    if d.opset >= 19:
        coords.append("half_pixel_symmetric")
    d.maybe(a, coordinate_transformation_mode=d.of(coords))
    if mode == "nearest":
        d.maybe(a, nearest_mode=d.pick("round_prefer_floor", "round_prefer_ceil", "floor", "ceil"))
    if mode == "cubic":
        d.maybe(a, cubic_coeff_a=d.pick(-0.5, -0.75), exclude_outside=d.int(0, 1))
    crop = a.get("coordinate_transformation_mode") == "tf_crop_and_resize"
    begins, ends = [0] * (rank - 2) + [0.1, 0.2], [1] * (rank - 2) + [0.8, 1.2]
    if mode == "nearest":  # ONNX Runtime copies an axis of scale 1 whole, whatever its region
        begins = [0 if s == 1 else b for s, b in zip(scales, begins)]
        ends = [1 if s == 1 else e for s, e in zip(scales, ends)]
    roi = np.array(begins + ends, np.float32) if crop else None
    if crop:
        d.maybe(a, extrapolation_value=2.5)
        a.pop("exclude_outside", None)
    if d.opset >= 18 and not crop and mode != "nearest" and d.chance(0.3):
        a["antialias"] = 1
        a.pop("exclude_outside", None)
    sized = d.chance(0.4)
    sizes = [max(1, int(x.shape[i] * scales[i])) for i in range(rank)]
    empty = np.array([], np.float32)
    if d.opset < 13:  # an empty tensor stands for an absent input
        return d.node(name, [x, roi if crop else empty, empty if sized else np.array(scales, np.float32)] +
                      ([ints(*sizes)] if sized else []), a, fixed=[1, 2, 3])
    if d.opset >= 18 and d.chance(0.3) and not crop:
        a["axes"] = [rank - 2, rank - 1]
        scales, sizes = scales[-2:], sizes[-2:]
        if sized and d.chance():
            a["keep_aspect_ratio_policy"] = d.pick("stretch", "not_larger", "not_smaller")
    return d.node(name, [x, roi, None if sized else np.array(scales, np.float32), ints(*sizes) if sized else None], a,
                  fixed=[1, 2, 3])


@op("Upsample")
def upsample(d, name):
    x = d.tensor([1, d.int(1, 2)] + d.shape(2, 2))
    scales = [1.0, 1.0, float(d.int(1, 3)), float(d.int(1, 3))]
    a = {"mode": d.pick("nearest", "linear")}
    if d.opset < 9:
        return d.node(name, [x], {**a, "scales": scales})
    return d.node(name, [x, np.array(scales, np.float32)], a, fixed=[1])


@op("GridSample")
def grid_sample(d, name):
    n, c = d.int(1, 2), d.int(1, 2)
    rank = 3 if d.opset >= 20 and d.chance(0.3) else 2
    modes = ["bilinear", "nearest", "bicubic"] if d.opset < 20 else ["linear", "nearest", "cubic"]
    if rank == 3:
        modes = modes[:2]
    x, grid = [n, c] + d.shape(rank, rank, 5, 2), [n] + d.shape(rank, rank, 4) + [rank]
    mode, paddings = d.of(modes), ["zeros", "border", "reflection"]
    if "cubic" in mode:  # ONNX Runtime clips the place itself, ONNX's definition the elements around it
        paddings.remove("border")
    return d.node(name, [d.tensor(x), d.tensor(grid, lo=-1.3, hi=1.3)],
                  d.maybe({}, mode=mode, padding_mode=d.of(paddings), align_corners=d.int(0, 1)))


@op("AffineGrid")
def affine_grid(d, name):
    n = d.int(1, 2)
    rank = d.int(2, 3)
    size = ints(n, d.int(1, 3), *d.shape(rank, rank, 5, 2))
    return d.node(name, [d.tensor([n, rank, rank + 1]), size], d.maybe({}, align_corners=d.int(0, 1)), fixed=[1])


@op("RoiAlign")
def roi_align(d, name):
    n, r = d.int(1, 2), d.int(1, 3)
    lo = d.tensor([r, 2], lo=0, hi=3)
    rois = np.concatenate([lo, lo + d.tensor([r, 2], lo=0.5, hi=5)], 1)
    a = d.maybe({}, mode=d.pick("avg", "max"), output_height=d.int(1, 3), output_width=d.int(1, 3),
                sampling_ratio=d.int(1, 3), spatial_scale=d.pick(1.0, 0.5))
    if d.opset >= 16:
        d.maybe(a, coordinate_transformation_mode=d.pick("half_pixel", "output_half_pixel"))
    return d.node(name, [d.tensor([n, d.int(1, 2), 6, 7]), rois, d.np.integers(0, n, r).astype(np.int64)], a)


# ---------------------------------------------------------------- quantisation
@op("QuantizeLinear", "DequantizeLinear")
def quantise(d, name):
    shape = d.shape(1, 4)
    t = d.pick(np.uint8, np.int8, *([np.int16, np.uint16] if d.opset >= 21 else []))
    axis = d.axis(len(shape)) if d.opset >= 13 and d.chance() else None
    per, a = ([] if axis is None else [shape[axis]]), ({} if axis is None else {"axis": axis})
    if d.opset >= 21 and d.chance(0.3):
        axis, block = d.axis(len(shape)), d.int(1, 3)
        shape[axis] *= block
        per = [s // block if i == axis % len(shape) else s for i, s in enumerate(shape)]
        a = {"axis": axis, "block_size": block}
    if name == "DequantizeLinear" and d.chance(0.2) and not a:
        return d.node(name, [d.tensor(shape, np.int32, -90, 90), scale(d, per)])
    x = d.tensor(shape, np.float32, -5, 5) if name == "QuantizeLinear" else d.tensor(shape, t, -20, 20)
    zero = d.tensor(per, t, 0, 9) if d.chance(0.7) or name == "QuantizeLinear" and t != np.uint8 else None
    return d.node(name, [x, scale(d, per), zero], a)


@op("DynamicQuantizeLinear")
def dynamic_quantise(d, name):
    return d.node(name, [d.tensor(d.shape(1, 3), lo=d.pick(-3, 0.5), hi=d.pick(-0.1, 4))], {}, 3)


# ---------------------------------------------------------------- recurrences
@op("RNN", "GRU", "LSTM")
def recurrent(d, name):
    gates = {"RNN": 1, "GRU": 3, "LSTM": 4}[name]
    t, b, i, h = d.int(1, 4), d.int(1, 3), d.int(1, 4), d.int(1, 4)
    direction = d.pick("forward", "reverse", "bidirectional")
    n = 2 if direction == "bidirectional" else 1
    a = {"hidden_size": h}
    if direction != "forward" or d.chance(0.2):
        a["direction"] = direction
    layout = d.int(0, 1) if d.opset >= 14 and d.chance(0.3) else 0
    if layout:
        a["layout"] = 1
    if d.chance(0.25):
        each = {"RNN": 1, "GRU": 2, "LSTM": 3}[name]
        a["activations"] = [d.pick("Tanh", "Sigmoid", "Relu", "HardSigmoid", "Softsign") for _ in range(each * n)]
    if d.chance(0.15):
        a["clip"] = 0.5
    if name == "GRU":
        d.maybe(a, linear_before_reset=d.int(0, 1))
    if name == "LSTM" and d.chance(0.15):
        a["input_forget"] = 1
    swap = (lambda s: [s[1], s[0]] + s[2:]) if layout else (lambda s: s)
    state = lambda p=0.4: d.tensor(swap([n, b, h])) if d.chance(p) else None
    parts = [d.tensor(swap([t, b, i])), d.tensor([n, gates * h, i]), d.tensor([n, gates * h, h]),
             d.tensor([n, 2 * gates * h]) if d.chance(0.7) else None,
             d.np.integers(1, t + 1, b).astype(np.int32) if d.chance(0.3) else None, state()]
    if name == "LSTM":
        parts += [state(), d.tensor([n, 3 * h]) if d.chance(0.3) else None]
    outputs = 3 if name == "LSTM" else 2
    return d.node(name, parts, a, outputs, optional=[0] if d.chance(0.5) else [outputs - 1])


# ---------------------------------------------------------------- generators
@op("ConstantOfShape")
def constant_of_shape(d, name):
    v = d.tensor([1], d.pick(np.float32, np.int64, np.int32, np.uint8, np.bool_, np.float16))
    return d.node(name, [ints(*d.shape(0, 3))], d.maybe({}, value=numpy_helper.from_array(v)))


@op("Range")
def range_(d, name):
    t = d.pick(np.float32, np.int64, np.int32, np.float64)
    step = d.pick(1, 2, -1, 3)
    start = d.int(-5, 5)
    return d.node(name, [np.array(v, t) for v in (start, start + step * d.int(1, 6), step)])


@op("EyeLike")
def eye_like(d, name):
    x = d.tensor(d.shape(2, 2), d.pick(np.float32, np.int64, np.int32))
    return d.node(name, [x], d.maybe({}, k=d.int(-3, 3), dtype=d.pick(TensorProto.FLOAT, TensorProto.DOUBLE, TensorProto.INT32)))


@op("HannWindow", "HammingWindow", "BlackmanWindow")
def window_function(d, name):
    return d.node(name, [np.array(d.int(2, 12), d.pick(np.int32, np.int64))], d.maybe({}, periodic=d.int(0, 1)))


@op("MelWeightMatrix")
def mel(d, name):
    values = [np.array(8, np.int64), np.array(16, np.int64), np.array(8192, np.int64)]
    return d.node(name, values + [np.array(0.0, np.float32), np.array(4000.0, np.float32)])


@op("DFT")
def dft(d, name):
    x = d.tensor([d.int(1, 2), d.int(2, 6), d.int(2, 5), d.pick(1, 2)])
    a = d.maybe({}, inverse=d.int(0, 1)) if x.shape[-1] == 2 else d.maybe({}, onesided=d.int(0, 1))
    if d.opset < 20:
        return d.node(name, [x, np.array(d.int(2, 6)) if d.chance(0.4) else None], d.maybe(a, axis=d.int(1, 2)), fixed=[1])
    return d.node(name, [x, np.array(d.int(2, 6)) if d.chance(0.4) else None, np.array(d.pick(1, 2, -2)) if d.chance() else None],
                  a, fixed=[1, 2])


@op("STFT")
def stft(d, name):
    n, frame, step = d.int(8, 16), d.int(3, 6), d.int(1, 4)
    x = d.tensor([d.int(1, 2), n, 1])
    w = d.tensor([frame], lo=0.1, hi=1) if d.chance() else None
    return d.node(name, [x, np.array(step), w, np.array(frame)], d.maybe({}, onesided=d.int(0, 1)), fixed=[1, 3])


@op("NonMaxSuppression")
def nms(d, name):
    b, n, c = d.int(1, 2), d.int(1, 8), d.int(1, 2)
    lo = d.tensor([b, n, 2], lo=0, hi=1)
    boxes = np.concatenate([lo, lo + d.tensor([b, n, 2], lo=0.1, hi=0.6)], 2)
    center = d.int(0, 1)
    parts = [boxes, d.tensor([b, c, n], lo=0, hi=1), ints(d.int(1, 4)), np.array([0.4], np.float32),
             np.array([0.3], np.float32) if d.chance() else None]
    return d.node(name, parts, {"center_point_box": center} if center else {}, fixed=[2, 3, 4] if d.chance() else [])


# ---------------------------------------------------------------- losses
@op("NegativeLogLikelihoodLoss", "SoftmaxCrossEntropyLoss")
def loss(d, name):
    n, c, rest = d.int(1, 3), d.int(2, 4), d.shape(0, 2, 3)
    target = d.np.integers(0, c, [n] + rest).astype(d.pick(np.int32, np.int64))
    a = d.maybe({}, reduction=d.pick("none", "mean", "sum"))
    if d.chance(0.3):
        a["ignore_index"] = d.int(0, c - 1)
    x = d.tensor([n, c] + rest)
    outputs = d.int(1, 2) if name == "SoftmaxCrossEntropyLoss" else 1
    return d.node(name, [x, target, d.tensor([c], lo=0.1, hi=2) if d.chance() else None], a, outputs)


# ---------------------------------------------------------------- control flow
def tensor_info(name, dtype, shape):
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(np.dtype(dtype)), shape)


@op("If")
def if_(d, name):
    """Draws two branches over outer values. The condition is an input."""
    shape = d.shape(1, 3)
    branches = []
    for op_type in (d.pick("Relu", "Neg", "Abs"), d.pick("Sigmoid", "Exp", "Tanh")):
        out = f"{op_type}_out"
        node = helper.make_node(op_type, ["in1"], [out])
        branches.append(helper.make_graph([node], op_type, [], [tensor_info(out, np.float32, shape)]))
    return d.node(name, [np.array(d.chance()), d.tensor(shape)], {"then_branch": branches[0], "else_branch": branches[1]},
                  hidden=[1])


@op("Loop")
def loop(d, name):
    """Repeats x = f(x) a number of times and stacks the results of the steps."""
    shape, steps = d.shape(1, 2), d.int(0 if d.opset >= 13 else 1, 4)
    nodes = [helper.make_node("Identity", ["go"], ["go_on"]),
             helper.make_node(d.pick("Add", "Mul", "Sub"), ["x", "in3"], ["x_next"]),
             helper.make_node(d.pick("Relu", "Neg", "Identity"), ["x_next"], ["each"])]
    body = helper.make_graph(nodes, "body",
                             [tensor_info("i", np.int64, []), tensor_info("go", np.bool_, []),
                              tensor_info("x", np.float32, shape)],
                             [tensor_info("go_on", np.bool_, []), tensor_info("x_next", np.float32, shape),
                              tensor_info("each", np.float32, shape)])
    return d.node(name, [np.array(steps, np.int64), np.array(True), d.tensor(shape), d.tensor(shape)], {"body": body}, 2,
                  fixed=[0, 1], hidden=[3])


@op("Scan")
def scan(d, name):
    """Draws a running sum, product or maximum of rows."""
    if d.opset < 9:
        raise Skip
    rows, shape = d.int(1, 5), d.shape(1, 2)
    nodes = [helper.make_node(d.pick("Add", "Mul", "Sub"), ["state", "row"], ["state_next"]),
             helper.make_node("Identity", ["state_next"], ["each"])]
    names = ["state", "row"], ["state_next", "each"]
    body = helper.make_graph(nodes, "body", *[[tensor_info(v, np.float32, shape) for v in side] for side in names])
    a = {"body": body, "num_scan_inputs": 1}
    d.maybe(a, scan_input_directions=[d.int(0, 1)], scan_output_directions=[d.int(0, 1)])
    return d.node(name, [d.tensor(shape), d.tensor([rows] + shape)], a, 2)
