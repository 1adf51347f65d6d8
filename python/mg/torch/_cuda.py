"""Operators that PyTorch has on CUDA alone, in terms of those that it has everywhere.

There, PyTorch's tracing meets the cells of recurrent nets as operators with kernels of their own, which keep a workspace for their
derivatives. MG compiles what they mean instead. Attention there has rows, but PyTorch computes one whose derivative is taken, since that
uses what PyTorch's kernel keeps.
"""

from typing import Any, Callable, Dict, Optional, Tuple

import torch

Tensor = torch.Tensor
Maybe = Optional[Tensor]


def _added(gates: Tensor, bias: Maybe) -> Tensor:
    return gates if bias is None else gates + bias


def _lstm_cell(input_gates: Tensor, hidden_gates: Tensor, cx: Tensor, input_bias: Maybe = None,
               hidden_bias: Maybe = None) -> Tuple[Tensor, Tensor, Tensor]:
    i, f, g, o = (_added(input_gates, input_bias) + _added(hidden_gates, hidden_bias)).chunk(4, 1)
    i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
    cy = f * cx + i * g
    return o * cy.tanh(), cy, torch.cat([i, f, g, o], 1)


def _lstm_cell_backward(grad_hy: Maybe, grad_cy: Maybe, cx: Tensor, cy: Tensor, workspace: Tensor,
                        has_bias: bool) -> Tuple[Tensor, Tensor, Tensor]:
    i, f, g, o = workspace.chunk(4, 1)
    t = cy.tanh()
    dh = torch.zeros_like(cy) if grad_hy is None else grad_hy
    dc = _added(dh * o * (1 - t * t), grad_cy)
    gates = torch.cat([dc * g * i * (1 - i), dc * cx * f * (1 - f), dc * i * (1 - g * g), dh * t * o * (1 - o)], 1)
    return gates, dc * f, gates.sum(0)


def _gru_cell(input_gates: Tensor, hidden_gates: Tensor, hx: Tensor, input_bias: Maybe = None,
              hidden_bias: Maybe = None) -> Tuple[Tensor, Tensor]:
    ir, iz, im = _added(input_gates, input_bias).chunk(3, 1)
    hr, hz, hm = _added(hidden_gates, hidden_bias).chunk(3, 1)
    r, z = (ir + hr).sigmoid(), (iz + hz).sigmoid()
    m = (im + r * hm).tanh()
    return m + z * (hx - m), torch.cat([r, z, m, hx, hm], 1)


def _gru_cell_backward(grad_hy: Tensor, workspace: Tensor, has_bias: bool) -> Tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    r, z, m, hx, hm = workspace.chunk(5, 1)
    dz = grad_hy * (hx - m) * z * (1 - z)
    dm = grad_hy * (1 - z) * (1 - m * m)
    dr = dm * hm * r * (1 - r)
    input_gates, hidden_gates = torch.cat([dr, dz, dm], 1), torch.cat([dr, dz, dm * r], 1)
    return input_gates, hidden_gates, grad_hy * z, input_gates.sum(0), hidden_gates.sum(0)


_aten = torch.ops.aten
DECOMPOSITIONS: Dict[Any, Callable] = {
    _aten._thnn_fused_lstm_cell.default: _lstm_cell,
    _aten._thnn_fused_lstm_cell_backward_impl.default: _lstm_cell_backward,
    _aten._thnn_fused_gru_cell.default: _gru_cell,
    _aten._thnn_fused_gru_cell_backward.default: _gru_cell_backward,
}
