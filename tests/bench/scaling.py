#!/usr/bin/env python3
"""Measures how the cost of compiling grows with the program: the time and memory of mgc for programs of n, 2n and 4n parts.

    scaling.py MGC [--n=N] [--sizes=K] [--shapes=S,…] [--stages=S,…] [--tries=T] [--cpu=SECONDS] [--count] [--limit=RATIO] [--time-limit=RATIO]

Each shape is a family of programs that grow in one way, and each stage is a command line of mgc. The table has the cost of the largest
size, and the factor by which it grows when the program doubles: 2 is linear. The time and the instructions for an empty program are
subtracted. The shapes of ONNX models, whose names begin with onnx_, are for the stages import and image. The stage image runs a packed
file (.mgb), and bind is the first run of a program of open sizes.

--count counts instructions too, with valgrind. They and the peak memory hardly differ from run to run, so --limit bounds their largest growth
from one size to the next tightly. CPU time depends on caches, on clearing pages and on what else the machine does. So --time-limit
bounds its mean growth over all sizes, and a row above it is measured up to AGAIN times more: the least time of each size counts, and real
growth stays. With a limit, the exit status is 1 if it is exceeded, or if a program is refused.
"""
import argparse, collections, json, os, resource, shutil, subprocess, sys, tempfile

sys.dont_write_bytecode = True
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "../cli"))
import onnx_models as onnx

HEAD = "mg 1\n"
AGAIN = 4


def graph(inputs, outputs, body):
    return f"{HEAD}graph g({inputs}) -> ({outputs}) {{\n{body}\n}}\n"


def lines(n, f):
    return "\n".join(f(i) for i in range(n))


def listed(n, f):
    return ", ".join(f(i) for i in range(n))


X = "x: f32[4, 8]"
WEIGHT = "    param w: f32[8, 8]\n    h0 = x"
Y = "y: f32[4, 8]"


def chain(step, begin="    h0 = x"):
    return lambda n: graph(X, "y", begin + "\n" + lines(n, lambda i: f"    h{i + 1} = " + step.format(h=f"h{i}", i=i)) + f"\n    y = tanh(h{n})")


def fan(step, end, begin=""):
    return lambda n: graph(X, "y", begin + lines(n, lambda i: f"    h{i} = " + step.format(i=i)) + "\n    y = " + end(n))


def joined(n):
    return "concat(" + listed(n, lambda i: f"h{i}") + ", axis = 0)"


def added(n):
    return " + ".join(f"h{i}" for i in range(n))


def tree(n):  # pairwise sums of n values
    names, out = [f"h{i}" for i in range(n)], []
    while len(names) > 1:
        pairs = [(f"s{len(out)}_{k}", names[k], names[k + 1]) for k in range(0, len(names) - 1, 2)]
        out.append("\n".join(f"    {a} = {b} * {c}" for a, b, c in pairs))
        names = [a for a, b, c in pairs] + names[len(pairs) * 2:]
    return "\n".join(out), names[0]


def reduction_tree(n):
    text, last = tree(n)
    return graph(X, "y", lines(n, lambda i: f"    h{i} = x + {i}.5") + "\n" + text + f"\n    y = {last}")


def onnx_chain(n):
    names = ["x"] + [f"h{i}" for i in range(1, n)] + ["y"]
    return onnx.one(*(onnx.node("Tanh", [a], [b]) for a, b in zip(names, names[1:])))


def onnx_functions(n):
    """Makes a model with a function for each node, which calls it."""
    names = ["x"] + [f"h{i}" for i in range(1, n)] + ["y"]
    return onnx.one(*(onnx.node(f"F{i}", [a], [b], domain="mine") for i, (a, b) in enumerate(zip(names, names[1:]))),
                    domains=["mine"], functions=[onnx.function(f"F{i}", [onnx.node("Tanh", ["x"], ["y"])]) for i in range(n)])


def onnx_wide(n):
    return onnx.one(*(onnx.node("Tanh", ["x"], [f"h{i}"]) for i in range(n)), onnx.node("Concat", [f"h{i}" for i in range(n)], ["y"], axis=0), outputs=[onnx.port("y", onnx.F32, ["M", 3])])


SHAPES = {
    "layers": chain("relu(linear({h}, w))", WEIGHT),  # that share one weight
    "given": lambda n: graph(X + ", w: f32[8, 8]", "y", "    h0 = x\n" + lines(n, lambda i: f"    h{i + 1} = relu(linear(h{i}, w))") + f"\n    y = h{n}"),
    "own": lambda n: graph(X, "y", lines(n, lambda i: f"    param w{i}: f32[8, 8]") + "\n    h0 = x\n"
                           + lines(n, lambda i: f"    h{i + 1} = relu(linear(h{i}, w{i}))") + f"\n    y = h{n}"),
    "elementwise": chain("tanh({h} + {i}.5)"),
    "rows": chain("softmax({h})"),
    "moves": chain("transpose(reshape({h}, shape = [8, 4]), perm = [1, 0]) + {i}.5"),
    "slices": chain("concat(slice({h}, axis = 1, start = 4), slice({h}, axis = 1, stop = 4), axis = 1)"),
    "residual": chain("{h} + relu(linear({h}, w))", WEIGHT),
    "far": chain("relu(linear({h}, w)) + x", WEIGHT),
    "wide": fan("exp(x + {i}.5)", joined),
    "wide_layers": lambda n: graph(X, "y", lines(n, lambda i: f"    param w{i}: f32[8, 8]") + "\n"
                                   + lines(n, lambda i: f"    h{i} = linear(x, w{i})") + f"\n    y = {joined(n)}"),
    "wide_shared": fan("relu(linear(x * {i}.5, w))", joined, "    param w: f32[8, 8]\n"),
    "outputs": lambda n: graph(X, listed(n, lambda i: f"y{i}"), lines(n, lambda i: f"    y{i} = exp(x + {i}.5)")),
    "chain_outputs": lambda n: graph(X, listed(n, lambda i: f"h{i + 1}"), "    h0 = tanh(x)\n" + lines(n, lambda i: f"    h{i + 1} = tanh(h{i} + {i}.5)")),
    "inputs": lambda n: graph(listed(n, lambda i: f"x{i}: f32[4, 8]"), "y", "    h0 = x0\n" + lines(n - 1, lambda i: f"    h{i + 1} = tanh(h{i} + x{i + 1})") + f"\n    y = h{n - 1}"),
    "concat": lambda n: graph(listed(n, lambda i: f"h{i}: f32[4, 8]"), "y", f"    y = {joined(n)}"),
    "long_concat": lambda n: graph(X, "y", "    h0 = x\n" + lines(n, lambda i: f"    h{i + 1} = concat(h{i}, x, axis = 0)") + f"\n    y = slice(h{n}, axis = 0, stop = 4)"),
    "sum": lambda n: graph(listed(n, lambda i: f"h{i}: f32[4, 8]"), "y", f"    y = {added(n)}"),
    "same_sum": lambda n: graph(X, "y", "    y = " + " + ".join(["x"] * n)),
    "equation": lambda n: graph(listed(n, lambda i: f"h{i}: f32[4, 8]"), Y, "    y[i, j] = " + " + ".join(f"h{i}[i, j]" for i in range(n))),
    "tree": reduction_tree,
    "unrolled": lambda n: graph(X, Y, f"    h = x\n    for i in 0..{n} {{ h = tanh(h + i) }}\n    y = h"),
    "ops": lambda n: HEAD + lines(n, lambda i: f"op step{i}(x: f32[N]) -> (y: f32[N]) {{ y[i] = x[i] + {i}.5 }}") + "\ngraph g(x: f32[8]) -> (y) {\n    h0 = x\n"
           + lines(n, lambda i: f"    h{i + 1} = step{i}(h{i})") + f"\n    y = h{n}\n}}\n",
    "symbolic": lambda n: graph("x: f32[N, 8]", "y", "    param w: f32[8, 8]\n    h0 = x\n" + lines(n, lambda i: f"    h{i + 1} = relu(linear(h{i}, w))") + f"\n    y = h{n}"),
    "symbolic_alive": lambda n: graph("x: f32[N, 8]", "y", lines(n, lambda i: f"    h{i} = softmax(x * {i}.5)") + "\n    s0 = h0\n"
                                      + lines(n - 1, lambda i: f"    s{i + 1} = softmax(s{i} * h{n - 1 - i})") + f"\n    y = tanh(s{n - 1})"),
    "dead": lambda n: graph(X, "y", lines(n, lambda i: f"    h{i} = exp(x + {i}.5)") + "\n    y = x + h0"),
    "equal": fan("exp(x + 1.5)", joined),
    "onnx_chain": onnx_chain, "onnx_functions": onnx_functions, "onnx_wide": onnx_wide,
    "constants": lambda n: graph("x: f32[8]", "y", lines(n, lambda i: f"    const c{i}: f32[8] = [{', '.join(f'{i}.{k}' for k in range(8))}]") + "\n    h0 = x\n"
                                 + lines(n, lambda i: f"    h{i + 1} = h{i} * c{i}") + f"\n    y = h{n}"),
}
STAGES = {
    "ast": ["--emit-ast"],
    "fmt": ["fmt"],
    "ir": ["--emit-ir", "-O0"],
    "O1": ["--emit-ir", "-O1"],
    "O2": ["--emit-ir", "-O2"],
    "O3": ["--emit-ir", "-O3"],
    "kernels-O0": ["--emit-kernels", "-O0"],
    "plan": ["--emit-plan"],
    "memplan": ["--emit-memplan"],
    "asm-O0": ["--emit-asm", "--no-cache", "-O0"],
    "asm-O1": ["--emit-asm", "-O1"],
    "asm-O2": ["--emit-asm", "-O2"],
    "asm-O3": ["--emit-asm", "-O3"],
    "gpu": ["--emit-asm", "--target=gpu"],
    "object": ["-o", "OUT.o", "--weights=beside"],
    "import": ["import", "-o", "OUT.mg"],
    "image": ["run", "OUT.mgb", "--input", "x=random"],
    "bind": ["run", "-O2", "--no-cache", "--weights=random", "--input", "x=random", "--set=N=4"],
}
PREPARED = {"image": ["-o", "OUT.mgb", "--weights=random"]}  # the command that makes the file of a stage that takes no source


Run = collections.namedtuple("Run", "seconds mib instructions failed")  # failed: the message of a run that failed
Growth = collections.namedtuple("Growth", "seconds mib instructions")


def measure(command, limit_s):
    """Measures CPU seconds and peak memory in MiB of a command."""
    with tempfile.TemporaryFile() as err:
        pid = os.fork()
        if not pid:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(err.fileno(), 2)
            resource.setrlimit(resource.RLIMIT_CPU, (limit_s, limit_s))
            os.execv(command[0], command)
        _, status, usage = os.wait4(pid, 0)
        err.seek(0)
        failed = (err.readline().decode()[:200].strip() or f"status {os.waitstatus_to_exitcode(status)}") if status else None
    return Run(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, None, failed)


def counted(command, log):
    """Counts the instructions of a command that has succeeded before, and fails if it doesn't succeed now.

    dhat adds up instructions block by block; cachegrind, one by one, takes up to twice as long."""
    tool = ["valgrind", "--tool=dhat", "--mode=ad-hoc", f"--dhat-out-file={log}", "--log-file=/dev/null"]
    subprocess.run(tool + command, check=True, stdout=subprocess.DEVNULL)
    with open(log) as f:
        return json.load(f)["te"]


def least(runs):
    """Returns the least time and memory of several runs of one command, and the failure if one failed."""
    return Run(min(r.seconds for r in runs), min(r.mib for r in runs), runs[0].instructions, next((r.failed for r in runs if r.failed), None))


def program(a, folder, shape, stage, n):
    """Writes the program of n parts, and returns the command of the stage."""
    text = SHAPES[shape](n)
    path = f"{folder}/{shape}.{'mg' if isinstance(text, str) else 'onnx'}"
    with open(path, "wb") as f:
        f.write(text.encode() if isinstance(text, str) else text)
    args, before = ([x.replace("OUT", f"{folder}/out") for x in which.get(stage, [])] for which in (STAGES, PREPARED))
    if before:
        subprocess.run([a.mgc] + before + [path], check=True)
    return [a.mgc] + args + ([] if before else [path])


def row(a, folder, shape, stage, sizes, count, tries):
    """Measures the programs of some sizes, up to the first that fails."""
    runs = []
    for n in sizes:
        command = program(a, folder, shape, stage, n)
        runs.append(least([measure(command, a.cpu) for _ in range(tries)]))
        if runs[-1].failed:
            break
        if count:
            runs[-1] = runs[-1]._replace(instructions=counted(command, f"{folder}/dhat.json"))
    return runs


def growth(runs, base):
    """Returns the growth for each doubling: the mean of time, the largest of memory and of instructions."""
    pairs = list(zip(runs, runs[1:]))
    seconds = (runs[-1].seconds - base.seconds) / max(runs[0].seconds - base.seconds, 0.04)
    counts = [(b.instructions - base.instructions) / (a.instructions - base.instructions) for a, b in pairs if base.instructions]
    return Growth(max(seconds, 0) ** (1 / len(pairs)), max(b.mib / a.mib for a, b in pairs), max(counts, default=None))


def measured(a, folder, shape, stage, base):
    """Returns the runs of a row, and the factors by which they grow, or None if one failed."""
    sizes = [a.n << k for k in range(a.sizes)]
    runs = row(a, folder, shape, stage, sizes, a.count, a.tries)
    for _ in range(AGAIN):
        if runs[-1].failed or not a.time_limit or growth(runs, base).seconds <= a.time_limit:
            break
        again = row(a, folder, shape, stage, sizes, False, a.tries)
        runs = [least(both) for both in zip(runs, again)]
    return runs, None if runs[-1].failed else growth(runs, base)


def line(a, shape, stage, run, grows):
    """Returns a row of the table, and whether it is within the limits."""
    if not grows:
        return f"| {shape} | {stage} | {run.failed} |" + " |" * (5 if a.count else 3), False
    cells = [shape, stage, f"{run.seconds:.2f} s", f"{grows.seconds:.2f}", f"{run.mib:.0f} MiB", f"{grows.mib:.2f}"]
    limits = [("time", grows.seconds, a.time_limit), ("memory", grows.mib, a.limit)]
    if a.count:
        cells += [f"{run.instructions / 1e6:.0f} M", f"{grows.instructions:.2f}"]
        limits.append(("instructions", grows.instructions, a.limit))
    over = [what for what, grown, limit in limits if limit and grown > limit]
    return "| " + " | ".join(cells) + " |" + (f" over: {', '.join(over)}" if over else ""), not over


def main():
    p = argparse.ArgumentParser(usage=__doc__)
    p.add_argument("mgc", type=os.path.abspath)
    p.add_argument("--n", type=int, default=1000, help="parts of the smallest program")
    p.add_argument("--sizes", type=int, default=3, help="the number of sizes, each twice the one before")
    p.add_argument("--shapes", default=",".join(s for s in SHAPES if not s.startswith("onnx_")))
    p.add_argument("--stages", default="fmt,ir,O1,O2,O3,plan,asm-O2,gpu")
    p.add_argument("--cpu", type=int, default=60, help="seconds of CPU time that a run may take")
    p.add_argument("--tries", type=int, default=1, help="runs of each; the best counts")
    p.add_argument("--count", action="store_true", help="count instructions")
    p.add_argument("--limit", type=float, help="exit with 1 where instructions or memory grow by more")
    p.add_argument("--time-limit", type=float, help="exit with 1 where the time grows by more")
    a = p.parse_args()
    if a.sizes < 2:
        p.error("growth needs two sizes")
    if a.count and not shutil.which("valgrind"):
        p.error("--count needs valgrind")
    within = True
    print(f"| shape | stage | {a.n << (a.sizes - 1)} parts | grows by | memory | grows by |{' instructions | grows by |' if a.count else ''}")
    print("|---" * (8 if a.count else 6) + "|")
    with tempfile.TemporaryDirectory() as folder:
        for stage in a.stages.split(","):
            smallest = {"import": "onnx_chain", "bind": "symbolic"}.get(stage, "layers")
            base = row(a, folder, smallest, stage, [1], a.count, 3)[0]
            if base.failed:
                sys.exit(f"{stage}: an empty program fails: {base.failed}")
            for shape in a.shapes.split(","):
                runs, grows = measured(a, folder, shape, stage, base)
                text, good = line(a, shape, stage, runs[-1], grows)
                within = within and good
                print(text, flush=True)
    return 0 if within or not (a.limit or a.time_limit) else 1


if __name__ == "__main__":
    sys.exit(main())
