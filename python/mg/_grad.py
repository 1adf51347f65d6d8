"""mg.grad: derivatives of captured functions, by the language's `derivative`."""

from typing import Any, Callable, List, Sequence, Tuple, Union

import numpy as np

from ._capture import CaptureError, Recorder, Traced
from ._jit import Jitted
from ._masks import _found
from ._trees import DICTIONARIES, Leaf, flatten, unflatten


def _floats_to_arrays(x: Any) -> Any:
    """Returns x with arrays in place of its numbers, which would otherwise be constants of the graph."""
    if isinstance(x, (float, np.floating)):
        return np.asarray(x)
    if type(x) in (tuple, list):
        return type(x)(map(_floats_to_arrays, x))
    return type(x)((k, _floats_to_arrays(v)) for k, v in x.items()) if type(x) in DICTIONARIES else x


def _whole(tree: Any, path: str) -> None:
    """Refuses parts of an argument that are not arrays."""
    if tree is Leaf:
        return
    if tree[0] == "value":
        raise TypeError(f"mg.grad: {path} holds {tree[2]!r}; a derivative is taken by arrays of floats")
    for part in tree[1]:
        _whole(part[1] if tree[0] in DICTIONARIES else part, path)


class Derivative(Jitted):
    """A function that computes derivatives of another function. See grad()."""

    def __init__(self, function: Callable, argnums: Union[int, Sequence[int]], valued: bool):
        super().__init__(function, {})
        self.argnums, self.valued = argnums, valued
        self.__name__ = f"grad of {self.__name__}"

    def _places(self, args: Tuple) -> List[int]:
        places = [self.argnums] if isinstance(self.argnums, int) else list(self.argnums)
        for i in places:
            if not 0 <= i < len(args):
                raise TypeError(f"{self.__name__}: there is no positional argument {i}; {len(args)} were given")
        return places

    def __call__(self, *args: Any, **named: Any) -> Any:
        places, args = self._places(args), _found(args)
        return super().__call__(*[_floats_to_arrays(x) if i in places else x for i, x in enumerate(args)], **named)

    def body(self, *args: Any, **named: Any) -> Any:
        places, every = self._places(args), []
        flatten((args, named), "", every)
        traced = [x for _, x in every if isinstance(x, Traced)]
        if not traced:
            raise TypeError(f"{self.__name__}: there is no array among the arguments")
        r, args = traced[0]._recorder, list(args)
        trees, values = [], []
        for i in places:
            leaves: List[Tuple[str, Any]] = []
            trees.append(flatten(args[i], f"argument {i}", leaves))
            _whole(trees[-1], f"argument {i}")
            values.append([self._independent(r, path, x) for path, x in leaves])
            args[i] = unflatten(trees[-1], iter(values[-1]))
        around = r.deriving
        r.deriving = [*around, *(x for xs in values for x in xs)]
        y = self._scalar(r, self.function(*args, **named))
        r.deriving = around
        parts = [unflatten(t, iter([self._by(r, y, x) for x in xs])) for t, xs in zip(trees, values)]
        slopes = parts[0] if isinstance(self.argnums, int) else tuple(parts)
        return (y, slopes) if self.valued else slopes

    @staticmethod
    def _independent(r: Recorder, path: str, x: Any) -> Traced:
        """Returns a value of its own for x, since one array may be in several arguments."""
        x = x if isinstance(x, Traced) else r.hold(x)
        if x.dtype.kind != "f":
            raise TypeError(f"mg.grad: {path} is an array of {x.dtype}; a derivative is taken by floats")
        return r.emit(f"identity({x._name})")

    def _scalar(self, r: Recorder, y: Any) -> Traced:
        if isinstance(y, (int, float, np.generic)) or (isinstance(y, np.ndarray) and not y.ndim):
            y = r.hold(np.asarray(y))
        if not isinstance(y, Traced):
            raise TypeError(f"{self.__name__}: the function gives a {type(y).__name__}; it must give one number")
        if y.ndim:
            raise TypeError(f"{self.__name__}: the function gives an array of shape {y._sizes}; it must give one number")
        if y.dtype.kind != "f":
            raise TypeError(f"{self.__name__}: the function gives {y.dtype}; it must give a float")
        return y

    @staticmethod
    def _by(r: Recorder, y: Traced, x: Traced) -> Traced:
        try:
            return r.emit(f"derivative({y._name}, {x._name})")
        except CaptureError as e:
            if "no path of floats" not in str(e):
                raise
        return r.emit(f"zeros_like({x._name})")  # the function does not depend on it


def grad(function: Callable, argnums: Union[int, Sequence[int]] = 0) -> Derivative:
    """Returns the derivative of a function that returns one number, with respect to the argument at that position. It has the
    argument's structure.

    With several positions, the derivative is a tuple. It is compiled as by jit(), and works within and around functions of
    jit(). The second derivative is grad(grad(f)).
    """
    return Derivative(function, argnums, False)


def value_and_grad(function: Callable, argnums: Union[int, Sequence[int]] = 0) -> Derivative:
    """Does the same as grad(), and also returns the function's value: (value, derivative)."""
    return Derivative(function, argnums, True)
