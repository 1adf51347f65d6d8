"""Declares the part of libmg that benchmarks need, through ctypes, and times two contenders in turn.

If one thread works, times are CPU seconds of the process, which other programs on the machine hardly change. With more threads
they are wall-clock seconds, taken after a pause: the threads of a pool spin for tens of milliseconds after its last task, and would take
a core from the other contender.
"""
import ctypes as C
import functools, json, os, statistics, subprocess, sys, tempfile, time

HERE = os.path.dirname(os.path.abspath(__file__))
BUILD = os.environ.get("MG_BUILD", os.path.join(HERE, "..", "..", "build"))
ROUNDS = 11


class ContextOptions(C.Structure):
    _fields_ = [("threads", C.c_uint32), ("memory_limit", C.c_size_t), ("cache_folder", C.c_char_p), ("parallel", C.c_void_p), ("user", C.c_void_p)]


class CompileOptions(C.Structure):
    _fields_ = [("graph", C.c_char_p), ("level", C.c_int32), ("march", C.c_char_p), ("strict", C.c_bool), ("interpret", C.c_bool), ("rest", C.c_void_p * 16)]  # the other fields keep their defaults


lib = C.CDLL(os.path.join(BUILD, "libmg.so"))
lib.mg_context_message.restype = lib.mg_instance_message.restype = C.c_char_p


class Net:
    """A compiled graph with its inputs bound. run() computes; outputs() returns numpy arrays."""

    def __init__(self, path, inputs, threads=1, level=2):
        import numpy as np
        self.np = np
        self.context, self.model, self.instance = C.c_void_p(), C.c_void_p(), C.c_void_p()
        lib.mg_context_new(C.byref(ContextOptions(threads=threads)), C.byref(self.context))
        options = CompileOptions(level=level, march=march())
        self.check(lib.mg_model_load(self.context, path.encode(), C.byref(options), C.byref(self.model)), lib.mg_context_message, self.context)
        lib.mg_instance_new(self.model, self.context, C.byref(self.instance))
        self.bind(inputs)
        self.run()

    def bind(self, inputs):
        self.inputs = [self.np.asarray(x, order="C") for x in inputs]
        for i, x in enumerate(self.inputs):
            dims = (C.c_int64 * x.ndim)(*x.shape)
            status = lib.mg_bind_input(self.instance, i, x.ctypes.data_as(C.c_void_p), x.ndim, dims)
            self.check(status, lib.mg_instance_message, self.instance)

    @staticmethod
    def check(status, message, handle):
        if status:
            sys.exit(message(handle).decode())

    def run(self, mg_run=lib.mg_run):
        if mg_run(self.instance):
            sys.exit(lib.mg_instance_message(self.instance).decode())

    def output(self, number, shape, dtype=None):
        dtype = self.np.dtype(dtype or self.np.float32)
        data, dims = C.c_void_p(), C.POINTER(C.c_int64)()
        lib.mg_output(self.instance, number, C.byref(data), C.byref(dims))
        count = int(self.np.prod(shape))
        return self.np.frombuffer(C.string_at(data, count * dtype.itemsize), dtype).reshape(shape)

    def __del__(self):
        lib.mg_instance_free(self.instance)
        lib.mg_model_release(self.model)
        lib.mg_context_free(self.context)


def weights(path, tensors):
    """Writes numpy arrays of f32 as a safetensors file."""
    header, at = {}, 0
    for key, x in tensors.items():
        header[key] = {"dtype": "F32", "shape": list(x.shape), "data_offsets": [at, at + x.nbytes]}
        at += x.nbytes
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    with open(path, "wb") as f:
        f.write(len(text).to_bytes(8, "little") + text)
        for x in tensors.values():
            f.write(x.tobytes())


def rounds_of(runs, threads=1, seconds=0.03, rounds=ROUNDS):
    """Times several contenders in turn, in rounds. Returns a list of seconds for each."""
    clock = time.process_time if threads == 1 else time.perf_counter

    def once(run, n):
        if threads > 1:  # the other's threads keep spinning for a while
            time.sleep(0.05)
            run()
        begin = clock()
        for _ in range(n):
            run()
        return (clock() - begin) / n

    for run in runs:
        run()
    n = max(1, int(seconds / max(once(runs[0], 1), 1e-6)))
    times = [[] for _ in runs]
    for _ in range(rounds):
        for run, mine in zip(runs, times):
            mine.append(once(run, n))
    return times


def measure(mg, peer, threads=1, seconds=0.03, rounds=ROUNDS):
    """Returns both contenders' median seconds over rounds in turn, and the interquartile spread of their ratio."""
    return judge(*rounds_of([mg, peer], threads, seconds, rounds))


def judge(mine, theirs):
    ratios = sorted(t / m for m, t in zip(mine, theirs))
    quarter = len(ratios) // 4
    return statistics.median(mine), statistics.median(theirs), (ratios[-1 - quarter] - ratios[quarter]) / statistics.median(ratios), ratios, min(mine)


def line(name, size, threads, mine, theirs, peer_name, ratio, spread, floor=None, least=None, predicted=None):
    """Makes a line of JSON like bench_compare of bench.h. `floor` is the seconds that the machine's peak allows, `least` the fastest round."""
    row = {"name": name, "size": size, "threads": threads, "mg": float(f"{mine:.4g}"), "peer": float(f"{theirs:.4g}"), "peer_name": peer_name,
           "ratio": round(ratio, 3), "spread": round(spread, 3)}
    if floor:
        row["floor"] = float(f"{floor:.4g}")
        row["share"] = round(floor / (least or mine), 3)
    if predicted:
        row |= {"streamed": 0, "predicted": float(f"{predicted:.4g}")}
    print(json.dumps(row), flush=True)


def compare(name, size, mg, peer, peer_name, threads=1, seconds=0.03, floor=None):
    """Measures, prints the line and returns the ratio."""
    return compare_best(name, size, mg, {peer_name: peer}, threads, seconds, floor)


def compare_best(name, size, mg, peers, threads=1, seconds=0.03, floor=None):
    """Does the same against the fastest of several peers, {name: run}."""
    mine, *theirs = rounds_of([mg, *peers.values()], threads, seconds)
    best, times = min(zip(peers, theirs), key=lambda peer: statistics.median(peer[1]))
    mine, theirs, spread, ratios, least = judge(mine, times)
    ratio = statistics.median(ratios)
    line(name, size, threads, mine, theirs, best, ratio, spread, floor, least)
    return ratio


def summary(name, ratios, threads=1):
    if ratios:
        print(json.dumps({"name": name, "size": f"all {len(ratios)}", "threads": threads, "geomean": round(statistics.geometric_mean(ratios), 3),
                          "least": round(min(ratios), 3)}), flush=True)


def run(name, cases, one):
    """Runs one(case, level, threads, folder), which returns a ratio, for the cases that the command line names, or for all. Prints their mean last.
    `cases` has pairs: the words that name a case, and the case."""
    level, threads, words = arguments()
    cases, ratios = list(cases), []
    for word in words:
        if not any(word in names for names, _ in cases):
            sys.exit(f"{name}: there is no {word}")
    for names, case in cases:
        if not words or any(word in names for word in words):
            with tempfile.TemporaryDirectory() as folder:
                ratios.append(one(case, level, threads, folder))
    summary(name, ratios, threads)


def session(nodes, inputs, outputs, constants, threads, result=None):
    """Loads an ONNX graph of f32 into ONNX Runtime. `inputs` and `outputs` are {name: shape}, `constants` {name: array}. `result` is the type of
    its outputs, if it isn't f32."""
    import onnx, onnxruntime
    from onnx import helper
    f32 = onnx.TensorProto.FLOAT
    ports = lambda shapes, kind: [helper.make_tensor_value_info(name, kind, list(shape)) for name, shape in shapes.items()]
    graph = helper.make_graph(nodes, "g", ports(inputs, f32), ports(outputs, result or f32), [onnx.numpy_helper.from_array(x, name) for name, x in constants.items()])
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 20), helper.make_opsetid("com.microsoft", 1)], ir_version=9)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads, options.inter_op_num_threads, options.log_severity_level = threads, 1, 3
    return onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


def march():
    """Returns the CPU that MG compiles for, if the command line names one: --march=CPU."""
    return next((word.removeprefix("--march=").encode() for word in sys.argv if word.startswith("--march=")), None)


def arguments():
    """Returns level, threads and the other words of the command line: [--level=N] [--threads=N] [--march=CPU] [WORD…]"""
    flags = {"level": 2, "threads": 1}
    for word in sys.argv[1:]:
        key, _, value = word.removeprefix("--").partition("=")
        if word.startswith("--") and key != "march":
            if key not in flags or not value.isdigit():
                sys.exit(f"{sys.argv[0]}: unknown flag {word}")
            flags[key] = int(value)
    return flags["level"], flags["threads"], [word for word in sys.argv[1:] if not word.startswith("--")]


@functools.cache
def peak():
    """Returns the FLOP/s of fused multiply-adds on one core, as mgc probe measures it."""
    text = subprocess.run([os.path.join(BUILD, "tests", "bench", "bench_limits")], capture_output=True, text=True, check=True).stdout
    return next(row["mg"] * 1e9 for row in map(json.loads, text.splitlines()) if row["name"] == "fma_peak" and row["threads"] == 1)
