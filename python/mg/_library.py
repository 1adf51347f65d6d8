"""Declares the part of include/mg.h that the package uses to ctypes, one to one.

ctypes releases the interpreter's lock for every call, so other Python threads run while a network runs.
tests/deploy/python.sh compares the layouts here with the C compiler's.
"""

import ctypes
import ctypes.util
import os
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int32, c_int64, c_size_t, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p

class ContextOptions(Structure):
    _fields_ = [
        ("threads", c_uint32),
        ("memory_limit", c_size_t),
        ("cache_folder", c_char_p),
        ("parallel", c_void_p),
        ("parallel_user", c_void_p),
    ]


class Given(Structure):
    _fields_ = [("name", c_char_p), ("tensor", c_void_p), ("elements", POINTER(c_void_p)), ("n_elements", c_uint32)]


class CompileOptions(Structure):
    _fields_ = [
        ("graph", c_char_p),
        ("level", c_int32),
        ("march", c_char_p),
        ("strict", c_bool),
        ("interpret", c_bool),
        ("target", c_char_p),
        ("device", c_char_p),
        ("mode", c_int),
        ("given", POINTER(Given)),
        ("n_given", c_uint32),
        ("launch", c_int),
        ("winograd", c_int),
        ("precision", c_int),
        ("tuned", c_char_p),
        ("sharing", c_int),
        ("schedules", c_char_p),
        ("weights", c_char_p),
        ("machine", c_char_p),
        ("remat", c_char_p),
        ("open_parameters", c_bool),
        ("accumulate", c_bool),
        ("in_place", c_bool),
        ("weights_of", c_void_p),
        ("short_sums", c_bool),
        ("weights_type", c_int),
    ]


class DLTensor(Structure):  # of DLPack
    _fields_ = [
        ("data", c_void_p),
        ("device_type", c_int32),
        ("device", c_int32),
        ("rank", c_int32),
        ("code", c_uint8),
        ("bits", c_uint8),
        ("lanes", c_uint16),
        ("shape", POINTER(c_int64)),
        ("strides", POINTER(c_int64)),
        ("byte_offset", c_uint64),
    ]


class DLManaged(Structure):
    _fields_ = [("tensor", DLTensor), ("manager", c_void_p), ("deleter", c_void_p)]


class PortInfo(Structure):
    _fields_ = [
        ("name", c_char_p),
        ("element", c_int),
        ("rank", c_uint32),
        ("dims", POINTER(c_int64)),
        ("formulas", POINTER(c_char_p)),
        ("key", c_char_p),
        ("over", c_int32),
    ]


class Timing(Structure):
    _fields_ = [
        ("kind", c_int),
        ("name", c_char_p),
        ("schedule", c_char_p),
        ("place", c_char_p),
        ("site", c_uint32),
        ("worker", c_uint32),
        ("begin", c_uint64),
        ("end", c_uint64),
        ("bytes", c_int64),
        ("flops", c_int64),
        ("faster", c_double),
    ]


# One type for all calls: where a sub-interpreter imports ctypes, POINTER forgets the types that it has made.
Sizes = POINTER(c_int64)
TIMING_HOOK = ctypes.CFUNCTYPE(None, c_void_p, POINTER(Timing))

# name: result, arguments
_FUNCTIONS = {
    "mg_tensor_wrap": (c_void_p, [c_int, c_uint32, POINTER(c_int64), c_void_p, c_void_p, c_void_p]),
    "mg_tensor_release": (None, [c_void_p]),
    "mg_tensor_element": (c_int, [c_void_p]),
    "mg_tensor_rank": (c_uint32, [c_void_p]),
    "mg_tensor_dims": (POINTER(c_int64), [c_void_p]),
    "mg_tensor_bytes": (c_size_t, [c_void_p]),
    "mg_tensor_data": (c_void_p, [c_void_p]),
    "mg_context_new": (c_int, [POINTER(ContextOptions), POINTER(c_void_p)]),
    "mg_context_free": (None, [c_void_p]),
    "mg_context_message": (c_char_p, [c_void_p]),
    "mg_model_load": (c_int, [c_void_p, c_char_p, POINTER(CompileOptions), POINTER(c_void_p)]),
    "mg_model_compile": (
        c_int,
        [c_void_p, c_char_p, c_char_p, c_size_t, POINTER(CompileOptions), POINTER(c_void_p)],
    ),
    "mg_model_release": (None, [c_void_p]),
    "mg_model_graph": (c_char_p, [c_void_p]),
    "mg_model_inputs": (c_uint32, [c_void_p]),
    "mg_model_outputs": (c_uint32, [c_void_p]),
    "mg_model_input": (POINTER(PortInfo), [c_void_p, c_uint32]),
    "mg_model_output": (POINTER(PortInfo), [c_void_p, c_uint32]),
    "mg_model_dims": (c_uint32, [c_void_p]),
    "mg_model_dim": (c_char_p, [c_void_p, c_uint32]),
    "mg_instance_new": (c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "mg_instance_free": (None, [c_void_p]),
    "mg_instance_message": (c_char_p, [c_void_p]),
    "mg_bind_input": (c_int, [c_void_p, c_uint32, c_void_p, c_uint32, POINTER(c_int64)]),
    "mg_bind_output": (c_int, [c_void_p, c_uint32, c_void_p, c_size_t]),
    "mg_bind_parameter": (c_int, [c_void_p, c_char_p, c_void_p, c_size_t]),
    "mg_bind_input_at": (c_int, [c_void_p, c_uint32, c_uint64, c_uint32, POINTER(c_int64)]),
    "mg_bind_output_at": (c_int, [c_void_p, c_uint32, c_uint64, c_size_t]),
    "mg_bind_parameter_at": (c_int, [c_void_p, c_char_p, c_uint64, c_size_t]),
    "mg_run_in": (c_int, [c_void_p, c_char_p, c_void_p, POINTER(c_uint64), POINTER(c_uint64), POINTER(c_size_t)]),
    "mg_wait": (c_int, [c_void_p]),
    "mg_buffer_new": (c_int, [c_void_p, c_void_p, c_size_t, POINTER(c_void_p)]),
    "mg_buffer_release": (None, [c_void_p]),
    "mg_bind_output_buffer": (c_int, [c_void_p, c_uint32, c_void_p]),
    "mg_buffer_native": (c_void_p, [c_void_p, c_char_p]),
    "mg_buffer_read": (c_int, [c_void_p, c_void_p, c_size_t, c_void_p, c_size_t]),
    "mg_buffer_dlpack": (POINTER(DLManaged), [c_void_p, c_int32, c_int, c_uint32, POINTER(c_int64)]),
    "mg_dlpack_end_capsule": (None, [c_void_p]),
    "mg_model_native": (c_void_p, [c_void_p, c_char_p, c_int]),
    "mg_picture": (c_int, [c_void_p, c_int, POINTER(c_void_p)]),
    "mg_output_shape": (c_int, [c_void_p, c_uint32, POINTER(Sizes)]),
    "mg_run": (c_int, [c_void_p]),
    "mg_run_with": (c_int, [c_void_p, POINTER(c_void_p), POINTER(c_void_p), POINTER(c_size_t)]),
    "mg_output": (c_int, [c_void_p, c_uint32, POINTER(c_void_p), POINTER(Sizes)]),
    "mg_train_open": (c_int, [c_void_p, c_void_p, POINTER(c_void_p)]),
    "mg_train_close": (None, [c_void_p]),
    "mg_train_message": (c_char_p, [c_void_p]),
    "mg_train_instance": (c_void_p, [c_void_p]),
    "mg_train_step": (c_int, [c_void_p]),
    "mg_train_try": (c_int, [c_void_p]),
    "mg_train_add": (c_int, [c_void_p]),
    "mg_train_stream": (c_int, [c_void_p, c_char_p, c_void_p]),
    "mg_train_undo": (c_int, [c_void_p]),
    "mg_train_bind": (c_int, [c_void_p, c_void_p]),
    "mg_train_params": (c_uint32, [c_void_p]),
    "mg_train_param": (c_char_p, [c_void_p, c_uint32]),
    "mg_train_get": (c_int, [c_void_p, c_char_p, POINTER(c_void_p)]),
    "mg_train_set": (c_int, [c_void_p, c_char_p, c_void_p]),
    "mg_train_save": (c_int, [c_void_p, c_char_p]),
    "mg_train_load": (c_int, [c_void_p, c_char_p]),
    "mg_set_timing": (None, [c_void_p, TIMING_HOOK, c_void_p]),
}


# What __del__ calls keeps the interpreter's lock: at the end of a sub-interpreter nobody would give it back.
_WITH_LOCK = ("mg_model_release", "mg_instance_free", "mg_train_close", "mg_context_free", "mg_buffer_release")


def _candidates():
    """Returns where libmg may be: at $MG_LIBRARY, else where it is installed with the package, else with the system's libraries."""
    asked = os.environ.get("MG_LIBRARY")
    if asked:
        return [asked]
    here = os.path.dirname(os.path.abspath(__file__))
    beside = [os.path.join(here, "libmg.so.0")]
    up = here
    for _ in range(4):  # PREFIX/lib/python3/dist-packages/mg
        up = os.path.dirname(up)
        beside.append(os.path.join(up, "libmg.so.0"))
        beside.append(os.path.join(up, "lib", "libmg.so.0"))
    found = ctypes.util.find_library("mg")
    return [path for path in beside if os.path.exists(path)] + ([found] if found else []) + ["libmg.so.0"]


def _load():
    reasons = []
    for path in _candidates():
        try:
            library = ctypes.CDLL(path)
        except OSError as error:
            reasons.append(str(error))
            continue
        holding = ctypes.PyDLL(path)
        for name, (result, arguments) in _FUNCTIONS.items():
            if name in _WITH_LOCK:
                setattr(library, name, getattr(holding, name))
            function = getattr(library, name)
            function.restype = result
            function.argtypes = arguments
        return library
    raise ImportError("libmg is not found; set MG_LIBRARY to its path: " + "; ".join(reasons))


lib = _load()


class Owner:
    """A base of objects that own something of the library, which a second object would release again."""

    def __reduce_ex__(self, protocol: int):
        raise TypeError(f"a {type(self).__name__} of mg owns memory of the library, so it can't be copied or pickled")
