"""mg.jit: a Python function over numpy arrays, captured as a graph, compiled, and called under guards."""

import functools
import inspect
import os
import sys
import sysconfig
import threading
import types
from collections import deque
from dataclasses import dataclass
from typing import Any, Callable, Dict, FrozenSet, Iterable, Iterator, List, Optional, Tuple

import numpy as np

from ._capture import CaptureError, Recorder, Traced, compile_captured, literal, no_array, place, refuse, word
from ._complex import Complex, as_result
from ._made import Own, makers
from ._masks import Selected, _found
from ._model import Error, Model, compile_text
from ._outside import Break, Call, Outside, Part, as_type, sizes_fail
from ._trees import DICTIONARIES, Leaf, arrays_in, flatten, is_container, parts, same, snapshot, tree_differences, unflatten


STANDARD = sysconfig.get_path("stdlib")


def _log(topic: str, text: str) -> None:
    if topic in os.environ.get("MG_LOG", "").split(","):
        print(f"mg: {topic}: {text}", file=sys.stderr)


# ---------------------------------------------------------------------- results and surroundings
def _check_result(result: Any) -> None:
    """Refuses a result that hides captured values, which mean nothing once the function has been captured."""
    level, seen = [result], set()  # objects of the caller may name each other: each is looked at once
    for depth in range(9):
        below: List[Any] = []
        for x in level:  # which grows by what is in plain lists, tuples and dictionaries
            if (id(x), depth > 0) in seen:
                continue
            seen.add((id(x), depth > 0))
            if isinstance(x, Selected):
                refuse("a result is x[mask], whose size data decide; np.where chooses by a mask")
            if isinstance(x, (Traced, Complex)) and depth:
                refuse("a result is a captured value in an object: arrays are returned in tuples, lists and dictionaries")
            if hasattr(x, "__next__") or hasattr(x, "__await__"):
                refuse("a result is an iterator: list() makes a list of it")
            if isinstance(x, (Traced, Complex, np.ndarray, type)):
                continue
            plain = type(x) in (tuple, list, *DICTIONARIES) or hasattr(type(x), "_make")
            inner = level if plain and not depth else below
            inner += x.values() if isinstance(x, dict) else x if isinstance(x, (list, tuple, set, frozenset, deque)) else []
            inner += getattr(x, "__dict__", {}).values() if not callable(x) else []
        level = below


def _read_now(call: Call, recorder: Recorder) -> List[Tuple[str, np.ndarray, np.ndarray]]:
    """Returns the arrays from outside, with copies, if numpy may have computed with them during the capture: then a result of it is in
    the graph. An array that only goes into the graph is read in each call."""
    outside = [found for name, value in call.around.items() for found in arrays_in(value, name) if found[1].dtype.kind in "biufc"]
    held = {id(x) for x in recorder.held}
    made = recorder.computed or not held <= {id(x) for _, x in outside}
    return [(name, x, x.copy()) for name, x in outside if made or id(x) not in held]


def _surroundings(f: Callable, tree: Any = None) -> Dict[str, Any]:
    """Returns the globals and the variables of enclosing functions that f reads, the attributes of objects among these and among the
    arguments, and the defaults of other functions. The functions and methods that f calls by name count, too."""
    f = _plain(f)
    objects = _values(tree, "")
    found = {path: x for path, x in objects.items() if is_container(x)}
    names, seen, waiting = set(), set(), [f]
    if not isinstance(f, types.FunctionType):
        objects[type(f).__name__] = f
    while waiting:
        g = waiting.pop()
        if id(g) not in seen and isinstance(g, types.FunctionType):
            seen.add(id(g))
            names |= _names(g.__code__)
            near = {n: g.__globals__[n] for n in _names(g.__code__) if n in g.__globals__}
            for name, cell in zip(g.__code__.co_freevars, g.__closure__ or ()):
                if cell != types.CellType():
                    near[name] = cell.cell_contents
            if g is not f and (g.__defaults__ or g.__kwdefaults__):
                near["defaults"] = (g.__defaults__, g.__kwdefaults__)
            for name, value in near.items():
                into = objects if isinstance(value, types.ModuleType) else found
                into[name if g is f else f"{g.__name__}.{name}"] = value
                waiting.append(_plain(value))
        if not waiting:  # a method may read attributes that no function has named before
            attributes, methods = _attributes({**objects, **found}, names)
            found.update(attributes)
            waiting = [m for m in methods if isinstance(m, types.FunctionType) and id(m) not in seen]
    return found


def _values(tree: Any, path: str) -> Dict[str, Any]:
    """Returns the parts of the arguments that are not arrays."""
    if tree is None or tree is Leaf:
        return {}
    if tree[0] == "value":
        return {path: tree[2]}
    below = tree[1] if tree[0] in DICTIONARIES else enumerate(tree[1])
    return {k: v for key, part in below for k, v in _values(part, f"{path}[{key!r}]" if path else str(key)).items()}


def _attributes(objects: Dict[str, Any], names: set) -> Tuple[Dict[str, Any], List[Callable]]:
    """Returns the attributes that have these names, of the objects and of the objects in them, and the methods and properties
    that have them."""
    found: Dict[str, Any] = {}
    methods, seen, waiting, wanted = [], set(), list(objects.items()), names | {"__call__"}
    while waiting:
        path, x = waiting.pop()
        if id(x) in seen:
            continue
        seen.add(id(x))
        waiting += [(f"{path}[{k!r}]", y) for k, y in parts(x).items()]
        if isinstance(x, functools.partial):
            methods.append(_plain(x.func))
            found[f"{path}.args"] = (x.args, x.keywords)
            waiting += [(f"{path}.func", x.func), (f"{path}.args", found[f"{path}.args"])]
        elif isinstance(x, types.ModuleType):
            near = {n: vars(x)[n] for n in names if n in vars(x)} if not _is_installed(x) else {}
            methods += map(_plain, near.values())
            found.update({f"{path}.{n}": v for n, v in near.items() if not isinstance(v, types.ModuleType)})
            waiting += [(f"{path}.{n}", v) for n, v in near.items()]
        elif isinstance(x, types.MethodType):
            methods.append(x.__func__)
            waiting.append((f"{path}.__self__", x.__self__))
        elif _has_attributes(x):
            holders = x.__mro__ if isinstance(x, type) else (x, *type(x).__mro__)
            near = {n: vars(h)[n] for h in reversed(holders) if h is not object and hasattr(h, "__dict__")
                    for n in sorted(vars(h).keys() & wanted)}
            for name, value in near.items():
                value = getattr(value, "fget", None) or getattr(value, "__func__", value)
                methods.append(_plain(value))
                found[f"{path}.{name}"] = value
                waiting.append((f"{path}.{name}", value))
    return found, methods


def _is_installed(module: types.ModuleType) -> bool:
    """Whether a module is a library's, whose variables don't change."""
    file = getattr(module, "__file__", None)
    if not file:
        return module.__name__ in sys.builtin_module_names
    return module.__name__.split(".")[0] == __package__ or "-packages" in file or file.startswith(STANDARD)


def _has_attributes(x: Any) -> bool:
    kind = x if isinstance(x, type) else type(x)
    own = kind.__module__.split(".")[0] in (__package__, "numpy", "builtins")
    return hasattr(x, "__dict__") and not own and not isinstance(x, (types.ModuleType, types.FunctionType))


def _plain(f: Any) -> Any:
    """Returns the function that was given to mg.jit or mg.grad, or f itself."""
    while isinstance(f, Jitted):
        f = f.function
    return f


@functools.lru_cache(maxsize=None)
def _names(code) -> set:
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return set(code.co_names).union(*map(_names, inner))


# ---------------------------------------------------------------------- variants
def _differences(a: Call, b: Call) -> Iterator[str]:
    """Yields the guards of a that b fails, apart from sizes."""
    yield from tree_differences(a.tree, b.tree, "")
    for (path, x), (_, y) in zip(a.leaves, b.leaves):
        if x.dtype != y.dtype:
            yield f"{path} is {word(y.dtype)}, not {word(x.dtype)}"
        if x.ndim != y.ndim:
            yield f"{path} has {y.ndim} dimensions, not {x.ndim}"
    for name in {**a.around, **b.around}:
        if name not in a.around or name not in b.around or not same(a.around[name], b.around[name]):
            yield f"{name}, which the function reads, has changed"


class Variant:
    """One graph of the function, and the calls that it is valid for."""

    reason: Optional[str] = None  # why it was made; None for the first

    def __init__(self, call: Call, open_axes: List[List[Optional[str]]], model: Model, text: str, held, tree, made, types, breaks=()):
        self.breaks = list(breaks)
        self.call = Call([(p, np.empty((0,) * x.ndim, x.dtype)) for p, x in call.leaves], call.tree, call.around)
        self.sizes = [x.shape for _, x in call.leaves]
        self.open_axes, self.model, self.text = open_axes, model, text
        self.held, self.tree, self.made, self.types = held, tree, made, types
        self.watched: List[Tuple[str, np.ndarray, np.ndarray]] = []  # arrays from outside that the capture read, and what they held
        self.hits = 0

    def failures(self, call: Call) -> Iterator[str]:
        """Yields the guards that a call fails."""
        found = [*_differences(self.call, call), *self._sizes_fail(call)]
        yield from found
        for name, x, before in self.watched if not found else []:
            if not np.array_equal(x, before, equal_nan=x.dtype.kind in "fc"):
                yield f"{name}, which the function reads, holds other values"
                return
        dims = {d: n for (_, x), names in zip(call.leaves, self.open_axes) for n, d in zip(x.shape, names) if d}
        for b in self.breaks if not found else []:
            why = b.failure(call, dims)
            if why:
                yield why
                return  # the rest is valid for another value

    def holds(self, call: Call) -> bool:
        return next(self.failures(call), None) is None

    def _sizes_fail(self, call: Call) -> Iterator[str]:
        dims: Dict[str, int] = {}
        for (path, x), sizes, names in zip(call.leaves, self.sizes, self.open_axes):
            yield from sizes_fail(path, x.shape, sizes, names, dims)

    def guards(self) -> List[str]:
        lines = []
        for (path, x), sizes, names in zip(self.call.leaves, self.sizes, self.open_axes):
            shape = ", ".join(name or str(n) for n, name in zip(sizes, names))
            lines.append(f"{path}: {word(x.dtype)}[{shape}]")
        lines += [f"{name} is {value!r}" for name, value in self.call.around.items()
                  if isinstance(value, (bool, int, float, str, tuple))]
        return lines + [f"break: {b.guard()}" for b in self.breaks]

    def run(self, call: Call) -> Any:
        self.hits += 1
        results = self.model(*call.inputs(self.held)) if self.made else ()
        results = results if isinstance(results, tuple) else (results,)
        return unflatten(self.tree, iter(map(as_type, results, self.types)))


# ---------------------------------------------------------------------- the function
MOST_BREAKS = 32  # variants of one function that are valid for single values


class Jitted:
    """A function that runs as compiled graphs. See jit()."""

    def __init__(self, function: Callable, options: Dict[str, Any]):
        self.__wrapped__ = self.function = function
        self.__name__ = getattr(function, "__name__", "function")
        self.__qualname__ = getattr(function, "__qualname__", self.__name__)
        self.__module__ = getattr(function, "__module__", __name__)
        self.__doc__ = function.__doc__
        self.options = options
        self.variants: List[Variant] = []
        self._asked: Dict[str, Model] = {}  # graphs up to a break
        self._adding = threading.RLock()
        try:
            self._signature = None if isinstance(function, np.ufunc) else inspect.signature(function)
        except (TypeError, ValueError):
            self._signature = None
        if self._signature is None:
            raise TypeError(f"mg.jit takes a Python function, not {function!r}")
        given = self._signature.parameters.values()
        usual = all(p.kind is p.POSITIONAL_OR_KEYWORD for p in given)
        self._usual = [p.name for p in given] if usual else None  # the names of arguments that are all given by position

    def __repr__(self) -> str:
        return f"<mg.jit {self.__name__}, {len(self.variants)} variants>"

    def __reduce__(self) -> str:
        return self.__qualname__  # as a function, it is copied as itself, and pickled by its name

    def __copy__(self) -> "Jitted":
        return self

    def __deepcopy__(self, memo: Any) -> "Jitted":
        return self

    def __get__(self, instance, owner=None):
        return self if instance is None else types.MethodType(self, instance)

    def __call__(self, *args: Any, **named: Any) -> Any:
        if any(isinstance(x, Selected) for x in args):  # of a function around this one
            args = _found(args)
        leaves: List[Tuple[str, Any]] = []
        tree = (dict, [(k, flatten(x, k, leaves)) for k, x in self._bind(args, named)])
        if any(isinstance(x, (Traced, Complex)) for _, x in leaves):
            return self.body(*args, **named)  # it becomes a part of the function that is captured
        for i, (path, x) in enumerate(leaves):
            native = x.astype(x.dtype.newbyteorder("=")) if not x.dtype.isnative else x
            why = no_array(native)
            if why:
                raise CaptureError(f"{path} {why}")
            leaves[i] = (path, np.asarray(native))
        call = Call(leaves, tree, _surroundings(self.function, tree))
        variant = self._find(call)
        if variant is None and type(self) is Jitted and sum(bool(v.breaks or v.watched) for v in self.variants) >= MOST_BREAKS:
            return self.function(*args, **named)  # values that never recur would make graphs without end
        if variant is None:
            with self._adding:  # another thread may have made it meanwhile
                variant = self._find(call) or self._add(call)
        return variant.run(call)

    def _bind(self, args: Tuple[Any, ...], named: Dict[str, Any]) -> Iterable[Tuple[str, Any]]:
        """Returns the arguments by their names, with defaults."""
        if self._usual is not None and len(args) == len(self._usual) and not named:
            return zip(self._usual, args)
        bound = self._signature.bind(*args, **named)
        bound.apply_defaults()
        return bound.arguments.items()

    def body(self, *args: Any, **named: Any) -> Any:
        """Computes the result of the capture."""
        return self.function(*args, **named)

    def _find(self, call: Call) -> Optional[Variant]:
        return next((v for v in reversed(self.variants) if v.holds(call)), None)

    def _add(self, call: Call) -> Variant:
        call = Call(call.leaves, call.tree, snapshot(call.around))
        reason, variant = None, None
        if self.variants:
            reason = min(([*v.failures(call)] for v in reversed(self.variants)), key=len)[0]
            _log("recompiles", f"{self.__name__}: {reason}")
        open_axes = self._open_axes(call)
        if any(name for names in open_axes for name in names) or any(isinstance(b, Outside) for v in self.variants for b in v.breaks):
            try:
                variant = self._capture(call, open_axes, True)
            except (CaptureError, Error) as e:
                _log("recompiles", f"{self.__name__}: sizes stay fixed, because {e}")
        if variant is None:
            variant = self._capture(call, [[None] * x.ndim for _, x in call.leaves], False)
        variant.reason = reason
        self.variants.append(variant)
        for guard in variant.guards():
            _log("guards", f"{self.__name__}: {guard}")
        _log("graph", f"{self.__name__}\n{variant.text}")
        return variant

    def _open_axes(self, call: Call) -> List[List[Optional[str]]]:
        """Returns a name for each size that has changed since a variant was made. Sizes that change alike share a name."""
        like = [v for v in self.variants if next(_differences(v.call, call), None) is None]
        names: Dict[Tuple, str] = {}
        result = []
        for i, (_, x) in enumerate(call.leaves):
            result.append([None] * x.ndim)
            for axis, n in enumerate(x.shape):
                past = tuple(v.sizes[i][axis] for v in like)
                if n > 1 and any(m != n and m > 1 for m in past):
                    result[-1][axis] = names.setdefault(past + (n,), f"N{len(names) + 1}")
        return result

    def _capture(self, call: Call, open_axes: List[List[Optional[str]]], free: bool) -> Variant:
        """Captures a variant. If it is not `free`, all sizes are fixed."""
        pinned: FrozenSet[str] = frozenset()
        errors: List[CaptureError] = []  # of earlier attempts, which had other arrays for those that the function makes itself
        elements = False  # the first of them wrote an element
        while True:
            dims = {d: n for (_, x), names in zip(call.leaves, open_axes) for n, d in zip(x.shape, names) if d}
            recorder, breaks = Recorder(dims), []
            recorder.ask = lambda x: self._ask(call, breaks, x)
            recorder.elsewhere = lambda *what: self._elsewhere(call, breaks, recorder, pinned if free else None, *what)
            values = [recorder.input(f"x{i + 1}", x, names) for i, ((_, x), names) in enumerate(zip(call.leaves, open_axes))]
            arguments = unflatten(call.tree, iter(values))
            bound = self._signature.bind_partial()
            bound.arguments.update(arguments)
            recorder.own = own = Own(recorder, len(errors))
            try:
                with makers(own):
                    result = self.body(*bound.args, **bound.kwargs)
            except (CaptureError, ValueError) as e:
                why = own.stored or (e if isinstance(e, CaptureError) else e.__cause__)  # numpy has its own error for an element that it cannot have
                if not isinstance(why, CaptureError):
                    raise
                errors.append(why)
                elements = elements or own.stored is not None
                if not (own.any if len(errors) == 1 else elements and len(errors) == 2):
                    raise errors[0] if len(errors) == 2 else why from None
                continue
            recorder.returned = True
            result = _found(result)
            if not recorder.pinned - pinned:
                break
            pinned |= recorder.pinned
            open_axes = [[None if d in recorder.pinned else d for d in names] for names in open_axes]
        recorder.ask = recorder.elsewhere = None
        _check_result(result)
        outputs: List[Tuple[str, Any]] = []
        tree = flatten(result, "result", outputs)
        made = [self._output(recorder, y) for _, y in outputs]
        types = [y.dtype for _, y in outputs]
        text = recorder.text(made)
        model = compile_captured(text, f"{self.__name__}.mg", **self.options) if made else None
        variant = Variant(call, open_axes, model, text, recorder.held, tree, made, types, breaks)
        variant.watched = _read_now(call, recorder)
        return variant

    def _ask(self, call: Call, breaks: List[Any], x: Traced) -> np.ndarray:
        """Runs the graph so far, which computes the value that the code reads."""
        breaks.append(Break(*self._so_far(x._recorder, [x])))
        breaks[-1].value = breaks[-1].find(call)
        return breaks[-1].value

    def _so_far(self, r: Recorder, values: List[Any]) -> Tuple[Model, List[Any], str]:
        """Returns the graph that computes some values, what it holds, and the line of Python."""
        frame, before = None if r.returned else place(), len(r.lines)
        names = [self._output(r, x) for x in values]
        text = r.text(names)
        del r.lines[before:]
        if text not in self._asked:
            self._asked[text] = compile_captured(text, f"{self.__name__}.mg", **self.options)
        where = f"{frame.filename}:{frame.lineno}: {frame.line}" if frame else f"the result of {self.__name__}"
        _log("breaks", f"{self.__name__}: {where}")
        return self._asked[text], list(r.held), where

    def _elsewhere(self, call: Call, breaks: List[Any], r: Recorder, pinned: Optional[FrozenSet[str]], function, args, named) -> Any:
        """Lets numpy compute a function of captured values. Its results are inputs of the rest of the graph."""
        leaves: List[Tuple[str, Any]] = []
        tree = flatten((_found(args), _found(named)), "", leaves)
        given = [x if isinstance(x, np.ndarray) else x.dtype for _, x in leaves]
        stage = Outside(*self._so_far(r, [x for _, x in leaves if not isinstance(x, np.ndarray)]), function, tree, given)
        stage.result, arrays, stage.error = stage.find(call)
        stage.likes = [np.empty_like(x) for x in arrays]
        stage.open_axes = self._open_parts(len(breaks), stage, arrays, pinned)
        breaks.append(stage)
        if stage.error:
            raise stage.error
        values = []
        for k, (x, names) in enumerate(zip(arrays, stage.open_axes)):
            why = no_array(x)
            if why:
                refuse(f"the result of a function that numpy computes {why}")
            r.dims.update({d: n for n, d in zip(x.shape, names) if d})
            values.append(r.input(f"found{len(r.held) + 1}", x, names, fixed=None))
            r.held.append(Part(stage, k))
        return unflatten(stage.result, iter(values))

    def _open_parts(self, number: int, stage: Outside, arrays: List[np.ndarray], pinned: Optional[FrozenSet[str]]) -> List[List[Optional[str]]]:
        """Does the same as _open_axes for the results of a break."""
        past = [v.breaks[number] for v in self.variants if len(v.breaks) > number and isinstance(v.breaks[number], Outside)]
        past = [b for b in past if b.where == stage.where and next(tree_differences(b.result, stage.result, ""), None) is None]
        names: Dict[Tuple, str] = {}
        result: List[List[Optional[str]]] = []
        for i, x in enumerate(arrays):
            result.append([None] * x.ndim)
            for axis, n in enumerate(x.shape):
                sizes = tuple(b.likes[i].shape[axis] if b.likes[i].ndim == x.ndim else 0 for b in past)
                if pinned is not None and n > 1 and any(m != n and m > 1 for m in sizes):
                    name = names.setdefault(sizes + (n,), f"M{number}_{len(names) + 1}")
                    result[-1][axis] = name if name not in pinned else None
        return result

    def _output(self, recorder: Recorder, y: Any) -> str:
        """Gives a result a name of its own, since it may also be an argument or another result."""
        value = y if isinstance(y, (Traced, Complex)) else recorder.hold(y)
        value = as_result(value) if isinstance(value, Complex) else value
        if value._recorder is not recorder:
            refuse("a result belongs to another capture")
        recorder._count += 1
        name = f"y{recorder._count}"
        recorder.lines.append(f"{name} = identity({value._name})")
        return name


def jit(function: Optional[Callable] = None, **options: Any):
    """Compiles a function over numpy arrays when it is first called: @mg.jit, or @mg.jit(level=3, threads=2).

    The function runs once with stand-ins for the arrays, which follow numpy's operators, functions and methods. The graph is
    valid for what was read meanwhile: types, ranks and sizes of arrays, other arguments, globals. A call in which one of these
    differs makes another graph. A size that changed once becomes a dimension, unless the function reads it. Arguments and
    results may hold arrays in tuples, lists and dictionaries. The options are those of mg.compile_text. Code that cannot be
    captured raises CaptureError, which names its line.
    """
    return Jitted(function, options) if function else lambda f: Jitted(f, options)


@dataclass
class Explanation:
    """A report of a function: its variants, with guards and calls, and the reasons why it was compiled again."""

    name: str
    variants: List[Variant]

    @property
    def breaks(self) -> int:
        """Counts the lines at which a value was read."""
        return len({b.where for v in self.variants for b in v.breaks})

    @property
    def recompilations(self) -> List[str]:
        return [v.reason for v in self.variants if v.reason]

    @property
    def text(self) -> str:
        return "\n".join(v.text for v in self.variants)

    def __repr__(self) -> str:
        lines = [f"{self.name}: {len(self.variants)} variants, {len(self.recompilations)} recompilations, {self.breaks} graph breaks"]
        for i, v in enumerate(self.variants):
            why = f"because {v.reason}" if v.reason else "for the first call"
            lines.append(f"  variant {i + 1}, {why}; {v.hits} calls")
            lines += [f"    {guard}" for guard in v.guards()]
        return "\n".join(lines)


def explain(function: Jitted) -> Explanation:
    """Reports how a function of mg.jit was captured. explain(f) prints variants and guards; explain(f).text has the graphs."""
    if not isinstance(function, Jitted):
        raise TypeError("explain() takes a function of mg.jit")
    return Explanation(function.__name__, list(function.variants))


# ---------------------------------------------------------------------- operators of the library
class Operator:
    """An operator of MG's library as a function over arrays: mg.softmax(x, axis=-1)."""

    def __init__(self, name: str):
        self.__name__ = name
        self._alone = Jitted(lambda args, named: self._emit(args, named), {"level": 1})

    def __repr__(self) -> str:
        return f"<mg operator {self.__name__}>"

    def __call__(self, *args: Any, **named: Any) -> Any:
        inside = any(isinstance(x, Traced) for x in [*args, *named.values()])
        return self._emit(args, named) if inside else self._alone(args, named)

    def _emit(self, args: Tuple[Any, ...], named: Dict[str, Any]) -> Any:
        traced = [x for x in [*args, *named.values()] if isinstance(x, Traced)]
        if not traced:
            raise TypeError(f"mg.{self.__name__} takes arrays of numpy")
        r = traced[0]._recorder
        words = [self._word(r, x) for x in args] + [f"{k} = {self._word(r, x)}" for k, x in named.items()]
        return r.emit(f"{self.__name__}({', '.join(words)})")

    @staticmethod
    def _word(r: Recorder, x: Any) -> str:
        x = r.hold(x) if isinstance(x, np.ndarray) else x
        return x._name if isinstance(x, Traced) else literal(x)


_operators: Dict[str, Operator] = {}


def operator(name: str) -> Operator:
    """Returns the operator of that name. If there is none, raises AttributeError with the compiler's suggestion."""
    if name not in _operators:
        if name.startswith("_") or not name.isidentifier():
            raise AttributeError(name)
        try:
            compile_text(f"mg 1\ngraph g(x: f32[1]) -> (y) {{\n    y = {name}(x)\n}}\n", interpret=True, level=0)
        except Error as e:
            message = str(e).splitlines()[0].split("error: ")[-1]
            if message.startswith(("no operator is named", "expected")):  # no such name, or a word of the language
                raise AttributeError(f"mg has no '{name}': {message}") from None
        _operators[name] = Operator(name)
    return _operators[name]
