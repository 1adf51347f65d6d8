"""Records graphs of ATen operators with PyTorch's inputs and results, for test_aten.py, which needs no PyTorch.

    python3 record_aten.py [operators] [more] [nets]        writes aten_ops.*, aten_more.* and aten_nets.* beside this file
"""

import itertools
import os
import sys

import numpy as np
import torch
from torch import nn
from torch.fx.experimental.proxy_tensor import make_fx
from torch.testing._internal.common_methods_invocations import op_db
from torch.utils import _pytree as pytree

import mg.torch
from mg import _aten
from mg.torch import _backend, _graph

HERE = os.path.dirname(os.path.abspath(__file__))
MOST = 150  # elements of all tensors of a case
RANDOM = ("rand", "bernoulli", "empty", "normal", "dropout", "multinomial", "cauchy", "exponential", "geometric", "uniform")


class Records:
    """Graphs, each as one JSON text, and their arrays, by the number of the graph."""

    def __init__(self):
        self.graphs, self.arrays = [], {}

    def add(self, name, graph, inputs, outputs):
        n = len(self.graphs)
        self.graphs.append((name, _aten.dump(graph)))
        for kind, tensors in (("x", inputs), ("y", outputs)):
            self.arrays.update({f"{n}.{kind}{i}": t.detach().contiguous().numpy() for i, t in enumerate(tensors)})

    def save(self, base):
        with open(os.path.join(HERE, base + ".json"), "w") as file:
            file.write("[\n" + ",\n".join('["%s", %s]' % (name, text.strip()) for name, text in self.graphs) + "\n]\n")
        np.savez_compressed(os.path.join(HERE, base + ".npz"), **self.arrays)


def whole(fx):
    """Returns the graph of an FX module, with its placeholders and results in order, or None if MG does not take all of it."""
    plan = _backend._Plan(fx, _graph.CPU)
    stages = plan.stages()
    if plan.refused or len(stages) != 1 or any(not plan._number(n) for n in stages[0][1]):
        return None
    inside = stages[0][0]
    inputs = [n for n in fx.graph.nodes if n.op == "placeholder" and any(u in inside for u in n.users) and "val" in n.meta
              and isinstance(n.meta["val"], torch.Tensor)]
    results = [n for n in pytree.tree_leaves(fx.graph.output_node().args[0]) if n in inside]
    graph = _graph.graph(inside, inputs, list(dict.fromkeys(results)))
    try:
        text, _ = _aten.write(graph)
        mg.compile_text(text, level=0, interpret=True)
    except (_aten.Refused, mg.Error):
        return None
    return graph, inputs, list(dict.fromkeys(results))


def run(fx, inputs, results, tensors):
    """Returns the values of these nodes."""
    values = {}

    class Watch(torch.fx.Interpreter):
        def run_node(self, node):
            values[node] = super().run_node(node)
            return values[node]

    with torch.no_grad():
        Watch(fx).run(*tensors)
    return [values[n] for n in inputs], [values[n] for n in results]


def operators():
    records, seen = Records(), {}
    decompositions = _backend.decompositions()
    for op in op_db:
        for dtype in (torch.float32, torch.int64, torch.bool):
            if dtype not in op.dtypes or any(word in op.name for word in RANDOM):
                continue
            torch.manual_seed(1)
            try:
                samples = list(itertools.islice(op.sample_inputs("cpu", dtype, requires_grad=False), 8))
            except Exception:  # some operators have no samples of a type
                continue
            for sample in samples:
                flat, spec = pytree.tree_flatten((sample.input, sample.args, sample.kwargs))
                places = [i for i, x in enumerate(flat) if isinstance(x, torch.Tensor)]
                tensors = [flat[i] for i in places]

                def call(*given):
                    again = list(flat)
                    for i, t in zip(places, given):
                        again[i] = t
                    x, args, named = pytree.tree_unflatten(again, spec)
                    return [y for y in pytree.tree_leaves(op.op(x, *args, **named)) if isinstance(y, torch.Tensor)]

                try:
                    fx = make_fx(torch.func.functionalize(call), decomposition_table=decompositions, tracing_mode="fake")(*tensors)
                except Exception:  # not every operator can be traced
                    continue
                names = [(_backend.op_name(n.target), dtype) for n in fx.graph.nodes if n.op == "call_function"]
                new = [n for n in names if seen.get(n, 0) < 2]
                if not new or len(names) > 12 or any(word in n for n, _ in names for word in RANDOM):
                    continue
                made = whole(fx)
                if not made:
                    continue
                inputs, outputs = run(fx, made[1], made[2], tensors)
                if sum(t.numel() for t in inputs + outputs) > MOST:
                    continue
                for n in names:
                    seen[n] = seen.get(n, 0) + 1
                records.add(op.name, made[0], inputs, outputs)
    records.save("aten_ops")
    rows = {n.rsplit(".", 1)[0] for n, _ in seen} | {n for n, _ in seen}
    print(f"{len(records.graphs)} cases; rows without one: {sorted(set(_aten.rows.ROWS) - rows)}")


# Operators whose samples are too large, or that have none.
_UNARY = "floor ceil trunc asin asinh atan atanh expm1 sinh tan sgn"
MORE = {
    **{f: (getattr(torch, f), [torch.linspace(-0.9, 0.9, 7)]) for f in _UNARY.split()},
    "activations": (lambda x: [nn.functional.gelu(x), nn.functional.gelu(x, approximate="tanh"), nn.functional.leaky_relu(x, 0.3),
                               nn.functional.hardswish(x), nn.functional.logsigmoid(x)], [torch.linspace(-4, 4, 9)]),
    "order": (lambda x: [*torch.sort(x, 0, descending=True), *torch.topk(x, 2), *torch.max(x, 1), *torch.min(x, 0, keepdim=True),
                         torch.argsort(x, 1)], [torch.randn(3, 5)]),
    "parts": (lambda x: [*torch.split(x, 2, 1), *torch.split(x, [1, 4], 1), *torch.unbind(x, 0),
                         torch.slice_scatter(x, torch.zeros(3, 2), 1, 1, 5, 2)], [torch.randn(3, 5)]),
    "choices": (lambda x, i: [torch.where(x > 0, 1.5, x), torch.where(x > 0, x, 2.0), torch.where(x > 0, 1.0, 2.0), x.scatter(1, i, 9.0)],
                [torch.randn(3, 4), torch.tensor([[0, 2], [1, 3], [3, 0]])]),
    "attention": (torch.ops.aten._scaled_dot_product_flash_attention_for_cpu.default,
                  [torch.randn(1, 2, 3, 4), torch.randn(1, 2, 5, 4), torch.randn(1, 2, 5, 4), 0.0, True]),
    "pools": (lambda x: [nn.functional.avg_pool1d(x[0], 2), nn.functional.max_pool3d(x[None], 2), nn.functional.adaptive_avg_pool1d(x[0], 2)],
              [torch.randn(2, 2, 4, 4)]),
    "pads": (lambda x: [nn.functional.pad(x, (1, 2, 0, 1, 1, 1), mode=m) for m in ("reflect", "replicate")], [torch.randn(1, 1, 2, 2, 3)]),
    "batch_norm": (lambda x, m, v, w, b: nn.functional.batch_norm(x, m, v, w, b), [torch.randn(2, 3, 4), *torch.rand(4, 3)]),
    "weight_norms": (lambda d, v, g, h: [*torch.ops.aten._weight_norm_interface_backward(d, v, g, v.norm(dim=(1, 2), keepdim=True), 0),
                                         *torch.ops.aten._weight_norm_interface_backward(d, v, h, v.norm(dim=(0, 1), keepdim=True), 2)],
                     [torch.randn(2, 3, 4), torch.randn(2, 3, 4), torch.rand(2, 1, 1), torch.rand(1, 1, 4)]),
    "strided": (lambda x, a, b: [torch.as_strided_scatter(x, a, (2, 2), (5, 2), 3), torch.as_strided_scatter(x, b, (3, 2), (4, 1))],
                [torch.randn(4, 4), torch.randn(2, 2), torch.randn(3, 2)]),
    "half": (lambda x: [x ** 2, x ** 0.5, 2.5 ** x, x // 0.3, x.clamp(0.75, 1), x.div(0.3, rounding_mode="trunc")], [torch.rand(3, 4).half() + 0.5]),
    "special": (lambda x: [torch.erfinv(x.tanh()), torch.lgamma(x), torch.xlogy(x, 2.0)], [torch.randn(3, 4)]),
    "shifts": (lambda n: [n >> 1, n << 2], [torch.arange(-6, 6, dtype=torch.int32)]),
    "numbers": (lambda x: [torch.arange(6, dtype=torch.float32).reshape(2, 3) + x, torch.zeros_like(x).copy_(x[0])], [torch.randn(2, 3)]),
}


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2, batch_first=True)
        self.norm, self.up, self.down = nn.LayerNorm(8), nn.Linear(8, 12), nn.Linear(12, 8)

    def forward(self, x):
        y = self.norm(x)
        x = x + self.attention(y, y, y, need_weights=False)[0]
        return x + self.down(nn.functional.gelu(self.up(x)))


NETS = {
    "mlp": (lambda: nn.Sequential(nn.Linear(4, 6), nn.ReLU(), nn.Linear(6, 3), nn.Softmax(-1)), lambda n: torch.randn(n, 4)),
    "convolutions": (lambda: nn.Sequential(nn.Conv2d(2, 3, 3, padding=1), nn.BatchNorm2d(3), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(3, 4, 1),
                                           nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(4, 2)), lambda n: torch.randn(n, 2, 6, 6)),
    "block": (Block, lambda n: torch.randn(n, 5, 8)),
    "lookup": (lambda: nn.Sequential(nn.Embedding(7, 5), nn.GroupNorm(1, 3), nn.Flatten(), nn.Linear(15, 2)),
               lambda n: torch.randint(0, 7, (n, 3))),
}


def more():
    records = Records()
    for name, (call, given) in MORE.items():
        torch.manual_seed(3)
        tensors = [x for x in given if isinstance(x, torch.Tensor)]
        rest = given[len(tensors):]
        with torch.no_grad():
            fx = make_fx(torch.func.functionalize(lambda *t: pytree.tree_leaves(call(*t, *rest))),
                         decomposition_table=_backend.decompositions(), tracing_mode="fake")(*tensors)
        fx.graph.eliminate_dead_code()
        made = whole(fx)
        if made:
            records.add(name, made[0], *run(fx, made[1], made[2], tensors))
        else:
            print(f"{name}: a part runs in PyTorch", _backend._Plan(fx, _graph.CPU).refused)
    records.save("aten_more")
    print(f"{len(records.graphs)} graphs of operators without samples")


def nets():
    """Records each net with fixed sizes, with an open batch, and with its backward graph."""
    records = Records()
    for name, (make, draw) in NETS.items():
        for kind in ("inference", "open", "training"):
            torch.manual_seed(2)
            torch._dynamo.reset()
            net = make().train(kind == "training").eval() if kind != "training" else make().train()
            caught = []

            def compiler(fx, _inputs):
                return _backend.make_boxed_func(lambda *args: caught.append((fx, args)) or fx(*args))

            backend = _backend.aot_autograd(fw_compiler=compiler, decompositions=_backend.decompositions())
            compiled = torch.compile(net, backend=backend, dynamic=kind == "open")
            with torch.set_grad_enabled(kind == "training"):
                y = compiled(draw(3))
                if kind == "training":
                    y.square().sum().backward()
            for fx, args in caught:
                made = whole(fx)
                if made:
                    inputs, outputs = run(fx, made[1], made[2], args)
                    records.add(f"{name}, {kind}", made[0], inputs, outputs)
                else:
                    print(f"{name}, {kind}: a part runs in PyTorch")
    records.save("aten_nets")
    print(f"{len(records.graphs)} graphs of nets")


if __name__ == "__main__":
    for part in sys.argv[1:] or ("operators", "more", "nets"):
        globals()[part]()
