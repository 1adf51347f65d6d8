#!/usr/bin/env python3
"""Runs mgc check-gradients on the nine nets of tests/bench/nets.py, made narrow.

    net_gradients.py MGC [--most=N] [NET…]

A net keeps its layers. Each number of channels, which is a literal of 16 or more, is divided by about 16, but is at least 3, and
images are small. Derivatives with respect to the image and to all parameters, or N of them, evenly spread, must be right. A few may
be too near a kink to be decided. In a net with ReLUs that are never active, some are 0.
"""
import ast, collections, os, subprocess, sys, tempfile, types

HERE = os.path.dirname(os.path.abspath(__file__))
SIZES = collections.defaultdict(lambda: 32, alexnet=64, vit_tiny=12)
DIVISORS = collections.defaultdict(lambda: 16, shufflenet=20, vgg19=32)
NARROWEST, LEAST = 3, 16


class Narrow(ast.NodeTransformer):
    def __init__(self, divisor):
        self.divisor = divisor

    def visit_Constant(self, node):
        wide = isinstance(node.value, int) and node.value >= LEAST
        return ast.copy_location(ast.Constant(max(node.value // self.divisor, NARROWEST)), node) if wide else node


class Array:
    """A weight. Only its shape is needed."""
    ndim = 1

    def __init__(self, *_, **__):
        pass

    def __mul__(self, _):
        return self

    __add__ = __mul__

    def astype(self, _):
        return self


def nets():
    """Returns the builder and the nets of nets.py, made narrow, without the packages for its peer."""
    tree = ast.parse(open(os.path.join(HERE, "../bench/nets.py")).read())
    tree.body = [Narrow(DIVISORS[x.name]).visit(x) if isinstance(x, ast.FunctionDef) else x
                 for x in tree.body if not isinstance(x, (ast.Import, ast.Try, ast.If))]
    rng = types.SimpleNamespace(standard_normal=Array, random=Array)
    space = {"np": types.SimpleNamespace(random=types.SimpleNamespace(default_rng=lambda seed: rng), float32=Array, int64=None,
                                         array=Array),
             "helper": types.SimpleNamespace(make_node=lambda *_, **__: None)}
    exec(compile(ast.fix_missing_locations(tree), "nets.py", "exec"), space)
    return space["Build"], {net.__name__: net for net in space["NETS"]}


def text(build, net, size):
    b = build()
    y = net(b, ("x", 3, size))
    body = "\n".join(b.params + b.lines)
    return f'mg 1\ngraph g(x: f32[1, 3, {size}, {size}]) -> ({y[0]}: f32[1, {y[1]}])\n    weights "none"\n{{\n{body}\n}}\n'


def main():
    mgc, flags = sys.argv[1], [a for a in sys.argv[2:] if a.startswith("--")]
    wanted = sys.argv[2 + len(flags):]
    build, known = nets()
    failed = False
    for name in wanted or known:
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, name + ".mg")
            open(path, "w").write(text(build, known[name], SIZES[name]))
            run = subprocess.run([mgc, "check-gradients", path, *flags], capture_output=True, text=True)
        lines = run.stdout.splitlines()
        verdicts = collections.Counter(line.split()[0] for line in lines[:-1])
        moving = sum(line.startswith("right") and not line.endswith(" 0.0e+00") for line in lines)
        # A tenth of the derivatives may be undecided, and half of them 0.
        ok = run.returncode == 0 and set(verdicts) <= {"right", "undecided"} and \
            10 * verdicts["undecided"] <= len(lines) and 2 * moving >= len(lines)
        print(f"{name}: {dict(verdicts)}, {moving} of them not 0", flush=True)
        if not ok:
            failed = True
            print("\n".join(line for line in lines if not line.startswith("right")) + run.stderr, file=sys.stderr)
    sys.exit(failed)


if __name__ == "__main__":
    main()
