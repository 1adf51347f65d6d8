"""Runs a training: the steps of a graph with `next`."""

import ctypes
import os
from typing import Any, Iterator, List, Optional, Union

import numpy as np

from . import _library as c
from ._device import DeviceArray, Foreign
from ._library import lib
from ._model import _DTYPES, Array, Error, Model, Outputs, _bind_input, _context, _Instance, _Placed, _stream_of, _wrap


class _Ports:
    """The ports of a model that are not parameters, with an instance's memory for them."""

    def __init__(self, model: Model, handle: ctypes.c_void_p):
        self.model, self.handle = model, handle
        self.inputs = [i for i in range(len(model.inputs)) if not lib.mg_model_input(model._handle, i)[0].key]
        self.outputs = [i for i in range(len(model.outputs)) if not lib.mg_model_output(model._handle, i)[0].key]
        self.keep: List[Union[Array, Foreign]] = []
        self.placed: Optional[_Placed] = None  # if outputs stay on a CUDA device

    def check(self, status: int) -> None:
        if status:
            raise Error(status, lib.mg_instance_message(self.handle).decode(errors="replace"))

    def bind(self, positional, named) -> Optional[int]:
        """Binds the inputs. Returns the stream that the run has to follow; None: none."""
        ports = {self.model.inputs[i].name: i for i in self.inputs}
        if len(positional) > len(ports):
            raise TypeError(f"{self.model.graph} takes {len(ports)} inputs, not {len(positional)}")
        values = dict(zip(ports, positional))
        for name, value in named.items():
            if name not in ports:
                raise TypeError(f"{self.model.graph} has no input '{name}'; it has {', '.join(ports)}")
            if name in values:
                raise TypeError(f"input '{name}' is given twice")
            values[name] = value
        missing = [name for name in ports if name not in values]
        if missing:
            raise TypeError(f"{self.model.graph} needs {', '.join(missing)}")
        self.keep = [self.model._array(self.model.inputs[i], values[name]) for name, i in ports.items()]
        stream = _stream_of(self.keep)
        for i, x in zip(self.inputs, self.keep):
            _bind_input(self, i, x)
        if stream is not None:
            self.placed = _Placed(self, self.outputs)
            self.placed.bind()
        return stream

    def release(self) -> None:
        """Lets go of what a call has bound."""
        self.keep = []
        if self.placed:
            self.placed.release()
        self.placed = None

    def results(self) -> Union[Array, DeviceArray, Outputs]:
        arrays = self.placed.results() if self.placed else []
        for i in self.outputs if not self.placed else ():
            port, data, dims = self.model.outputs[i], ctypes.c_void_p(), c.Sizes()
            self.check(lib.mg_output(self.handle, i, ctypes.byref(data), ctypes.byref(dims)))
            arrays.append(_copy(port.dtype, [dims[a] for a in range(len(port.shape))], data.value))
        return arrays[0] if len(arrays) == 1 else Outputs([self.model.outputs[i].name for i in self.outputs], arrays)


def _copy(dtype: np.dtype, shape: List[int], data: int) -> Array:
    array = np.empty(shape, dtype)
    if array.nbytes:
        ctypes.memmove(array.ctypes.data, data, array.nbytes)
    return array


class Train(c.Owner):
    """A training of a graph with `next`. It holds the parameters that the graph changes.

        train = mg.Train(mg.compile("net.mg", graph="step", weights="initial:1"))
        for x, y in batches:
            loss = train.step(images=x, labels=y, lr=1e-3)
        train.save("learned")

    Batches may be arrays on the CUDA device of a model with target="gpu", device="cuda"; then outputs stay there, too.
    train["net.fc.weight"] is a copy of a parameter's values; assigning to it sets them, and iterating gives the keys. Only
    one thread at a time may use a training.
    """

    def __init__(self, model: Model):
        self.model = model
        self._handle = ctypes.c_void_p()
        self._context = _context(model._context_options)
        status = lib.mg_train_open(model._handle, self._context, ctypes.byref(self._handle))
        if status:
            raise Error(status, lib.mg_context_message(self._context).decode(errors="replace"))
        self._ports = _Ports(model, ctypes.c_void_p(lib.mg_train_instance(self._handle)))
        self._keys = [lib.mg_train_param(self._handle, i).decode() for i in range(lib.mg_train_params(self._handle))]

    def __del__(self):
        if getattr(self, "_handle", None):
            lib.mg_train_close(self._handle)
        if getattr(self, "_context", None):
            lib.mg_context_free(self._context)

    def _check(self, status: int) -> None:
        if status:
            raise Error(status, lib.mg_train_message(self._handle).decode(errors="replace"))

    def _run(self, what, positional, named) -> Union[Array, DeviceArray, Outputs]:
        try:
            stream = self._ports.bind(positional, named)
            self._check(lib.mg_train_stream(self._handle, b"cuda", stream))
            self._check(what(self._handle))
            return self._ports.results()
        finally:
            self._ports.release()

    # ------------------------------------------------------------------ steps
    def step(self, *positional: Any, **named: Any) -> Union[Array, DeviceArray, Outputs]:
        """Runs the graph and gives the parameters their next values. Returns the graph's outputs."""
        return self._run(lib.mg_train_step, positional, named)

    def add(self, *positional: Any, **named: Any) -> Union[Array, DeviceArray, Outputs]:
        """Runs a batch that is not the last of its step. The step's mean includes its gradients. The model must have been
        compiled with accumulate=True."""
        return self._run(lib.mg_train_add, positional, named)

    def evaluate(self, *positional: Any, **named: Any) -> Union[Array, DeviceArray, Outputs]:
        """Runs the graph, and leaves the parameters as they are."""
        return self._run(lib.mg_train_try, positional, named)

    def undo(self) -> None:
        """Undoes the latest step or batch."""
        self._check(lib.mg_train_undo(self._handle))

    def run(self, model: Model, *positional: Any, **named: Any) -> Union[Array, DeviceArray, Outputs]:
        """Runs another model with the parameters that are being trained. It must have been compiled with open_parameters=True, and
        on a GPU with weights=train.model, so that both have one device."""
        instance = _Instance(model)
        ports = _Ports(model, instance.handle)
        self._check(lib.mg_train_bind(self._handle, instance.handle))
        try:
            stream = ports.bind(positional, named)
            ports.check(lib.mg_run_in(instance.handle, b"cuda", stream, None, None, None) if stream is not None else lib.mg_run(instance.handle))
            ports.check(lib.mg_wait(instance.handle))
            return ports.results()
        finally:
            ports.release()

    # ------------------------------------------------------------------ parameters
    def keys(self) -> List[str]:
        """Yields the names of the parameters, in the order of the graph's inputs."""
        return list(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def _known(self, key: str) -> bytes:
        if key not in self._keys:
            raise KeyError(key)
        return key.encode()

    def __getitem__(self, key: str) -> Array:
        tensor = ctypes.c_void_p()
        self._check(lib.mg_train_get(self._handle, self._known(key), ctypes.byref(tensor)))
        try:
            dims = lib.mg_tensor_dims(tensor)
            shape = [dims[a] for a in range(lib.mg_tensor_rank(tensor))]
            return _copy(_DTYPES[lib.mg_tensor_element(tensor)], shape, lib.mg_tensor_data(tensor))
        finally:
            lib.mg_tensor_release(tensor)

    def __setitem__(self, key: str, value: Any) -> None:
        array = np.require(value, requirements="CA")
        tensor = _wrap(array)
        try:
            self._check(lib.mg_train_set(self._handle, self._known(key), tensor))
        finally:
            lib.mg_tensor_release(tensor)

    # ------------------------------------------------------------------ files
    def save(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Writes weights.safetensors and state.safetensors into the folder, which is made if it doesn't exist."""
        os.makedirs(folder, exist_ok=True)
        self._check(lib.mg_train_save(self._handle, os.fsencode(folder)))

    def load(self, folder: Union[str, "os.PathLike[str]"]) -> None:
        """Reads both files. If one is missing or belongs to another net, raises an error and changes nothing."""
        self._check(lib.mg_train_load(self._handle, os.fsencode(folder)))
