"""Draws operators for generate.py. Each function turns a Draw into a node's inputs and attributes. It is registered by
`@op(names…)`; a name may carry a variant after a colon."""
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from generate import ANY, FLOATS, NUMBERS, SIGNED, UNSIGNED, Skip

OPS = {}


def op(*names):
    def register(f):
        for n in names:
            OPS[n] = lambda d, n=n: f(d, n.split(":")[0])
        return f
    return register


def ints(*values):
    return np.array(values, np.int64)


# ---------------------------------------------------------------- elementwise
@op("Abs", "Neg", "Sign", "Identity", "Relu", "Floor", "Ceil", "Round", "Reciprocal", "Exp", "Sin", "Cos", "Tan", "Tanh",
    "Sigmoid", "Erf", "Softplus", "Softsign", "Atan", "Asinh", "Sinh", "Cosh", "HardSwish", "Mish", "Not", "BitwiseNot")
def unary(d, name):
    t = d.dtype(name, where="X" if name == "IsNaN" else "T")
    return d.node(name, [d.tensor(d.shape(0), t, -3, 3)])


@op("Sqrt", "Log")
def positive(d, name):
    return d.node(name, [d.tensor(d.shape(0), d.dtype(name), -0.3, 4)])


@op("Acos", "Asin", "Atanh", "Acosh")
def bounded(d, name):
    lo, hi = (1, 5) if name == "Acosh" else (-1, 1)
    return d.node(name, [d.tensor(d.shape(0), d.dtype(name, FLOATS), lo, hi)])


@op("IsNaN", "IsInf")
def special(d, name):
    x = d.tensor(d.shape(1), d.dtype(name, FLOATS, "T1"))
    x.reshape(-1)[:: d.int(2, 3)] = d.pick(np.nan, np.inf, -np.inf)
    a = d.maybe({}, detect_negative=d.int(0, 1), detect_positive=d.int(0, 1)) if name == "IsInf" else {}
    return d.node(name, [x], a)


@op("LeakyRelu", "Elu", "Celu", "ThresholdedRelu", "Selu", "HardSigmoid", "Shrink", "Gelu")
def activation(d, name):
    x = d.tensor(d.shape(0), d.dtype(name, FLOATS), -3, 3)
    a, b = d.r.uniform(0.1, 2), d.r.uniform(0.1, 1)
    which = {"Selu": dict(alpha=a, gamma=b), "HardSigmoid": dict(alpha=a, beta=b), "Shrink": dict(lambd=a, bias=b),
             "Gelu": dict(approximate=d.pick("none", "tanh"))}
    return d.node(name, [x], d.maybe({}, **which.get(name, dict(alpha=a))))


@op("Add", "Sub", "Mul", "Div", "Equal", "Less", "Greater", "LessOrEqual", "GreaterOrEqual", "And", "Or", "Xor",
    "BitwiseAnd", "BitwiseOr", "BitwiseXor", "PRelu")
def binary(d, name):
    t = d.dtype(name)
    shape = d.shape(0)
    a, b = d.tensor(shape, t), d.tensor(d.broadcast(shape), t)
    if name == "Div":
        b[b == 0] = 1
    if name != "PRelu" and d.chance(0.3):
        a, b = b, a
        if name == "Div":
            b[b == 0] = 1
    return d.node(name, [a, b])


@op("Pow")
def power(d, name):
    t = d.dtype(name, FLOATS + [np.int32, np.int64])
    t2 = t if d.opset < 12 else d.dtype(name, FLOATS + [np.int32, np.int64], "T1")
    shape = d.shape(0)
    return d.node(name, [d.tensor(shape, t, 0.1, 3), np.abs(d.tensor(d.broadcast(shape), t2, 0, 0.6))])


@op("Mod")
def mod(d, name):
    t = d.dtype(name)
    shape = d.shape(0)
    a, b = d.tensor(shape, t, -9, 9), d.tensor(d.broadcast(shape), t, -3, 3)
    b[b == 0] = 2
    return d.node(name, [a, b], {"fmod": 1} if np.dtype(t).kind == "f" or d.chance(0.3) else {})


@op("BitShift")
def shift(d, name):
    t = d.dtype(name)
    shape = d.shape()
    return d.node(name, [d.tensor(shape, t, 0, 20), d.np.integers(0, 8, d.broadcast(shape)).astype(t)],
                  {"direction": d.pick("LEFT", "RIGHT")})


@op("Min", "Max", "Sum", "Mean")
def variadic(d, name):
    t = d.dtype(name)
    shape = d.shape(0)
    return d.node(name, [d.tensor(shape if k == 0 else d.broadcast(shape), t) for k in range(d.int(1, 4))])


@op("Where")
def where(d, name):
    t, shape = d.dtype(name), d.shape(0)
    parts = [d.tensor(shape, np.bool_), d.tensor(d.broadcast(shape), t), d.tensor(d.broadcast(shape), t)]
    return d.node(name, parts)


@op("Clip")
def clip(d, name):
    t = d.dtype(name)
    x = d.tensor(d.shape(0), t)
    if d.opset < 11:
        return d.node(name, [x], d.maybe({}, min=-0.5, max=1.0))
    lo, hi = np.array(-1 if np.dtype(t).kind != "u" else 1, t), np.array(2, t)
    return d.node(name, [x, lo if d.chance(0.7) else None, hi if d.chance(0.7) else None])


@op("Cast")
def cast(d, name):
    a, b = d.dtype(name, where="T1"), d.dtype(name, where="T2")
    lo = 0 if np.dtype(b).kind == "u" else -9
    return d.node(name, [d.tensor(d.shape(0), a, lo, 9)], {"to": helper.np_dtype_to_tensor_dtype(np.dtype(b))})


@op("CastLike")
def cast_like(d, name):
    a, b = d.dtype(name, where="T1"), d.dtype(name, where="T2")
    lo = 0 if np.dtype(b).kind == "u" else -9
    return d.node(name, [d.tensor(d.shape(0), a, lo, 9), d.tensor(d.shape(0), b)])


@op("Dropout")
def dropout(d, name):
    x = d.tensor(d.shape(), d.dtype(name, FLOATS))
    if d.opset < 12:
        return d.node(name, [x], d.maybe({}, ratio=0.3))
    ratio = np.array(0.3, np.float32) if d.chance() else None
    return d.node(name, [x, ratio, np.array(False) if d.chance(0.3) else None], {}, d.int(1, 2), fixed=[1, 2])


# ---------------------------------------------------------------- contractions
@op("MatMul")
def matmul(d, name):
    t = d.dtype(name, FLOATS + [np.int32, np.int64, np.uint32, np.uint64])
    m, k, n = d.int(1, 5), d.int(1, 6), d.int(1, 5)
    batch = d.shape(0, 2, 3)
    a, b = batch + [m, k], d.broadcast(batch) + [k, n]
    if d.chance(0.2):
        a = [k]
    if d.chance(0.2):
        b = [k]
    return d.node(name, [d.tensor(a, t), d.tensor(b, t)])


@op("Gemm")
def gemm(d, name):
    t = d.dtype(name, FLOATS + [np.int32, np.int64])
    m, k, n, ta, tb = d.int(1, 5), d.int(1, 6), d.int(1, 5), d.int(0, 1), d.int(0, 1)
    c = d.tensor(d.broadcast([m, n]), t)
    if d.opset >= 11 and d.chance(0.3):
        c = None
    a = d.maybe({}, alpha=d.pick(1.0, 0.5, 2.0), beta=d.pick(1.0, 0.25, 0.0)) if np.dtype(t).kind == "f" else {}
    a.update({k: v for k, v in (("transA", ta), ("transB", tb)) if v or d.chance(0.3)})
    return d.node(name, [d.tensor([k, m] if ta else [m, k], t), d.tensor([n, k] if tb else [k, n], t), c], a)


@op("Einsum")
def einsum(d, name):
    t = d.dtype(name, FLOATS)
    e = d.pick("ij,jk->ik", "bij,bjk->bik", "ij->ji", "ii->i", "ij->", "i,j->ij", "bhwc,hkc->bhwk", "...ij,...jk->...ik",
               "ij,ij->i", "ij,jk", "bi,bi->b", "i,i", "abc->cab", "ij,kj->ik", "b...i,b...i->b...")
    sizes = {c: d.int(1, 4) for c in "abhijkwc"}
    lead = d.shape(1, 2, 3)
    shapes = []
    for term in e.split("->")[0].split(","):
        s = []
        for c in term.replace("...", "."):
            s += lead if c == "." else [sizes[c]]
        shapes.append(s)
    return d.node(name, [d.tensor(s, t) for s in shapes], {"equation": e if d.chance() else e.replace(",", ", ")})


@op("Det")
def det(d, name):
    n = d.int(1, 4)
    return d.node(name, [d.tensor(d.shape(0, 2, 3) + [n, n], d.dtype(name, [np.float32]))])


@op("MatMulInteger")
def matmul_integer(d, name):
    ta, tb = d.dtype(name, where="T1"), d.dtype(name, where="T2")
    m, k, n = d.int(1, 5), d.int(1, 6), d.int(1, 5)
    batch = d.shape(0, 1, 3)
    za = d.pick(None, d.tensor([], ta, 0, 9))
    left, right = d.pick(batch + [m, k], [k]), d.pick(batch + [k, n], batch + [k, n], [k])
    zb = d.pick(None, d.tensor([], tb, 0, 9), *([] if right == [k] else [d.tensor([n], tb, 0, 9)]))
    return d.node(name, [d.tensor(left, ta, -9, 9), d.tensor(right, tb, -9, 9), za, zb])


def scale(d, shape=()):
    return d.tensor(list(shape), np.float32, 0.02, 0.2)


@op("QLinearMatMul")
def qlinear_matmul(d, name):
    ta, tb, ty = (d.dtype(name, [np.uint8, np.int8], w) for w in ("T1", "T2", "T3"))
    m, k, n = d.int(1, 5), d.int(1, 6), d.int(1, 5)
    batch = d.shape(0, 1, 3)
    per = [n] if d.chance(0.3) else []
    return d.node(name, [d.tensor(batch + [m, k], ta, -9, 9), scale(d), d.tensor([], ta, 0, 2), d.tensor([k, n], tb, -9, 9),
                         scale(d, per), d.tensor(per, tb, 0, 2), scale(d), d.tensor([], ty, 0, 9)])


# ---------------------------------------------------------------- normalisations
@op("BatchNormalization")
def batch_norm(d, name):
    t, c = d.dtype(name, [np.float32]), d.int(1, 4)
    x = d.tensor([d.int(1, 3), c] + d.shape(0, 3), t)
    return d.node(name, [x] + [d.tensor([c], t, 0.1, 2) for _ in range(4)], d.maybe({}, epsilon=1e-3))


@op("InstanceNormalization")
def instance_norm(d, name):
    c = d.int(1, 4)
    return d.node(name, [d.tensor([d.int(1, 3), c] + d.shape(1, 3)), d.tensor([c]), d.tensor([c])], d.maybe({}, epsilon=1e-2))


@op("LayerNormalization")
def layer_norm(d, name):
    shape = d.shape(1, 4)
    axis = d.axis(len(shape))
    rest = shape[axis:]
    return d.node(name, [d.tensor(shape), d.tensor(rest), d.tensor(rest) if d.chance() else None],
                  d.maybe({"axis": axis}, epsilon=1e-3), d.pick(1, 1, 3))


@op("GroupNormalization")
def group_norm(d, name):
    g, per = d.int(1, 3), d.int(1, 3)
    n = g if d.opset < 21 else g * per
    return d.node(name, [d.tensor([d.int(1, 2), g * per] + d.shape(1, 2)), d.tensor([n]), d.tensor([n])],
                  d.maybe({"num_groups": g}, epsilon=1e-3))


@op("LpNormalization", "MeanVarianceNormalization", "LRN", "Softmax", "LogSoftmax", "Hardmax")
def along(d, name):
    x = d.tensor(d.shape(4, 4, 5, 2) if name in ("LRN", "MeanVarianceNormalization") else d.shape(1, 4),
                 d.dtype(name, [np.float32, np.float64] if name != "LRN" else [np.float32]))
    axis = d.axis(x.ndim) if d.opset >= 11 or name == "LpNormalization" else d.int(0, x.ndim - 1)
    which = {"LpNormalization": dict(axis=axis, p=d.int(1, 2)), "MeanVarianceNormalization": dict(axes=d.some(4)),
             "LRN": dict(alpha=0.01, beta=0.6, bias=1.5)}
    a = d.maybe({}, **which.get(name, dict(axis=axis)))
    if name == "LRN":
        a["size"] = d.pick(1, 3, 5)
    return d.node(name, [x], a)


# ---------------------------------------------------------------- reductions
@op("ReduceSum", "ReduceMean", "ReduceMax", "ReduceMin", "ReduceProd", "ReduceL1", "ReduceL2", "ReduceLogSum",
    "ReduceLogSumExp", "ReduceSumSquare")
def reduce(d, name):
    whole = [] if name in ("ReduceL2", "ReduceLogSum", "ReduceLogSumExp", "ReduceMean") else [np.int32, np.int64, np.int8, np.uint8, np.bool_]
    t = d.dtype(name, FLOATS + whole)
    x = d.tensor(d.shape(0 if d.opset >= 13 else 1, 4), t, 0.1 if name == "ReduceLogSum" else -2)
    axes = None if d.chance(0.2) or not x.ndim else d.some(x.ndim)
    if axes and d.opset >= 11:
        axes = [i - x.ndim if d.chance(0.3) else i for i in axes]
    a = d.maybe({}, keepdims=d.int(0, 1))
    if d.opset >= (13 if name == "ReduceSum" else 18):
        d.maybe(a, noop_with_empty_axes=d.int(0, 1))
        return d.node(name, [x, None if axes is None else ints(*axes)], a, fixed=[1] if d.chance(0.8) else [])
    if axes is not None:
        a["axes"] = axes
    return d.node(name, [x], a)


@op("ArgMax", "ArgMin")
def arg(d, name):
    x = d.tensor(d.shape(1, 4), d.dtype(name, [np.float32, np.float64, np.int32, np.int8, np.uint8]))
    x = np.round(x).astype(x.dtype)
    a = d.maybe({}, axis=d.axis(x.ndim) if d.opset >= 11 else d.int(0, x.ndim - 1), keepdims=d.int(0, 1))
    if d.opset >= 12:
        d.maybe(a, select_last_index=d.int(0, 1))
    return d.node(name, [x], a)


@op("CumSum")
def cumsum(d, name):
    x = d.tensor(d.shape(1, 3), d.dtype(name, [np.float32, np.float64, np.int32, np.int64]))
    axis = np.array(d.axis(x.ndim), d.pick(np.int32, np.int64))
    return d.node(name, [x, axis], d.maybe({}, exclusive=d.int(0, 1), reverse=d.int(0, 1)), fixed=[1] if d.chance(0.7) else [])


@op("TopK")
def topk(d, name):
    x = d.tensor(d.shape(1, 3, 6), d.dtype(name, [np.float32, np.float64, np.int64, np.int32]))
    if d.chance(0.3):
        x = np.round(x)
    axis = d.axis(x.ndim) if d.opset >= 11 else d.int(0, x.ndim - 1)
    k = d.int(1, x.shape[axis])
    a = d.maybe({}, axis=axis) if axis in (-1, x.ndim - 1) else {"axis": axis}
    if d.opset >= 11:
        d.maybe(a, largest=d.int(0, 1))
    if d.opset < 10:
        return d.node(name, [x], {**a, "k": k}, 2)
    return d.node(name, [x, ints(k)], a, 2, fixed=[1] if d.chance(0.7) else [])


# ---------------------------------------------------------------- moves
@op("Reshape")
def reshape(d, name):
    x = d.tensor(d.shape(1, 4), d.dtype(name))
    shape, rest = [], x.size
    for _ in range(d.int(0, 3)):
        f = d.of([i for i in range(1, rest + 1) if rest % i == 0])
        shape.append(f)
        rest //= f
    shape.append(rest)
    for i in range(min(len(shape), x.ndim)):
        if shape[i] == x.shape[i] and d.chance(0.3):
            shape[i] = 0
    if d.chance():
        shape[d.int(0, len(shape) - 1)] = -1
    return d.node(name, [x, ints(*shape)], {"allowzero": 0} if d.opset >= 14 and d.chance(0.2) else {},
                  fixed=[1] if d.chance(0.7) else [])


@op("Flatten")
def flatten(d, name):
    x = d.tensor(d.shape(1, 4), d.dtype(name))
    axis = d.int(-x.ndim if d.opset >= 11 else 0, x.ndim)
    return d.node(name, [x], d.maybe({}, axis=axis))


@op("Transpose")
def transpose(d, name):
    x = d.tensor(d.shape(1, 4), d.dtype(name))
    perm = list(range(x.ndim))
    d.r.shuffle(perm)
    return d.node(name, [x], d.maybe({}, perm=perm))


@op("Squeeze", "Unsqueeze")
def squeeze(d, name):
    t = d.dtype(name)
    shape = d.shape(1, 3)
    rank = len(shape) + d.int(1, 2)
    at = d.some(rank, rank - len(shape))
    long = [1 if i in at else None for i in range(rank)]
    sizes = iter(shape)
    long = [s or next(sizes) for s in long]
    axes = [i - rank if d.opset >= 11 and d.chance(0.3) else i for i in at]
    x = d.tensor(long if name == "Squeeze" else shape, t)
    if name == "Squeeze" and d.chance(0.2):
        return d.node(name, [x])
    if d.opset < 13:
        return d.node(name, [x], {"axes": axes})
    return d.node(name, [x, ints(*axes)], fixed=[1] if d.chance(0.7) else [])


@op("Expand")
def expand(d, name):
    shape = d.shape(1, 4)
    return d.node(name, [d.tensor(d.broadcast(shape), d.dtype(name)), ints(*d.broadcast(shape) if d.chance(0.3) else shape)],
                  fixed=[1] if d.chance(0.7) else [])


@op("Tile")
def tile(d, name):
    x = d.tensor(d.shape(1, 3, 4), d.dtype(name))
    return d.node(name, [x, ints(*[d.int(1, 3) for _ in range(x.ndim)])], fixed=[1] if d.chance(0.7) else [])


@op("Concat")
def concat(d, name):
    t, shape = d.dtype(name), d.shape(1, 4)
    axis = d.axis(len(shape)) if d.opset >= 11 else d.int(0, len(shape) - 1)
    parts = []
    for _ in range(d.int(1, 4)):
        s = list(shape)
        s[axis] = d.int(0 if d.chance(0.1) else 1, 4)
        parts.append(d.tensor(s, t))
    return d.node(name, parts, {"axis": axis})


@op("Split")
def split(d, name):
    t, shape, n = d.dtype(name), d.shape(1, 4), d.int(1, 4)
    axis = d.axis(len(shape)) if d.opset >= 11 else d.int(0, len(shape) - 1)
    sizes = [d.int(1, 3) for _ in range(n)]
    how = d.pick("sizes", "equal", "uneven") if d.opset >= 18 else d.pick("sizes", "equal")
    shape[axis] = sum(sizes) if how == "sizes" else n * d.int(1, 3)
    if how == "uneven":
        shape[axis] = n * 3 - d.int(0, 2)
    x = d.tensor(shape, t)
    a = d.maybe({}, axis=axis) if axis == 0 else {"axis": axis}
    if how != "sizes":
        return d.node(name, [x], {**a, "num_outputs": n} if d.opset >= 18 else a, n)
    if d.opset < 13:
        return d.node(name, [x], {**a, "split": sizes}, n)
    return d.node(name, [x, ints(*sizes)], a, n, fixed=[1] if d.chance(0.7) else [])


@op("Slice")
def slice_(d, name):
    t, shape = d.dtype(name), d.shape(1, 4, 7)
    axes = d.some(len(shape))
    starts, ends, steps = [], [], []
    for i in axes:
        step = d.pick(1, 1, 1, 2, -1, -2) if d.opset >= 10 else 1
        s, e = sorted([d.int(0, shape[i]), d.int(0, shape[i])])
        if step < 0:
            s, e = e, s - 1 if s > 0 else -shape[i] - 1
        if d.chance(0.2):
            e = d.pick(2 ** 31 - 1, 2 ** 63 - 1, shape[i] + 3) if step > 0 else -shape[i] - 5
        if d.chance(0.3) and 0 < s < shape[i]:
            s -= shape[i]
        starts.append(s), ends.append(e), steps.append(step)
    x = d.tensor(shape, t)
    if d.opset < 10:
        return d.node(name, [x], {"starts": starts, "ends": ends, "axes": axes})
    axes = [i - len(shape) if d.opset >= 11 and d.chance(0.3) else i for i in axes]
    it = d.pick(np.int64, np.int64, np.int32)
    clamp = lambda v: np.array(v, np.int64).clip(np.iinfo(it).min, np.iinfo(it).max).astype(it)
    parts = [clamp(starts), clamp(ends), None if len(axes) == len(shape) and axes == list(range(len(shape))) and d.chance()
             else clamp(axes), clamp(steps) if any(s != 1 for s in steps) or d.chance(0.3) else None]
    return d.node(name, [x] + parts, fixed=[1, 2, 3, 4] if d.chance(0.7) else [])


@op("Pad")
def pad(d, name):
    t = d.dtype(name, FLOATS if d.opset < 11 else [np.float32, np.float64, np.int32, np.int64, np.uint8, np.bool_])
    x = d.tensor(d.shape(1, 4, 5, 2), t)
    mode = d.pick("constant", "constant", "reflect", "edge", *(["wrap"] if d.opset >= 19 else []))
    most = [min(s - 1, 2) for s in x.shape]
    pads = [d.int(-1 if mode == "constant" and d.chance(0.2) and x.shape[i % x.ndim] > 2 else 0, most[i % x.ndim])
            for i in range(2 * x.ndim)]
    a = {"mode": mode} if mode != "constant" or d.chance(0.3) else {}
    if d.opset < 11:
        return d.node(name, [x], d.maybe({**a, "pads": pads}, value=1.5))
    value = np.array(1, t) if mode == "constant" and d.chance() else None
    if d.opset >= 18 and d.chance(0.4):
        axes = d.some(x.ndim)
        some = [pads[i] for i in axes] + [pads[i + x.ndim] for i in axes]
        return d.node(name, [x, ints(*some), value, ints(*axes)], a, fixed=[1, 3])
    return d.node(name, [x, ints(*pads), value], a, fixed=[1] if d.chance(0.7) else [])


@op("DepthToSpace", "SpaceToDepth")
def depth(d, name):
    b = d.int(1, 3)
    shape = [d.int(1, 2), d.int(1, 2) * b * b, d.int(1, 3), d.int(1, 3)]
    a = {"blocksize": b}
    if name == "SpaceToDepth":
        shape = [shape[0], shape[1] // b // b, shape[2] * b, shape[3] * b]
    elif d.opset >= 11:
        d.maybe(a, mode=d.pick("DCR", "CRD"))
    return d.node(name, [d.tensor(shape, d.dtype(name, [np.float32, np.float64]))], a)


@op("Shape", "Size")
def shape_of(d, name):
    x = d.tensor(d.shape(0, 4), d.dtype(name))
    a = d.maybe({}, start=d.int(-4, 4), end=d.int(-4, 4)) if name == "Shape" and d.opset >= 15 else {}
    return d.node(name, [x], a)


@op("Trilu")
def trilu(d, name):
    x = d.tensor(d.shape(2, 4), d.dtype(name, [np.float32, np.float64, np.int64, np.bool_]))
    return d.node(name, [x, np.array(d.int(-4, 4)) if d.chance(0.6) else None], d.maybe({}, upper=d.int(0, 1)),
                  fixed=[1] if d.chance() else [])


@op("ReverseSequence")
def reverse_sequence(d, name):
    b, t = d.int(1, 4), d.int(1, 5)
    batch = d.int(0, 1)
    shape = ([b, t] if batch == 0 else [t, b]) + d.shape(0, 2)
    lens = d.np.integers(1, t + 1, b).astype(np.int64)
    return d.node(name, [d.tensor(shape, d.dtype(name)), lens], {"batch_axis": batch, "time_axis": 1 - batch})


@op("CenterCropPad")
def crop(d, name):
    x = d.tensor(d.shape(1, 3, 6), d.dtype(name, [np.float32]))
    axes = d.some(x.ndim)
    return d.node(name, [x, ints(*[d.int(1, 7) for _ in axes])], {"axes": axes}, fixed=[1])
