"""Compiles neural networks written in MG, and calls them with numpy arrays.

    import mg, numpy as np
    net = mg.compile("net.mg")                    # or .onnx, .mgb
    probability = net(image)                      # positional or named: net(image=image)
    net(image, out=probability)                   # into your own memory

Functions over numpy arrays can be compiled, too:

    @mg.jit
    def f(x, w):
        return mg.softmax(x @ w + 1)

Contiguous inputs are read in place. Outputs are new arrays, which the network writes into directly. Other Python
threads run while a network runs, and many threads may call one model at once.
"""

from ._device import DeviceArray
from ._model import Error, Model, Outputs, Port, Timing, compile, compile_text, load
from . import _fft, _functions, _linalg, _places, _statistics
from ._capture import CaptureError
from ._flow import cond, loop
from ._grad import grad, value_and_grad
from ._train import Train
from ._jit import Explanation, Jitted, explain, jit, operator as _operator

__all__ = ["DeviceArray", "Error", "Model", "Outputs", "Port", "Timing", "compile", "compile_text", "load", "Train"]
__all__ += ["CaptureError", "Explanation", "Jitted", "cond", "explain", "grad", "jit", "loop", "value_and_grad"]
__version__ = "0.1.0"


def __getattr__(name: str):
    """Makes mg.NAME the library's operator of that name."""
    return _operator(name)
