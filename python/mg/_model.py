"""Models and calls. Each thread has its own instance, so a model needs no lock."""

import ctypes
import operator
import os
import re
import sys
import threading
import warnings
from dataclasses import dataclass
from typing import Any, Dict, List, Mapping, Optional, Sequence, Set, Tuple, Union

import numpy as np

from . import _device
from . import _library as c
from . import _picture
from ._device import DeviceArray, Foreign
from ._library import lib

# In order of MgElement. numpy has no bf16 and no floats of 8 bits: their bits are unsigned integers. An array may have the
# type that ml_dtypes defines instead.
_DTYPES = [
    np.dtype(t)
    for t in ("f8", "f4", "f2", "u2", "i8", "i4", "i2", "i1", "u8", "u4", "u2", "u1", "?", "u1", "u1")
]
_ELEMENTS = ["f64", "f32", "f16", "bf16", "i64", "i32", "i16", "i8", "u64", "u32", "u16", "u8", "bool", "f8e4m3", "f8e5m2"]
_BEYOND_NUMPY = {"bfloat16": "bf16", "float8_e4m3fn": "f8e4m3", "float8_e5m2": "f8e5m2"}  # by the names of ml_dtypes
_WORDS = {d: e for d, e in zip(_DTYPES, _ELEMENTS) if e not in _BEYOND_NUMPY.values()}
_KINDS = ["call", "bind", "kernel", "compile", "transfer", "launch"]
_STATUSES = {1: "bad input", 2: "bad usage", 3: "run failed", 4: "out of memory"}

Array = np.ndarray


class Error(RuntimeError):
    """An error of the compiler or of a run, with its place in the source. `status` is 1 if a file, a source or an array
    is wrong, 2 for wrong usage, 3 if a check at run time or the device failed, and 4 if memory ran out."""

    def __init__(self, status: int, message: str):
        super().__init__(message.rstrip() or _STATUSES.get(status, "failed"))
        self.status = status


@dataclass(frozen=True)
class Port:
    """An input or output. `shape` has for each axis a number, or a formula over the graph's dimensions such as "2*H + 1"."""

    name: str
    element: str
    dtype: np.dtype
    shape: Tuple[Union[int, str], ...]
    over: Optional[int] = None  # of an output that takes over an input: the input's number


@dataclass(frozen=True)
class Timing:
    """A span of one run. `kind` is "call", "kernel", "compile", …; times are in nanoseconds, all on one clock; `bytes` and
    `flops` are the work of all workers together. A kernel whose products have an instruction for narrow factors adds
    `faster` of them in the time of one f32 multiply-add."""

    kind: str
    name: str
    schedule: str
    place: str
    worker: int
    begin: int
    end: int
    bytes: int
    flops: int
    faster: float


class Outputs(tuple):
    """The outputs of a graph that has several, in order: outputs[0], outputs["total"], or outputs.total."""

    names: Tuple[str, ...]

    def __new__(cls, names: Sequence[str], arrays: Sequence[Array]):
        self = super().__new__(cls, arrays)
        self.names = tuple(names)
        return self

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self.names:
                raise KeyError(key)
            key = self.names.index(key)
        return super().__getitem__(key)

    def __getattr__(self, name: str) -> Array:
        if name in self.__dict__.get("names", ()):
            return self[name]
        raise AttributeError(name)


def _text(value: Optional[str]) -> Optional[bytes]:
    return None if value is None else os.fsencode(value)


def _port(info: c.PortInfo) -> Port:
    shape = tuple(
        info.dims[a] if info.dims[a] >= 0 else info.formulas[a].decode() for a in range(info.rank)
    )
    over = info.over if info.over >= 0 else None
    return Port(info.name.decode(), _ELEMENTS[info.element], _DTYPES[info.element], shape, over)


def _bind_input(at: Any, i: int, x: Union[Array, Foreign]) -> None:
    """Binds an array to input i of an instance or something alike."""
    dims = (ctypes.c_int64 * x.ndim)(*x.shape)
    if isinstance(x, Foreign):
        at.check(lib.mg_bind_input_at(at.handle, i, x.at, x.ndim, dims))
    else:
        at.check(lib.mg_bind_input(at.handle, i, x.ctypes.data, x.ndim, dims))


class _Instance(c.Owner):
    """The context and the instance with which one thread runs a model."""

    def __init__(self, model: "Model"):
        self.model = model
        self.context = _context(model._context_options)
        self.handle = ctypes.c_void_p()
        self.known: Dict[Tuple, List[Tuple[int, ...]]] = {}  # the shapes of the outputs, by those of the inputs
        self.keep: List[Array] = []
        self.bound: Optional[Tuple] = None  # the shapes of arrays of the host that are bound
        self.called = False  # all inputs are bound
        self.addresses = (ctypes.c_void_p * len(model.inputs))(), (ctypes.c_void_p * len(model.outputs))()
        self.bytes = (ctypes.c_size_t * len(model.outputs))()
        self.given = [False] * len(model.outputs)
        status = lib.mg_instance_new(model._handle, self.context, ctypes.byref(self.handle))
        if status:
            raise Error(status, "out of memory")

    def __del__(self):
        if getattr(self, "handle", None):
            lib.mg_instance_free(self.handle)
        if getattr(self, "context", None):
            lib.mg_context_free(self.context)

    def check(self, status: int) -> None:
        if status:
            raise Error(status, lib.mg_instance_message(self.handle).decode(errors="replace"))

    def bind(self, arrays: Sequence[Array]) -> None:
        self.keep, self.bound = list(arrays), None
        for i, x in enumerate(arrays):
            _bind_input(self, i, x)
        self.called = True

    def run_again(self, arrays: Sequence[Array], shapes: Sequence[Tuple[int, ...]]) -> List[Array]:
        """Runs on arrays of the shapes that are bound. Returns new arrays of the outputs' shapes, which are known."""
        results = [np.empty(shape, port.dtype) for shape, port in zip(shapes, self.model.outputs)]
        inputs, outputs = self.addresses
        for i, x in enumerate(arrays):
            inputs[i] = x.ctypes.data
        for i, y in enumerate(results):
            outputs[i], self.bytes[i], self.given[i] = y.ctypes.data, y.nbytes, True
        self.check(lib.mg_run_with(self.handle, inputs, outputs, self.bytes))
        return results

    def place(self, out: Sequence[Optional[Array]]) -> None:
        for i, y in enumerate(out):
            if y is not None or self.given[i]:
                at, size = (None, 0) if y is None else (y.ctypes.data, y.nbytes)
                self.check(lib.mg_bind_output(self.handle, i, at, size))
                self.given[i] = y is not None

    def found(self, i: int) -> Tuple[ctypes.c_void_p, Tuple[int, ...]]:
        """Returns where an output of the last run is, on the host, and its shape."""
        data, dims = ctypes.c_void_p(), c.Sizes()
        self.check(lib.mg_output(self.handle, i, ctypes.byref(data), ctypes.byref(dims)))
        return data, tuple(dims[: len(self.model.outputs[i].shape)])

    def output(self, i: int) -> Array:
        """Returns a view of the library's memory, which the next call may overwrite."""
        data, shape = self.found(i)
        port = self.model.outputs[i]
        size = int(np.prod(shape, dtype=np.int64)) * port.dtype.itemsize
        if not size:
            return np.empty(shape, port.dtype)
        memory = (ctypes.c_char * size).from_address(data.value)
        memory._instance = self  # keeps the memory alive as long as a view of it
        return np.frombuffer(memory, port.dtype).reshape(shape)


def _stream_of(arrays: Sequence[Union[Array, Foreign]]) -> Optional[int]:
    """Returns the stream in whose order the arrays on a CUDA device are ready; None if there are none."""
    streams = {x.stream for x in arrays if isinstance(x, Foreign)}
    if len(streams) > 1:
        raise Error(2, "the inputs belong to several streams: synchronize these, and use one")
    return streams.pop() if streams else None


class _Placed:
    """Outputs that a run leaves on its model's CUDA device, in new arrays. `at` runs the model: an instance or something alike."""

    def __init__(self, at: Any, numbers: Sequence[int]):
        self.at, self.numbers = at, numbers
        self.arrays: List[DeviceArray] = []

    def bind(self) -> None:
        """Makes arrays for the shapes that are bound."""
        at, model = self.at, self.at.model
        for i in self.numbers:
            port, dims = model.outputs[i], c.Sizes()
            at.check(lib.mg_output_shape(at.handle, i, ctypes.byref(dims)))
            shape = tuple(dims[: len(port.shape)])
            memory = _device.Memory(model, int(np.prod(shape, dtype=np.int64)) * port.dtype.itemsize)
            self.arrays.append(DeviceArray(memory, port.element, _ELEMENTS.index(port.element), port.dtype, shape, model._cuda))
            at.check(lib.mg_bind_output_buffer(at.handle, i, memory.handle))

    def results(self) -> List[DeviceArray]:
        """Returns the arrays, after the run."""
        data, dims = ctypes.c_void_p(), c.Sizes()
        for i, y in zip(self.numbers, self.arrays):
            if not self.at.model._fixed[i]:
                self.at.check(lib.mg_output(self.at.handle, i, ctypes.byref(data), ctypes.byref(dims)))
                y.shape = tuple(dims[: y.ndim])
        return self.arrays

    def release(self) -> None:
        for i in self.numbers:
            lib.mg_bind_output(self.at.handle, i, None, 0)


def _from_dlpack(port: Port, x: Any) -> Array:
    """Returns an array of the same memory. PyTorch's floats that numpy lacks become their bits; other libraries give arrays of the
    types of ml_dtypes."""
    torch = sys.modules.get("torch")
    name = str(x.dtype).split(".")[-1] if torch is not None and isinstance(x, torch.Tensor) else ""
    if name in _BEYOND_NUMPY:
        if _BEYOND_NUMPY[name] != port.element:
            raise Error(1, f"input {port.name} is {port.element}, but the tensor is {name}: convert it")
        bits = x.view(torch.uint8 if x.element_size() == 1 else torch.int16)
        return np.from_dlpack(bits).view(port.dtype)
    try:
        return np.from_dlpack(x)
    except (BufferError, RuntimeError):
        if name or not hasattr(x, "__array__"):
            raise
        return np.asarray(x)


def _size_names(port: Port) -> Set[str]:
    return {w for s in port.shape if not isinstance(s, int) for w in re.findall(r"[A-Za-z_]\w*", str(s))}


class Model(c.Owner):
    """A compiled graph. Calling it runs it: net(x), net(image=x), net(x, out=y)."""

    def __init__(self, handle: ctypes.c_void_p, options: c.ContextOptions):
        self._handle = handle
        self._context_options = options
        self._local = threading.local()
        self.graph: str = lib.mg_model_graph(handle).decode()
        self.inputs: Tuple[Port, ...] = tuple(
            _port(lib.mg_model_input(handle, i)[0]) for i in range(lib.mg_model_inputs(handle))
        )
        self.outputs: Tuple[Port, ...] = tuple(
            _port(lib.mg_model_output(handle, i)[0]) for i in range(lib.mg_model_outputs(handle))
        )
        self.dims: Tuple[str, ...] = tuple(
            lib.mg_model_dim(handle, i).decode() for i in range(lib.mg_model_dims(handle))
        )
        self._names = [p.name for p in self.inputs]
        given = {w for p in self.inputs for w in _size_names(p)}
        # those whose shapes the inputs' decide: of the others, which data decide, the library owns the memory
        self._fixed = [_size_names(p) - {"min", "max"} <= given for p in self.outputs]
        self._all_fixed = all(self._fixed)
        cuda = lib.mg_model_native(handle, b"cuda", 0)
        self._cuda = (lib.mg_model_native(handle, b"cuda", 1) or 0) if cuda else None  # the device's number

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.mg_model_release(self._handle)

    def __copy__(self) -> "Model":
        return self  # nothing of it changes

    def __deepcopy__(self, memo: Any) -> "Model":
        return self

    def __repr__(self) -> str:
        def ports(all_ports):
            return ", ".join(
                f"{p.name}: {p.element}[{', '.join(map(str, p.shape))}]" for p in all_ports
            )

        return f"<mg.Model {self.graph}({ports(self.inputs)}) -> ({ports(self.outputs)})>"

    def picture(self, what: str = "graph") -> Optional[str]:
        """Returns an SVG: "graph" shows what the model computes and which ops read which, "memory" where its values lie during a
        run, and when, for the sizes of this thread's last call; a model without open sizes needs none. Returns None if there is no
        plan of memory: the model is interpreted, compiled op by op, or data decide its sizes."""
        if what not in _picture.PICTURES:
            raise Error(2, f"what is {' or '.join(map(repr, _picture.PICTURES))}, not {what!r}")
        return _picture.picture(self._instance(), what)

    def _repr_html_(self) -> str:
        called = not self.dims or self._instance().called
        return _picture.page(self, None if called else "The sizes of a call decide it: call the model first.")

    def _instance(self) -> _Instance:
        instance = getattr(self._local, "instance", None)
        if instance is None:
            instance = self._local.instance = _Instance(self)
        return instance

    # ------------------------------------------------------------------ arguments
    def _array(self, port: Port, x: Any) -> Array:
        if not isinstance(x, np.ndarray):
            there = _device.foreign(x)
            if there:
                return self._on_device(port, there)
            if hasattr(x, "__dlpack__"):
                x = _from_dlpack(port, x)
            elif hasattr(x, "__array__") or hasattr(x, "__array_interface__"):
                x = np.asarray(x)
            else:  # numbers and lists have no element type
                x = np.asarray(x, dtype=port.dtype)
        if isinstance(x, np.ma.MaskedArray):
            raise Error(1, f"input {port.name} is a masked array, and MG has no masks: fill it")
        if x.dtype != port.dtype and _BEYOND_NUMPY.get(x.dtype.name) != port.element:
            raise Error(1, f"input {port.name} is {port.element}, but the array is {x.dtype}: convert it")
        if x.ndim != len(port.shape):
            raise Error(1, f"input {port.name} has {len(port.shape)} dimensions, but the array has {x.ndim}")
        return x if x.flags.c_contiguous and x.flags.aligned else np.array(x, order="C")

    def _on_device(self, port: Port, x: Foreign) -> Foreign:
        """Checks an array that is on a CUDA device."""
        if self._cuda is None:
            raise Error(1, f"input {port.name} is on a CUDA device, but the model doesn't run there: compile it with target=\"gpu\", device=\"cuda\"")
        if x.device not in (None, self._cuda):
            raise Error(1, f"input {port.name} is on cuda:{x.device}, but the model runs on cuda:{self._cuda}")
        bits = 8 if port.element == "bool" else int(port.element[1] if port.element.startswith("f8") else re.sub(r"\D", "", port.element))
        if x.code != (_device.code_of(port.element), bits):
            raise Error(1, f"input {port.name} is {port.element}, but the array's type is another one: convert it")
        if x.ndim != len(port.shape):
            raise Error(1, f"input {port.name} has {len(port.shape)} dimensions, but the array has {x.ndim}")
        if not x.dense or x.at % _device.ALIGNED:
            raise Error(1, f"input {port.name} needs an array without gaps whose address is a multiple of {_device.ALIGNED}: copy it on its device")
        return x

    def _arguments(self, positional: Sequence[Any], named: Mapping[str, Any]) -> List[Array]:
        if len(positional) > len(self.inputs):
            raise TypeError(f"{self.graph} takes {len(self.inputs)} inputs, not {len(positional)}")
        values: Dict[str, Any] = dict(zip(self._names, positional))
        for name, value in named.items():
            if name not in self._names:
                raise TypeError(f"{self.graph} has no input '{name}'; it has {', '.join(self._names)}")
            if name in values:
                raise TypeError(f"input '{name}' is given twice")
            values[name] = value
        missing = [name for name in self._names if name not in values]
        if missing:
            raise TypeError(f"{self.graph} needs {', '.join(missing)}")
        return [self._array(p, values[p.name]) for p in self.inputs]

    def _out(self, out: Any) -> List[Optional[Array]]:
        n = len(self.outputs)
        if out is None:
            return [None] * n
        if isinstance(out, Mapping):
            unknown = [name for name in out if name not in [p.name for p in self.outputs]]
            if unknown:
                raise TypeError(f"{self.graph} has no output '{unknown[0]}'")
            arrays = [out.get(p.name) for p in self.outputs]
        else:
            arrays = [out] if isinstance(out, np.ndarray) else list(out)
        if len(arrays) != n:
            raise TypeError(f"{self.graph} has {n} outputs, but out has {len(arrays)}")
        for port, y in zip(self.outputs, arrays):
            if y is not None and (y.dtype != port.dtype or not y.flags.c_contiguous or not y.flags.writeable):
                raise Error(1, f"out for {port.name} must be a writable, contiguous array of {port.dtype}")
        return arrays

    def _apart(self, arrays: Sequence[Array], out: Sequence[Optional[Array]]) -> None:
        """Checks that no output shares memory with another port, except with the whole input that it takes over."""
        ports = list(zip(self.inputs, arrays)) + list(zip(self.outputs, out))
        for i, y in enumerate(out):
            for k, (port, x) in enumerate(ports[: len(arrays) + i] if y is not None else ()):
                whole = k == self.outputs[i].over and x.ctypes.data == y.ctypes.data and x.nbytes == y.nbytes
                if x is not None and not whole and np.may_share_memory(x, y):
                    raise Error(2, f"out for {self.outputs[i].name} shares memory with {port.name}")

    # ------------------------------------------------------------------ calls
    def __call__(self, *positional: Any, out: Any = None, copy: bool = True, **named: Any) -> Union[Array, Outputs]:
        """Runs the graph on its inputs. Returns an array for a single output, and Outputs for several.

        `out` says where outputs are written: an array, a list of arrays, or a dictionary by name, where None stands for a new
        array. Such an array shares no memory with another port, except that it may be the array of the input that the
        output takes over (`keys1: f32[P] over keys`), which is then changed in place.
        With copy=False, outputs are views of the library's memory, which this thread's next call overwrites.
        An input whose name is a Python keyword, `out` or `copy` is given by position.
        """
        arrays = self._arguments(positional, named)
        if self._cuda is not None and any(isinstance(x, Foreign) for x in arrays):
            return self._call_on_device(arrays, out)
        instance = self._instance()
        shapes = tuple(x.shape for x in arrays)
        known = instance.known.get(shapes)
        if known and copy and out is None and instance.bound == shapes and self._all_fixed:
            return self._returned(instance.run_again(arrays, known))
        given = self._out(out)
        self._apart(arrays, given)
        places = list(given)
        if known and copy:
            for i, shape in enumerate(known):
                if places[i] is None and self._fixed[i]:
                    places[i] = np.empty(shape, self.outputs[i].dtype)
        instance.bind(arrays)
        instance.place(places)
        try:
            instance.check(lib.mg_run(instance.handle))
            results = [self._result(instance, i, places[i], copy) for i in range(len(places))]
        finally:
            instance.keep = []
        instance.bound = None if any(isinstance(x, Foreign) for x in arrays) else shapes
        if len(instance.known) < 1024:
            instance.known[shapes] = [y.shape for y in results]
        return self._returned(results)

    def _returned(self, results: Sequence[Array]) -> Union[Array, Outputs]:
        return results[0] if len(results) == 1 else Outputs([p.name for p in self.outputs], results)

    def _call_on_device(self, arrays: Sequence[Union[Array, Foreign]], out: Any) -> Union[DeviceArray, Outputs]:
        """Runs the graph on inputs of which some are on its CUDA device, and leaves the outputs there."""
        if out is not None:
            raise Error(2, "inputs on a CUDA device give outputs there, which are new arrays: out isn't for them")
        stream = _stream_of(arrays)
        instance = self._instance()
        instance.place([None] * len(self.outputs))
        placed = _Placed(instance, range(len(self.outputs)))
        try:
            instance.bind(arrays)
            placed.bind()
            instance.check(lib.mg_run_in(instance.handle, b"cuda", stream, None, None, None))
            instance.check(lib.mg_wait(instance.handle))
            return self._returned(placed.results())
        finally:
            instance.keep = []
            placed.release()

    def _check(self, context: ctypes.c_void_p, status: int) -> None:
        if status:
            raise Error(status, lib.mg_context_message(context).decode(errors="replace"))

    def _result(self, instance: _Instance, i: int, place: Optional[Array], copy: bool) -> Array:
        view = instance.output(i)
        if place is None:
            return view.copy() if copy else view
        if place.shape == view.shape:
            return place
        if self._fixed[i]:
            raise Error(1, f"output {self.outputs[i].name} has shape {view.shape}, but out has {place.shape}")
        return place.reshape(-1)[: view.size].reshape(view.shape)  # data decided the shape

    def profile(self, *positional: Any, **named: Any) -> List[Timing]:
        """Runs the graph once and returns the times of the call and of each kernel and worker."""
        instance = self._instance()
        times: List[Timing] = []

        def note(_user, at):
            t = at[0]
            times.append(
                Timing(
                    _KINDS[t.kind] if t.kind < len(_KINDS) else str(t.kind),
                    (t.name or b"").decode(),
                    (t.schedule or b"").decode(),
                    (t.place or b"").decode(),
                    t.worker,
                    t.begin,
                    t.end,
                    t.bytes,
                    t.flops,
                    t.faster,
                )
            )

        hook = c.TIMING_HOOK(note)
        lib.mg_set_timing(instance.handle, hook, None)
        try:
            self(*positional, **named)
        finally:
            lib.mg_set_timing(instance.handle, c.TIMING_HOOK(), None)
        return times


# ---------------------------------------------------------------------- making models
def _context(options: c.ContextOptions) -> ctypes.c_void_p:
    context = ctypes.c_void_p()
    status = lib.mg_context_new(ctypes.byref(options), ctypes.byref(context))
    if status:
        message = lib.mg_context_message(context).decode(errors="replace") if context else ""
        raise Error(status, message)
    return context


_PRECISIONS = ["f32", "tf32", "bf16", "f16"]
_WEIGHTS_TYPES = ["given", "bf16", "f16", "i8", "f8e4m3"]
_MODES = ["fused", "graph", "cached", "immediate", "loop"]


def _wrap(array: Array) -> int:
    element = _BEYOND_NUMPY.get(array.dtype.name) or _WORDS.get(array.dtype)
    if element is None:
        raise TypeError(f"an array of {array.dtype} cannot be an input")
    dims = (ctypes.c_int64 * array.ndim)(*array.shape)
    return lib.mg_tensor_wrap(_ELEMENTS.index(element), array.ndim, dims, array.ctypes.data, None, None)


def _whole(word: str, number: Any) -> int:
    try:
        return operator.index(number)
    except TypeError:
        raise TypeError(f"{word} is {number!r}; it is a whole number") from None


def _number_of(word: str, value: str, values: Sequence[str]) -> int:
    if value not in values:
        raise ValueError(f"{word} is {value!r}; it is one of {', '.join(values)}")
    return values.index(value)


def _make(start, given, level, graph, target, device, march, strict, interpret, mode, threads, memory_limit, cache, weights, accumulate=False, in_place=False, open_parameters=False, precision="f32", weights_type="given", short_sums=False) -> Model:
    options = c.CompileOptions(
        graph=_text(graph),
        level=-1 if level is None else _whole("level", level),
        march=_text(march),
        strict=strict,
        interpret=interpret,
        target=_text(target),
        device=_text(device),
        mode=_number_of("mode", mode, _MODES),
        weights=None if isinstance(weights, Model) else _text(weights),
        weights_of=weights._handle if isinstance(weights, Model) else None,
        precision=_number_of("precision", precision, _PRECISIONS),
        weights_type=_number_of("weights_type", weights_type, _WEIGHTS_TYPES),
        short_sums=short_sums,
        accumulate=accumulate,
        in_place=in_place,
        open_parameters=open_parameters,
    )
    for word, number, most in (("threads", threads, 2**32 - 1), ("memory_limit", memory_limit, 2**64 - 1)):  # ctypes would take them mod 2^k
        if not 0 <= _whole(word, number) <= most:
            raise ValueError(f"{word} is {number}; it goes from 0 to {most}")
    about = c.ContextOptions(threads=threads, memory_limit=memory_limit, cache_folder=_text(cache))
    flat = {}  # each tensor of a sequence is a separate input
    for name, x in (given or {}).items():
        sequence = isinstance(x, (list, tuple)) and x and all(hasattr(y, "dtype") for y in x)
        flat.update({f"{name}_{i}": y for i, y in enumerate(x)} if sequence else {name: x})
    arrays = {name: np.require(x, requirements="CA") for name, x in flat.items()}
    tensors = (c.Given * len(arrays))(*[c.Given(name.encode(), _wrap(x)) for name, x in arrays.items()])
    options.given, options.n_given = tensors, len(arrays)
    context = _context(about)
    handle = ctypes.c_void_p()
    try:
        status = start(context, options, handle)
        message = (lib.mg_context_message(context) or b"").decode(errors="replace")
    finally:
        lib.mg_context_free(context)
        for one in tensors:
            lib.mg_tensor_release(one.tensor)
    if status:
        raise Error(status, message)
    model = Model(handle, about)
    if message:
        warnings.warn(message.rstrip(), stacklevel=3)
    return model


def compile(
    path: Union[str, "os.PathLike[str]"],
    *,
    level: Optional[int] = None,
    graph: Optional[str] = None,
    target: Optional[str] = None,
    device: Optional[str] = None,
    march: Optional[str] = None,
    strict: bool = False,
    interpret: bool = False,
    mode: str = "fused",
    threads: int = 1,
    memory_limit: int = 0,
    cache: Optional[str] = None,
    weights: Union[str, Model, None] = None,
    accumulate: bool = False,
    in_place: bool = False,
    open_parameters: bool = False,
    precision: str = "f32",
    weights_type: str = "given",
    short_sums: bool = False,
    given: Optional[Mapping[str, Any]] = None,
) -> Model:
    """Compiles a file (.mg, .mgb, .onnx or .mlir) to a model.

    level: 0 to 3, as mgc's -O0 to -O3 (default 2, or what a .mgb was built with)
    graph: the graph's name, if the file has several
    target: "cpu" or "gpu"
    device: which GPU
    threads: the workers of a call
    memory_limit: in bytes
    cache: the folder of compiled code, "" for none
    weights: "random" or "random:SEED" runs a graph that has no weights file yet; with "initial:SEED", parameters that have an
        initial value get it; a model shares its weights with this one
    precision: "bf16" and "f16" round the factors and results of matrix products to these types; "tf32" may round factors
        on a GPU
    weights_type: "bf16", "f16", "i8" or "f8e4m3": the type in which factors that parameters alone decide are kept; those of
        eight bits have a scale for each output channel
    short_sums: sums of products of floats of eight bits may keep 14 bits where a GPU is faster so
    accumulate: a training's steps may take several batches
    in_place: a training's steps change parameters in their own memory, which halves what they take; then steps can't be
        undone, and a step that fails leaves values of no step, until mg.Train.load
    open_parameters: a training binds its values to the parameters (mg.Train.run)
    given: arrays for the inputs whose values decide the shapes of an ONNX model, which is then right for such inputs only; an
        input that is a sequence takes a list of arrays

    Errors of the source are raised as Error, with the file, the line and what was expected.
    """

    def start(context, options, handle):
        return lib.mg_model_load(context, os.fsencode(path), ctypes.byref(options), ctypes.byref(handle))

    return _make(start, given, level, graph, target, device, march, strict, interpret, mode, threads, memory_limit, cache, weights, accumulate, in_place, open_parameters, precision, weights_type, short_sums)


def load(path: Union[str, "os.PathLike[str]"], **options: Any) -> Model:
    """Does the same as compile(), for a .mgb, which is compiled already."""
    return compile(path, **options)


def compile_text(
    text: str,
    name: str = "text.mg",
    *,
    level: Optional[int] = None,
    graph: Optional[str] = None,
    target: Optional[str] = None,
    device: Optional[str] = None,
    march: Optional[str] = None,
    strict: bool = False,
    interpret: bool = False,
    mode: str = "fused",
    threads: int = 1,
    memory_limit: int = 0,
    cache: Optional[str] = None,
    weights: Union[str, Model, None] = None,
    accumulate: bool = False,
    in_place: bool = False,
    open_parameters: bool = False,
    precision: str = "f32",
    weights_type: str = "given",
    short_sums: bool = False,
) -> Model:
    """Compiles a source text to a model. Messages call the text `name`, and weights are looked for in that path's folder."""
    source = text.encode()

    def start(context, options, handle):
        return lib.mg_model_compile(
            context, os.fsencode(name), source, len(source), ctypes.byref(options), ctypes.byref(handle)
        )

    return _make(start, None, level, graph, target, device, march, strict, interpret, mode, threads, memory_limit, cache, weights, accumulate, in_place, open_parameters, precision, weights_type, short_sums)
