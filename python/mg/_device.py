"""Arrays in the memory of a CUDA device: those of other libraries, which a model reads in place, and those that a model makes."""

import ctypes
from ctypes import pythonapi
from dataclasses import dataclass
from typing import Any, Optional, Sequence, Tuple

import numpy as np

from . import _library as c
from ._library import lib

CUDA = 2  # DLPack's number of the device type
DEFAULT_STREAM = 1  # CUDA's number of its default stream
ALIGNED = 16  # addresses are multiples of it
_CODES = {"i": 0, "u": 1, "f": 2, "bf": 4, "bool": 6, "f8e4m3": 10, "f8e5m2": 12}  # of DLPack
_UNUSED = b"dltensor"  # the name of a capsule that nobody has taken over

pythonapi.PyCapsule_New.restype = ctypes.py_object
pythonapi.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
pythonapi.PyCapsule_GetPointer.restype = ctypes.c_void_p
pythonapi.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]


def code_of(element: str) -> int:
    """DLPack's code of a type, which its number of bits completes."""
    return _CODES.get(element, _CODES.get(element.rstrip("0123456789"), -1))


@dataclass
class Foreign:
    """An array of another library on a CUDA device. `keep` holds its memory; `stream` is the one in whose order it is ready."""

    at: int
    shape: Tuple[int, ...]
    code: Tuple[int, int]  # DLPack's, and the number of bits
    dense: bool  # row-major without gaps
    device: Optional[int]  # None: it isn't known
    stream: int
    keep: Any

    @property
    def ndim(self) -> int:
        return len(self.shape)


def _is_dense(shape: Sequence[int], strides: Optional[Sequence[int]], step: int) -> bool:
    for n, stride in zip(reversed(shape), reversed(strides or ())):
        if n != 1 and stride != step:
            return 0 in shape
        step *= n
    return True


def foreign(x: Any) -> Optional[Foreign]:
    """Describes an array of another library on a CUDA device. None if it is not on one."""
    if hasattr(x, "__dlpack_device__") and hasattr(x, "__dlpack__"):
        kind, number = x.__dlpack_device__()
        return _of_dlpack(x, number) if kind == CUDA else None
    if hasattr(x, "__cuda_array_interface__"):
        return _of_interface(x)
    return None


def _of_dlpack(x: Any, number: int) -> Foreign:
    capsule = x.__dlpack__(stream=DEFAULT_STREAM)
    t = c.DLManaged.from_address(pythonapi.PyCapsule_GetPointer(capsule, _UNUSED)).tensor
    shape = tuple(t.shape[: t.rank])
    dense = _is_dense(shape, t.strides[: t.rank] if t.strides else None, 1) and t.lanes == 1
    return Foreign((t.data or 0) + t.byte_offset, shape, (t.code, t.bits), dense, number, DEFAULT_STREAM, (x, capsule))


def _of_interface(x: Any) -> Foreign:
    about = x.__cuda_array_interface__
    dtype, shape = np.dtype(about["typestr"]), tuple(about["shape"])
    at = about["data"][0]
    code = {"b": _CODES["bool"], "i": 0, "u": 1, "f": 2}.get(dtype.kind, -1) if dtype.isnative else -1
    dense = _is_dense(shape, about.get("strides"), dtype.itemsize)
    return Foreign(at or 0, shape, (code, 8 * dtype.itemsize), dense, None, about.get("stream") or DEFAULT_STREAM, x)


class Memory(c.Owner):
    """A buffer of the library's, on a model's device."""

    def __init__(self, model: Any, size: int):
        self.model, self.handle = model, ctypes.c_void_p()
        context = model._instance().context
        model._check(context, lib.mg_buffer_new(model._handle, context, size, ctypes.byref(self.handle)))

    def __del__(self):
        lib.mg_buffer_release(self.handle)

    def read(self, y: np.ndarray) -> None:
        context = self.model._instance().context
        self.model._check(context, lib.mg_buffer_read(self.handle, context, 0, y.ctypes.data, y.nbytes))


class DeviceArray:
    """An array on a CUDA device, which a model made. Other libraries take it without a copy: `torch.from_dlpack(y)`, `cupy.asarray(y)`.
    `y.numpy()` is a copy in the host's memory."""

    def __init__(self, memory: Memory, element: str, number: int, dtype: np.dtype, shape: Sequence[int], device: int):
        self._memory, self._number = memory, number
        self.element, self.dtype, self.shape, self.device = element, dtype, tuple(shape), device

    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return int(np.prod(self.shape, dtype=np.int64))

    @property
    def nbytes(self) -> int:
        return self.size * self.dtype.itemsize

    def __repr__(self) -> str:
        return f"<mg.DeviceArray {self.element}[{', '.join(map(str, self.shape))}] on cuda:{self.device}>"

    @property
    def __cuda_array_interface__(self) -> dict:
        at = lib.mg_buffer_native(self._memory.handle, b"cuda") if self.size else 0
        return {"shape": self.shape, "typestr": self.dtype.str, "data": (at, False), "strides": None, "version": 3}

    def __dlpack_device__(self) -> Tuple[int, int]:
        return CUDA, self.device

    def __dlpack__(self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Optional[bool] = None) -> Any:
        """The array is complete, so no stream has to wait for it."""
        if copy or dl_device not in (None, self.__dlpack_device__()):
            raise BufferError("an array on a CUDA device is only given as it is; numpy() is a copy")
        dims = (ctypes.c_int64 * self.ndim)(*self.shape)
        managed = lib.mg_buffer_dlpack(self._memory.handle, self.device, self._number, self.ndim, dims)
        if not managed:
            raise BufferError("DLPack can't describe the array")
        return pythonapi.PyCapsule_New(ctypes.cast(managed, ctypes.c_void_p), _UNUSED, ctypes.cast(lib.mg_dlpack_end_capsule, ctypes.c_void_p))

    def numpy(self) -> np.ndarray:
        """Returns a copy in the host's memory."""
        y = np.empty(self.shape, self.dtype)
        self._memory.read(y)
        return y

    def __array__(self, dtype: Any = None, copy: Optional[bool] = None) -> np.ndarray:
        if copy is False:
            raise ValueError("an array on a CUDA device can't be numpy's without a copy")
        return np.asarray(self.numpy(), dtype)

