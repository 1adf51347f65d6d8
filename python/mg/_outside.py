"""Graph breaks: the graph up to there is run, and Python goes on with a value, or numpy computes arrays that the rest of the graph takes."""

from dataclasses import dataclass, field
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple

import numpy as np

from ._capture import bound, refuse, word
from ._model import Model
from ._trees import flatten, tree_differences, unflatten


@dataclass
class Call:
    """The arguments of a call: its arrays in order, and everything else."""

    leaves: List[Tuple[str, np.ndarray]]
    tree: Any
    around: Dict[str, Any]
    known: Dict[Tuple, Any] = field(default_factory=dict)  # what graphs up to a break gave, and numpy after them

    def inputs(self, held: Sequence[Any]) -> List[np.ndarray]:
        """Returns the arrays that a graph takes: those of the call, and those that it holds."""
        return [bound(x) for _, x in self.leaves] + [bound(x) for x in self.held(held)]

    def held(self, held: Sequence[Any]) -> List[np.ndarray]:
        return [h.find(self) if isinstance(h, Part) else h for h in held]

    def once(self, key: Tuple, compute: Callable) -> Any:
        if key not in self.known:
            self.known[key] = compute()
        return self.known[key]


@dataclass
class Break:
    """A break at which Python reads a value, for which alone the rest is valid."""

    model: Model
    held: List[Any]
    where: str
    value: Optional[np.ndarray] = None

    def find(self, call: Call) -> np.ndarray:
        key = (id(self.model), *map(id, call.held(self.held)))
        return call.once(key, lambda: np.asarray(self.model(*call.inputs(self.held))))

    def failure(self, call: Call, dims: Dict[str, int]) -> Optional[str]:
        got = self.find(call)
        return None if got.tobytes() == self.value.tobytes() else f"{self.where} gives {got.item()!r}, not {self.value.item()!r}"

    def guard(self) -> str:
        return f"{self.where} gives {self.value.item()!r}"


@dataclass(eq=False)
class Outside:
    """A break at which numpy computes arrays. The rest of the graph is valid for their types, ranks and sizes."""

    model: Model
    held: List[Any]
    where: str
    function: Callable
    tree: Any  # the arguments
    given: List[Any]  # the arrays among them: one that is known, or the type of one that the graph gives
    result: Any = None
    error: Optional[Exception] = None  # what numpy raised
    likes: List[np.ndarray] = field(default_factory=list)
    open_axes: List[List[Optional[str]]] = field(default_factory=list)

    def find(self, call: Call) -> Tuple[Any, List[np.ndarray], Optional[Exception]]:
        """Returns the structure of the results, the arrays, and what numpy raised instead."""
        return call.once((id(self), *map(id, call.held(self.held))), lambda: self._compute(call))

    def _compute(self, call: Call) -> Tuple[Any, List[np.ndarray], Optional[Exception]]:
        ys = self.model(*call.inputs(self.held))
        ys = iter(ys if isinstance(ys, tuple) else (ys,))
        arrays = [x if isinstance(x, np.ndarray) else as_type(next(ys), x) for x in self.given]
        for x, given in zip(arrays, self.given):
            if x is not given:
                x.flags.writeable = False  # a change would be lost
        args, named = unflatten(self.tree, iter(arrays))
        leaves: List[Tuple[str, Any]] = []
        try:
            result = self.function(*args, **named)
        except Exception as e:  # the function may catch it, and goes on in this way as long as numpy raises it
            return ("value", type(e), f"{type(e).__name__}: {e}"), [], e
        tree = flatten(_as_arrays(result), "result", leaves)
        return tree, [x for _, x in leaves], None

    def failure(self, call: Call, dims: Dict[str, int]) -> Optional[str]:
        tree, arrays, _ = self.find(call)
        return next((f"{self.where}: {why}" for why in self._differences(tree, arrays, dims)), None)

    def _differences(self, tree: Any, arrays: List[np.ndarray], dims: Dict[str, int]) -> Iterator[str]:
        yield from tree_differences(self.result, tree, "its result")
        for x, like, names in zip(arrays, self.likes, self.open_axes):
            if x.dtype != like.dtype or x.ndim != like.ndim:
                yield f"it gives {word(x.dtype)} of {x.ndim} dimensions, not {word(like.dtype)} of {like.ndim}"
            else:
                yield from sizes_fail("its result", x.shape, like.shape, names, dims)

    def guard(self) -> str:
        if self.error:
            return f"{self.where} is computed by numpy and raises {self.result[2]}"
        shapes = [f"{word(x.dtype)}[{', '.join(name or str(n) for n, name in zip(x.shape, names))}]" for x, names in zip(self.likes, self.open_axes)]
        return f"{self.where} is computed by numpy and gives {', '.join(shapes)}"


def changed(function: Callable) -> Callable:
    """Makes a function that returns what another one leaves in its first argument."""

    def run(x, *args, **named):
        y = x.copy()
        function(y, *args, **named)
        return y

    return run


@dataclass(eq=False)
class Part:
    """An array that numpy computes at a break."""

    outside: Outside
    number: int

    def find(self, call: Call) -> np.ndarray:
        return self.outside.find(call)[1][self.number]


def as_type(y: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Returns a graph's result as an array of its type: pairs become complex numbers."""
    return y.view(dtype)[..., 0] if dtype.kind == "c" else y


def _as_arrays(x: Any) -> Any:
    """Makes arrays of numbers, which would otherwise be values for which alone the graph is valid."""
    if isinstance(x, (tuple, list)):
        return getattr(type(x), "_make", type(x))(map(_as_arrays, x))
    if isinstance(x, np.ndarray) and type(x) is np.ndarray:
        return x
    if isinstance(x, (bool, int, float, complex, np.generic)):
        return np.asarray(x)
    refuse(f"the result of a function that numpy computes is a {type(x).__name__}, which no graph takes")


def sizes_fail(path: str, shape: Sequence[int], sizes: Sequence[int], names: Sequence[Optional[str]], dims: Dict[str, int]) -> Iterator[str]:
    """Yields why an array's sizes don't fit. `dims` has the sizes with names so far."""
    for axis, (n, size, name) in enumerate(zip(shape, sizes, names)):
        if name is None and n != size:
            yield f"axis {axis} of {path} is {n}, not {size}"
        if name and n < 2:
            yield f"axis {axis} of {path} is {n}, and {name} is at least 2"
        if name and dims.setdefault(name, n) != n:
            yield f"axis {axis} of {path} is {n}, and {name} is {dims[name]}"
