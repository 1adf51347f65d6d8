"""torch.compile(model, backend="mg"): MG compiles PyTorch's graphs, and operators without a row run in PyTorch."""

import contextlib
import functools
import os
import re
import threading
from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple

import torch
from torch._dynamo.backends.common import aot_autograd
from torch._dynamo.backends.registry import list_backends, register_backend
from torch._decomp import core_aten_decompositions, decomposition_table, decompositions as core
from torch._dynamo import disable
from torch._functorch.aot_autograd import aot_module_simplified, make_boxed_func
from torch._guards import TracingContext

try:  # without composite operators
    from torch._decomp import _core_aten_decompositions_post_autograd as _core_aten
except ImportError:
    _core_aten = None

from .. import _aten
from .._aten import Refused
from .._capture import compile_captured
from .._model import _MODES, Error
from . import _cuda
from ._graph import CPU, SYMBOLS, called, device_of, graph, is_item, is_noted, is_number, line_of, may_raise, op_name, read, type_of
from ._run import Part, laid_out, strides_of


@dataclass
class Report:
    """A report of one of PyTorch's graphs. `outside` lists the operators that run in PyTorch, with the reason and the line of Python."""

    kind: str  # "inference", "forward" or "backward"
    operators: int = 0
    texts: List[str] = field(default_factory=list)
    outside: List[Tuple[str, str, str]] = field(default_factory=list)


_watching = threading.local()


@contextlib.contextmanager
def watch(reports: List[Report]) -> Iterator[None]:
    """Adds a report for each graph that this thread compiles meanwhile."""
    before = getattr(_watching, "reports", [])
    _watching.reports = before + [reports]
    try:
        yield
    finally:
        _watching.reports = before


# ---------------------------------------------------------------------- partition
class _Plan:
    """Says which nodes MG computes. Its nodes of one stage become one graph. A stage ends where the next one needs an operand that
    PyTorch computes."""

    def __init__(self, module: torch.fx.GraphModule, device: torch.device):
        self.module = module
        self.nodes = [n for n in module.graph.nodes if n.op == "call_function"]
        self.refused: Dict[torch.fx.Node, str] = {}
        for node in self.nodes:
            if not is_item(node) and not self._number(node):
                try:
                    why = may_raise(read(node, device))
                except Refused as e:
                    why = str(e)
                if why:
                    self.refused[node] = why

    @staticmethod
    def _number(node: torch.fx.Node) -> bool:
        """Tells whether a node's value is a number of Python, which formulas of sizes already contain."""
        return isinstance(node.meta.get("val"), SYMBOLS + (int, float, bool))

    def inside(self, node: torch.fx.Node) -> bool:
        if is_item(node):
            return self.inside(node.args[0])
        return node.op == "call_function" and node not in self.refused and not self._number(node)

    def stages(self) -> List[Tuple[List[torch.fx.Node], List[torch.fx.Node]]]:
        """Yields MG's nodes and PyTorch's, stage by stage."""
        stage: Dict[torch.fx.Node, int] = {}
        for node in self.nodes:
            inside, at = self.inside(node), 0
            for x in node.all_input_nodes:
                if x in stage and not (inside and self._number(x)):
                    at = max(at, stage[x] + (inside and not self.inside(x)))
            stage[node] = at
        count = max(stage.values(), default=-1) + 1
        stages: List[Tuple[List, List]] = [([], []) for _ in range(count)]
        for node in self.nodes:
            stages[stage[node]][0 if self.inside(node) else 1].append(node)
        return stages


def _errors(message: str, makers: Sequence[Optional[_aten.Node]], name: str) -> Dict[str, str]:
    """Returns the compiler's errors, by the name of the node to whose line they belong."""
    found: Dict[str, str] = {}
    for line, what in re.findall(rf"^{re.escape(name)}:(\d+):\d+: error: (.*)$", message, re.M):
        maker = makers[int(line) - 1] if int(line) <= len(makers) else None
        if maker:
            found.setdefault(next(n for n in maker.names if n), "MG refuses it: " + what)
    return found


class _Refusal(Exception):
    """Names nodes that MG cannot compute, with the reasons."""


def _for_device(options: Dict[str, Any], device: torch.device) -> Dict[str, Any]:
    """Adds what a graph on CUDA's device needs: the target, the device, and the precision that PyTorch allows there."""
    if device.type != "cuda":
        return options
    precision = "f32" if torch.get_float32_matmul_precision() == "highest" else "tf32"
    return {"target": "gpu", "device": f"cuda:{device.index or 0}", "precision": precision, **options}


def _part(nodes: Sequence, inputs: Sequence, outputs: Sequence, fixed: Sequence[bool], name: str, options: Dict[str, Any],
          device: torch.device) -> Tuple[Part, str]:
    """Compiles some nodes of an FX graph. Returns the part and its text. `fixed` marks the inputs that keep their addresses."""
    made = graph(nodes, inputs, outputs, device)
    options = _for_device(dict(options), device)
    if options.pop("frozen", False) and name == "inference.mg":
        made.parameters = {called(x): called(x) for x, f in zip(inputs, fixed) if f}
        options["weights"] = "bound"
    try:
        text, makers = _aten.write(made)
    except Refused as e:
        raise _Refusal({next(n for n in node.names if n): why for node, why in e.args[0]}) from None
    try:
        model = compile_captured(text, name, **options)
    except Error as e:
        if e.status != 1:
            raise
        every = {n: f"MG refuses its graph: {e}" for node in made.nodes for n in node.names if n}
        raise _Refusal(_errors(str(e), makers, name) or every) from None
    numbers, noted = ([f(x.meta["val"]) for x in inputs] for f in (lambda x: is_number(x, device), is_noted))
    part = Part(model, made, fixed, [maker.line if maker else "" for maker in makers], device, numbers, noted)
    wrong = {n: f"MG's result is {port}, PyTorch's {want}" for n, port, want in part.differences(model)}
    if wrong:
        raise _Refusal(wrong)
    return part, text


# ---------------------------------------------------------------------- running a graph
class Compiled:
    """One FX graph: parts that MG compiled and single operators of PyTorch, in the order in which they run."""

    def __init__(self, module: torch.fx.GraphModule, fixed: Sequence[int], options: Dict[str, Any], report: Report):
        self.device = CPU if options.get("target") == "cpu" else device_of(module)
        plan = _Plan(module, self.device)
        self.module = module
        self.placeholders = [n for n in module.graph.nodes if n.op == "placeholder"]
        self.result = next(n for n in module.graph.nodes if n.op == "output").args[0]
        self.constants = {n: getattr(module, n.target) for n in module.graph.nodes if n.op == "get_attr"}
        self.symbols = [(i, str(n.meta["val"].node.expr)) for i, n in enumerate(self.placeholders)
                        if isinstance(n.meta.get("val"), torch.SymInt) and str(n.meta["val"].node.expr).isidentifier()]
        held = {self.placeholders[i] for i in fixed if i < len(self.placeholders)} | set(self.constants)
        self.steps: List[Tuple] = []
        while True:
            try:
                self._make(plan, held, options, report)
                break
            except _Refusal as e:
                by_name = {called(n): n for n in plan.nodes}
                for name, why in e.args[0].items():
                    node = by_name[name]
                    plan.refused[node.args[0] if is_item(node) else node] = why
        report.operators = sum(not is_item(n) and not plan._number(n) for n in plan.nodes)
        report.outside += [(op_name(n.target), why, line_of(n)) for n, why in plan.refused.items()]
        self.straight = self._straight()

    def _make(self, plan: _Plan, held, options: Dict[str, Any], report: Report) -> None:
        self.steps, report.texts = [], []
        wanted = set(self.module.graph.output_node().all_input_nodes)
        for inside, outside in plan.stages():
            if inside:
                mine = set(inside)
                inputs = list(dict.fromkeys(x for n in inside for x in n.all_input_nodes if x not in mine and not plan._number(x)
                                            and isinstance(x.meta.get("val"), torch.Tensor)))
                outputs = [n for n in inside if isinstance(n.meta.get("val"), torch.Tensor)
                           and (n in wanted or any(u not in mine for u in n.users))]
                if outputs:
                    fixed = [x in held and self._dense(x) for x in inputs]
                    part, text = _part(inside, inputs, outputs, fixed, f"{report.kind}.mg", options, self.device)
                    report.texts.append(text)
                    self.steps.append((part, inputs, outputs))
            for n in outside:
                made = [x for x in n.all_input_nodes if plan.inside(x) and isinstance(x.meta["val"], torch.Tensor)]
                self.steps.append((n.target, n, {x: strides_of(x.meta["val"]) for x in made}))

    def _dense(self, x: torch.fx.Node) -> bool:
        """Tells whether a tensor has a known size and no gaps, so that only its address can change."""
        if is_number(x.meta["val"], self.device) or is_noted(x.meta["val"]):
            return False
        type_ = type_of(x.meta["val"], self.device)
        return type_.order != () and type_.element not in _aten.REAL and all(isinstance(n, int) for n in type_.shape)

    def _straight(self) -> Optional[Tuple]:
        """If the graph is a single part, lets it take the graph's arguments. Returns the part, and the positions of the graph's
        results among its results and the arguments; these are None if they are the part's results in order."""
        if len(self.steps) != 1 or not isinstance(self.steps[0][0], Part):
            return None
        part, inputs, outputs = self.steps[0]
        places = {x: i for i, x in enumerate(outputs + self.placeholders + [None])}
        if any(x not in self.placeholders for x in inputs) or any(x not in places for x in self.result):
            return None
        number = {x: i for i, x in enumerate(self.placeholders)}
        part.take_from([number[x] for x in inputs])
        return part, None if list(self.result) == outputs else [places[x] for x in self.result]

    def __call__(self, *args: Any) -> List[Any]:
        symbols = {name: int(args[i]) for i, name in self.symbols} if self.symbols else {}
        if self.straight:
            part, places = self.straight
            results = part(args, symbols)
            if places is None:
                return results
            every = [*results, *args, None]
            return [every[i] for i in places]
        values = {**dict(zip(self.placeholders, args)), **self.constants}
        for what, first, then in self.steps:
            if isinstance(what, Part):
                values.update(zip(then, what([values[x] for x in first], symbols)))
            else:
                laid = {x: laid_out(values[x], strides(symbols)) for x, strides in then.items()}
                given, named = torch.fx.node.map_arg((first.args, first.kwargs), lambda n: laid.get(n, values[n]))
                values[first] = what(*given, **named)
        return [values[x] if isinstance(x, torch.fx.Node) else x for x in self.result]


# ---------------------------------------------------------------------- the backend
MODES = {"default": {}, "reduce-overhead": {}, "max-autotune": {"level": 3}, "max-autotune-no-cudagraphs": {"level": 3}}
# Operators that stay whole: those that draw random numbers, so that they draw the same ones as PyTorch, and those by which PyTorch's
# tracing includes constants.
_WHOLE = ("native_dropout", "rand", "bernoulli", "normal", "multinomial", "uniform", "exponential", "rrelu", "lift")


def _without_row(table: Mapping[Any, Callable]) -> Dict[Any, Callable]:
    def kept(op: Any) -> bool:
        name = op_name(op)
        return _aten.row_of(name) is not None or any(word in name for word in _WHOLE)

    more = {op: f for op, f in decomposition_table.items() if f.__module__ == core.__name__}  # others end in prims
    return {op: f for op, f in {**more, **table}.items() if not kept(op)}


@functools.lru_cache(maxsize=None)
def _in_tracing() -> Dict[Any, Callable]:
    return _without_row(_core_aten() if _core_aten else core_aten_decompositions())


def decompositions(exported: bool = False) -> Dict[Any, Callable]:
    """Returns the operators that PyTorch decomposes before MG sees them: those without a row. `exported` includes the composite
    operators, which AOTAutograd's tracing decomposes by itself; finding them takes as long as a small graph. The table is the caller's,
    since PyTorch takes operators out of it."""
    return {**(_without_row(core_aten_decompositions()) if exported else _in_tracing()), **_cuda.DECOMPOSITIONS}


def _options(mode: Optional[str], options: Optional[Dict[str, Any]]) -> Tuple[Dict[str, Any], Optional[str]]:
    given = dict(options or {})
    dump = given.pop("dump", None)
    mode = given.pop("mode", mode)
    known = {"level", "target", "device", "march", "strict", "interpret", "mode", "threads", "memory_limit", "cache", "frozen", "precision",
             "weights_type", "short_sums"}
    unknown = [k for k in given if k not in known]
    if unknown:
        raise ValueError(f"backend 'mg' has no option '{unknown[0]}'; it has {', '.join(sorted(known | {'dump'}))}")
    made = {"threads": torch.get_num_threads()}
    if mode in MODES:
        made.update(MODES[mode])
    elif mode in _MODES:
        made["mode"] = mode
    elif mode is not None:
        raise ValueError(f"backend 'mg' has no mode '{mode}'; it has {', '.join([*MODES, *_MODES])}")
    made.update(given)
    return made, dump


def backend(module: torch.fx.GraphModule, example_inputs: Sequence[Any], *, mode: Optional[str] = None,
            options: Optional[Dict[str, Any]] = None) -> Callable:
    """The backend that torch.compile(model, backend="mg") calls for each graph."""
    made, dump = _options(mode, options)

    def compiler(kind: str) -> Callable:
        def compile_graph(fx: torch.fx.GraphModule, inputs: Sequence[Any]) -> Callable:
            context = TracingContext.try_get()
            meta = context.fw_metadata if context else None
            fixed = list(meta.static_input_indices or []) if meta and kind != "backward" else []
            report = Report(kind)
            compiled = Compiled(fx, fixed, made, report)
            for seen in getattr(_watching, "reports", []):
                seen.append(report)
            if dump:
                _dump(dump, report)
            return make_boxed_func(compiled)

        return compile_graph

    def compile_backward(*graph_and_inputs: Any) -> Callable:
        return disable(disable(compiler("backward"))(*graph_and_inputs))

    run = aot_module_simplified(module, example_inputs, fw_compiler=compiler("forward"), bw_compiler=compile_backward,
                                inference_compiler=compiler("inference"), decompositions=decompositions())
    return disable(run, reason="MG compiled it")


def _dump(folder: str, report: Report) -> None:
    os.makedirs(folder, exist_ok=True)
    for text in report.texts:
        number = sum(name.endswith(".mg") for name in os.listdir(folder))
        with open(os.path.join(folder, f"{report.kind}{number}.mg"), "w") as file:
            file.write(text)


if "mg" not in list_backends():  # the entry point of an installed package registers the backend when it is first asked for
    register_backend(backend, name="mg")
