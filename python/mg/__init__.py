"""Neural networks written in MG, compiled and called with numpy arrays.

    import mg, numpy as np
    net = mg.compile("net.mg")                    # or .onnx, .mgb
    probability = net(image)                      # positional or named: net(image=image)
    net(image, out=probability)                   # into your own memory

Inputs are read where they are if they are contiguous; outputs are new arrays that the network writes itself. While a network runs,
other Python threads run too, and one model may be called by many threads at once.
"""

from ._model import Error, Model, Outputs, Port, Timing, compile, compile_text, load

__all__ = ["Error", "Model", "Outputs", "Port", "Timing", "compile", "compile_text", "load"]
__version__ = "0.1.0"
