"""mg.cond and mg.loop: conditionals and loops that a compiled function executes at run time."""

from typing import Any, Callable, List, Tuple, Union

import numpy as np

from ._capture import WORDS, Recorder, Traced, refuse
from ._complex import Complex
from ._trees import flatten


def _recorder(*args: Any) -> Any:
    """Returns the capture that one of the arguments belongs to, or None."""
    found: List[Tuple[str, Any]] = []
    flatten(args, "", found)
    return next((x._recorder for _, x in found if isinstance(x, (Traced, Complex))), None)


def _value(r: Recorder, x: Any) -> Traced:
    x = x if isinstance(x, (Traced, Complex)) else r.hold(x if isinstance(x, np.ndarray) else np.asarray(x))
    if isinstance(x, Complex):
        refuse("a state is an array of real numbers; real and imaginary part may be two states")
    return x


def _port(r: Recorder, like: Traced) -> Traced:
    """Makes a new name for a value of a block, with the type of another value."""
    r._count += 1
    name = f"v{r._count}"
    r._types[name] = r._types[like._name]
    return Traced(r, name, like.dtype, like._sizes, like._dims)


def _block(r: Recorder, function: Callable, args: Any) -> Tuple[List[Traced], bool, List[str]]:
    """Calls a function. Returns its results, whether they are a single value, and the lines that it wrote."""
    outer, r.lines, r.depth = r.lines, [], r.depth + 1
    r.outer.append(outer)
    try:
        result = function(*args)
        many = isinstance(result, (tuple, list))
        values = [_value(r, x) for x in (result if many else [result])]
        return values, not many, r.lines
    finally:
        r.lines, r.depth = r.outer.pop(), r.depth - 1


def _alike(r: Recorder, wanted: List[Traced], got: List[Traced], what: str) -> None:
    types = [[r._types[x._name] for x in values] for values in (wanted, got)]
    if types[0] != types[1]:
        refuse(f"{what}: {', '.join(types[0])} and {', '.join(types[1])}")


def _truth(r: Recorder, x: Any) -> Traced:
    x = _value(r, x)
    if x.ndim or x.dtype.kind != "b":
        refuse(f"a condition is one bool, not {WORDS[x.dtype]}{list(x._sizes)}")
    return x


def cond(pred: Any, then: Callable, otherwise: Callable, *args: Any) -> Any:
    """Returns then(*args) if pred holds, else otherwise(*args). Both return an array or a tuple, of the same types and shapes."""
    r = _recorder(pred, *args)
    if r is None or not isinstance(pred, Traced):
        return then(*args) if pred else otherwise(*args)
    pred = _truth(r, pred)
    yes, one, first = _block(r, then, args)
    no, _, second = _block(r, otherwise, args)
    _alike(r, yes, no, "the two sides of mg.cond differ")
    results = [_port(r, x) for x in yes]
    names = [", ".join(x._name for x in values) for values in (results, yes, no)]
    r.lines += [f"{names[0]} = if {pred._name} {{", *first, f"yield {names[1]}", "} else {", *second, f"yield {names[2]}", "}"]
    return results[0] if one else tuple(results)


def loop(times: Union[int, Callable], body: Callable, *state: Any) -> Any:
    """Repeats state = body(i, *state) for i in 0..times, or state = body(*state) as long as times(*state) holds.

    The state consists of arrays and numbers, which keep their types and shapes. Returns the last state, an array or a tuple.
    """
    r = _recorder(*state)
    if isinstance(times, Traced):
        refuse("the number of times of mg.loop must be known; a condition may depend on values")
    if r is None:
        return _loop_now(times, body, state)
    start = [_value(r, x) for x in state]
    carried = [_port(r, x) for x in start]
    if callable(times):
        go = _truth(r, times(*start))
        lasts = _port(r, go)

        def step():
            new = body(*carried)
            return *_listed(new), times(*_listed(new))

        new, _, lines = _block(r, step, ())
        _truth(r, new[-1])
        start, carried, head = start + [go], carried + [lasts], "loop carry"
        tail = f" while {lasts._name}"
    else:
        count = r.input_like("i64[]", np.dtype(np.int64))
        new, _, lines = _block(r, lambda: body(count, *carried), ())
        lines = [f"{count._name}[]: i64[] = i", *lines]
        head, tail = f"loop i in 0..{int(times)} carry", ""
    _alike(r, carried, new, "mg.loop changes the types of its state")
    results = [_port(r, x) for x in carried]
    begin = ", ".join(f"{c._name} = {s._name}" for c, s in zip(carried, start))
    after = ", ".join(f"{c._name} = {n._name}" for c, n in zip(carried, new))
    r.lines += [f"{', '.join(x._name for x in results)} = {head} ({begin}){tail} {{", *lines, f"next {after}", "}"]
    return results[0] if len(state) == 1 else tuple(results[: len(state)])


def _listed(x: Any) -> List[Any]:
    return list(x) if isinstance(x, (tuple, list)) else [x]


def _loop_now(times: Any, body: Callable, state: Tuple) -> Any:
    i = 0
    while times(*state) if callable(times) else i < times:
        state = _listed(body(*state) if callable(times) else body(i, *state))
        i += 1
    return state[0] if len(state) == 1 else tuple(state)
