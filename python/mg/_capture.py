"""Follows numpy code over stand-ins for arrays and records it as a graph in MG.

A stand-in (Traced) takes part in numpy's own dispatch: operators and ufuncs arrive through __array_ufunc__, functions through
__array_function__ (NEPs 13 and 18). numpy's rules decide element types, by a trial on arrays of one element. MG decides shapes:
the compiler's front end is asked for the type of each new value.
"""

import dis
import os
import re
import sys
import traceback
import warnings
import weakref
from operator import getitem
from typing import Any, Dict, FrozenSet, List, Optional, Sequence, Tuple

import numpy as np

from ._model import _WORDS as WORDS, Error, Model, compile_text

HERE = os.path.dirname(os.path.abspath(__file__))


class CaptureError(TypeError):
    """Names the line of Python that cannot be captured, and says why."""


def no_array(x: np.ndarray) -> Optional[str]:
    """Says why an array cannot be in a graph, or returns None."""
    if type(x) not in (np.ndarray, np.memmap):
        return f"is a {type(x).__name__}, whose rules are not those of an array"
    return None if x.dtype in WORDS or x.dtype in PARTS else f"is an array of {x.dtype}, which has no type in MG"


PARTS = {np.dtype("c8"): np.dtype("f4"), np.dtype("c16"): np.dtype("f8")}  # complex numbers are pairs (_complex.py)


def word(dtype: np.dtype) -> str:
    """Returns the name of a type for messages."""
    return WORDS[dtype] if dtype in WORDS else f"complex {WORDS[PARTS[dtype]]}"


def bound(x: np.ndarray) -> np.ndarray:
    """Returns what is bound for an array. The parts of complex numbers lie along a last axis."""
    return np.require(x[..., None], requirements="C").view(PARTS[x.dtype]) if x.dtype in PARTS else x


def place() -> Optional[traceback.FrameSummary]:
    """Returns the innermost line outside this package and numpy."""
    numpy = os.path.dirname(os.path.abspath(np.__file__))
    for frame in reversed(traceback.extract_stack()):
        inside = os.path.abspath(frame.filename).startswith((HERE + os.sep, numpy + os.sep))
        if not inside and not frame.filename.startswith("<"):
            return frame
    return None


class Refused(CaptureError):
    """Says what MG's front end found wrong."""


def refuse(what: str, error: type = CaptureError) -> None:
    """Raises a CaptureError at that line."""
    frame = place()
    raise error(f"{frame.filename}:{frame.lineno}: {what}\n    {frame.line}" if frame else what)


def compile_captured(text: str, name: str, **options: Any) -> Model:
    """Compiles without warnings: they would name lines that the user didn't write, and sums that wrap do so in numpy too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return compile_text(text, name, **options)


def literal(x: Any) -> str:
    """Writes a Python value in MG."""
    if isinstance(x, (bool, np.bool_)):
        return str(bool(x)).lower()
    if isinstance(x, (tuple, list)):
        return "[" + ", ".join(map(literal, x)) + "]"
    if isinstance(x, str):
        return '"' + x.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(x, (int, float, np.number)):
        return repr(x.item() if isinstance(x, np.number) else x)
    try:
        return WORDS[np.dtype(x)]
    except (TypeError, KeyError):
        refuse(f"{x!r} cannot be an attribute of an operator")


CHANGES = {"copyto", "fill_diagonal", "putmask", "place", "put", "put_along_axis", "at"}  # functions that change their first argument


class Shape(tuple):
    """The sizes of a captured value. Once code reads a size, the graph is valid for that size alone."""

    def __new__(cls, sizes: Sequence[int], dims: Sequence[FrozenSet[str]], recorder: "Recorder"):
        self = super().__new__(cls, sizes)
        self._dims, self._recorder = tuple(dims), recorder
        return self

    def _read(self, which) -> None:
        for dims in self._dims[which] if isinstance(which, slice) else [self._dims[which]]:
            self._recorder.pinned |= dims

    def __getitem__(self, which):
        self._read(which)
        return super().__getitem__(which)

    def __iter__(self):
        self._read(slice(None))
        return super().__iter__()

    def __eq__(self, other):
        self._read(slice(None))
        return super().__eq__(other)

    def __ne__(self, other):
        return not self == other

    __hash__ = None


def _imports(body: str) -> str:
    return "import factors\n" if "factors." in body else ""


class Recorder:
    """The graph that is being written. `dims` has the value of each open dimension in this capture."""

    def __init__(self, dims: Dict[str, int]):
        self.dims = dims
        self.pinned: FrozenSet[str] = frozenset()
        self.ports: List[str] = []
        self.lines: List[str] = []  # those of the current block
        self.outer: List[List[str]] = []  # those of the blocks around it
        self.depth = 0
        self.computed = False  # a number that numpy computed is in the graph
        self.returned = False  # the function has ended
        self.deriving: List["Traced"] = []  # what derivatives that are being captured are taken by
        self.own: Any = None  # captures the arrays that the function makes itself, or leaves them to numpy
        self.ask: Any = None  # computes the value of a captured number
        self.elsewhere: Any = None  # lets numpy compute a function of captured values
        self.held: List[Any] = []  # arrays that are not arguments, or places of them; they are inputs too
        self._names: Dict[int, Any] = {}
        self._types: Dict[str, str] = {}  # the type of each value, as MG writes it
        self._constants: Dict[str, str] = {}
        self._count = 0

    def text(self, outputs: Sequence[str]) -> str:
        body = "".join(f"    {line}\n" for line in self.lines)
        return f"mg 1\n{_imports(body)}\ngraph captured({', '.join(self.ports)}) -> ({', '.join(outputs)}) {{\n{body}}}\n"

    def input(self, name: str, array: np.ndarray, dims: Sequence[Optional[str]], fixed: Optional[str] = "an argument") -> Any:
        if array.dtype in PARTS:
            from ._complex import from_parts

            return from_parts(self.input(name, bound(array), [*dims, None], fixed))
        sizes = [dim or str(n) for dim, n in zip(dims, array.shape)]
        self._types[name] = f"{WORDS[array.dtype]}[{', '.join(sizes)}]"
        self.ports.append(f"{name}: {self._types[name]}")
        value = Traced(self, name, array.dtype, array.shape, [frozenset([d]) if d else frozenset() for d in dims])
        value._fixed = fixed
        return value

    def input_like(self, type_: str, dtype: np.dtype) -> "Traced":
        """Adds a number that the caller defines."""
        self._count += 1
        name = f"v{self._count}"
        self._types[name] = type_
        return Traced(self, name, dtype, (), [])

    def hold(self, array: np.ndarray) -> Any:
        why = no_array(array)
        if why:
            refuse(f"this value {why}")
        if id(array) not in self._names:
            self.held.append(array)
            self._names[id(array)] = self.input(f"held{len(self.held)}", array, [None] * array.ndim)
        return self._names[id(array)]

    def outside(self, error: CaptureError, function: Any, args: Sequence[Any], named: Dict[str, Any]) -> Any:
        """Lets numpy compute what cannot be captured, if it can: a graph break."""
        undefined = function.__name__ == "__call__" and "where" in named  # a ufunc that leaves elements as they were in memory
        changes = function.__name__ in CHANGES
        if isinstance(error, Refused) or self.elsewhere is None or self.depth or self.deriving or undefined or named.get("out") is not None:
            raise error
        if changes and not hasattr(args[0], "become"):
            raise error
        from ._outside import changed

        try:
            if not changes:
                return self.elsewhere(function, args, named)
            y = self.elsewhere(changed(function), args, named)
        except CaptureError:
            raise error from None
        args[0].become(y)

    def derives(self, x: "Traced") -> bool:
        """Tells whether a value has a derivative by what one is being taken by."""
        for by in self.deriving:
            try:
                self._front_end(", ".join(self.ports), [*self.lines, f"whole = sum({x._name})", f"slope = derivative(whole, {by._name})"], "slope")
                return True
            except Error as e:
                if "no path of floats" not in str(e):
                    raise
        return False

    def constant(self, x: Any, dtype: np.dtype) -> "Traced":
        self.computed |= isinstance(x, np.generic)
        x = np.asarray(x, dtype) if type(x) is int and dtype.kind in "iu" else np.asarray(x).astype(dtype)  # or numpy's own error
        if dtype.kind == "f" and not np.isfinite(x):
            return self.hold(np.array(x))
        self._count += 1
        name = f"c{self._count}"
        self._types[name], self._constants[name] = f"{WORDS[dtype]}[]", f"const {name}: {WORDS[dtype]}[] = {literal(x.item())}"
        (self.outer[0] if self.outer else self.lines).append(self._constants[name])
        return Traced(self, name, dtype, (), [])

    def emit(self, expression: str, indices: str = "") -> "Traced":
        """Adds a value, whose type the front end infers. With indices, such as "[i, j]", the expression is that of an equation."""
        self._count += 1
        name = f"v{self._count}"
        return self._add(f"{name}{indices} = {expression}", [name])[0]

    def emit_all(self, expression: str, count: int) -> List["Traced"]:
        """Adds the values of an operator that has several results."""
        names = [f"v{self._count + 1 + i}" for i in range(count)]
        self._count += count
        return self._add(f"{', '.join(names)} = {expression}", names)

    def _add(self, line: str, names: Sequence[str]) -> List["Traced"]:
        try:
            ports = [self._typed(line, name) for name in names]
        except Error as e:
            refuse("MG refuses this: " + str(e).splitlines()[0].split("error: ")[-1], Refused)
        self.lines.append(line)
        return [self._made(name, port) for name, port in zip(names, ports)]

    def _made(self, name: str, port: Any) -> "Traced":
        self._types[name] = f"{WORDS[port.dtype]}[{', '.join(map(str, port.shape))}]"
        dims = [frozenset(re.findall(r"[A-Za-z_]\w*", str(n))) & set(self.dims) for n in port.shape]
        return Traced(self, name, port.dtype, [self._size(n) for n in port.shape], dims)

    def _typed(self, line: str, name: str) -> Any:
        """Returns the type of a line's value. The types of its operands are usually enough, so the cost doesn't grow with the graph."""
        used = list(dict.fromkeys(n for n in re.findall(r"[A-Za-z_]\w*", line) if n in self._types))
        plain = all(re.fullmatch(r"\w+\[(\w+(, \w+)*)?\]", self._types[n]) for n in used)
        if plain and "derivative(" not in line:
            ports = ", ".join(f"{n}: {self._types[n]}" for n in used if n not in self._constants)
            lines = [self._constants[n] for n in used if n in self._constants] + [line]
            return self._front_end(ports, lines, name)
        if self.outer:
            refuse("a derivative, or a size that data decide, cannot be captured within mg.cond or mg.loop")
        return self._front_end(", ".join(self.ports), self.lines + [line], name)

    @staticmethod
    def _front_end(ports: str, lines: Sequence[str], name: str) -> Any:
        body = "\n".join(lines)
        text = f"mg 1\n{_imports(body)}graph captured({ports}) -> ({name}) {{\n{body}\n}}\n"
        return compile_captured(text, "captured.mg", interpret=True, level=0).outputs[0]

    def _size(self, formula) -> int:
        if isinstance(formula, int):
            return formula
        return int(eval(formula.replace("/", "//"), {"__builtins__": {}, "min": min, "max": max}, dict(self.dims)))


def _is_stored() -> bool:
    """Tells whether Python is writing the value into an array: y[0] = x."""
    frame = sys._getframe(2)
    while frame.f_code.co_filename.startswith(HERE + os.sep):
        frame = frame.f_back
    return frame.f_code.co_code[frame.f_lasti] == dis.opmap["STORE_SUBSCR"]


class Traced(np.lib.mixins.NDArrayOperatorsMixin):
    """A stand-in for an array while a function is captured."""

    __array_priority__ = 1000

    def __init__(self, recorder: Recorder, name: str, dtype: np.dtype, sizes: Sequence[int], dims: Sequence[FrozenSet[str]]):
        self._recorder, self._name, self.dtype = recorder, name, np.dtype(dtype)
        self._sizes, self._dims = tuple(sizes), tuple(dims)
        self._depth = recorder.depth
        self._fixed: Optional[str] = None  # the reason why it may not change in place
        self._views: List[Tuple[Any, Any]] = []  # weak references to values that share its memory in numpy, and how each is made of it
        self._base: Optional["Traced"] = None  # the array that it views
        self._origin: Optional[Tuple["Traced", Any]] = None  # a part of another array: that array, and the key

    shape = property(lambda self: Shape(self._sizes, self._dims, self._recorder))
    ndim = property(lambda self: len(self._sizes))
    T = property(lambda self: np.transpose(self))
    mT = property(lambda self: np.swapaxes(self, -1, -2))
    real = property(lambda self: self)
    imag = property(lambda self: np.zeros_like(self))
    itemsize = property(lambda self: self.dtype.itemsize)
    nbytes = property(lambda self: self.size * self.dtype.itemsize)
    flat = property(lambda self: np.ravel(self))

    @property
    def size(self) -> int:
        return int(np.prod(list(self.shape), dtype=np.int64))

    def __repr__(self) -> str:
        return f"<captured {WORDS[self.dtype]}{list(self._sizes)}>"

    def __len__(self) -> int:
        if not self.ndim:
            raise TypeError("a captured value without dimensions has no length")
        return self.shape[0]

    def __iter__(self):
        return (self[i] for i in range(len(self)))

    def _value(self, wanted: str, convert: Any, slopes: bool = False) -> Any:
        """Breaks the graph: runs the part so far and returns the value. From then on the graph is valid for this value alone.
        slopes: a derivative of what is computed with the value may be wanted."""
        r = self._recorder
        if r.own and r.own.stays and _is_stored():
            r.own.give_up("a captured value is written into an array of numpy's")
        if r.ask and not r.depth:
            if self.size != 1:
                raise ValueError(f"{wanted} needs one element, and this array has {self.size}")
            if slopes and self.dtype.kind == "f" and r.derives(self):
                r.own.give_up("a Python number, or an element of an array that is not captured, has no derivative; functions of numpy and "
                              "arrays that the function makes by np.zeros or np.stack have one")
            return convert(r.ask(self).reshape(()))
        refuse(f"{wanted} needs a value that is known only when the function runs; np.where chooses between two arrays")

    __bool__ = lambda self: self._value("a decision", bool)
    __int__ = lambda self: self._value("a Python number", int)
    __float__ = lambda self: self._value("a float", float, slopes=True)
    __index__ = lambda self: self._value("an index", lambda x: x.item().__index__())
    item = lambda self, *at: (self[at] if len(at) == self.ndim else np.ravel(self)[at[0]] if at else self)._value(
        "a float", np.ndarray.item, slopes=True)
    __hash__ = None

    def __array__(self, *_args, **_named):
        refuse("numpy needs the values here, but they are known only when the function runs; np.stack makes an array of arrays, "
               "and np.take(array, x) indexes one")

    def __format__(self, spec: str) -> str:
        return format(self._value("a formatted number", np.ndarray.item), spec) if spec else repr(self)

    def __setitem__(self, key, value):
        from ._places import assign

        origin = value._origin if isinstance(value, Traced) else None
        if origin and origin[0] is self:
            if origin[1] is key:  # x[key] += y has changed x already
                return
            assign(self, key, value.copy(), by=value)
            value._name = self[origin[1]]._name  # in numpy it has changed, too
        else:
            assign(self, key, value)

    def __getitem__(self, key):
        from ._rows import part

        try:
            return part(self, key)
        except CaptureError as e:
            return self._recorder.outside(e, getitem, (self, key), {})

    def __array_ufunc__(self, ufunc, method, *inputs, **named):
        from ._rows import call_ufunc

        try:
            return call_ufunc(self._recorder, ufunc, method, inputs, dict(named))
        except CaptureError as e:
            return self._recorder.outside(e, getattr(ufunc, method), inputs, named)

    def __array_function__(self, function, _types, args, named):
        from ._complex import call_function, is_complex
        from ._rows import FUNCTIONS

        if is_complex(args) or is_complex([*named.values()]) or isinstance(named.get("dtype"), (type, str, np.dtype)) and np.dtype(named["dtype"]).kind == "c":
            try:
                return call_function(self._recorder, function, args, named)
            except CaptureError as e:
                return self._recorder.outside(e, function, args, named)
        if isinstance(named.get("out"), Traced):
            y = function(*args, **{k: v for k, v in named.items() if k != "out"})
            return named["out"].write(y)
        row = FUNCTIONS.get(function)
        try:
            if row is None:
                refuse(f"{function.__module__.replace('numpy', 'np')}.{function.__name__} cannot be captured")
            return row(self._recorder, *args, **named)
        except CaptureError as e:
            return self._recorder.outside(e, function, args, named)

    def note_view(self, view: "Traced", make: Any = None) -> None:
        self._views.append((weakref.ref(view), make))

    def _follow(self, other: "Traced", by: Any = None) -> None:
        """Takes over a value, which the views of this array see, too."""
        self._name, self._sizes, self._dims = other._name, other._sizes, other._dims
        for view, make in self._views:
            seen = view()
            if seen is not None and seen is not by:
                if make is None:
                    refuse("an array that another one views in this way does not change in place; write x = x + y")
                seen._follow(make(self))

    def become(self, other: "Traced", by: Optional["Traced"] = None) -> "Traced":
        """Changes the value in place, as `x += y` does, or because `by`, a part of it, changes. A change of a part changes the whole."""
        from ._places import assign

        if self._fixed:
            refuse(f"{self._fixed} does not change in place; write x = x + y")
        if self._depth < self._recorder.depth:
            refuse("an array from outside of mg.cond or mg.loop does not change in place; write x = x + y")
        if self._origin:
            assign(*self._origin, other, by=self)
        self._follow(other, by)
        return self

    def __pow__(self, n):
        """Does as an operator of numpy's does: some powers are other functions, whose types and special values differ."""
        known = type(n) in (int, float) and n in POWERS and (self.dtype.kind == "f" or n == 2 and type(n) is int)
        return POWERS[n](self).astype((np.ones((1,) * self.ndim, self.dtype) ** n).dtype) if known else np.power(self, n)

    def __ipow__(self, n):
        return self.write(self ** n)

    def write(self, y: Any, mask: Any = None) -> "Traced":
        """Puts a result here, where the mask is true: out=x, where=mask."""
        if not isinstance(y, Traced) or not np.can_cast(y.dtype, self.dtype, "same_kind"):
            refuse("a result of another type cannot be written here")
        if mask is not None and np.broadcast_shapes(y._sizes, np.shape(mask), self._sizes) == self._sizes:
            y = np.broadcast_to(y, self.shape) if y._sizes != self._sizes else y
        if y._sizes != self._sizes:
            refuse(f"a result of shape {y._sizes} cannot be written into {self._sizes}")
        y = y.astype(self.dtype)
        return self.become(y if mask is None else np.where(mask, y, self))

    def __getattr__(self, name: str):
        if name in METHODS:
            return lambda *args, **named: METHODS[name](self, *args, **named)
        return self.unknown(name)

    @staticmethod
    def unknown(name: str) -> None:
        """Says why a captured array has no such attribute."""
        if hasattr(np.ndarray, name) and not name.startswith("_"):
            refuse(f"x.{name} of a captured array has no meaning before the function runs")
        raise AttributeError(f"a captured array has no '{name}'")


def _method(function):
    return lambda x, *args, **named: function(x, *args, **named)


def _spread(function):
    """Makes a method that takes sizes or axes as one tuple or one by one: x.reshape(2, 3)."""
    return lambda x, *args, **named: function(x, args[0] if len(args) == 1 and not isinstance(args[0], int) else (args or None), **named)


def _converted(x: Traced, dtype: Any) -> Traced:
    from ._rows import cast

    return cast(x, np.dtype(dtype))


def _sort(x: Traced, axis: int = -1, **named: Any) -> None:
    x.become(np.sort(x, axis, **named))


def _partition(x: Traced, kth: Any, axis: int = -1, **named: Any) -> None:
    x.become(np.partition(x, kth, axis, **named))


POWERS = {2: np.square, 0.5: np.sqrt, -1: np.reciprocal}
METHODS = {name: _method(getattr(np, name)) for name in (
    "nonzero", "searchsorted", "argpartition", "put", "conj", "conjugate",
    "sum", "prod", "max", "min", "mean", "var", "std", "any", "all", "argmax", "argmin", "cumsum", "cumprod", "argsort", "dot",
    "squeeze", "ravel", "swapaxes", "clip", "take")}
METHODS.update(
    reshape=_spread(np.reshape),
    transpose=_spread(np.transpose),
    flatten=lambda x, order="C": np.ravel(x, order).copy(),
    sort=_sort,
    partition=_partition,
    fill=lambda x, value: x.__setitem__(..., value),
    clip=lambda x, min=None, max=None, **named: np.clip(x, min, max, **named),
    copy=lambda x, *_: x._recorder.emit(f"identity({x._name})"),
    astype=lambda x, dtype, order="K", casting="unsafe", subok=True, copy=True: x.copy() if copy and x.dtype == dtype else _converted(x, dtype),
)
