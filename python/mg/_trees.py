"""Arguments and results as trees: their structure, and the arrays in it."""

from collections import OrderedDict, defaultdict, deque
from copy import copy
from typing import Any, Dict, Iterator, List, Tuple

import numpy as np

from ._capture import Traced
from ._complex import Complex


DICTIONARIES = (dict, OrderedDict)
CONTAINERS = (list, tuple, *DICTIONARIES, defaultdict, deque, set, frozenset)


class Leaf:
    """The place of an array."""


def flatten(x: Any, path: str, leaves: List[Tuple[str, Any]]) -> Any:
    """Returns the structure of x, without its arrays and captured values."""
    if isinstance(x, (np.ndarray, Traced, Complex)):
        leaves.append((path, x))
        return Leaf
    if isinstance(x, (tuple, list)) and type(x) in (tuple, list):
        return (type(x), [flatten(y, f"{path}[{i}]", leaves) for i, y in enumerate(x)])
    if isinstance(x, tuple) and hasattr(type(x), "_make"):  # with names
        return (type(x), [flatten(y, f"{path}.{k}", leaves) for k, y in zip(x._fields, x)])
    if type(x) in DICTIONARIES:
        return (type(x), [(k, flatten(y, f"{path}[{k!r}]", leaves)) for k, y in x.items()])
    return ("value", type(x), x)


def unflatten(tree: Any, leaves) -> Any:
    if tree is Leaf:
        return next(leaves)
    if tree[0] in DICTIONARIES:
        return tree[0]((k, unflatten(y, leaves)) for k, y in tree[1])
    if tree[0] == "value":
        return tree[2]
    return getattr(tree[0], "_make", tree[0])(unflatten(y, leaves) for y in tree[1])


def parts(x: Any) -> Dict[Any, Any]:
    """Returns what a container holds, by its places or keys."""
    if isinstance(x, dict):
        return x if type(x) in CONTAINERS else {}
    return dict(enumerate(x)) if is_container(x) else {}


def is_container(x: Any) -> bool:
    return type(x) in CONTAINERS or _has_names(x)


def _has_names(x: Any) -> bool:
    return isinstance(x, tuple) and hasattr(type(x), "_make")


def arrays_in(x: Any, path: str) -> Iterator[Tuple[str, np.ndarray]]:
    """Yields the arrays in x and in the containers in it."""
    if isinstance(x, np.ndarray):
        yield path, x
    for k, y in parts(x).items():
        yield from arrays_in(y, f"{path}[{k!r}]")


def same(a: Any, b: Any) -> bool:
    """Whether two values, neither of them an array, are the same to any code that reads them."""
    if type(a) is not type(b):
        return False
    if isinstance(a, (bool, int, float, complex, str, bytes, np.generic)):
        return repr(a) == repr(b)  # -0.0 is not 0.0, and NaN is NaN
    if isinstance(a, (set, frozenset)):
        return sorted(map(repr, a)) == sorted(map(repr, b))
    if is_container(a):
        a, b = parts(a), parts(b)
        return list(a) == list(b) and all(map(same, a.values(), b.values()))
    return a is b


def snapshot(x: Any) -> Any:
    """Copies x, since containers may change in place."""
    if type(x) is tuple:
        return tuple(map(snapshot, x))
    if _has_names(x):
        return x._make(map(snapshot, x))
    if not is_container(x):
        return x
    y = copy(x)
    for k in () if isinstance(x, (set, frozenset)) else parts(x):
        y[k] = snapshot(y[k])
    return y


def tree_differences(a: Any, b: Any, path: str) -> Iterator[str]:
    if a is Leaf or b is Leaf:
        if a is not b:
            yield f"{path} is an array in one call and a value in the other"
    elif a[0] != b[0]:
        yield f"{path} has another structure"
    elif a[0] == "value":
        if not same(a[2], b[2]):
            yield f"{path} is {b[2]!r}, not {a[2]!r}"
    elif len(a[1]) != len(b[1]) or (a[0] in DICTIONARIES and [k for k, _ in a[1]] != [k for k, _ in b[1]]):
        yield f"{path} has other elements"
    else:
        for i, (x, y) in enumerate(zip(a[1], b[1])):
            key, x, y = (x[0], x[1], y[1]) if a[0] in DICTIONARIES else (i, x, y)
            yield from tree_differences(x, y, f"{path}[{key!r}]" if path else key)
