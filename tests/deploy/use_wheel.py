"""use_wheel.py SECONDS: tests an installed wheel: its first result within a time, its results and libraries, and what a package
promises. wheel.sh runs it in a new environment, and foreign.sh by emulation."""

import time

begin = time.monotonic()
import sys

import numpy as np

import mg

digits = np.load("digits.npz")
net = mg.compile("digits.mg", graph="digits")
first = net(digits["images"][-500:])
took = time.monotonic() - begin
assert (first.argmax(1) == digits["labels"][-500:]).mean() == 0.994, first
assert took < float(sys.argv[1]), took

import importlib.metadata
import inspect
import os
import pathlib

folder = pathlib.Path(mg.__file__).parent
with open("/proc/self/maps") as file:
    mapped = {line.split(None, 5)[5].strip() for line in file if "/" in line}
foreign = ("libmg", "LLVM", "libcjson", "libhwloc", "libprotobuf-c", "libxxhash")
for path in map(pathlib.Path, mapped):
    if any(word in path.name for word in foreign):
        assert path.parent == folder, path
assert any(path.endswith("/libmg-llvm.so") for path in mapped), mapped

# functions over arrays
@mg.jit
def f(x, w):
    return mg.softmax(x @ w + 1)

assert np.allclose(f(np.ones((2, 3)), np.ones((3, 4))), 0.25)

assert (folder / "py.typed").exists()
entries = importlib.metadata.entry_points(group="torch_dynamo_backends")
assert [(e.name, e.value) for e in entries if e.name == "mg"] == [("mg", "mg.torch:backend")], entries
about = importlib.metadata.metadata("mg")
assert about["Version"] == mg.__version__ and "torch.compile" in about.get_payload(), about
for name in mg.__all__:
    what = getattr(mg, name)
    assert inspect.getdoc(what), name
    for method, part in vars(what).items() if inspect.isclass(what) else ():
        assert method.startswith("_") or not callable(part) or inspect.getdoc(part), (name, method)
licences = [f for f in importlib.metadata.files("mg") if "licenses" in str(f)]
assert len(licences) > 5, licences
print("the wheel works")
