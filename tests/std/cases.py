"""Writes the library's test cases. A suite is a graph whose outputs are the checks.

    s = Suite("reduce")
    s.check("sum_axes", "sum(%, axes = [0, 2])", x.sum((0, 2)), x)

Each % stands for the next operand. Equal operands share an input port. A check with several results gives a tuple.
`write` makes NAME.mg and NAME.npz, which holds every input and the expected value of every output under its port's name.
References are computed in f64, or exactly for integers, and stored in the result's own type.
"""
import io, json, linecache, os, struct, sys, zipfile, zlib
import numpy as np

NAMES = {"float64": "f64", "float32": "f32", "float16": "f16", "int64": "i64", "int32": "i32", "int16": "i16", "int8": "i8",
         "uint64": "u64", "uint32": "u32", "uint16": "u16", "uint8": "u8", "bool": "bool"}
REDUCERS = ("sum", "prod", "max", "min", "mean", "any", "all", "argmax", "argmin", "last")
HERE = os.path.dirname(os.path.abspath(__file__))
suites = []


class Draws:
    """Draws random data that depends only on the line that asks for it, on its suite, and on how often that line has asked before. So a
    new case changes the data of no other suite."""
    def __init__(self): self.asked = {}

    def rng(self):
        frame = sys._getframe(2)  # the caller of the function that makes the data
        line = linecache.getline(frame.f_code.co_filename, frame.f_lineno).strip()
        key = (suites[-1].name if suites else "", line)
        self.asked[key] = n = self.asked.get(key, 0) + 1
        return np.random.default_rng([zlib.crc32(repr(key).encode()), n])


draws = Draws()


def mg_type(a, dims): return f"{NAMES[a.dtype.name]}[{', '.join(dims.get(n, str(n)) for n in a.shape)}]"


def save_safetensors(path, tensors):
    head, at = {}, 0
    for name, t in tensors.items():
        head[name] = {"dtype": {"float32": "F32", "float64": "F64"}[t.dtype.name], "shape": list(t.shape), "data_offsets": [at, at + t.nbytes]}
        at += t.nbytes
    text = json.dumps(head, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f: f.write(struct.pack("<Q", len(text)) + text + b"".join(t.tobytes() for t in tensors.values()))


class Suite:
    def __init__(self, name, imports=(), dims=None):
        """Begins a suite. `dims` has names for sizes; a port declares a dimension of that size by its name."""
        self.dims = dims or {}
        self.name, self.imports, self.inputs, self.outputs, self.lines, self.types, self.params, self.states = name, imports, {}, {}, [], {}, {}, {}
        suites.append(self)

    def port(self, a):
        a = np.asarray(a)
        key = (a.tobytes(), a.dtype.str, a.shape)
        if key not in self.inputs: self.inputs[key] = (f"x{len(self.inputs)}", a)
        return self.inputs[key][0]

    def check(self, name, text, want, *operands, dtype=None):
        """Adds a check. `dtype` is the type of the results; by default it is that of the first operand."""
        if name in REDUCERS: name += "_"  # a statement can't begin with a reducer's name
        wants = want if isinstance(want, tuple) else (want,)
        names = [name] if len(wants) == 1 else [f"{name}_{i}" for i in range(len(wants))]
        for a in operands: text = text.replace("%", self.port(a), 1)
        for n, w in zip(names, wants):
            w = np.asarray(w)
            if w.dtype == np.float64: w = w.astype(dtype or (np.asarray(operands[0]).dtype if operands else w.dtype))
            assert n not in self.outputs, n
            self.outputs[n] = w
        self.lines.append(f"{', '.join(names)} = {text}")

    def layer(self, name, text, want, *operands, **params):
        """Adds a check whose layer reads `params`, with the dots of their keys written as __."""
        for k, v in params.items(): self.params[f"{name}.{k.replace('__', '.')}"] = v
        self.check(name, text, want, *operands)

    def stateful(self, name, text, want, *operands, **states):
        """Adds a check whose layer changes `states`, which has the value of each buffer before and after."""
        for k, (before, after) in states.items():
            self.states[f"{name}.{k}"] = before
            self.states[f"{name}.{k}.next"] = np.asarray(after).astype(np.asarray(before).dtype)
        self.check(name, text, want, *operands)

    def lines_check(self, name, text, want, *operands):
        """Adds a check whose `text` is statements that define `name` themselves."""
        for a in operands: text = text.replace("%", self.port(a), 1)
        self.outputs[name] = np.asarray(want)
        self.lines.append(text)

    def text(self):
        head = "".join(f"import {i}\n" for i in self.imports)
        ins = ",\n    ".join(f"{n}: {mg_type(a, self.dims)}" for n, a in self.inputs.values())
        outs = ",\n    ".join(f"{n}: {self.types.get(n) or mg_type(a, self.dims)}" for n, a in self.outputs.items())
        weights = f' weights "{self.name}.safetensors"' if self.params else ""
        body = "\n    ".join(self.lines)
        return f"mg 1\n// made by make_cases.py\n{head}graph {self.name}({ins})\n-> ({outs}){weights}\n{{\n    {body}\n}}\n"

    def write(self, folder):
        if self.params: save_safetensors(f"{folder}/{self.name}.safetensors", self.params)
        with open(f"{folder}/{self.name}.mg", "w") as f: f.write(self.text())
        arrays = {n: a for n, a in self.inputs.values()} | self.outputs | self.states
        with zipfile.ZipFile(f"{folder}/{self.name}.npz", "w", zipfile.ZIP_DEFLATED) as z:
            for n, a in arrays.items():
                b = io.BytesIO()
                np.lib.format.write_array(b, np.asarray(a, order="C"), version=(1, 0))
                info = zipfile.ZipInfo(n + ".npy", (1980, 1, 1, 0, 0, 0))  # the same bytes each time
                info.compress_type = zipfile.ZIP_DEFLATED
                z.writestr(info, b.getvalue())
