"""Draws windows for generate.py: convolutions and pooling of every kind."""
import numpy as np
from generate import FLOATS
from generate_ops import ints, op, scale


def window(d, n, k, padded=True, dilated=True):
    a = d.maybe({}, strides=[d.int(1, 3) for _ in range(n)])
    if dilated and d.chance(0.4):
        a["dilations"] = [d.int(1, 2) for _ in range(n)]
    how = d.pick("none", "pads", "pads", "SAME_UPPER", "SAME_LOWER", "VALID")
    if how == "pads" and padded:
        a["pads"] = [d.int(0, k[i % n] - 1 if k[i % n] > 1 else 0) for i in range(2 * n)]
    elif how == "VALID" or how.startswith("SAME") and all(s <= w for s, w in zip(a.get("strides", [1] * n), k)):
        a["auto_pad"] = how  # if the stride exceeds the window, SAME would crop, and runtimes disagree where
        if how != "VALID":
            a.pop("dilations", None)
    return a


def spatial(d, n, k, least=0):
    return [d.int(2 * k[i] + 1, 2 * k[i] + 6) for i in range(n)]


@op("Conv")
def conv(d, name):
    t, n, g = d.dtype(name, FLOATS), d.int(1, 3), d.pick(1, 1, 1, 2, 3)
    k = [d.int(1, 3) for _ in range(n)]
    c, f = g * d.int(1, 3), g * d.int(1, 3)
    a = window(d, n, k)
    if g > 1 or d.chance(0.2):
        a["group"] = g
    if d.chance(0.5):
        a["kernel_shape"] = k
    return d.node(name, [d.tensor([d.int(1, 2), c] + spatial(d, n, k), t), d.tensor([f, c // g] + k, t),
                         d.tensor([f], t) if d.chance(0.6) else None], a)


@op("ConvTranspose")
def conv_transpose(d, name):
    t, n, g = d.dtype(name, [np.float32]), d.int(1, 3), d.pick(1, 1, 2)
    k = [d.int(1, 3) for _ in range(n)]
    c, f = g * d.int(1, 3), g * d.int(1, 3)
    s = [d.int(1, 3) for _ in range(n)]
    x = [d.int(2, 5) for _ in range(n)]
    a = {"strides": s}
    if d.chance(0.3):
        a["dilations"] = [d.int(1, 2) for _ in range(n)]
    dil = a.get("dilations", [1] * n)
    if d.chance(0.3):
        a["output_padding"] = [d.int(0, max(s[i], dil[i]) - 1) for i in range(n)]
    same = ["SAME_UPPER", "SAME_LOWER"] if all(k[i] >= s[i] for i in range(n)) else []
    how = d.pick("none", "pads", "output_shape", *same)
    if how == "pads":
        a["pads"] = [d.int(0, k[i % n] - 1) for i in range(2 * n)]
    elif how == "output_shape":
        op = a.get("output_padding", [0] * n)
        a["output_shape"] = [s[i] * (x[i] - 1) + op[i] + (k[i] - 1) * dil[i] + 1 - d.int(0, 1) for i in range(n)]
        if d.chance() and d.opset >= 11:
            a["auto_pad"] = d.pick("SAME_UPPER", "SAME_LOWER")
    elif how != "none":
        a["auto_pad"] = how
    if g > 1:
        a["group"] = g
    if d.chance():
        a["kernel_shape"] = k
    return d.node(name, [d.tensor([d.int(1, 2), c] + x, t), d.tensor([c, f // g] + k, t),
                         d.tensor([f], t) if d.chance() else None], a)


@op("ConvInteger")
def conv_integer(d, name):
    n, g = d.int(1, 2), d.pick(1, 2)
    k = [d.int(1, 3) for _ in range(n)]
    c, f = g * d.int(1, 2), g * d.int(1, 2)
    a = window(d, n, k)
    a["group"] = g
    zx, zw = d.pick(None, d.tensor([], np.uint8, 0, 9)), d.pick(None, d.tensor([], np.uint8, 0, 9))
    return d.node(name, [d.tensor([1, c] + spatial(d, n, k), np.uint8, 0, 40), d.tensor([f, c // g] + k, np.uint8, 0, 40),
                         zx, zw], a)


@op("QLinearConv")
def qlinear_conv(d, name):
    t = d.pick(np.uint8, np.int8)
    tw = np.int8 if t == np.int8 else d.pick(np.uint8, np.int8)
    n, g = 2, d.pick(1, 2)
    k = [d.int(1, 3) for _ in range(n)]
    c, f = g * d.int(1, 2), g * d.int(1, 3)
    a = window(d, n, k)
    a["group"] = g
    per = [f] if d.chance() else []
    zw = np.zeros(per, tw) if per else d.tensor(per, tw, 0, 2)
    return d.node(name, [d.tensor([1, c] + spatial(d, n, k), t, -20, 20), scale(d), d.tensor([], t, 0, 2),
                         d.tensor([f, c // g] + k, tw, -20, 20), scale(d, per), zw, scale(d), d.tensor([], t, 0, 9),
                         d.tensor([f], np.int32, -40, 40) if d.chance() else None], a, fixed=[1, 2, 3, 4, 5, 6, 7, 8])


@op("MaxPool", "AveragePool", "LpPool")
def pool(d, name):
    among = FLOATS + [np.int8, np.uint8] if name == "MaxPool" else [np.float32]
    t, n = d.dtype(name, among), d.int(1, 3)
    k = [d.int(1, 3) for _ in range(n)]
    dilated = name == "MaxPool" and d.opset >= 10 or name == "AveragePool" and d.opset >= 19 or d.opset >= 18
    a = window(d, n, k, dilated=dilated)
    a["kernel_shape"] = k
    if d.opset >= (10 if name != "LpPool" else 18) and a.get("auto_pad") is None:
        d.maybe(a, ceil_mode=d.int(0, 1))
    if name == "AveragePool":
        d.maybe(a, count_include_pad=d.int(0, 1))
    if name == "LpPool":
        d.maybe(a, p=d.int(1, 3))
    x = d.tensor([d.int(1, 2), d.int(1, 3)] + spatial(d, n, k), t)
    return d.node(name, [x], a, 2 if name == "MaxPool" and d.opset >= 8 and d.chance(0.4) else 1)


@op("GlobalAveragePool", "GlobalMaxPool", "GlobalLpPool")
def global_pool(d, name):
    x = d.tensor([d.int(1, 3), d.int(1, 3)] + d.shape(1, 3), d.dtype(name, FLOATS))
    return d.node(name, [x], {"p": d.int(1, 3)} if name == "GlobalLpPool" else {})


@op("MaxUnpool")
def max_unpool(d, name):
    h, w = d.int(2, 3), d.int(2, 3)
    x = d.tensor([1, 1, h, w], np.float32)
    at = ints(*[[(2 * i + d.int(0, 1)) * 2 * w + 2 * j + d.int(0, 1) for j in range(w)] for i in range(h)])
    return d.node(name, [x, at.reshape(1, 1, h, w)], {"kernel_shape": [2, 2], "strides": [2, 2]})


@op("Col2Im")
def col2im(d, name):
    k, size = [d.int(1, 3), d.int(1, 3)], [d.int(5, 7), d.int(5, 7)]
    a = d.maybe({}, strides=[d.int(1, 2)] * 2, dilations=[d.int(1, 2)] * 2, pads=[d.int(0, 1) for _ in range(4)])
    st, di, p = a.get("strides", [1, 1]), a.get("dilations", [1, 1]), a.get("pads", [0] * 4)
    blocks = [(size[i] + p[i] + p[i + 2] - di[i] * (k[i] - 1) - 1) // st[i] + 1 for i in range(2)]
    c = d.int(1, 2)
    return d.node(name, [d.tensor([d.int(1, 2), c * k[0] * k[1], blocks[0] * blocks[1]]), ints(*size), ints(*k)], a,
                  fixed=[1, 2])


@op("DeformConv")
def deform_conv(d, name):
    k, g, og = [d.int(1, 3), d.int(1, 3)], d.pick(1, 2), d.pick(1, 2)
    c, f = 2 * d.int(1, 2), 2 * d.int(1, 2)
    a = {"group": g, "offset_group": og}
    d.maybe(a, strides=[d.int(1, 2)] * 2, pads=[d.int(0, 1) for _ in range(4)], kernel_shape=k)
    x = [d.int(4, 6), d.int(4, 6)]
    p, st = a.get("pads", [0] * 4), a.get("strides", [1, 1])
    o = [(x[i] + p[i] + p[i + 2] - k[i]) // st[i] + 1 for i in range(2)]
    kk = k[0] * k[1]
    return d.node(name, [d.tensor([1, c] + x), d.tensor([f, c // g] + k), d.tensor([1, og * kk * 2] + o),
                         d.tensor([f]) if d.chance() else None, d.tensor([1, og * kk] + o, lo=0, hi=1) if d.chance() else None],
                  a)
