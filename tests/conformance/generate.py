#!/usr/bin/env python3
"""Draws conformance cases: ONNX models of one operator over opsets 7 to 24. Attributes, element types, ranks and sizes
(0 among them) are random. ONNX Runtime computes the outputs, or the ONNX reference evaluator where ONNX Runtime has no
kernel.

    generate.py OUT [--seed=1] [--count=10] [--ops=Conv,Slice] [--opset=13]
    mgc test OUT

Open sizes have one name each, one name for equal sizes, one name for different sizes, or a name that is not an identifier.

OUT/Operator_SEED_K/ is a case as `mgc test` takes it. --count is the number of cases for each operator. The same arguments
draw the same cases. The script needs `pip install onnx onnxruntime`, so it is not a part of CI."""
import argparse, os, random, sys, warnings, zlib
import numpy as np
import onnx
from onnx import TensorProto, defs, helper, numpy_helper
import onnxruntime as ort
from onnx.reference import ReferenceEvaluator

warnings.filterwarnings("ignore")
ort.set_default_logger_severity(4)
np.seterr(all="ignore")

# Operators without a kernel in ONNX Runtime, which the reference evaluates correctly.
BY_REFERENCE = {"AffineGrid", "BitwiseNot", "Col2Im", "DFT", "CenterCropPad"}

FLOATS = [np.float32, np.float32, np.float32, np.float64, np.float16]
SIGNED = [np.int32, np.int64, np.int8, np.int16]
UNSIGNED = [np.uint8, np.uint16, np.uint32, np.uint64]
NUMBERS = FLOATS + SIGNED + UNSIGNED
ANY = NUMBERS + [np.bool_]


class Skip(Exception):
    """Raised if a draw makes no valid case."""


class Draw:
    """Random choices for one case, and the node that they end in."""

    def __init__(self, seed, opset):
        self.r = random.Random(seed)
        self.np = np.random.default_rng(seed)
        self.opset = opset
        self.subgraphs = []
        self.empty = self.r.random() < 0.1  # some sizes are 0

    def int(self, lo, hi):
        if lo > hi: # the tensor is empty
            raise Skip
        return self.r.randint(lo, hi)

    def pick(self, *choices):
        return self.r.choice(choices)

    def of(self, choices):
        choices = list(choices)
        if not choices:
            raise Skip
        return self.r.choice(choices)

    def chance(self, p=0.5):
        return self.r.random() < p

    def some(self, n, k=None):
        """Draws k (or any number) of range(n), in order."""
        return sorted(self.r.sample(range(n), self.int(1, n) if k is None else k))

    def shape(self, lo=1, hi=4, most=5, least=1):
        sizes = [self.int(least, most) for _ in range(self.int(lo, hi))]
        if self.empty and sizes and self.chance(0.7):
            sizes[self.int(0, len(sizes) - 1)] = 0
        return sizes

    def dtype(self, op, among=ANY, where="T"):
        """Draws one of the types `among` that the operator takes in this opset."""
        allowed = set()
        for c in schema(op, self.opset).type_constraints:
            if c.type_param_str == where:
                allowed = set(c.allowed_type_strs)
        fit = [t for t in among if f"tensor({onnx_name(t)})" in allowed]
        if not fit:
            raise Skip
        return self.of(fit)

    def tensor(self, shape, dtype=np.float32, lo=-2.0, hi=2.0):
        dtype = np.dtype(dtype)
        if dtype == np.bool_:
            return np.asarray(self.np.random(shape) < 0.5)
        if dtype.kind in "iu":
            lo = 0 if dtype.kind == "u" else int(min(lo * 5, lo))
            return np.asarray(self.np.integers(lo, int(max(hi * 5, hi)) + 1, shape)).astype(dtype)
        return np.asarray(self.np.random(shape) * (hi - lo) + lo).astype(dtype)

    def broadcast(self, shape):
        """Draws a shape that broadcasts with this one."""
        out = [1 if self.chance(0.3) else d for d in shape]
        return out[self.int(0, len(out)):] if self.chance(0.4) else out

    def axis(self, rank):
        return self.int(-rank, rank - 1)

    def maybe(self, attributes, **more):
        """Draws whether to take each of `more`."""
        for k, v in more.items():
            if self.chance(0.6):
                attributes[k] = v
        return attributes

    def node(self, op, inputs, attributes=None, outputs=1, fixed=(), optional=(), hidden=()):
        """Sets the node. `inputs` has arrays, or None for absent inputs. `fixed` lists those that must be initialisers,
        `optional` the outputs that may be left out, and `hidden` inputs of the graph that only subgraphs read."""
        return dict(op=op, hidden=set(hidden), inputs=list(inputs), attributes=dict(attributes or {}), outputs=outputs, fixed=set(fixed),
                    dropped={k for k in optional if self.chance(0.3)})


def onnx_name(dtype):
    return {"float32": "float", "float64": "double"}.get(np.dtype(dtype).name, np.dtype(dtype).name)


def schema(op, opset):
    try:
        return defs.get_schema(op, opset, "")
    except defs.SchemaError:
        raise Skip


# Names an open size by its port, its axis and its value.
DIMENSION_NAMES = [lambda name, i, d: f"{name}_{i}", lambda name, i, d: f"N{d}", lambda name, i, d: "N",
                   lambda name, i, d: "?", lambda name, i, d: "batch size", lambda name, i, d: None]


def info(name, array, symbolic, called=DIMENSION_NAMES[0]):
    dims = [called(name, i, d) if s else d for i, (d, s) in enumerate(zip(array.shape, symbolic))]
    return helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), dims)


def build(draw, case, outputs=None):
    """Returns the model and the arrays of its inputs in order. `outputs` has arrays, or None for unknown outputs."""
    names, inputs, initialisers, feeds = [], [], [], {}
    for i, a in enumerate(case["inputs"]):
        if a is None:
            names.append("")
            continue
        a, name = np.asarray(a), f"in{i}"
        names.append("" if i in case["hidden"] else name)
        as_input = name in case["input_names"]
        if as_input:
            symbolic = case["symbolic"].get(name, [False] * a.ndim)
            inputs.append(info(name, a, symbolic, case["called"]))
            feeds[name] = a
        else:
            initialisers.append(numpy_helper.from_array(np.ascontiguousarray(a).reshape(a.shape), name))
    while names and not names[-1]:
        names.pop()
    outs = ["" if k in case["dropped"] else f"out{k}" for k in range(case["outputs"])]
    node = helper.make_node(case["op"], names, outs, **case["attributes"])
    used = [o for o in outs if o]
    ports = ([info(o, a, [False] * a.ndim) for o, a in zip(used, outputs)] if outputs
             else [helper.make_empty_tensor_value_info(o) for o in used])
    graph = helper.make_graph([node], case["op"], inputs, ports, initialisers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", draw.opset)],
                              ir_version=10 if draw.opset >= 21 else 8)
    return model, feeds


def choose_ports(draw, case):
    """Draws which inputs are inputs of the graph (at least one), and which of their sizes are symbolic."""
    there = [i for i, a in enumerate(case["inputs"]) if a is not None]
    free = [i for i in there if i not in case["fixed"]]
    keep = [i for i in free if i == free[0] or draw.chance(0.7)]
    case["input_names"] = {f"in{i}" for i in keep}
    case["symbolic"] = {}
    case["called"] = draw.of(DIMENSION_NAMES)
    if draw.chance(0.3):
        for i in keep:
            case["symbolic"][f"in{i}"] = [draw.chance(0.5) for _ in np.shape(case["inputs"][i])]


def evaluate(model, feeds):
    options = ort.SessionOptions()
    options.graph_optimization_level = ort.GraphOptimizationLevel.ORT_DISABLE_ALL
    options.log_severity_level = 4
    try:
        session = ort.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
    except Exception as e:
        if "NOT_IMPLEMENTED" not in str(e) or model.graph.node[0].op_type not in BY_REFERENCE:
            raise Skip from e
        try:
            return ReferenceEvaluator(model).run(None, feeds)
        except Exception as e2:
            raise Skip from e2
    try:
        return session.run(None, feeds)
    except Exception as e:
        raise Skip from e


def write(folder, model, feeds, outputs):
    data = os.path.join(folder, "test_data_set_0")
    os.makedirs(data, exist_ok=True)
    onnx.save(model, os.path.join(folder, "model.onnx"))
    for kind, arrays in (("input", list(feeds.items())),
                         ("output", [(o.name, a) for o, a in zip(model.graph.output, outputs)])):
        for i, (name, a) in enumerate(arrays):
            tensor = numpy_helper.from_array(np.ascontiguousarray(a).reshape(np.shape(a)), name)
            with open(os.path.join(data, f"{kind}_{i}.pb"), "wb") as f:
                f.write(tensor.SerializeToString())


def draw_case(op, function, seed, opset):
    draw = Draw(seed, opset or random.Random(seed).randint(7, 24))
    schema(op.split(":")[0], draw.opset)
    case = function(draw)
    choose_ports(draw, case)
    model, feeds = build(draw, case)
    outputs = evaluate(model, feeds)
    if any(not isinstance(o, np.ndarray) and not np.isscalar(o) for o in outputs):
        raise Skip
    outputs = [np.asarray(o) for o in outputs]
    model, feeds = build(draw, case, outputs)
    return model, feeds, outputs


def main():
    from generate_more import OPS
    p = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    p.add_argument("out")
    p.add_argument("--seed", type=int, default=1)
    p.add_argument("--count", type=int, default=10)
    p.add_argument("--opset", type=int)
    p.add_argument("--ops")
    a = p.parse_args()
    names = a.ops.split(",") if a.ops else sorted(OPS)
    total = 0
    for name in names:
        made = 0
        for k in range(a.count * 6):
            if made == a.count:
                break
            try:
                seed = zlib.crc32(f"{name} {a.seed} {k}".encode())
                model, feeds, outputs = draw_case(name, OPS[name], seed, a.opset)
            except Skip:
                continue
            write(os.path.join(a.out, f"{name.replace(':', '_')}_{a.seed}_{k}"), model, feeds, outputs)
            made += 1
        total += made
        if made < min(a.count, 3):
            print(f"{name}: only {made} cases", file=sys.stderr)
    print(f"{total} cases of {len(names)} operators in {a.out}")


if __name__ == "__main__":
    import generate  # the files of the operators import this module
    generate.main()
