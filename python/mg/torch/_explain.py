"""mg.torch.explain: tells which parts of a PyTorch model MG compiles, which run in PyTorch and why, and where the graph breaks."""

from collections import Counter
from dataclasses import dataclass
from typing import Any, Callable, List

import torch

from ._backend import Report, watch


@dataclass
class Explanation:
    """A report of a model in one call: its graphs, and the places where PyTorch had to break between them."""

    graphs: List[Report]
    breaks: List[str]

    @property
    def outside(self) -> int:
        """Counts the operators that run in PyTorch, at every use."""
        return sum(len(g.outside) for g in self.graphs)

    @property
    def text(self) -> str:
        """Returns the graphs in MG."""
        return "\n".join(t for g in self.graphs for t in g.texts)

    def __repr__(self) -> str:
        count = sum(g.operators for g in self.graphs)
        lines = [f"{len(self.graphs)} graphs of {count} operators, {self.outside} of which run in PyTorch; {len(self.breaks)} graph breaks"]
        for i, g in enumerate(self.graphs):
            lines.append(f"  graph {i + 1}, {g.kind}: {g.operators} operators, {len(g.texts)} parts compiled by MG")
            for (op, why, line), n in Counter(g.outside).items():
                lines.append(f"    {op}{f' ({n} times)' if n > 1 else ''} runs in PyTorch: {why}" + (f"\n      {line}" if line else ""))
        return "\n".join(lines + [f"  break: {b}" for b in self.breaks])


def explain(model: Callable, *args: Any, **named: Any) -> Explanation:
    """Runs a model once under torch.compile(backend="mg"), from the beginning, and returns a report."""
    torch._dynamo.reset()
    seen = torch._dynamo.explain(model)(*args, **named)
    breaks = []
    for reason in seen.break_reasons:
        frame = reason.user_stack[-1] if reason.user_stack else None
        breaks.append((f"{frame.filename}:{frame.lineno}: " if frame else "") + str(reason.reason).splitlines()[0])
    torch._dynamo.reset()
    reports: List[Report] = []
    with watch(reports):
        torch.compile(model, backend="mg")(*args, **named)
    torch._dynamo.reset()
    return Explanation(reports, breaks)
