"""Turns PyTorch's FX graphs of ATen operators into graphs that _aten.py writes in MG."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import sympy
import torch

from .. import _aten
from .._aten import Element, Node, Refused, Size, Type, Value

ELEMENTS = {
    torch.float64: "f64", torch.float32: "f32", torch.float16: "f16", torch.bfloat16: "bf16", torch.int64: "i64", torch.int32: "i32",
    torch.int16: "i16", torch.int8: "i8", torch.uint64: "u64", torch.uint32: "u32", torch.uint16: "u16", torch.uint8: "u8",
    torch.bool: "bool", torch.complex64: "c64", torch.complex128: "c128", torch.float8_e4m3fn: "f8e4m3", torch.float8_e5m2: "f8e5m2",
}
SYMBOLS = (torch.SymInt, torch.SymFloat, torch.SymBool)


# ---------------------------------------------------------------------- sizes
def _function(x: sympy.Expr) -> str:
    name, args = type(x).__name__, [_formula(a) for a in x.args]
    if name == "FloorDiv":
        return f"({args[0]} / {args[1]})"
    if name in ("Mod", "PythonMod"):
        return f"({args[0]} % {args[1]})"
    if name == "CleanDiv":
        return f"({args[0]} / {args[1]})"
    if name in ("Max", "Min"):
        return f"{name.lower()}({', '.join(args)})" if len(args) == 2 else f"{name.lower()}({args[0]}, {_function(x.func(*x.args[1:]))})"
    raise Refused(f"the size {x} has no formula in MG")


def _formula(x: sympy.Expr) -> str:
    if isinstance(x, sympy.Integer):
        return str(x) if x >= 0 else f"({x})"
    if isinstance(x, sympy.Symbol):
        return str(x)
    if isinstance(x, sympy.Add):
        return "(" + " + ".join(map(_formula, x.args)) + ")"
    if isinstance(x, sympy.Mul):
        return "(" + " * ".join(map(_formula, x.args)) + ")"
    if isinstance(x, sympy.Pow) and isinstance(x.exp, sympy.Integer) and 0 < x.exp <= 8:
        return "(" + " * ".join([_formula(x.base)] * int(x.exp)) + ")"
    return _function(x)


def size(x: Any) -> Any:
    """Writes a size in MG: a number, or a formula over PyTorch's symbols."""
    if isinstance(x, int):
        return x
    if not isinstance(x, torch.SymInt):
        raise Refused(f"{x} is not a whole number")
    expr = sympy.sympify(x.node.expr)
    if isinstance(expr, sympy.Integer):
        return int(expr)
    if any(str(s).startswith("u") for s in expr.free_symbols):
        raise Refused("data decide a size")
    text = _formula(expr)
    return Size(text[1:-1] if text.startswith("(") and isinstance(expr, (sympy.Add, sympy.Mul)) else text)


CPU = torch.device("cpu")


def device_of(module: torch.fx.GraphModule) -> torch.device:
    """Returns the device on which MG computes a graph: CUDA's that a tensor of the graph is on, else the CPU."""
    values = [v for n in module.graph.nodes for v in _flat(n.meta.get("val"))]
    return next((v.device for v in values if v.device.type == "cuda"), CPU)


def _flat(value: Any) -> Sequence[torch.Tensor]:
    return [v for v in (value if isinstance(value, (tuple, list)) else [value]) if isinstance(v, torch.Tensor)]


def is_number(x: torch.Tensor, device: torch.device) -> bool:
    """Tells whether a tensor is a number on the CPU, which PyTorch's operators take beside tensors on another device."""
    return x.device == CPU != device and x.dim() == 0


def is_noted(x: torch.Tensor) -> bool:
    """Tells whether PyTorch has only noted that a tensor is to be conjugated or negated. MG's values are, always."""
    return x.is_conj() or x.is_neg()


def type_of(x: torch.Tensor, device: torch.device = CPU) -> Type:
    if x.layout is not torch.strided or type(x).__name__ not in ("FakeTensor", "Tensor", "Parameter", "FunctionalTensor"):
        raise Refused(f"a tensor of layout {x.layout} and type {type(x).__name__}")
    if x.device != device:
        raise Refused(f"a tensor on {x.device}, while MG computes on {device}")
    if x.dtype not in ELEMENTS:
        raise Refused(f"a tensor of {x.dtype}, which MG doesn't have")
    return Type(ELEMENTS[x.dtype], tuple(size(n) for n in x.shape), order_of(x))


def order_of(x: torch.Tensor) -> Optional[Tuple[int, ...]]:
    """Returns the axes of a tensor in the order of memory, as in Type. Symbols are not compared, since that would bind them."""
    shape, strides = tuple(x.shape), tuple(x.stride())
    if not all(isinstance(n, int) for n in shape + strides) or _contiguous(shape, strides, range(len(shape))):
        return None
    order = tuple(sorted(range(len(shape)), key=lambda i: (-strides[i], i)))
    return order if _contiguous(shape, strides, order) else ()


def _contiguous(shape: Sequence[int], strides: Sequence[int], order: Sequence[int]) -> bool:
    """Tells whether a tensor lies without gaps in this order of its axes. Asking a permuted tensor of PyTorch's tracing takes a hundred
    times as long, and several threads can't."""
    step = 1
    for i in reversed(order):
        if shape[i] != 1 and strides[i] != step:
            return 0 in shape
        step *= shape[i]
    return True


# ---------------------------------------------------------------------- nodes
def op_name(target: Any) -> str:
    text = str(target)
    if text.startswith("aten."):
        text = text[len("aten."):]
        return text[:-len(".default")] + ".default" if text.endswith(".default") else text
    return text


def line_of(node: torch.fx.Node) -> str:
    """Returns the line of Python that a node was made for: "net.py:12: y = self.fc(x)"."""
    lines = [line for line in (node.meta.get("stack_trace") or "").splitlines() if line.strip().strip("^~")]
    for at in range(len(lines) - 1, -1, -1):
        if lines[at].lstrip().startswith("File "):
            _, path, rest = lines[at].split('"', 2)
            number = rest.split("line ")[1].split(",")[0]
            code = lines[at + 1].strip() if at + 1 < len(lines) else ""
            return f"{path}:{number}: {code}"
    return ""


def _argument(x: Any) -> Any:
    if isinstance(x, torch.fx.Node):
        value = x.meta.get("val")
        if isinstance(value, torch.Tensor):
            return Value(called(x))
        if isinstance(value, torch.SymInt) or isinstance(value, int):
            return size(value)
        raise Refused("an argument is a number that is known only in a run")
    if isinstance(x, torch.dtype):
        return Element(ELEMENTS[x]) if x in ELEMENTS else Element("none")
    if isinstance(x, (torch.device, torch.layout, torch.memory_format, torch.Generator)):
        return None
    if isinstance(x, (list, tuple)):
        return [_argument(y) for y in x]
    if x is None or isinstance(x, (bool, int, float, complex, str)):
        return x
    raise Refused(f"an argument is {type(x).__name__}")


def _operand_type(x: torch.fx.Node, device: torch.device) -> Type:
    value = x.meta["val"]
    return type_of(value, CPU if is_number(value, device) else device)


def read(node: torch.fx.Node, device: torch.device = CPU) -> Node:
    """Reads an FX node, with its arguments by name. Raises Refused if MG lacks its types or a row, or a tensor is on another device."""
    op = op_name(node.target)
    schema = getattr(node.target, "_schema", None)
    if schema is None or not (_aten.row_of(op) or _aten.row_of(op, True)):
        raise Refused("it has no row")
    args: Dict[str, Any] = {}
    for i, a in enumerate(schema.arguments):
        x = node.args[i] if i < len(node.args) else node.kwargs.get(a.name, a.default_value if a.has_default_value() else None)
        args[a.name] = _argument(x)
    for x in node.all_input_nodes:
        if isinstance(x.meta.get("val"), torch.Tensor):
            _operand_type(x, device)
    value = node.meta.get("val")
    if isinstance(value, torch.Tensor):
        return Node(op, args, [node.name], [type_of(value, device)], line_of(node))
    if not isinstance(value, (tuple, list)):
        raise Refused("its result is not a tensor")
    names: List[Optional[str]] = [None] * len(value)
    for user in (u for u in node.users if u.users):
        names[user.args[1]] = called(user)
    types = [type_of(v, device) if isinstance(v, torch.Tensor) and (i == 0 or names[i]) else None for i, v in enumerate(value)]
    return Node(op, args, names, types, line_of(node))


# Operators for which PyTorch raises an error if an integer operand is 0, or negative. MG has a result for every integer.
_PARTIAL = {
    **dict.fromkeys(("div", "floor_divide", "remainder", "fmod"), ("other", lambda x: x == 0, "PyTorch raises an error if a divisor is 0")),
    "pow": ("exponent", lambda x: x < 0, "PyTorch raises an error if an integer's exponent is negative"),
}


def may_raise(node: Node) -> str:
    """Returns the reason why PyTorch may raise an error for the values of a node's operands, or ""."""
    argument, wrong, why = _PARTIAL.get(node.op.split(".")[0], ("", None, ""))
    if not argument or node.types[0].element not in _aten.INTEGERS:
        return ""
    x = node.args[argument]
    return why if isinstance(x, Value) or isinstance(x, (int, float)) and wrong(x) else ""


def is_item(node: torch.fx.Node) -> bool:
    """Tells whether a node picks one result of another node."""
    return node.op == "call_function" and getattr(node.target, "__name__", "") == "getitem" and isinstance(node.args[0], torch.fx.Node)


def called(node: torch.fx.Node) -> str:
    """Returns the name of a value. All nodes that pick the same result have the same name."""
    if is_item(node):
        return next(u.name for u in node.args[0].users if is_item(u) and u.args[1] == node.args[1])
    return node.name


def graph(nodes: Sequence[torch.fx.Node], inputs: Sequence[torch.fx.Node], outputs: Sequence[torch.fx.Node],
          device: torch.device = CPU) -> _aten.Graph:
    """Makes the graph of some FX nodes. Results and values from outside are declared in the order of memory."""
    made = _aten.Graph({called(x): _operand_type(x, device) for x in inputs}, [], [called(x) for x in outputs])
    made.nodes = [read(n, device) for n in nodes if not is_item(n)]
    bare = {n for t in made.inputs.values() for n in t.shape if isinstance(n, str) and n.isidentifier()}
    made.dims = sorted(_aten.symbols(made) - bare)
    return made
