"""mg.torch.export: writes a PyTorch model as readable MG, with its weights in a safetensors file beside it."""

import json
import os
import re
from typing import Any, Callable, Dict, Optional, Sequence, Tuple

import torch
from torch.export.graph_signature import InputKind, OutputKind

from .. import _aten
from .._aten import Refused, Type
from .._model import Error, compile_text
from ._backend import _errors, decompositions
from ._graph import called, graph, is_item, line_of, op_name, read, type_of

_WORDS = {
    torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64", torch.int32: "I32",
    torch.int16: "I16", torch.int8: "I8", torch.uint64: "U64", torch.uint32: "U32", torch.uint16: "U16", torch.uint8: "U8",
    torch.bool: "BOOL", torch.float8_e4m3fn: "F8_E4M3", torch.float8_e5m2: "F8_E5M2",
}


class ExportError(TypeError):
    """Names all parts of a model that cannot be written in MG, with their lines of Python."""


def _write(path: str, write: Callable[[Any], None]) -> None:
    """Writes a whole file, or leaves the old one as it was."""
    beside = f"{path}.{os.getpid()}.part"
    try:
        with open(beside, "wb") as file:
            write(file)
        os.replace(beside, path)
    finally:
        if os.path.exists(beside):
            os.remove(beside)


def _safetensors(tensors: Dict[str, torch.Tensor]) -> Callable[[Any], None]:
    head, at = {}, 0
    for key, x in tensors.items():
        head[key] = {"dtype": _WORDS[x.dtype], "shape": list(x.shape), "data_offsets": [at, at + x.nbytes]}
        at += x.nbytes
    text = json.dumps(head).encode()
    text += b" " * (-len(text) % 8)

    def write(file: Any) -> None:
        file.write(len(text).to_bytes(8, "little") + text)
        for x in tensors.values():
            file.write(x.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes())

    return write


def _refuse(found: Sequence[Tuple[str, str, str]]) -> None:
    lines = dict.fromkeys(f"{op}: {why}" + (f"\n    {line}" if line else "") for op, why, line in found)
    raise ExportError(f"{len(lines)} operators cannot be written in MG:\n" + "\n".join(lines))


def _program(model: torch.nn.Module, args: Sequence[Any], named: Optional[Dict[str, Any]], dynamic_shapes: Any):
    program = torch.export.export(model, tuple(args), named, dynamic_shapes=dynamic_shapes)
    program = program.run_decompositions(decompositions(exported=True))
    changed = [s.target for s in program.graph_signature.output_specs if s.kind in (OutputKind.BUFFER_MUTATION, OutputKind.USER_INPUT_MUTATION)]
    if changed:
        raise ExportError(f"the model changes {', '.join(changed)} while it runs; after model.eval() most models don't")
    return program


def export(model: torch.nn.Module, args: Sequence[Any], path: str, kwargs: Optional[Dict[str, Any]] = None, *,
           dynamic_shapes: Any = None) -> None:
    """Writes a model to `path` (net.mg) and its weights to net.safetensors. torch.export traces the model with these arguments, and
    takes dynamic_shapes, which names the sizes that stay open. ExportError names everything that cannot be written in MG."""
    program = _program(model, args, kwargs, dynamic_shapes)
    nodes = [n for n in program.graph.nodes if n.op == "call_function"]
    found = []
    for node in nodes:
        if not is_item(node) and isinstance(node.meta.get("val"), (torch.Tensor, tuple, list)):
            try:
                read(node)
            except Refused as e:
                found.append((op_name(node.target), str(e), line_of(node)))
    if found:
        _refuse(found)
    stored: Dict[str, torch.Tensor] = {}
    made = _graph(program, nodes, stored)
    base = os.path.splitext(os.path.basename(path))[0]
    weights = f"{base}.safetensors" if stored else ""
    try:
        text, makers = _aten.write(made, re.sub(r"\W", "_", base), weights)
        compile_text(text, "export.mg", level=0, interpret=True, weights="random")
    except Refused as e:
        _refuse([(node.op, why, node.line) for node, why in e.args[0]])
    except Error as e:
        errors = _errors(str(e), makers, "export.mg")
        if not errors:
            raise
        by_name = {n: node for node in made.nodes for n in node.names if n}
        _refuse([(by_name[n].op, why, by_name[n].line) for n, why in errors.items()])
    if stored:
        _write(os.path.splitext(path)[0] + ".safetensors", _safetensors(stored))
    _write(path, lambda file: file.write(text.encode()))


def _graph(program: Any, nodes: Sequence[torch.fx.Node], stored: Dict[str, torch.Tensor]) -> _aten.Graph:
    placeholders = [n for n in program.graph.nodes if n.op == "placeholder"]
    kinds = dict(zip(placeholders, program.graph_signature.input_specs))
    tensors = [n for n in placeholders if isinstance(n.meta.get("val"), torch.Tensor)]
    results = [x for x in program.graph.output_node().args[0] if isinstance(x, torch.fx.Node)]
    made = graph([n for n in nodes if isinstance(n.meta.get("val"), (torch.Tensor, tuple, list))], tensors, results)
    made.plain = True
    for node in tensors:
        spec = kinds[node]
        type_ = type_of(node.meta["val"])
        made.inputs[called(node)] = Type(type_.element, type_.shape)
        if spec.kind != InputKind.USER_INPUT:
            made.parameters[called(node)] = spec.target
            held = program.state_dict if spec.target in program.state_dict else program.constants
            x = held[spec.target]
            stored[spec.target] = torch.view_as_real(x) if x.is_complex() else x
    return made
