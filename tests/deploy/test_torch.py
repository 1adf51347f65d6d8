"""Tests mg.torch with PyTorch: torch.compile(backend="mg") against eager mode, derivatives, open sizes, refusals, export, and the page's
code.

Networks of torchvision and transformers run if these packages are installed. The number of those left out is printed at the end.
"""

import copy
import itertools
import os
import re
import subprocess
import sys
import tempfile
import threading
import warnings

import torch
from torch import nn

import mg
import mg.torch

HERE = os.path.dirname(os.path.abspath(__file__))
skipped = []


def close(got, want, bound=1e-4):
    assert got.dtype == want.dtype and got.shape == want.shape, (got.dtype, got.shape, want.dtype, want.shape)
    error = (got.double() - want.double()).abs().max().item() if got.numel() else 0.0
    assert error <= bound * max(want.double().abs().max().item(), 1e-9) + 1e-7, error


def draw_parameters(net):
    """Sets values other than 0 and 1, which many of them are at first."""
    torch.manual_seed(0)
    with torch.no_grad():
        for p in net.parameters():
            p.add_(torch.randn_like(p) * 0.02)
    return net.eval()


def perceptron():
    return draw_parameters(nn.Sequential(nn.Linear(4, 8), nn.GELU(), nn.LayerNorm(8), nn.Linear(8, 3), nn.Softmax(-1)))


def image_net():
    return draw_parameters(nn.Sequential(
        nn.Conv2d(3, 6, 3, padding=1), nn.BatchNorm2d(6), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(6, 6, 3, groups=3), nn.SiLU(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(24, 5), nn.LogSoftmax(-1)))


def encoder():
    return draw_parameters(nn.Sequential(nn.Linear(6, 8), nn.TransformerEncoderLayer(8, 2, 12, batch_first=True)))


NETS = [(perceptron, (5, 4)), (image_net, (2, 3, 10, 10)), (encoder, (2, 7, 6))]


def test_inference():
    for make, shape in NETS:
        net, x = make(), torch.randn(shape)
        torch._dynamo.reset()
        with torch.no_grad():
            close(torch.compile(net, backend="mg")(x), net(x))
            seen = mg.torch.explain(net, x)
        assert seen.outside == 0 and len(seen.graphs) == 1 and not seen.breaks, seen


def test_training():
    """The loss, all gradients and a few steps are those of eager mode."""
    for make, shape in NETS:
        torch._dynamo.reset()
        first = make().train()
        nets = [first, copy.deepcopy(first)]
        for part in [p for net in nets for p in net.modules() if isinstance(p, nn.Dropout)]:
            part.p = 0.0
        for part in [p for net in nets for p in net.modules() if isinstance(p, nn.MultiheadAttention)]:
            part.dropout = 0.0
        calls = [torch.compile(nets[0], backend="mg"), nets[1]]
        rules = [torch.optim.SGD(net.parameters(), 0.1) for net in nets]
        for _ in range(3):
            x = torch.randn(shape)
            for call, rule in zip(calls, rules):
                rule.zero_grad()
                call(x).square().sum().backward()
            for (name, a), b in zip(nets[0].named_parameters(), nets[1].parameters()):
                assert (a.grad - b.grad).abs().max() <= 1e-3 * max(b.grad.abs().max().item(), 1e-3), (name, make)
            for rule in rules:
                rule.step()
        for a, b in zip(nets[0].buffers(), nets[1].buffers()):
            close(a, b, 1e-3)


def test_open_sizes():
    """The second batch recompiles with an open size, and no later one does."""
    net, reports = perceptron(), []
    torch._dynamo.reset()
    compiled = torch.compile(net, backend="mg")
    with mg.torch.watch(reports), torch.no_grad():
        for n in (3, 5, 8, 2, 64):
            x = torch.randn(n, 4)
            close(compiled(x), net(x))
    assert len(reports) == 2, len(reports)


def test_gaps():
    """Operators that run in PyTorch are given the strides that they had in its tracing: what det leaves for its derivative depends on them."""
    functions = [(lambda x: torch.linalg.det(x[..., :3]), (3, 4)), (lambda x: torch.linalg.slogdet((x * 2).mT)[1], (3, 3)),
                 (lambda x: torch.linalg.det((x * 2)[:1].expand(4, 3, 3)), (3, 3)), (lambda x: torch.linalg.det((x * 2).mT.exp()), (3, 3))]
    for f, shape in functions:
        torch._dynamo.reset()
        compiled = torch.compile(f, backend="mg")
        for n in (2, 5, 6):
            x = torch.randn(n, *shape)
            slopes = []
            for call in (compiled, f):
                y = x.clone().requires_grad_()
                call(y).sum().backward()
                slopes.append(y.grad)
            close(*slopes, 1e-3)


def test_memory():
    """Parameters that change in place or are replaced, inputs with gaps or in another order, and results that are views."""
    net = image_net()
    torch._dynamo.reset()
    compiled = torch.compile(net, backend="mg")
    with torch.no_grad():
        x = torch.randn(2, 3, 10, 10)
        close(compiled(x), net(x))
        net[0].weight.mul_(2)
        close(compiled(x), net(x))
        net[0].weight.data.mul_(0.5)  # unseen by autograd
        close(compiled(x), net(x))
        net[8].weight.data = torch.randn(24, 5).t()
        close(compiled(x), net(x))
        for y in (torch.randn(4, 3, 20, 20)[::2, :, ::2, ::2], x.to(memory_format=torch.channels_last), x[:1].expand(2, 3, 10, 10)):
            close(compiled(y), net(y))
        turned = torch.compile(lambda x: (x.relu().t(), x.view(-1)), backend="mg")
        y = torch.randn(3, 4)
        a, b = turned(y)
        assert a.stride() == (1, 4) and b.data_ptr() == y.data_ptr()


def test_orders_of_axes():
    """The order of axes in memory, which is found from sizes and strides alone."""
    x = torch.zeros(2, 1, 3, 4)
    for y in (x, x.permute(0, 2, 3, 1), x.permute(3, 1, 0, 2), x[:, :, 1:], x[..., ::2], x[:, :, :0], x.expand(2, 5, 3, 4), x[0, 0, 0, 0], x.mT):
        order = mg.torch._graph.order_of(y)
        assert (order is None) == y.is_contiguous() and (not order or y.permute(order).is_contiguous()), (y.shape, y.stride(), order)
        dense = any(y.permute(p).is_contiguous() for p in itertools.permutations(range(y.dim())))
        assert dense == (order != ()), (y.shape, y.stride(), order)


def test_cuda_operators():
    """Cells of recurrent nets, as PyTorch's tracing on CUDA gives them."""
    from mg.torch import _cuda

    gates, cells = {"lstm": 4, "gru": 3}, {"lstm": nn.LSTMCell(5, 6), "gru": nn.GRUCell(5, 6)}
    for kind, cell in cells.items():
        x, h, c = (torch.randn(3, n, requires_grad=True) for n in (5, 6, 6))
        state = (h, c) if kind == "lstm" else (h,)
        want = cell(x, state) if kind == "lstm" else (cell(x, h),)
        dy = [torch.randn_like(y) for y in want]
        parts = (x @ cell.weight_ih.T, h @ cell.weight_hh.T, state[-1], cell.bias_ih, cell.bias_hh)
        assert parts[0].shape[1] == 6 * gates[kind]
        *got, workspace = getattr(_cuda, f"_{kind}_cell")(*parts)
        for a, b in zip(got, want):
            close(a, b)
        wanted = torch.autograd.grad(want, [x, *state, cell.bias_ih, cell.bias_hh], dy)
        with torch.no_grad():
            if kind == "lstm":
                d_gates, dc, d_bias = _cuda._lstm_cell_backward(*dy, c, got[1], workspace, True)
                found = d_gates @ cell.weight_ih, d_gates @ cell.weight_hh, dc, d_bias, d_bias
            else:
                d_input, d_hidden, dh, d_ih, d_hh = _cuda._gru_cell_backward(*dy, workspace, True)
                found = d_input @ cell.weight_ih, d_hidden @ cell.weight_hh + dh, d_ih, d_hh
        for a, b in zip(found, wanted):
            close(a, b)


def test_cuda_attention():
    """What scaled_dot_product_attention becomes on CUDA, traced with tensors that have no memory: MG has rows, but not with dropout."""
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx
    from mg.torch import _backend, _graph

    aten = torch.ops.aten
    flash, efficient = aten._scaled_dot_product_flash_attention, aten._scaled_dot_product_efficient_attention
    with FakeTensorMode():
        q, k, bias = (torch.empty(2, *s, device="cuda", dtype=torch.float16) for s in ((4, 8, 16), (2, 8, 16), (4, 8, 8)))
        calls = [(True, lambda q, k: flash(q, k, k, 0.0, True, scale=0.25)[0], (q, k)),
                 (False, lambda q, k: flash(q, k, k, 0.5)[0], (q, k)),
                 (True, lambda q, k: efficient(q, k, k, bias, False)[0], (q, q)),
                 (False, lambda q, k: efficient(q, k, k, None, True)[:2], (q, q))]
        for may, call, given in calls:
            fx = make_fx(call)(*given)
            plan = _backend._Plan(fx, _graph.device_of(fx))
            inputs = [n for n in fx.graph.nodes if n.op in ("placeholder", "get_attr")]
            graph = _graph.graph(plan.nodes, inputs, fx.graph.output_node().all_input_nodes, _graph.device_of(fx))
            try:
                mg.compile_text(mg._aten.write(graph)[0], level=0, interpret=True)
            except mg._aten.Refused:
                assert not may
            else:
                assert may


def test_attention():
    """PyTorch's decomposition of attention is one kernel, as plan and --explain say, with merged batches and grouped heads, too."""
    from torch.nn.attention import SDPBackend, sdpa_kernel

    def attend(q, k, v, mask):
        q, k, v = (x.unflatten(-1, (-1, 16)).transpose(1, 2) for x in (q, k, v))
        y = nn.functional.scaled_dot_product_attention(q, k, v, mask, enable_gqa=k.shape[1] < q.shape[1])
        return y.transpose(1, 2).flatten(2)

    for heads, keys, masked in ((4, 4, True), (4, 4, False), (4, 2, True)):
        torch._dynamo.reset()
        q, k, v = (torch.randn(2, 20, n * 16) for n in (heads, keys, keys))
        mask = torch.rand(2, 1, 20, 20) < 0.7 if masked else None
        if masked:
            mask[1, 0, 3] = False
        with tempfile.TemporaryDirectory() as folder, torch.no_grad(), sdpa_kernel(SDPBackend.MATH):
            close(torch.compile(attend, backend="mg", options={"dump": folder})(q, k, v, mask), attend(q, k, v, mask))
            path, = (os.path.join(folder, name) for name in os.listdir(folder))
            ir = subprocess.check_output([os.environ["MGC"], "--emit-ir", path], text=True)
            assert ir.count('#anchor("attention")') == 1 and ir.count("exp(") == 1, ir


def test_complex():
    """Complex tensors are pairs in MG: rotations of queries as Llama's first code had them, arithmetic, moves, memory in any order."""
    def rotate(q, f):
        z = torch.view_as_complex(q.reshape(*q.shape[:-1], -1, 2))
        return torch.view_as_real(z * f.view(1, q.shape[1], 1, -1)).flatten(3)

    a, b = (torch.complex(torch.randn(3, 4), torch.randn(3, 4)) for _ in range(2))
    r, places = torch.randn(3, 4), torch.arange(5.0)
    cases = [(rotate, (torch.randn(2, 5, 3, 8), torch.polar(torch.ones(5, 4), torch.randn(5, 4)))),
             (lambda p, r: torch.polar(torch.ones(5, 4), torch.outer(p, r[0])), (places, r)),
             (lambda a, b, r: ((a * b + a - b * 2.0) * r + 1j, a.real - b.imag, a.abs(), b.angle(), torch.complex(r, r[0]) * 2), (a, b, r)),
             (lambda a: (a.T, a.reshape(-1)[2:], a[:, None].expand(3, 2, 4).sum(1), a[..., -1], torch.stack([a, -a], -1), a @ a.T), (a,)),
             (lambda a, b, r: (a / b, a / r, r / a, 1 / a, a / (2 + 1j), a / (b * 0), a.exp(), (b * 0 + r).exp(), a.log(), a.sqrt()), (a, b, r)),
             (lambda a, b, r: (a.conj(), a * b.conj(), a.conj().imag + 1, b.mH @ a, torch.vdot(a[0], b[0]), a.conj_physical()), (a, b, r)),
             (lambda a, b: (a ** 2, a ** -1, a ** b, (a * 0) ** b, (a * 0) ** 0, a.sgn(), a == a.to(torch.complex128), a != b, 2 - a), (a, b)),
             (lambda a, b, r: (torch.where(r > 0, a, b), a.sum(), a.mean(), a.mean(0, keepdim=True), a.cumsum(1), a @ b[0], a[0] @ b[0],
                               torch.addmm(a[:, :3], a, b.T)), (a, b, r)),
             (lambda a: (torch.zeros_like(a) + a, torch.full((2,), 1 + 2j) * a[:2, 1], torch.ones_like(a), a.flip(0, -1), a.unbind(-1)[1] * 2,
                         a[torch.tensor([2, 0])], a.split(2, 1)[1] * 1j, a.index_select(-1, torch.tensor([1, 3]))), (a,)),
             (lambda a, b: a * b, (a[:, ::2], b.T[::2].T)), (lambda a, b: a * b, (a.T, b.to(torch.complex128).T))]
    for f, given in cases:
        torch._dynamo.reset()
        reports = []
        with torch.no_grad(), mg.torch.watch(reports):
            got, want = torch.compile(f, backend="mg")(*given), f(*given)
        assert not any(report.outside for report in reports), reports
        for y, w in zip(*((x if isinstance(x, tuple) else (x,)) for x in (got, want))):
            assert y.dtype == w.dtype and y.shape == w.shape and torch.allclose(y, w, atol=1e-5, rtol=1e-4, equal_nan=True), (y, w)
    torch._dynamo.reset()
    z, gradients = a.clone().requires_grad_(), []
    for f in (lambda z: (z.exp() / (z.conj() + 3)).abs().sum(), torch.compile(lambda z: (z.exp() / (z.conj() + 3)).abs().sum(), backend="mg")):
        gradients += torch.autograd.grad(f(z), z)
    assert torch.allclose(*gradients, atol=1e-5, rtol=1e-4), gradients
    torch._dynamo.reset()
    with torch.no_grad():  # PyTorch has only noted that these are to be conjugated and negated
        twice = torch.compile(lambda z, x: (z * 2, x * 2), backend="mg")
        for z in (a, a.conj()):
            y, w = twice(z, z.imag)
            assert torch.equal(y.resolve_conj(), z * 2) and torch.equal(w, z.imag * 2)


def test_frozen():
    """What is computed from bound parameters is kept until PyTorch counts a change of them, or they are replaced."""
    net = image_net().to(memory_format=torch.channels_last)
    torch._dynamo.reset()
    with tempfile.TemporaryDirectory() as folder, torch.no_grad():
        compiled = torch.compile(net, backend="mg", options={"frozen": True, "dump": folder})
        x = torch.randn(2, 3, 10, 10)
        close(compiled(x), net(x))
        texts = [open(os.path.join(folder, name)).read() for name in os.listdir(folder)]
        assert len(texts) == 1 and texts[0].count("param ") == 10, texts
        net[0].weight.mul_(2)
        close(compiled(x), net(x))
        net[8].weight.data = torch.randn(24, 5).t()
        close(compiled(x), net(x))
        net.load_state_dict(image_net().state_dict())
        close(compiled(x), net(x))
        with torch.inference_mode():
            close(compiled(x), net(x))
    torch._dynamo.reset()
    compiled(x).sum().backward()  # the parameters of a training change, so they are not frozen
    first = [p.grad.clone() for p in net.parameters()]
    net.zero_grad()
    net(x).sum().backward()
    for a, p in zip(first, net.parameters()):
        assert (a - p.grad).abs().max() <= 1e-3 * max(p.grad.abs().max().item(), 1e-3)


def test_index_put():
    """Indices of any axes, with values that broadcast, replaced and added."""
    two, columns = torch.tensor([0, 2]), torch.tensor([[1, 3], [-1, 0]])
    for indices in ([two], [None, two], [two, two], [two, None, two], [None, columns, two], [two, two, two], [None, None, columns]):
        for accumulate in (False, True):
            for dtype in (torch.float32, torch.int64, torch.bool):
                def put(x, v):
                    return torch.ops.aten.index_put(x, indices, v, accumulate)

                x = torch.arange(64).reshape(4, 4, 4).to(dtype)
                reports = []
                torch._dynamo.reset()
                with mg.torch.watch(reports):
                    for v in (torch.tensor(7).to(dtype), torch.zeros(x[tuple(slice(None) if i is None else i for i in indices)].shape[-1:], dtype=dtype)):
                        assert torch.equal(torch.compile(put, backend="mg", dynamic=False)(x, v), put(x, v)), (indices, accumulate, dtype)
                assert not any(r.outside for r in reports), reports


class Counter(nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("seen", torch.zeros(3))

    def forward(self, x):
        self.seen.add_(x)
        return self.seen * 2


def test_side_effects():
    one, two = Counter(), Counter()
    compiled = torch.compile(one, backend="mg")
    for _ in range(3):
        assert torch.equal(compiled(torch.ones(3)), two(torch.ones(3))) and torch.equal(one.seen, two.seen)


def test_threads_and_fork():
    net, wrong = perceptron(), []
    compiled = torch.compile(net, backend="mg")
    with torch.no_grad():
        compiled(torch.randn(4, 4))

        def work():
            with torch.no_grad():
                for _ in range(20):
                    x = torch.randn(4, 4)
                    if (compiled(x) - net(x)).abs().max() > 1e-5:
                        wrong.append(x)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        assert not wrong
        child = os.fork()
        if child == 0:
            torch.set_num_threads(1)
            x = torch.randn(4, 4)
            os._exit(0 if (compiled(x) - net(x)).abs().max() < 1e-5 else 1)
        assert os.waitpid(child, 0)[1] == 0


def test_training_in_threads():
    """Threads whose first backward is compiled at the same time."""
    net, failed = perceptron(), []
    compiled = torch.compile(net, backend="mg")
    compiled(torch.randn(4, 4)).sum().backward()

    def work():
        try:
            for _ in range(10):
                x = torch.randn(4, 4, requires_grad=True)
                got, want = (torch.autograd.grad((f(x) ** 2).sum(), x)[0] for f in (compiled, net))
                close(got, want, 1e-3)
        except BaseException as e:
            failed.append(e)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed, failed


def test_wrong_inputs():
    """An index that is out of range is refused with its line. Tensors of another device or layout, and with new sizes, stay right."""
    x, far = torch.randn(3, 2), torch.tensor([5])
    for f in (lambda x, i: x[i] * 2, lambda x, i: nn.functional.embedding(i, x), lambda x, i: x.index_put((i,), x[:1])):
        torch._dynamo.reset()
        try:
            torch.compile(f, backend="mg")(x, far)
        except mg.Error as e:
            assert "outside 0 to 2: it is 5" in str(e) and "test_torch.py:" in str(e), e
        else:
            raise AssertionError("not refused")
    some, none = torch.tensor([7, -7]), torch.tensor([2, 0])
    for f in (lambda x, y: x // y, lambda x, y: x % y, lambda x, y: torch.fmod(x, y), lambda x, y: x // 0, lambda x, y: x**-1,
              lambda x, y: torch.div(x, y, rounding_mode="trunc")):
        torch._dynamo.reset()
        compiled = torch.compile(f, backend="mg")
        try:
            compiled(some, none)
        except RuntimeError as e:
            assert "ZeroDivisionError" in str(e) or "negative integer powers" in str(e), e
        else:
            raise AssertionError("not refused")
    torch._dynamo.reset()
    assert torch.equal(torch.compile(lambda x, y: x // y + x % y + x // 3, backend="mg")(some, none + 1), some // (none + 1) + some % (none + 1) + some // 3)
    torch._dynamo.reset()
    a, b = torch.tensor([1.0, -1.0, torch.inf, 3.0, -3.0]), torch.tensor([0.1, torch.inf, torch.nan, -torch.inf, 0.0])
    for f in (lambda x, y: x // y, torch.hypot, lambda x, y: torch.hypot(y, x) + torch.sign(y)):  # as PyTorch rounds, and with what is infinite or NaN
        torch._dynamo.reset()
        assert torch.allclose(torch.compile(f, backend="mg")(a, b), f(a, b), equal_nan=True)
    assert not mg.torch.explain(lambda x: x // 3 + x % 5 + x**2 + x.float() / 0, some).outside
    torch._dynamo.reset()
    for wrong in (-1, 2**32 + 1):
        try:
            torch.compile(lambda x: x * 2, backend="mg", options={"threads": wrong})(x)
        except Exception as e:
            assert f"threads is {wrong}" in str(e), e
        else:
            raise AssertionError("not refused")
    for element, type_ in (("f8e4m3", torch.float8_e4m3fn), ("f8e5m2", torch.float8_e5m2), ("bf16", torch.bfloat16)):
        same = mg.compile_text(f"mg 1\ngraph net(x: {element}[N]) -> (y: {element}[N]) {{ y[i] = x[i] }}")
        bits = torch.arange(1.0, 5).to(type_)
        assert torch.equal(torch.from_numpy(same(bits).view("i1" if element != "bf16" else "i2")), bits.view(torch.int8 if element != "bf16" else torch.int16))
        try:
            same(bits.to(torch.float8_e5m2 if element != "f8e5m2" else torch.bfloat16))
        except mg.Error as e:
            assert "convert it" in str(e), e
        else:
            raise AssertionError("not refused")
    nan = torch.tensor([[1.0, float("nan"), -0.0, 0], [2, 2, 1, float("inf")]])  # it is above all numbers
    for f in (lambda x: x.sort(dim=1, descending=True, stable=True), lambda x: x.topk(3)[0], lambda x: x.topk(2, largest=False)[0], lambda x: x.sort()[0]):
        for got, want in zip(torch.compile(f, backend="mg")(nan), f(nan)):
            assert got.dtype == want.dtype and torch.equal(got.nan_to_num(9), want.nan_to_num(9)), (got, want)
    double = torch.compile(lambda x: x * 2, backend="mg")
    assert double(torch.empty(3, device="meta")).device.type == "meta"
    assert torch.equal(double(x.to_sparse()).to_dense(), x * 2)
    assert torch.equal(double(x.to(torch.cfloat)), x.to(torch.cfloat) * 2)
    close(double(x), x * 2)
    close(double(x.resize_(5, 4).normal_()), x * 2)
    net = perceptron()
    compiled = torch.compile(net, backend="mg")
    with torch.no_grad():
        close(compiled(torch.ones(2, 4)), net(torch.ones(2, 4)))
        net[0].weight.data, net[0].bias.data = torch.randn(4, 8).t(), torch.randn(8)
        close(compiled(torch.ones(2, 4)), net(torch.ones(2, 4)))
        close(torch.compile(net.double(), backend="mg")(torch.ones(2, 4).double()), net(torch.ones(2, 4).double()))


def test_fallback():
    """An operator without a row runs in PyTorch, with right results, and is named with its line."""
    def f(x):
        y = torch.relu(x) + 1
        z = torch.linalg.qr(y)[1] * 2
        return z.abs() + torch.complex(x, x).tanh().abs()

    x = torch.randn(3, 3)
    close(torch.compile(f, backend="mg")(x), f(x))
    seen = mg.torch.explain(f, x)
    names = [op for g in seen.graphs for op, _, _ in g.outside]
    assert "linalg_qr.default" in names and "tanh.default" in names, seen
    assert "test_torch.py" in repr(seen) and "torch.linalg.qr(y)" in repr(seen), seen

    def g(x):
        return x + 1 if (x * 2).sum() > 0 else x - 1

    seen = mg.torch.explain(g, x)
    assert len(seen.breaks) == 1 and "test_torch.py" in seen.breaks[0] and len(seen.graphs) == 2, seen
    torch.manual_seed(5)
    dropped = nn.functional.dropout(torch.ones(50), 0.5)
    torch.manual_seed(5)
    assert torch.equal(torch.compile(lambda x: nn.functional.dropout(x, 0.5), backend="mg")(torch.ones(50)), dropped)
    empty = torch.compile(lambda x: x * 2, backend="mg")(torch.empty(0, 3))
    assert empty.shape == (0, 3)


def test_installed():
    """PyTorch finds the backend of an installed package without an import, and with one."""
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.abspath(os.path.join(os.path.dirname(mg.__file__))), os.path.join(folder, "mg"))
        about = os.path.join(folder, "mg-0.1.0.dist-info")
        os.mkdir(about)
        for name, text in (("METADATA", "Metadata-Version: 2.1\nName: mg\nVersion: 0.1.0\n"),
                           ("entry_points.txt", "[torch_dynamo_backends]\nmg = mg.torch:backend\n")):
            with open(os.path.join(about, name), "w") as file:
                file.write(text)
        for first in ("", "import mg.torch; "):
            code = first + "import torch; x = torch.ones(3); assert torch.compile(lambda x: x + 1, backend='mg')(x).sum() == 6"
            subprocess.run([sys.executable, "-c", code], env={**os.environ, "PYTHONPATH": folder}, check=True)


def test_options():
    with tempfile.TemporaryDirectory() as folder:
        torch._dynamo.reset()
        net, x = perceptron(), torch.randn(2, 4)
        with torch.no_grad():
            close(torch.compile(net, backend="mg", options={"level": 3, "dump": folder, "threads": 1})(x), net(x))
        texts = [open(os.path.join(folder, name)).read() for name in os.listdir(folder)]
        assert len(texts) == 1 and "softmax(" in texts[0]
        torch._dynamo.reset()
        with torch.no_grad():
            close(torch.compile(net, backend="mg", mode="max-autotune")(x), net(x))
    torch._dynamo.reset()
    try:
        torch.compile(net, backend="mg", options={"levle": 3})(x)
    except Exception as e:
        assert "backend 'mg' has no option 'levle'" in str(e), e
    else:
        raise AssertionError("not refused")


def test_export():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "net.mg")
        for make, shape in NETS:
            net, x = make(), torch.randn(shape)
            batch = torch.export.Dim("batch", min=2, max=64)
            mg.torch.export(net, (x,), path, dynamic_shapes=({0: batch},))
            model = mg.compile(path)
            for n in (shape[0], 7):
                x = torch.randn((n,) + shape[1:])
                close(torch.from_numpy(model(x.numpy())), net(x).detach())

        class Bad(nn.Module):
            def forward(self, x):
                return torch.linalg.qr(x)[0] + torch.fft.fft(x).real

        before = open(path).read()
        try:
            mg.torch.export(Bad(), (torch.randn(3, 3),), path)
        except mg.torch.ExportError as e:
            assert "linalg_qr" in str(e) and "_fft_r2c" in str(e) and "test_torch.py" in str(e), e
        else:
            raise AssertionError("not refused")
        assert open(path).read() == before and sorted(os.listdir(folder)) == ["net.mg", "net.safetensors"]


def test_torchvision():
    try:
        import torchvision.models as zoo
    except ImportError:
        skipped.append("networks of torchvision")
        return
    for name in ("resnet18", "squeezenet1_1", "mobilenet_v2"):
        torch._dynamo.reset()
        net, x = draw_parameters(getattr(zoo, name)(weights=None)), torch.randn(1, 3, 64, 64)
        with torch.no_grad():
            close(torch.compile(net, backend="mg")(x), net(x))


def test_transformers():
    try:
        import transformers as zoo
    except ImportError:
        skipped.append("networks of transformers")
        return
    sizes = dict(vocab_size=64, hidden_size=32, num_hidden_layers=2, num_attention_heads=4, intermediate_size=48, max_position_embeddings=64)
    nets = [zoo.BertModel(zoo.BertConfig(**sizes)), zoo.LlamaForCausalLM(zoo.LlamaConfig(num_key_value_heads=2, **sizes)),
            zoo.GPT2LMHeadModel(zoo.GPT2Config(vocab_size=64, n_embd=32, n_layer=2, n_head=4, n_positions=64, bos_token_id=1, eos_token_id=2))]
    for net in nets:
        torch._dynamo.reset()
        net, ids = draw_parameters(net), torch.randint(3, 60, (2, 9))
        with torch.no_grad():
            close(torch.compile(net, backend="mg")(input_ids=ids, use_cache=False)[0], net(input_ids=ids, use_cache=False)[0])


def test_page():
    with open(os.path.join(HERE, "..", "..", "python", "README.md")) as file:
        blocks = re.findall(r"```python\n(.*?)```", file.read(), re.S)
    ran = 0
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        for block in blocks:
            if "torch" in block:
                exec(compile(block, "README.md", "exec"), {})
                ran += 1
        os.chdir(HERE)
    assert ran, "the page has no code for PyTorch"


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    chosen = sys.argv[1:]
    tests = [f for n, f in sorted(globals().items()) if n.startswith("test_") and (not chosen or n in chosen)]
    for f in tests:
        torch.manual_seed(0)
        torch._dynamo.reset()
        f()
        print(f.__name__, flush=True)
    for what in skipped:
        print("skipped:", what)
    print(f"Ran {len(tests)} tests")
