"""Holds a random ONNX graph while it is drawn: its values, whose shapes are known, its nodes, and the model that they make.

The encoder of tests/cli/onnx_models.py writes the models, so drawing needs only numpy."""
import os
import random
import sys

import numpy as np

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "cli"))
from onnx_models import field, graph, node, tensor  # noqa: E402

np.seterr(all="ignore")
KINDS = {"f": (1, np.float32), "i": (7, np.int64), "j": (6, np.int32), "b": (9, np.bool_)}
MOST = 4000  # elements of a value


class Again(Exception):
    """Raised if a statement fits none of the values."""


class Value:
    def __init__(self, name, kind, data):
        self.name, self.kind, self.data = name, kind, data  # the elements of a float may be wrong, but not its shape
        self.shape, self.rank = list(data.shape), data.ndim


class Net:
    def __init__(self, seed, nodes, statements):
        self.r = random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.opset = self.r.randint(7, 24)
        self.nodes, self.tensors, self.values, self.ports, self.read = [], [], [], [], set()
        self.empty = self.chance(0.12)
        self.open = self.chance(0.65)
        self.called = self.pick("own", "own", "own", "by size", "?", "none")
        for _ in range(self.pick(1, 1, 2)):
            self.input(self.pick("f", "f", "f", "f", "i"))
        wanted, tries = self.r.randint(1, nodes), 0
        while len(self.nodes) < wanted and tries < 200:
            tries += 1
            kept = len(self.nodes), len(self.tensors), len(self.values), set(self.read), len(self.ports)
            try:
                self.of(statements)(self)
            except Again:
                del self.nodes[kept[0]:], self.tensors[kept[1]:], self.values[kept[2]:], self.ports[kept[4]:]
                self.read = kept[3]
        if not self.nodes:
            self.add("Identity", [self.values[0]], self.values[0].data)
        self.outputs = [v for v in self.values if v.name[0] == "v" and v.name not in self.read]

    # ------------------------------------------------------------ choices
    def chance(self, p):
        return self.r.random() < p

    def pick(self, *choices):
        return self.r.choice(choices)

    def of(self, choices):
        return self.r.choice(choices)

    def int(self, low, high):
        return self.r.randint(low, high)

    # ------------------------------------------------------------ values
    def fill(self, kind, shape):
        if kind == "f":
            return self.np.uniform(-3, 3, shape).astype("f4")
        if kind == "b":
            return self.np.integers(0, 2, shape).astype(bool)
        return self.np.integers(-9, 10, shape).astype(KINDS[kind][1])

    def input(self, kind):
        shape = [self.int(1, 6) for _ in range(self.pick(1, 2, 2, 3, 3, 4))]
        if self.empty and self.chance(0.6):
            shape[self.r.randrange(len(shape))] = 0
        name = f"x{len(self.ports)}"
        v = Value(name, kind, self.fill(kind, shape))
        dims = []
        for i, n in enumerate(shape):
            word = {"own": f"d{len(self.ports)}_{i}", "by size": f"n{n}", "?": "?", "none": ""}[self.called]
            dims.append(word if self.open and self.chance(0.6) else n)
        self.ports.append((v, dims))
        self.values.append(v)
        return v

    def use(self, kinds="f", low=0, high=5, ok=None):
        fit = [v for v in self.values if v.kind in kinds and low <= v.rank <= high and (not ok or ok(v))]
        if not fit:
            raise Again
        return self.of(fit[-4:])

    def constant(self, data, kind=None):
        data = np.asarray(data)
        kind = kind or {"f": "f", "i": "i", "b": "b"}[data.dtype.kind]
        data = data.astype(KINDS[kind][1])
        name = f"c{len(self.tensors)}"
        self.tensors.append(tensor(name, KINDS[kind][0], data.shape, data.tobytes()))
        return Value(name, kind, data)

    def add(self, op, inputs, data, kind=None, **attributes):
        """Adds a node. Inputs are values, or None for those that are left out. The result has data's shape."""
        data = np.asarray(data)
        if data.size > MOST or data.ndim > 6:
            raise Again
        kind = kind or next((i.kind for i in inputs if i), "f")
        v = Value(f"v{len(self.nodes)}", kind, data.astype(KINDS[kind][1]))
        names = [i.name if i else "" for i in inputs]
        while names and not names[-1]:
            names.pop()
        self.read |= set(names)
        self.nodes.append(node(op, names, [v.name], v.name, **attributes))
        self.values.append(v)
        return v

    def axis(self, rank):
        """Draws an axis, as it is written and as it is counted from the front."""
        if not rank:
            raise Again
        a = self.r.randrange(rank)
        return (a - rank if self.opset >= 11 and self.chance(0.3) else a), a

    def numbers(self, data):
        """Makes whole numbers: a constant, or, for numbers that are sizes, nodes that compute them from the shape of a value."""
        data = [int(d) for d in data]
        if not self.chance(0.5):
            return self.constant(np.array(data, "i8"))
        parts = []
        for d in data:
            from_size = [(v, i) for v in self.values for i in range(v.rank) if v.shape[i] == d]
            parts.append(self.size_of(*self.of(from_size)) if from_size and d > 0 else
                         self.constant(np.array([d], "i8")))
        return parts[0] if len(parts) == 1 else self.add("Concat", parts, np.array(data, "i8"), axis=0)

    def size_of(self, v, i):
        shape = self.add("Shape", [v], np.array(v.shape, "i8"), "i")
        if self.chance(0.5):
            return self.add("Gather", [shape, self.constant(np.array([i]))], shape.data[[i]], axis=0)
        one = self.add("Gather", [shape, self.constant(np.array(i))], shape.data[i], axis=0)
        if self.chance(0.3):  # arithmetic that comes back to the same number
            k = self.constant(np.array(self.int(1, 3)))
            up = self.add("Mul", [one, k], one.data * k.data)
            one = self.add("Div", [up, k], one.data)
        return unsqueezed(self, one, [0])

    def size(self, v, i):
        """Draws a size as an exporter computes it, with its number: the size of the axis, or a part of it."""
        own = self.size_of(v, i)
        how = self.r.randrange(4)
        if how == 0:
            k = self.constant(np.array([self.int(1, 3)]))
            return self.add("Div", [own, k], own.data // k.data)
        if how == 1:
            k = self.constant(np.array([self.int(1, 4)]))
            return self.add("Sub", [own, k], own.data - k.data)
        if how == 2:
            k = self.constant(np.array([self.int(1, 2)]))
            return self.add("Add", [own, k], own.data + k.data)
        return own

    # ------------------------------------------------------------ files
    def model(self):
        inputs = [field(1, v.name) + field(2, value_type(KINDS[v.kind][0], dims)) for v, dims in self.ports]
        # What outputs declare is free of sizes: only ranks.
        outputs = [field(1, v.name) + field(2, value_type(KINDS[v.kind][0], [""] * v.rank)) for v in self.outputs]
        version = 10 if self.opset >= 21 else 8 if self.opset >= 15 else 7
        g = graph(self.nodes, inputs, outputs, self.tensors)
        return field(1, version) + field(7, g) + field(8, field(1, "") + field(2, self.opset))


def value_type(kind, dims):
    """Makes a type, in which '' is a size without a name."""
    shape = b"".join(field(1, field(1, d) if isinstance(d, int) else field(2, d) if d else b"") for d in dims)
    return field(1, field(1, kind) + field(2, shape))


def axes_or_input(n, op, v, axes, data, since, **attributes):
    """Writes axes as an attribute before opset `since`, and as an input from then on."""
    if n.opset < since:
        return n.add(op, [v], data, axes=axes, **attributes)
    return n.add(op, [v, n.constant(np.array(axes))], data, v.kind, **attributes)


def unsqueezed(n, v, axes):
    return axes_or_input(n, "Unsqueeze", v, axes, np.expand_dims(v.data, tuple(axes)), 13)
