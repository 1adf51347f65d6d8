#!/usr/bin/env python3
"""Continues a text with GPT-2. Tokens are numbers, in and out; with --tokenizer they are text:

  generate.py [OPTION…] FILE.mg TOKEN…
  generate.py [OPTION…] --tokenizer=tokenizer.json FILE.mg "Once upon a time"

FILE.mg has the graphs `prompt` and `step`. Both models share the weights, which are loaded once, and the cache of keys
and values, which each call changes in place. Needs numpy and MG's Python package; with --tokenizer also the package
`tokenizers`.
"""
import argparse
import sys

import numpy as np

import mg


def number(kind, least, most=None, open_below=False):
    """Reads a number between least (without it if open_below) and most."""

    def read(text):
        try:
            x = kind(text)
        except ValueError:
            x = None
        if x is None or not (x > least if open_below else x >= least) or not (most is None or x <= most):
            what = "a number above" if open_below else "a whole number of at least"
            more = "" if most is None or most > 1 else f" and at most {most}"
            raise argparse.ArgumentTypeError(f"'{text}'; expected {what} {least}{more}")
        return x

    return read


def arguments():
    p = argparse.ArgumentParser(prog="generate.py", description=__doc__.split("\n")[0])
    p.add_argument("file", metavar="FILE.mg")
    p.add_argument("prompt", nargs="+", help="tokens, or with --tokenizer a text")
    p.add_argument("--count", type=number(int, 1), default=20, help="how many tokens to draw")
    p.add_argument("--seed", type=number(int, 0, 2**64 - 1), default=1, help="of the random numbers")
    p.add_argument("--temperature", type=number(float, 0, 3e38, True), default=1.0, help="below 1 prefers probable tokens")
    p.add_argument("--top-k", type=number(int, 1, 2**63 - 1), default=2**63 - 1, help="draw from the K most probable tokens")
    p.add_argument("--top-p", type=number(float, 0, 1, True), default=1.0, help="draw from the fewest tokens of probability P")
    p.add_argument("--greedy", action="store_true", help="take the most probable token: the same as --top-k=1")
    p.add_argument("--tokenizer", metavar="FILE", help="a tokenizer.json: the prompt and the result are text")
    p.add_argument("--weights", metavar="random:SEED", help="random weights in place of the file that FILE.mg names")
    p.add_argument("--target", choices=["cpu", "gpu"], help="where to run (default: cpu)")
    p.add_argument("--precision", default="f32", choices=["f32", "tf32", "bf16", "f16"], help="of the factors of products")
    p.add_argument("--threads", type=number(int, 1, 4096), default=1, help="workers on the CPU")
    return p.parse_args()


class Generator:
    """Both graphs of a file, with their cache. Options are those of mg.compile."""

    def __init__(self, file, weights=None, **options):
        self.prompt = mg.compile(file, graph="prompt", weights=weights, **options)
        self.step = mg.compile(file, graph="step", weights=self.prompt, **options)
        ports = {port.name: port for port in self.prompt.inputs + self.prompt.outputs}
        if not {"keys", "values", "logits"} <= ports.keys() or len(ports["keys"].shape) != 4:
            raise ValueError(f"{file}: its graphs are not those of this example")
        self.places, self.entries = ports["keys"].shape[2], ports["logits"].shape[0]
        # A masked place counts as 0 times its value, which must be finite.
        self.cache = {name: np.zeros(ports[name].shape, ports[name].dtype) for name in ("keys", "values")}

    def __call__(self, tokens, count, temperature=1.0, k=2**63 - 1, p=1.0, seed=1):
        """Yields `count` tokens that follow the list `tokens`."""
        n = len(tokens)
        if not n:
            raise ValueError("a prompt needs at least one token")
        if n + count - 1 > self.places:
            raise ValueError(f"{count} tokens after a prompt of {n}: the model has {self.places} places")
        for token in tokens:
            if not 0 <= token < self.entries:
                raise ValueError(f"token {token} is outside 0 to {self.entries - 1}")
        settings = dict(temperature=temperature, k=k, p=p, seed=seed, **self.state())
        token = self.prompt(tokens=tokens, **settings).token
        yield int(token)
        for at in range(n, n + count - 1):
            token = self.step(newest=token, at=at, **settings).token
            yield int(token)

    def state(self):
        """The cache as arguments of a call: its arrays are those of the inputs and of the outputs that take them over."""
        return dict(self.cache, out={f"{name}1": array for name, array in self.cache.items()})


def tokenizer_of(path):
    try:
        from tokenizers import Tokenizer
    except ImportError:
        raise ValueError("--tokenizer needs the package `tokenizers`: pip install tokenizers, or give tokens as numbers")
    try:
        return Tokenizer.from_file(path)
    except Exception as error:
        raise ValueError(f"{path} is no tokenizer: {error}")


def main():
    a = arguments()
    tokenizer = tokenizer_of(a.tokenizer) if a.tokenizer else None
    if tokenizer:
        tokens = tokenizer.encode(" ".join(a.prompt)).ids
    else:
        wrong = [word for word in a.prompt if not word.isdecimal()]
        if wrong:
            raise ValueError(f"'{wrong[0]}' is no token: tokens are numbers, unless --tokenizer is given")
        tokens = [int(word) for word in a.prompt]
    generator = Generator(a.file, a.weights, target=a.target, precision=a.precision, threads=a.threads)
    drawn = generator(tokens, a.count, a.temperature, 1 if a.greedy else a.top_k, a.top_p, a.seed)
    if not tokenizer:
        print(*drawn)
        return
    known = tokenizer.decode(tokens)
    print(known, end="", flush=True)
    for token in drawn:  # a character may need several tokens, so the text is decoded as a whole
        tokens.append(token)
        text = tokenizer.decode(tokens)
        if not text.endswith("\N{REPLACEMENT CHARACTER}"):
            print(text[len(known) :], end="", flush=True)
            known = text
    print()


if __name__ == "__main__":
    try:
        main()
    except (ValueError, mg.Error) as error:
        sys.exit(f"generate.py: {error}")
