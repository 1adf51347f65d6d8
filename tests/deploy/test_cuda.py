"""Tests arrays on a CUDA device, with tests/cli/other_cuda.c as the driver: it computes nothing, its memory is the host's, and it counts
what is copied and what waits for what. mg.torch is tested with tensors of the host that lie in this memory, if PyTorch is there."""

import ctypes
import gc
import os
import sys

import numpy as np

import mg
from mg import _device

driver = ctypes.CDLL("libcuda.so.1")
driver.other_cuda_order.restype = ctypes.c_char_p
COPIES = [b"cuMemcpyHtoDAsync_v2", b"cuMemcpyDtoHAsync_v2", b"cuMemcpyDtoDAsync_v2"]
TEXT = """mg 1
graph net(x: f32[N, 4], w: f32[4, 4]) -> (y: f32[N, 4], z: f32[4]) {
    y = tanh(matmul(x, w))
    z = sum(y, axes = [0])
}
"""
STEP = """mg 1
graph step(x: f32[N, 4], t: f32[N, 3], lr: f32[]) -> (loss: f32[], y: f32[N, 3]) {
    param w: f32[3, 4] = 1
    y = linear(x, w)
    loss = mse_loss(y, t)
    next w = sub(w, mul(derivative(loss, w), lr))
}
graph predict(x: f32[N, 4]) -> (y: f32[N, 3]) {
    param w: f32[3, 4] = 1
    y = linear(x, w)
}
"""


def counts(*names):
    return [driver.other_cuda_calls(name) for name in names]


class Array:
    """An array of another user of CUDA, by __cuda_array_interface__ alone."""

    context = ctypes.c_void_p()

    def __init__(self, shape, dtype="f4", shift=0, strides=None, stream=None):
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.base, self.strides, self.stream, popped = ctypes.c_uint64(), strides, stream, ctypes.c_void_p()
        if not self.context:
            driver.cuDevicePrimaryCtxRetain(ctypes.byref(Array.context), 0)
        driver.cuCtxPushCurrent_v2(self.context)
        driver.cuMemAlloc_v2(ctypes.byref(self.base), ctypes.c_size_t(int(np.prod(shape)) * self.dtype.itemsize + shift + 16))
        driver.cuCtxPopCurrent_v2(ctypes.byref(popped))
        self.at = (self.base.value + 15) // 16 * 16 + shift

    @property
    def __cuda_array_interface__(self):
        about = {"shape": self.shape, "typestr": self.dtype.str, "data": (self.at, False), "strides": self.strides, "version": 3}
        return {**about, "stream": self.stream} if self.stream else about


class Number:
    """An array of another device."""

    def __dlpack_device__(self):
        return _device.CUDA, 1

    def __init__(self, y):
        self.y = y

    def __dlpack__(self, **named):
        return self.y.__dlpack__(**named)


def refused(call, text, kind=mg.Error):
    try:
        call()
    except kind as e:
        assert text in str(e), e
        return
    raise AssertionError(f"nothing says: {text}")


def test_arrays():
    net = mg.compile_text(TEXT, target="gpu", device="cuda", cache="")
    x, w = Array((3, 4)), Array((4, 4))
    y, z = net(x, w)
    assert isinstance(y, mg.DeviceArray) and (y.shape, z.shape, y.dtype) == ((3, 4), (4,), np.float32)
    assert repr(z) == "<mg.DeviceArray f32[4] on cuda:0>"
    before = counts(*COPIES)
    driver.other_cuda_order()
    y2, z2 = net(x, w)
    assert counts(*COPIES) == before and driver.other_cuda_order() == b"1<0 0<1 "
    net(y2, w)  # a result is an argument
    assert counts(*COPIES) == before
    s = Array((3, 4), stream=2)
    net(s, np.zeros((4, 4), "f4"))  # the host's arrays are copied
    assert driver.other_cuda_order().startswith(b"1<0 0<1 2<0 ") and counts(*COPIES)[0] == before[0] + 1
    assert y.numpy().shape == (3, 4) and np.asarray(z).dtype == np.float32
    net(np.ones((3, 4), "f4"), np.ones((4, 4), "f4"))  # the next call may be without them
    refused(lambda: net(x, w, out=[None, None]), "out isn't for them")
    refused(lambda: net(s, w), "the inputs belong to several streams")
    refused(lambda: net(Array((3, 4), "i4"), w), "input x is f32, but the array's type is another one")
    refused(lambda: net(Array((3, 4), ">f4"), w), "input x is f32, but the array's type is another one")
    refused(lambda: net(Array((3,)), w), "input x has 2 dimensions, but the array has 1")
    refused(lambda: net(Array((3, 4), strides=(4, 12)), w), "input x needs an array without gaps")
    refused(lambda: net(Array((3, 4), shift=4), w), "whose address is a multiple of 16")
    refused(lambda: net(Array((3, 5)), w), "")
    refused(lambda: net(Number(y), w), "input x is on cuda:1, but the model runs on cuda:0")
    refused(lambda: mg.compile_text(TEXT)(x, w), "but the model doesn't run there: compile it with")
    y = net(Array((0, 4)), w)[0]
    assert y.numpy().shape == (0, 4)


def test_training():
    """A step reads its batch on the device, in the order of the batch's stream, and leaves the graph's outputs there."""
    options = dict(target="gpu", device="cuda", cache="", weights="initial")
    train = mg.Train(mg.compile_text(STEP, graph="step", **options))
    x, t, lr = Array((5, 4), stream=2), Array((5, 3), stream=2), Array((), stream=2)
    for step in range(3):
        before = counts(*COPIES)
        driver.other_cuda_order()
        loss, y = train.step(x, t, lr=lr)
        assert isinstance(y, mg.DeviceArray) and (loss.shape, y.shape) == ((), (5, 3))
        if step:
            assert counts(*COPIES) == before and driver.other_cuda_order().startswith(b"2<0")
    before = counts(*COPIES)
    train.step(x, t, lr=0.1)  # a number of the host is copied, and nothing else
    assert counts(*COPIES) == [before[0] + 1, *before[1:]]
    assert train.evaluate(x, t, lr=lr).y.numpy().shape == (5, 3) and train["w"].shape == (3, 4)
    assert train.step(Array((2, 4)), Array((2, 3)), 0.1).y.shape == (2, 3)  # another size, and another stream
    train.undo()
    check = mg.compile_text(STEP, graph="predict", open_parameters=True, target="gpu", weights=train.model)
    before = counts(*COPIES)
    assert isinstance(train.run(check, x), mg.DeviceArray) and counts(*COPIES)[0] == before[0]
    loss, y = train.step(np.ones((5, 4), "f4"), np.zeros((5, 3), "f4"), lr=0.1)  # the next batch may be the host's
    assert isinstance(y, np.ndarray) and y.shape == (5, 3)
    refused(lambda: train.step(x, Array((5, 3)), lr=lr), "the inputs belong to several streams")
    refused(lambda: train.step(x, Array((5, 3), "i4", stream=2), lr=lr), "input t is f32, but the array's type is another one")
    refused(lambda: train.step(x, Array((6, 3), stream=2), lr=lr), "")
    refused(lambda: mg.Train(mg.compile_text(STEP, graph="step", weights="initial")).step(x, t, lr=lr), "the model doesn't run there")


def test_no_memory():
    """A call that finds no memory for its second output leaves nothing bound."""
    net, made, memory = mg.compile_text(TEXT, target="gpu", device="cuda", cache=""), [], _device.Memory

    def second_fails(model, size):
        made.append(size)
        if len(made) == 2:
            raise mg.Error(2, "no memory for it")
        return memory(model, size)

    _device.Memory = second_fails
    refused(lambda: net(Array((3, 4)), Array((4, 4))), "no memory for it")
    _device.Memory = memory
    y, z = net(np.ones((3, 4), "f4"), np.ones((4, 4), "f4"))
    assert (y.shape, z.shape) == ((3, 4), (4,))


def test_exchange():
    """DLPack both ways, and whoever takes an array keeps its memory."""
    net = mg.compile_text("mg 1\ngraph f(x: i64[2, 3]) -> (y: i64[3, 2]) { y = transpose(x, perm = [1, 0]) }", target="gpu", device="cuda", cache="")
    y = net(Array((2, 3), "i8"))
    assert y.__dlpack_device__() == (2, 0)
    seen = _device.foreign(y)
    assert (seen.shape, seen.code, seen.dense, seen.device) == ((3, 2), (0, 64), True, 0)
    assert seen.at == y.__cuda_array_interface__["data"][0]
    refused(lambda: y.__dlpack__(copy=True), "only given as it is", BufferError)
    refused(lambda: np.from_dlpack(y), "", (BufferError, RuntimeError))
    gc.collect()
    capsule, freed = y.__dlpack__(stream=None, max_version=(1, 0)), counts(b"cuMemFree_v2")[0]
    del y, seen
    gc.collect()
    assert counts(b"cuMemFree_v2")[0] == freed  # the capsule holds it
    del capsule
    gc.collect()
    assert counts(b"cuMemFree_v2")[0] == freed + 1


def test_torch():
    """Graphs of tensors on CUDA become MG's with its target and device, and calls bind addresses in the order of the current stream."""
    try:
        import torch
    except ImportError:
        return print("skipped: PyTorch isn't there")
    from torch._subclasses.fake_tensor import FakeTensorMode
    from torch.fx.experimental.proxy_tensor import make_fx

    import mg.torch
    from mg.torch import _backend, _run

    def graph(f, *shapes, devices=()):
        with FakeTensorMode() as mode, torch.device("cpu"):
            values = [torch.empty(s, device=d) for s, d in zip(shapes, devices or ["cuda:0"] * len(shapes))]
        return make_fx(f, decomposition_table=_backend.decompositions(), tracing_mode="fake")(*values)

    def made(module, kind="inference", held=(), **options):
        report = mg.torch.Report(kind)
        return _backend.Compiled(module, list(held), {"threads": 1, "cache": "", **options}, report), report

    arrays = []

    def tensor(shape, shift=0):
        arrays.append(Array(shape, shift=shift))
        memory = (ctypes.c_char * (int(np.prod(shape)) * 4)).from_address(arrays[-1].at)
        return torch.frombuffer(memory, dtype=torch.float32).reshape(shape)

    def new(shape, strides, dtype):
        return tensor(shape).as_strided(shape, strides)

    _run._Cuda.stream_of = staticmethod(lambda index: 2 + 0 * index)
    _run._Cuda.copy = staticmethod(lambda x: new(x.shape, x.stride(), x.dtype).copy_(x))
    _run._Cuda.empty = lambda self, shape, strides, dtype: new(shape, strides, dtype)

    def net(x, w, b):
        return (torch.relu(x @ w + b),)

    for frozen in (False, True):
        compiled, report = made(graph(net, (5, 4), (4, 4), (4,)), held=[1, 2], frozen=frozen)
        assert not report.outside and compiled.device == torch.device("cuda:0"), report
        x, w, b = tensor((5, 4)), tensor((4, 4)), tensor((4,))
        (y,) = compiled(x, w, b)
        assert y.shape == (5, 4)
        before = counts(*COPIES, b"cuStreamSynchronize")
        driver.other_cuda_order()
        for _ in range(3):
            compiled(tensor((5, 4)), w, b)
        assert counts(*COPIES, b"cuStreamSynchronize") == before and driver.other_cuda_order() == b"2<0 0<2 " * 3
        # a fixed input whose address isn't aligned is copied, and so is one that moves
        (y,) = compiled(tensor((5, 4), shift=4), tensor((4, 4), shift=8), b)
        assert y.shape == (5, 4)
    clone = torch.Tensor.clone
    # what is on another device runs in PyTorch, but for numbers
    _, report = made(graph(lambda x, y: (x + 1, y * 2), (3,), (3,), devices=["cuda:0", "cpu"]))
    assert [(op, why) for op, why, _ in report.outside] == [("mul.Tensor", "a tensor on cpu, while MG computes on cuda:0")], report.outside
    _, report = made(graph(lambda x, y: (x + 1, y * 2), (3,), (3,), devices=["cuda:0", "cuda:1"]))
    assert "a tensor on cuda:1, while MG computes on cuda:0" in report.outside[0][1]
    _, report = made(graph(lambda x, y: (x * y,), (3,), (), devices=["cuda:0", "cpu"]))
    assert not report.outside, report.outside
    _, report = made(graph(net, (5, 4), (4, 4), (4,)), target="cpu")
    assert len(report.outside) == 3 and "a tensor on cuda:0, while MG computes on cpu" in report.outside[0][1]
    try:
        made(graph(net, (5, 4), (4, 4), (4,), devices=["cuda:1"] * 3))
        raise AssertionError("there is no second device")
    except mg.Error as e:
        assert "no device has the number, type or name '1'" in str(e), e


if __name__ == "__main__":
    tests = [f for name, f in sorted(globals().items()) if name.startswith("test_")]
    for test in tests:
        test()
    print(f"Ran {len(tests)} tests")
