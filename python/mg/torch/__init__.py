"""PyTorch models, compiled by MG.

    import torch
    fast = torch.compile(model, backend="mg")       # options={"level": 3, "dump": "folder"}

Once the package is installed, PyTorch finds the backend by itself; `import mg.torch` makes it known, too.
"""

from ._backend import Report, backend, watch
from ._explain import Explanation, explain
from ._export import ExportError, export

__all__ = ["ExportError", "Explanation", "Report", "backend", "explain", "export", "watch"]
