"""Runs a compiled part of a PyTorch graph on tensors: memory is bound in place, and only if its address has changed."""

import ctypes
import operator
import re
import threading
from typing import Any, Callable, Dict, List, Sequence, Set, Tuple

import torch

from .. import _aten
from .._library import lib
from .._model import Error, Model, _Instance
from ._graph import size

try:  # takes a fifth of the time of torch.empty_strided; Inductor's code uses it
    from torch._C._dynamo.guards import _empty_strided_cpu as _empty
except ImportError:
    def _empty(shape: Sequence[int], strides: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(shape, strides, dtype=dtype, device="cpu")

try:
    from torch._C._dynamo.guards import _empty_strided_cuda
except ImportError:
    def _empty_strided_cuda(shape: Sequence[int], strides: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        return torch.empty_strided(shape, strides, dtype=dtype, device="cuda")

DTYPES = {
    "f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64, "i32": torch.int32,
    "i16": torch.int16, "i8": torch.int8, "u64": torch.uint64, "u32": torch.uint32, "u16": torch.uint16, "u8": torch.uint8,
    "bool": torch.bool, "c64": torch.complex64, "c128": torch.complex128, "f8e4m3": torch.float8_e4m3fn, "f8e5m2": torch.float8_e5m2,
}
_data_ptr = torch.Tensor.data_ptr
Dims = Dict[str, int]


def _version(x: torch.Tensor) -> int:
    return -1 if x.is_inference() else x._version


def _sizes(shape: Sequence[Any]) -> Callable[[Dims], Sequence[int]]:
    """Returns a function that gives the sizes of a shape from the symbols."""
    if all(isinstance(n, int) for n in shape):
        return lambda symbols, fixed=tuple(shape): fixed
    source = "(" + "".join(f"{str(n).replace('/', '//')}, " for n in shape) + ")"
    code = compile(source, "<sizes>", "eval")
    return lambda symbols: eval(code, {"__builtins__": {}, "min": min, "max": max}, symbols)


def strides_of(x: torch.Tensor) -> Callable[[Dims], Sequence[int]]:
    """Returns a function that gives the strides of a tensor of PyTorch's tracing from the symbols."""
    return _sizes([size(n) for n in x.stride()])


def laid_out(x: torch.Tensor, strides: Sequence[int]) -> torch.Tensor:
    """Returns a tensor with these strides, which it had when PyTorch traced the graph, where MG's results have no gaps. Operators ask for
    them: what torch.linalg.det leaves for its derivative are the factors of a matrix with gaps, and else those of its transpose."""
    if all(a == b or n == 1 for n, a, b in zip(x.shape, x.stride(), strides)) or not x.numel():
        return x
    extent = 1
    for step, n in sorted(zip(strides, x.shape)):
        if step and step < extent and n > 1:
            return x  # its elements share memory, as those of x.unfold() do
        extent += step * (n - 1)
    y = torch.empty_strided(x.shape, strides, dtype=x.dtype, device=x.device)
    once = tuple(slice(None) if step else slice(1) for step in strides)  # without the copies that x.expand() makes
    y[once].copy_(x[once])
    return y


def _getter(places: Sequence[int]) -> Callable[[Sequence[Any]], Sequence[Any]]:
    if len(places) == 1:
        return lambda args, place=places[0]: (args[place],)
    return operator.itemgetter(*places) if places else lambda args: ()


class _Result:
    """A result. It gets new memory, in the order of axes that PyTorch expects."""

    def __init__(self, type_: _aten.Type):
        self.order = type_.order or tuple(range(len(type_.shape)))
        self.sizes, self.dtype = _sizes(type_.shape), DTYPES[type_.element]
        self.item = torch.empty(0, dtype=self.dtype).element_size()
        self.fixed = self.layout({}) if all(isinstance(n, int) for n in type_.shape) else None

    def layout(self, symbols: Dims) -> Tuple[Sequence[int], Sequence[int], int]:
        """Returns the sizes, the strides and the number of bytes."""
        shape = self.sizes(symbols)
        strides, step = [0] * len(shape), 1
        for axis in reversed(self.order):
            strides[axis] = step
            step *= max(shape[axis], 1)
        count = 0 if 0 in shape else step
        return shape, tuple(strides), count * self.item


class _Host:
    """How a part runs over memory of the host."""

    aligned = 1  # addresses are multiples of it
    address = ctypes.c_void_p
    bind, bind_parameter, run = lib.mg_bind_input, lib.mg_bind_parameter, lib.mg_run_with
    empty, copy = staticmethod(_empty), staticmethod(torch.Tensor.clone)


class _Cuda:
    """How a part runs over memory of a CUDA device, in the order of PyTorch's current stream there."""

    aligned = 16
    address = ctypes.c_uint64
    bind, bind_parameter = lib.mg_bind_input_at, lib.mg_bind_parameter_at
    copy = staticmethod(torch.Tensor.clone)
    stream_of = staticmethod(getattr(torch._C, "_cuda_getCurrentRawStream", None))
    DEFAULT = 1  # the number of the default stream in CUDA, where PyTorch says 0

    def __init__(self, index: int):
        self.index = index

    def empty(self, shape: Sequence[int], strides: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
        if torch.cuda.current_device() == self.index:
            return _empty_strided_cuda(shape, strides, dtype)
        return torch.empty_strided(shape, strides, dtype=dtype, device=torch.device("cuda", self.index))

    def run(self, handle: Any, inputs: Any, outputs: Any, sizes: Any) -> int:
        return lib.mg_run_in(handle, b"cuda", self.stream_of(self.index) or self.DEFAULT, inputs, outputs, sizes)


class _Place:
    """The bindings of one thread: an instance, and the addresses of its ports."""

    def __init__(self, part: "Part"):
        self.instance = _Instance(part.model)
        self.memory = part.memory
        n, m = len(part.stored), len(part.results)
        self.inputs = (self.memory.address * (n + 1))()  # the addresses that changed; 0 keeps the old one
        self.outputs, self.bytes = (self.memory.address * (m + 1))(), (ctypes.c_size_t * (m + 1))()
        for i, result in enumerate(part.results):
            self.bytes[i] = result.fixed[2] if result.fixed else 0
        self.held: List[int] = []
        self.kept: List[Tuple[int, int]] = []
        self.copies: Dict[bytes, torch.Tensor] = {}  # of parameters whose own addresses aren't aligned
        self.seen: Dict[int, Tuple] = {}
        self.call = (self.instance.handle, self.inputs, self.outputs, self.bytes)

    def bind(self, number: int, pointer: int, shape: Sequence[int]) -> None:
        dims = (ctypes.c_int64 * len(shape))(*shape)
        self.instance.check(self.memory.bind(self.instance.handle, number, pointer, len(shape), dims))

    def bind_parameter(self, key: bytes, x: torch.Tensor) -> None:
        if _data_ptr(x) % self.memory.aligned:
            x = self.copies[key] = self.memory.copy(x)
        self.instance.check(self.memory.bind_parameter(self.instance.handle, key, _data_ptr(x), x.nbytes))


class Part:
    """A compiled graph. Calling it with its inputs returns its results.

    `fixed` marks inputs that keep their addresses and are owned elsewhere, such as parameters; PyTorch's own guards check their
    shapes and strides. The inputs in graph.parameters are bound as parameters, and bound again when their address or version
    counter has changed. `made_by` has the line of Python that made each line of the text. All tensors are on `device`, but
    for those that `numbers` marks, which are on the CPU. `noted` marks those that PyTorch may have yet to conjugate or negate."""

    def __init__(self, model: Model, graph: _aten.Graph, fixed: Sequence[bool], made_by: Sequence[str], device: torch.device,
                 numbers: Sequence[bool], noted: Sequence[bool]):
        self.model = model
        self.device = device
        self.numbers = {n for n, here in zip(graph.inputs, numbers) if here}
        self.noted = {n for n, some in zip(graph.inputs, noted) if some}
        self.memory = _Host() if device.type == "cpu" else _Cuda(device.index or 0)
        self.made_by = made_by
        self.dims = graph.dims
        self.keys = [key.encode() for key in graph.parameters.values()]
        ports = [(n, t, f) for (n, t), f in zip(graph.inputs.items(), fixed) if n not in graph.parameters]
        self.stored = [t.stored().shape for _, t, _ in ports]
        self._ports, self._parameters, self._inputs = ports, list(graph.parameters), list(graph.inputs)
        self._loose: Set[int] = set()  # inputs that keep their addresses, but need copies, which are aligned
        self.take_from(range(len(self._inputs)))
        types = {**graph.inputs, **{n: t for node in graph.nodes for n, t in zip(node.names, node.types) if n}}
        results = [types[n] for n in graph.outputs]
        self.results = [_Result(t) for t in results]
        self.names, self.types = list(graph.outputs), [t.stored() for t in results]
        self._local = threading.local()

    def take_from(self, places: Sequence[int]) -> None:
        """Sets the position of each input among the values of a call."""
        at = self._at = dict(zip(self._inputs, places))
        self._kept_of = _getter([at[n] for n in self._parameters])
        fixed = [f and i not in self._loose for i, (_, _, f) in enumerate(self._ports)]
        held = _getter([at[n] for (n, _, _), f in zip(self._ports, fixed) if f])
        moving = [(i, at[n], t.order, n in self.numbers, t.element in _aten.REAL, n in self.noted)
                  for i, ((n, t, _), f) in enumerate(zip(self._ports, fixed)) if not f]
        self._way = [i for i, f in enumerate(fixed) if f], held, moving

    def differences(self, model: Model) -> List[Tuple[str, str, str]]:
        """Returns the results whose types are not those that PyTorch expects: their names and both types. Formulas of sizes are not
        compared."""
        found = []
        for name, port, want in zip(self.names, model.outputs, self.types):
            sizes = zip(port.shape, want.shape) if len(port.shape) == len(want.shape) else [(0, 1)]
            if port.element != want.element or any(a != b for a, b in sizes if isinstance(a, int) and isinstance(b, int)):
                found.append((name, str(_aten.Type(port.element, port.shape)), str(want)))
        return found

    def __call__(self, values: Sequence[Any], symbols: Dims) -> List[torch.Tensor]:
        try:
            place = self._local.place
        except AttributeError:
            place = self._local.place = _Place(self)
        fixed, held_of, moving = self._way
        held = [*map(_data_ptr, held_of(values))]
        if held != place.held:
            if any(pointer % self.memory.aligned for pointer in held):
                return self._loosen(fixed, held, values, symbols)
            self._hold(place, fixed, held)
        if self.keys:
            self._keep(place, self._kept_of(values))
        copies = self._move(place, moving, values)
        if self.dims:
            place.bind(len(self.stored), 0, [symbols[d] for d in self.dims] + [0])
        results, outputs, empty = [], place.outputs, self.memory.empty
        for i, result in enumerate(self.results):
            shape, strides, size = result.fixed or result.layout(symbols)
            if not result.fixed:
                place.bytes[i] = size
            y = empty(shape, strides, result.dtype)
            outputs[i] = _data_ptr(y)
            results.append(y)
        status = self.memory.run(*place.call)
        if status:
            self._fail(place, status)
        del copies  # the tensors had to live until now
        return results

    def _fail(self, place: _Place, status: int) -> None:
        """Raises the error of a run, with the line of Python that made the line it names."""
        try:
            place.instance.check(status)
        except Error as error:
            found = re.match(r"[^:]*:(\d+):", str(error))
            line = self.made_by[int(found[1]) - 1] if found and int(found[1]) <= len(self.made_by) else ""
            raise Error(error.status, f"{error}\n{line}" if line else str(error)) from None

    def _loosen(self, fixed: Sequence[int], held: Sequence[int], values: Sequence[Any], symbols: Dims) -> List[torch.Tensor]:
        """Copies fixed inputs that aren't aligned in each call from now on, and makes this call."""
        self._loose = self._loose | {i for i, pointer in zip(fixed, held) if pointer % self.memory.aligned}
        self.take_from([self._at[n] for n in self._inputs])
        return self(values, symbols)

    def _move(self, place: _Place, moving: Sequence[Tuple], values: Sequence[Any]) -> List[torch.Tensor]:
        """Takes the inputs that are new in each call. Returns copies of those that have gaps or aren't aligned."""
        copies = []
        for i, where, order, number, pairs, noted in moving:
            x = values[where]
            if noted:
                x = x.resolve_conj().resolve_neg()
                copies.append(x)
            if number:
                x = x.to(self.device)
                copies.append(x)
            if order:
                x = x.permute(order)
            if not x.is_contiguous():
                x = x.contiguous()
                copies.append(x)
            if pairs:
                x = torch.view_as_real(x)  # which has the same memory
            if _data_ptr(x) % self.memory.aligned:
                x = self.memory.copy(x)
                copies.append(x)
            pointer, shape = _data_ptr(x), x.shape
            if place.seen.get(i) == shape and pointer:
                place.inputs[i] = pointer
            else:
                place.inputs[i] = 0
                place.bind(i, pointer, shape)
                place.seen[i] = shape
        return copies

    def _hold(self, place: _Place, fixed: Sequence[int], held: List[int]) -> None:
        before = place.held if len(place.held) == len(held) else [None] * len(held)
        place.held = []  # nothing is certain if a call below fails
        for i, pointer, old in zip(fixed, held, before):
            if pointer != old:
                place.bind(i, pointer, self.stored[i])
        place.held = held

    def _keep(self, place: _Place, tensors: Sequence[torch.Tensor]) -> None:
        kept = [*zip(map(_data_ptr, tensors), map(_version, tensors))]
        if kept == place.kept:
            return
        before = place.kept or [None] * len(kept)
        place.kept = []
        for key, now, old, x in zip(self.keys, kept, before, tensors):
            if now != old:
                place.bind_parameter(key, x)
        place.kept = kept
