"""Writes graphs of ATen operators as MG text.

This module doesn't need PyTorch. A graph is a list of nodes with named arguments, and _aten_rows.py has each operator in MG.
mg.torch makes such graphs from PyTorch's; the tests read them from files.
"""

import json
import re
from dataclasses import dataclass, field
from typing import Any, Dict, List, Optional, Sequence, Set, Tuple, Union

from . import _aten_rows as rows

FLOATS = ["f16", "bf16", "f32", "f64"]
INTEGERS = ["u8", "i8", "u16", "i16", "u32", "i32", "u64", "i64"]
REAL = {"c64": "f32", "c128": "f64"}  # the parts of complex numbers
WORDS = frozenset(  # the language's own, which can't be names
    "as and const else emit for if in loop not or over param require some while yield sum prod mean max min any all argmax argmin last "
    "inf nan true false none".split())


class Value(str):
    """The name of a tensor, as an argument of a node."""


class Size(str):
    """A size as MG writes it: a formula over dimensions."""


class Element(str):
    """An element type as MG writes it."""


class Refused(Exception):
    """Says why something cannot be written in MG."""


@dataclass(frozen=True)
class Type:
    """The type of a tensor. `order` lists its axes as they lie in memory; it is None if they lie in their own order, and () if
    there are gaps."""

    element: str
    shape: Tuple[Union[int, str], ...]
    order: Optional[Tuple[int, ...]] = None

    def stored(self) -> "Type":
        """Returns the type with its axes in the order of memory, unless there are gaps. A complex number is a pair along a last axis."""
        shape = tuple(self.shape[i] for i in self.order) if self.order else self.shape
        return Type(REAL[self.element], (*shape, 2)) if self.element in REAL else Type(self.element, shape)

    def forth(self) -> Optional[List[int]]:
        """Returns the permutation that transposes the type to `stored`, or None."""
        return [*self.order, *[len(self.order)] * (self.element in REAL)] if self.order else None

    def back(self) -> Optional[List[int]]:
        """Returns the permutation that transposes `stored` to the type itself, or None."""
        order = self.forth()
        return [order.index(i) for i in range(len(order))] if order else None

    def __str__(self) -> str:
        return f"{self.element}[{', '.join(map(str, self.shape))}]"


@dataclass
class Node:
    """One call of an operator. `names` and `types` are those of its results; an unused result has no name."""

    op: str  # "add.Tensor"; outside of aten with its namespace, "prims.iota.default"
    args: Dict[str, Any]
    names: List[Optional[str]]
    types: List[Optional[Type]]
    line: str = ""  # the line of Python

    def operands(self) -> List[str]:
        found: List[str] = []

        def walk(x: Any) -> None:
            if isinstance(x, Value):
                found.append(str(x))
            elif isinstance(x, (list, tuple)):
                for y in x:
                    walk(y)

        walk(list(self.args.values()))
        return found


@dataclass
class Graph:
    inputs: Dict[str, Type]
    nodes: List[Node]
    outputs: List[str]
    dims: List[str] = field(default_factory=list)  # dimensions that are not the size of an input
    parameters: Dict[str, str] = field(default_factory=dict)  # the keys of the inputs that are parameters
    plain: bool = False  # the axes of results lie in memory in their own order


# ---------------------------------------------------------------------- types
def _kind(element: str) -> int:
    return 0 if element == "bool" else 2 if element in FLOATS else 1


def _join(a: str, b: str) -> str:
    """Returns the element type that holds both, by PyTorch's rules."""
    if a == b or not b:
        return a
    if _kind(a) != _kind(b):
        return a if _kind(a) > _kind(b) else b
    if _kind(a) == 2:
        return "f32" if {a, b} == {"f16", "bf16"} else max(a, b, key=FLOATS.index)
    wide = max(a, b, key=INTEGERS.index)
    bits = [int(x[1:]) for x in (a, b)]
    unsigned = max([int(x[1:]) for x in (a, b) if x[0] == "u"], default=0)
    signed = max([int(x[1:]) for x in (a, b) if x[0] == "i"], default=0)
    if unsigned and signed and unsigned >= signed:
        return f"i{min(2 * unsigned, 64)}"
    return wide if not (unsigned and signed) else f"i{max(bits)}"


def common_type(operands: Sequence[Any], types: Dict[str, Type]) -> str:
    """Returns the type in which an operator computes. A tensor without dimensions counts only if its kind is wider than that of
    the tensors with dimensions, and a number only if its kind is wider than that of all tensors."""
    ranks: List[str] = ["", "", ""]  # of tensors with dimensions, of those without, of numbers
    for x in operands:
        if isinstance(x, Value):
            type_ = types[x]
            at = 0 if type_.shape else 1
            ranks[at] = _join(type_.element, ranks[at])
        elif isinstance(x, (bool, int, float, Size)):
            ranks[2] = _join("bool" if isinstance(x, bool) else "f32" if isinstance(x, float) else "i64", ranks[2])
    result = ""
    for element in ranks:
        if element and (not result or _kind(element) > _kind(result)):
            result = element
    if result == "f32" and ranks[2] == "f32" and "f32" not in ranks[:2]:
        return "f32"
    return result


# ---------------------------------------------------------------------- words
def name(x: str) -> str:
    """Returns a value's name in MG. PyTorch never ends a name with _0."""
    return f"{x}_0" if x in WORDS else x if re.fullmatch(r"[A-Za-z_]\w*", x) else f"`{x}`"


def literal(x: Any, element: str = "") -> str:
    """Writes a number, a word or a list in MG. If an element type is given, a number is written in that type."""
    if isinstance(x, Size):
        return f"({x})" if re.search(r"\W", x) else str(x)
    if isinstance(x, Element):
        return str(x)
    if isinstance(x, str):
        return '"' + x.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(x, (list, tuple)):
        return "[" + ", ".join(map(literal, x)) + "]"
    if isinstance(x, bool) and element in ("", "bool"):
        return str(x).lower()
    if element == "bool":
        return str(bool(x)).lower()
    if element and isinstance(x, (bool, int, float)):
        if _kind(element) == 1 and x != x - x % 1:
            raise Refused(f"{x} is not a whole number")
        x = float(x) if _kind(element) == 2 else int(x)
    if isinstance(x, (int, float)):
        return repr(x)
    raise Refused(f"{x!r} cannot be an argument of an operator")


_TOKEN = re.compile(r"\$(\w+)(?::(\w+))?(\?)?(?:!=(-?\w+(?:\.\w+)?))?")
_NAMED = re.compile(r"\w = -?$")  # the text before the value of an attribute


class _Writer:
    """Writes one node by its row."""

    def __init__(self, node: Node, types: Dict[str, Type], constants: List[str]):
        self.node, self.types, self.constants = node, types, constants
        self.element = ""  # the type to which operands are converted
        self.called = False  # operands are those of an operator, whose numbers have no type of 16 bits
        self.result = 0

    def operand(self, x: Any) -> str:
        if not isinstance(x, Value):
            narrow = self.called and self.element in ("f16", "bf16") and isinstance(x, (bool, int, float))
            return self.constant(x, self.element) if narrow else literal(x, self.element)
        element = self.types[x].element
        if not self.element or element == self.element:
            return name(x)
        if self.element == "bool":
            return f"not_equal({name(x)}, 0)"
        return f"cast({name(x)}, to = {self.element})"

    def constant(self, x: Any, element: str = "") -> str:
        """Writes a number as a tensor of one element, in this type, or in that of the result."""
        element = element or self.node.types[0].element
        if isinstance(x, Value):
            return f"cast({name(x)}, to = {element})"
        if isinstance(x, Size):
            return f"cast({literal(x)}, to = {element})"
        called = name(f"{next(n for n in self.node.names if n)}_c{len(self.constants) + 1}")
        self.constants.append(f"const {called}: {element}[] = {literal(x, element)}")
        return called

    def part(self) -> str:
        """Returns the type of the parts of a complex result, or of the operands if the result is not complex."""
        wide = any(self.types[n].element in ("f64", "c128") for n in self.node.operands())
        return REAL.get(self.node.types[0].element, "f64" if wide else "f32")

    def pair(self, x: Any) -> str:
        """Writes a tensor or a number as a tensor of complex numbers, in the type of the result."""
        element = self.part()
        if not isinstance(x, Value):
            called = name(f"{next(n for n in self.node.names if n)}_c{len(self.constants) + 1}")
            self.constants.append(f"const {called}: {element}[2] = [{float(x.real)!r}, {float(x.imag)!r}]")
            return called
        own = self.types[x].element
        text = name(x) if REAL.get(own, own) == element else f"cast({name(x)}, to = {element})"
        return text if own in REAL else f"aten.as_complex({text})"

    def given(self, argument: str) -> Any:
        node = self.node
        if argument in ("shape", "plain_shape"):
            shape = [Size(n) if isinstance(n, str) else n for n in node.types[0].shape]
            return [*shape, 2] if argument == "shape" and node.types[0].element in REAL else shape
        if argument == "out":
            element = node.types[self.result].element
            return Element(REAL.get(element, element))
        if argument == "nth":
            return self.result
        if argument not in node.args:
            raise Refused(f"it has no argument '{argument}'")
        return node.args[argument]

    def word(self, argument: str, kind: Optional[str], optional: Optional[str], attribute: bool) -> str:
        x = self.given(argument)
        if kind == "never":
            if not x:
                return ""
            raise Refused(f"argument '{argument}' is given")
        if x is None:
            if optional:
                return "none"
            raise Refused(f"argument '{argument}' is absent")
        if kind == "pair":
            return self.pair(x)
        if kind == "pairs":
            return ", ".join(map(self.pair, x))
        if kind == "every":
            return literal(list(range(len(self.types[x].shape))))
        if kind == "axis":
            return literal(x - (x < 0))  # before the axis of pairs
        if kind == "perm":
            return literal([*(i % len(x) for i in x), len(x)])
        if kind == "axes":
            axes = list(x) if isinstance(x, (list, tuple)) else [x]
            return literal([i - (i < 0) for i in axes] if is_complex(self.node, self.types) else axes)
        if kind == "each":
            same = isinstance(x, (list, tuple)) and x and all(y == x[0] for y in x)
            return literal(x[0] if same else x)
        if kind == "number":
            return self.constant(x)
        if kind == "all":
            return ", ".join(self.operand(y) for y in x)
        if kind == "stored":
            return self.stored(x)
        if kind == "in_order":
            if self.types[x].order is not None:
                raise Refused("it sees another order of axes in memory")
            return name(x)
        if kind == "only":
            return literal(x[0])
        if kind == "count":
            return str(len(x))
        if kind == "those":
            return ", ".join(self.operand(y) for y in x if y is not None)
        if kind == "last2":
            return literal([Size(n) if isinstance(n, str) else n for n in self.types[x].shape[-2:]])
        if kind == "number_of":
            return str(len(self.places(x)))
        if kind == "places":
            return literal(self.places(x))
        if kind == "before":
            return literal(Size(" + ".join(map(str, x[:self.result])))) if self.result else "0"
        if kind == "at":
            return literal(x[self.result])
        if kind == "plain":  # not converted
            return name(x) if isinstance(x, Value) else literal(x)
        return literal(x) if attribute else self.operand(x)

    def stored(self, x: Value) -> str:
        """Writes a tensor with its axes in the order of memory."""
        order = self.types[x].order
        if order == ():
            raise Refused("it sees gaps in memory")
        return f"transpose({name(x)}, perm = {list(order)})" if order else name(x)

    def places(self, x: Sequence[Any]) -> List[int]:
        """Returns the axes for which tensors of indices are given."""
        if any(self.types[y].element == "bool" for y in x if y is not None):
            raise Refused("a mask chooses elements, so data decide a size")
        return [i for i, y in enumerate(x) if y is not None]

    def absent(self, group: str) -> bool:
        for argument, kind, optional, other in _TOKEN.findall(group):
            x = self.given(argument)
            if x is None or x == []:
                return True
            text = self.word(argument, kind, optional, attribute=True).strip('"') if other else ""
            if other and (text == other.lower() or _number(text) == _number(other) is not None):
                return True
        return False

    def expand(self, template: str) -> str:
        """Returns the template of the row, or the first of its alternatives whose arguments are all present."""
        first, _, other = template.partition(" || ")
        if other and self.absent(re.sub(r"\{[^}]*\}", "", first)):
            first = other
        template = first
        self.called = re.match(r"[\w.]+\(", template) is not None
        template = re.sub(r"\{([^}]*)\}", lambda m: "" if self.absent(m.group(1)) else m.group(1), template)
        return _TOKEN.sub(lambda m: self.word(*m.groups()[:3], attribute=_NAMED.search(template[:m.start()]) is not None), template)


def _number(text: str) -> Any:
    try:
        return float(text)
    except ValueError:
        return None


def row_of(op: str, of_complex: bool = False) -> Optional[rows.Row]:
    """Returns the row of an operator: that of its overload, or the one for all overloads."""
    table = rows.COMPLEX_ROWS if of_complex else rows.ROWS
    return table.get(op) or table.get(op.rsplit(".", 1)[0])


def is_complex(node: Node, types: Dict[str, Type]) -> bool:
    """Tells whether a node takes or gives complex tensors."""
    return any(t is not None and t.element in REAL for t in [*node.types, *(types[n] for n in node.operands())])


def _template(writer: _Writer, row: rows.Row) -> str:
    node = writer.node
    if row.rule == "result":
        writer.element = node.types[0].element
    elif row.rule in ("common", "float"):
        given = [x for a, x in node.args.items() if f"${a}" in row.template and not isinstance(x, str) or isinstance(x, Value)]
        writer.element = common_type([y for x in given for y in (x if isinstance(x, (list, tuple)) else [x])], writer.types)
    elif row.rule == "bool":
        writer.element = "bool"
    return row.on_bools if row.on_bools and writer.element == "bool" and row.rule != "bool" else row.template


def statements(node: Node, types: Dict[str, Type], constants: List[str]) -> List[str]:
    """Returns the lines that compute a node's results."""
    of_complex = is_complex(node, types)
    row = row_of(node.op, of_complex)
    if row is None:
        raise Refused("it has no row for complex numbers" if of_complex else "it has no row")
    writer = _Writer(node, types, constants)
    template = _template(writer, row)
    if row.each:
        lines = []
        for writer.result, called in enumerate(node.names):
            if called:
                lines.append(f"{name(called)} = {writer.expand(row.each[min(writer.result, len(row.each) - 1)])}")
        return lines
    used = max([i for i, n in enumerate(node.names) if n], default=0) + 1
    if used > 1 and row.more:
        template = row.more
    elif used > 1 and not row.more:
        raise Refused(f"its result {used - 1} has no row")
    targets = [name(n) if n else f"{node.names[0] or 'unused'}_{i}" for i, n in enumerate(node.names[:used])]
    return [f"{', '.join(targets)} = {writer.expand(template)}"]


def symbols(graph: Graph) -> Set[str]:
    """Returns the dimensions that a graph's types and arguments name."""
    found: Set[str] = set()

    def walk(x: Any) -> None:
        if isinstance(x, (Type, Size)):
            texts = [n for n in x.shape if isinstance(n, str)] if isinstance(x, Type) else [x]
            found.update(w for text in texts for w in re.findall(r"[A-Za-z_]\w*", text) if w not in ("min", "max"))
        elif isinstance(x, (list, tuple)):
            for y in x:
                walk(y)

    walk([*graph.inputs.values(), *[t for n in graph.nodes for t in n.types], *[x for n in graph.nodes for x in n.args.values()]])
    return found


Lines = List[Tuple[str, Optional[Node]]]


def _declared(graph: Graph, lines: Lines) -> List[str]:
    """Declares the inputs. An input whose axes lie in memory in another order is transposed first."""
    declared = []
    for called, type_ in graph.inputs.items():
        port = f"{f'{called}_stored' if type_.order else name(called)}: {type_.stored()}"
        if called in graph.parameters:
            lines.append((f"param {port} as {literal(graph.parameters[called])}", None))
        else:
            declared.append(port)
        if type_.order:
            lines.append((f"{name(called)} = transpose({called}_stored, perm = {type_.back()})", None))
    return declared + ([f"sizes: bool[{', '.join(graph.dims)}, 0]"] if graph.dims else [])


def _body(graph: Graph, types: Dict[str, Type], lines: Lines) -> None:
    """Returns the lines of the nodes, each below the line of Python that made it. Raises Refused with all nodes that have none."""
    refused: List[Tuple[Node, str]] = []
    origin = ""
    for node in graph.nodes:
        constants: List[str] = []
        types.update({n: t for n, t in zip(node.names, node.types) if n})
        try:
            made = statements(node, types, constants)
        except Refused as e:
            refused.append((node, str(e)))
            continue
        if node.line and node.line != origin:
            origin = node.line
            lines.append((f"// {origin}", None))
        lines += [(line, node) for line in constants + made]
    if refused:
        raise Refused(refused)


def write(graph: Graph, called: str = "net", weights: str = "") -> Tuple[str, List[Optional[Node]]]:
    """Returns the MG text of a graph, and the node that each of its lines comes from. `weights` is the file of the parameters."""
    types = dict(graph.inputs)
    lines: Lines = []
    declared = _declared(graph, lines)
    _body(graph, types, lines)
    outputs = [f"out{i + 1}" for i in range(len(graph.outputs))]
    for result, output in zip(outputs, graph.outputs):
        order = None if graph.plain else types[output].forth()
        lines.append((f"{result} = " + (f"transpose({name(output)}, perm = {order})" if order else f"identity({name(output)})"), None))
    modules = [m for m in ("aten", "stablehlo") if m == "aten" or any(f"{m}." in line for line, _ in lines)]
    head = ["mg 1", *(f"import {m}" for m in modules), "", f"graph {name(called)}({', '.join(declared)}) -> ({', '.join(outputs)})"]
    head += [f"    weights {literal(weights)}"] * bool(weights) + ["{"]
    text = "\n".join(head + ["    " + line for line, _ in lines] + ["}", ""])
    return text, [None] * len(head) + [node for _, node in lines] + [None, None]


# ---------------------------------------------------------------------- files
def _plain(x: Any) -> Any:
    for kind in (Value, Size, Element):
        if isinstance(x, kind):
            return {kind.__name__.lower(): str(x)}
    return [_plain(y) for y in x] if isinstance(x, (list, tuple)) else x


def _special(x: Any) -> Any:
    if isinstance(x, dict):
        (word, text), = x.items()
        return {"value": Value, "size": Size, "element": Element}[word](text)
    return [_special(y) for y in x] if isinstance(x, list) else x


def _row(t: Optional[Type]) -> Any:
    return t and [t.element, t.shape, t.order]


def _type(x: Optional[Sequence[Any]]) -> Optional[Type]:
    return None if x is None else Type(x[0], tuple(x[1]), None if x[2] is None else tuple(x[2]))


def dump(graph: Graph) -> str:
    """Writes a graph as JSON, one line for each node."""
    nodes = [json.dumps([n.op, {k: _plain(x) for k, x in n.args.items()}, n.names,
                         [_row(t) for t in n.types]]) for n in graph.nodes]
    inputs = {n: _row(t) for n, t in graph.inputs.items()}
    return ('{"inputs": %s,\n "dims": %s,\n "nodes": [\n  %s],\n "outputs": %s}\n'
            % (json.dumps(inputs), json.dumps(graph.dims), ",\n  ".join(nodes), json.dumps(graph.outputs)))


def load(text: str) -> Graph:
    """Reads a graph that dump() wrote."""
    read = json.loads(text)
    nodes = [Node(op, {k: _special(x) for k, x in args.items()}, names, [_type(t) for t in types]) for op, args, names, types in read["nodes"]]
    return Graph({n: _type(t) for n, t in read["inputs"].items()}, nodes, read["outputs"], read["dims"])
