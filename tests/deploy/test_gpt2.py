"""Tests examples/gpt2 from Python: both graphs agree, draws keep to their set and have the right frequencies.
test_gpt2.py GENERATE EXAMPLE_FOLDER, with the C program."""
import os
import subprocess
import sys
import unittest

import numpy as np

GENERATE, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
sys.path.insert(0, FOLDER)
import generate  # noqa: E402
import mg  # noqa: E402

TINY = os.path.join(FOLDER, "tiny.mg")
TOKENS = np.random.default_rng(3).integers(0, 97, 32)

# Draws N tokens from the same logits, at places 0 … N - 1.
DRAWS = """mg 1
import "gpt2.mg" as gpt2
graph draws(places: i64[N], logits: f32[V], temperature: f32[], k: i64[], p: f32[], seed: u64[]) -> (tokens: i64[N]) {
    none[]: i64[] = 0
    newest, tokens = loop n in 0..N carry (t = none) {
        at[] = places[n]
        token = gpt2.sample(logits, temperature, k, p, seed, at)
        next t = token
        emit token
    }
}
"""


def probabilities(logits, temperature, k, p):
    """What is drawn how often, by sorting."""
    order = np.argsort(-logits, kind="stable")
    x = np.exp((logits[order].astype(np.float64) - logits.max()) / temperature)
    x[k:] = 0
    x /= x.sum()
    x[np.cumsum(x) - x >= p] = 0
    result = np.zeros(len(logits))
    result[order] = x / x.sum()
    return result


class Graphs(unittest.TestCase):
    def agree(self, tolerance, **options):
        g = generate.Generator(TINY, "random:5", **options)
        settings = dict(temperature=0.8, k=20, p=0.9, seed=11)
        first = g.prompt(tokens=TOKENS[:1], **settings, **g.state())
        for n in range(1, len(TOKENS)):
            apart = {name: np.zeros_like(x) for name, x in g.cache.items()}
            whole = g.prompt(tokens=TOKENS[: n + 1], **settings, **apart)
            step = g.step(newest=TOKENS[n], at=n, **settings, **g.state())
            np.testing.assert_allclose(step.logits, whole.logits, atol=tolerance, rtol=0)
            for name in g.cache:
                np.testing.assert_allclose(g.cache[name], whole[f"{name}1"], atol=tolerance, rtol=0)
                self.assertFalse(apart[name].any())
            self.assertIs(step.keys1, g.cache["keys"])
            if tolerance < 1e-3:
                self.assertEqual(step.token, whole.token)
        self.assertEqual(first.logits.shape, (97,))

    def test_step_and_prompt(self):
        self.agree(2e-5)
        self.agree(2e-5, threads=2, level=3)
        self.agree(2e-5, interpret=True)

    def test_precision(self):
        self.agree(0.15, precision="bf16")

    def test_c_and_python(self):
        for options in ([], ["--temperature=0.7", "--top-k=9", "--seed=5"], ["--top-p=0.6", "--threads=2"], ["--greedy"], ["--precision=bf16"]):
            options += ["--weights=random:4", "--count=12", TINY, "3", "5", "96"]
            c = subprocess.check_output([GENERATE, *options], text=True)
            python = subprocess.check_output([sys.executable, os.path.join(FOLDER, "generate.py"), *options], text=True)
            self.assertEqual(c, python)
            self.assertEqual(len(c.split()), 12)

    def test_greedy(self):
        g = generate.Generator(TINY, "random:5")
        runs = [list(g([7, 8], 30, k=1, seed=seed)) for seed in (1, 2, 99)]
        self.assertTrue(runs[0] == runs[1] == runs[2])
        settings = dict(temperature=1.0, k=1, p=1.0, seed=3, **g.state())
        y = g.prompt(tokens=[7, 8], **settings)
        self.assertEqual(y.token, np.argmax(y.logits))
        self.assertEqual(y.token, runs[0][0])

    def test_seeds(self):
        g = generate.Generator(TINY, "random:5")
        runs = {tuple(g([7, 8], 12, seed=seed)) for seed in range(1, 9)}
        self.assertEqual(len(runs), 8)
        self.assertEqual(list(g([7, 8], 12, seed=4)), list(g([7, 8], 12, seed=4)))


class Sampling(unittest.TestCase):
    N = 20000

    @classmethod
    def setUpClass(cls):
        cls.model = mg.compile_text(DRAWS, os.path.join(FOLDER, "draws.mg"))

    def setUp(self):
        self.logits = np.random.default_rng(1).normal(size=40).astype(np.float32) * 2
        self.logits[7] = self.logits[3]  # a tie

    def draw(self, temperature=1.0, k=40, p=1.0, seed=1, logits=None):
        logits = self.logits if logits is None else logits
        return self.model(np.arange(self.N), logits, temperature, k, p, seed)

    def check(self, **settings):
        expected = probabilities(self.logits, settings.get("temperature", 1.0), settings.get("k", 40), settings.get("p", 1.0))
        count = np.bincount(self.draw(**settings), minlength=40)
        self.assertEqual(count[expected == 0].sum(), 0, f"{settings}: a token that is not in the set")
        often = expected * self.N >= 5
        rest = ~often & (expected > 0)
        observed, wanted = count[often].tolist(), (expected[often] * self.N).tolist()
        if rest.any():
            observed.append(count[rest].sum())
            wanted.append(expected[rest].sum() * self.N)
        observed, wanted = np.array(observed), np.array(wanted)
        chi, free = ((observed - wanted) ** 2 / wanted).sum(), len(wanted) - 1
        # 6 standard deviations above the mean of the distribution: fewer than one in a million draws
        self.assertLess(chi, free + 6 * np.sqrt(2 * free) + 6, f"{settings}: {observed} for {wanted}")

    def test_frequencies(self):
        for seed in (1, 2, 3):
            self.check(seed=seed)
        for settings in (dict(k=5), dict(k=1), dict(k=4), dict(p=0.5), dict(p=0.9), dict(p=0.01), dict(k=8, p=0.8), dict(temperature=0.5), dict(temperature=3.0, k=10), dict(temperature=1e-3)):
            self.check(**settings)

    def test_extremes(self):
        logits = np.full(40, -np.inf, np.float32)
        logits[[3, 30]] = 5
        self.assertEqual(set(self.draw(logits=logits)), {3, 30})
        self.assertEqual(set(self.draw(logits=logits, k=1)), {3})
        self.assertEqual(set(self.draw(temperature=1e-38)), {int(np.argmax(self.logits))})
        self.assertEqual(set(self.draw(logits=np.array([3e38, -3e38], np.float32))), {0})

    def test_neighbouring_draws(self):
        """Draws at neighbouring places, and of neighbouring seeds, are independent."""
        flat = np.zeros(4, np.float32)
        a, b = self.draw(logits=flat, seed=1), self.draw(logits=flat, seed=2)
        for x, y in ((a[:-1], a[1:]), (a, b), (a[1:], b[:-1])):
            count = np.bincount(x * 4 + y, minlength=16)
            chi = ((count - len(x) / 16) ** 2 / (len(x) / 16)).sum()
            self.assertLess(chi, 15 + 6 * np.sqrt(30) + 6)


class Refusals(unittest.TestCase):
    BAD = [
        (["--top-k=0", TINY, "1"], "'0'; expected a whole number of at least 1"),
        (["--top-p=0", TINY, "1"], "'0'; expected a number above 0 and at most 1"),
        (["--top-p=1.01", TINY, "1"], "'1.01'; expected a number above 0 and at most 1"),
        (["--top-p=nan", TINY, "1"], "'nan'; expected a number above 0 and at most 1"),
        (["--temperature=0", TINY, "1"], "'0'; expected a number above 0"),
        (["--temperature=-1", TINY, "1"], "'-1'; expected a number above 0"),
        (["--temperature=nan", TINY, "1"], "'nan'; expected a number above 0"),
        (["--temperature=inf", TINY, "1"], "'inf'; expected a number above 0"),
        (["--weights=random:1", TINY, "97"], "token 97 is outside 0 to 96"),
        (["--weights=random:1", TINY, "5", "100000"], "token 100000 is outside 0 to 96"),
        (["--weights=random:1", TINY] + ["1"] * 33, "tokens after a prompt of 33: the model has 32 places"),
        (["--weights=random:1", "--count=32", TINY, "1", "2"], "32 tokens after a prompt of 2: the model has 32 places"),
        (["--weights=random:1", TINY, "word"], "word"),
        ([os.path.join(FOLDER, "small.mg"), "1"], "cannot open"),
        (["--weights=random:1", "none.mg", "1"], "none.mg"),
        (["lonely.mg", "1"], "has no graph 'step'"),
        (["strange.mg", "1"], "strange.mg: its graphs are not those of this example"),
    ]

    def test_bad_input(self):
        for name, graphs in (("strange", ["prompt", "step"]), ("lonely", ["prompt"])):
            with open(f"{name}.mg", "w") as f:
                f.write("mg 1\n" + "".join(f"graph {g}(x: f32[3]) -> (y: f32[3]) {{ y = x }}\n" for g in graphs))
        python = [sys.executable, os.path.join(FOLDER, "generate.py")]
        for command in ([GENERATE], python):
            for arguments, message in self.BAD:
                r = subprocess.run(command + arguments, capture_output=True, text=True)
                self.assertIn(r.returncode, (1, 2), r.stderr)
                self.assertEqual(r.stdout, "")
                self.assertIn(message, r.stderr)
                self.assertNotIn("Traceback", r.stderr)

    def test_inside(self):
        """What reaches the graphs is checked there, too."""
        g = generate.Generator(TINY, "random:5")
        settings = dict(temperature=1.0, k=1, p=1.0, seed=3, **g.state())
        for call, message in (
            (lambda: g.prompt(tokens=[1, 97], **settings), "outside 0 to 96: it is 97"),
            (lambda: g.prompt(tokens=[1] * 33, **settings), "33 tokens; expected 1 to 32"),
            (lambda: g.prompt(tokens=np.zeros(0, np.int64), **settings), "0 tokens; expected 1 to 32"),
            (lambda: g.step(newest=1, at=32, **settings), "outside 0 to 31: it is 32"),
            (lambda: g.step(newest=-1, at=3, **settings), "it is -1"),
        ):
            with self.assertRaises(mg.Error) as caught:
                call()
            self.assertIn(message, str(caught.exception))
        with self.assertRaisesRegex(ValueError, "at least one token"):
            list(g([], 3))

    def test_in_place(self):
        """Only the whole array of the input that it takes over may be an output's."""
        g = generate.Generator(TINY, "random:5")
        settings = (1.0, 1, 1.0, 3)
        keys, values = g.cache["keys"], g.cache["values"]
        for out in ({"keys1": values}, {"values1": keys}, {"keys1": keys, "values1": keys}, {"logits": keys.reshape(-1)[:97]}):
            with self.assertRaisesRegex(mg.Error, "shares memory with"):
                g.prompt([1], keys, values, *settings, out=out)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
