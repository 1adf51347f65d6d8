"""Runs a compiled part of a PyTorch graph on tensors: memory is bound where it lies, and only where it has moved."""

import ctypes
import threading
from typing import Any, Callable, Dict, List, Sequence, Tuple

import torch

from .. import _aten
from .._library import lib
from .._model import Model, _Instance

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
    "i16": torch.int16, "i8": torch.int8, "u64": torch.uint64, "u32": torch.uint32, "u16": torch.uint16, "u8": torch.uint8,
    "bool": torch.bool,
}


_data_ptr = torch.Tensor.data_ptr


class _Place:
    """What one thread has bound: an instance, and where its ports lie."""

    def __init__(self, model: Model):
        self.instance = _Instance(model)
        self.held: List[int] = []
        self.inputs: Dict[int, Tuple] = {}

    def bind(self, number: int, pointer: int, shape: Sequence[int]) -> None:
        dims = (ctypes.c_int64 * len(shape))(*shape)
        self.instance.check(lib.mg_bind_input(self.instance.handle, number, pointer, len(shape), dims))


def _sizes(shape: Sequence[Any]) -> Callable[[Dict[str, int]], Sequence[int]]:
    """The sizes of a shape, as a function of the symbols."""
    if all(isinstance(n, int) for n in shape):
        return lambda symbols, fixed=tuple(shape): fixed
    source = "(" + "".join(f"{str(n).replace('/', '//')}, " for n in shape) + ")"
    code = compile(source, "<sizes>", "eval")
    return lambda symbols: eval(code, {"__builtins__": {}, "min": min, "max": max}, symbols)


class Part:
    """A compiled graph. Calling it with its tensors gives its results. fixed: inputs that keep their place and are held elsewhere, such
    as parameters; PyTorch's own guards hold for their shapes and strides."""

    def __init__(self, model: Model, graph: _aten.Graph, fixed: Sequence[bool]):
        self.model = model
        self.dims = graph.dims
        inputs = list(graph.inputs.values())
        self.stored = [t.stored().shape for t in inputs]
        self.fixed = [i for i, f in enumerate(fixed) if f]
        self.moving = [(i, inputs[i].order) for i, f in enumerate(fixed) if not f]
        types = {**graph.inputs, **{n: t for node in graph.nodes for n, t in zip(node.names, node.types) if n}}
        results = [types[n] for n in graph.outputs]
        self.results = [(_sizes(t.stored().shape), DTYPES[t.element], t.back()) for t in results]
        self.names, self.types = list(graph.outputs), [t.stored() for t in results]
        self._local = threading.local()

    def differences(self, model: Model) -> List[Tuple[str, str, str]]:
        """The results whose types are not those that PyTorch expects: names and both types. Formulas of sizes are not compared."""
        found = []
        for name, port, want in zip(self.names, model.outputs, self.types):
            sizes = zip(port.shape, want.shape) if len(port.shape) == len(want.shape) else [(0, 1)]
            if port.element != want.element or any(a != b for a, b in sizes if isinstance(a, int) and isinstance(b, int)):
                found.append((name, str(_aten.Type(port.element, port.shape)), str(want)))
        return found

    def _place(self) -> _Place:
        place = getattr(self._local, "place", None)
        if place is None:
            place = self._local.place = _Place(self.model)
        return place

    def __call__(self, tensors: Sequence[torch.Tensor], symbols: Dict[str, int]) -> List[torch.Tensor]:
        place = self._place()
        held = [*map(_data_ptr, [tensors[i] for i in self.fixed])]
        if held != place.held:
            self._hold(place, held, tensors)
        copies = []
        for i, order in self.moving:
            x = tensors[i].permute(order) if order else tensors[i]
            if not x.is_contiguous():
                x = x.contiguous()
                copies.append(x)
            where = (x.data_ptr(), x.shape)
            if place.inputs.get(i) != where:
                place.bind(i, *where)
                place.inputs[i] = where
        if self.dims:
            place.bind(len(self.stored), 0, [symbols[d] for d in self.dims] + [0])
        results = []
        handle = place.instance.handle
        for i, (sizes, dtype, _) in enumerate(self.results):
            y = torch.empty(sizes(symbols), dtype=dtype, device="cpu")
            lib.mg_bind_output(handle, i, y.data_ptr(), y.nbytes)
            results.append(y)
        status = lib.mg_run(handle)
        if status:
            place.instance.check(status)
        return [y if back is None else y.permute(back) for y, (_, _, back) in zip(results, self.results)]

    def _hold(self, place: _Place, held: List[int], tensors: Sequence[torch.Tensor]) -> None:
        before = place.held or [None] * len(held)
        place.held = []  # nothing is certain if a call below fails
        for i, pointer, old in zip(self.fixed, held, before):
            if pointer != old:
                place.bind(i, pointer, self.stored[i])
        place.held = held
