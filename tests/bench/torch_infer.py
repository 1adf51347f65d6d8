"""Times inference through torch.compile(backend="mg"), also with frozen parameters, against eager mode and Inductor.

    MG_LIBRARY=build/libmg.so.0 PYTHONPATH=python python3 tests/bench/torch_infer.py [--threads=1] [--cpu] [--seconds=15] [NET…]

Each compiled network is called in turn with eager mode, so that both see the same machine; the first fifth of the sorted times
counts. --cpu takes the thread's CPU time instead of the clock, for one thread on a busy machine. The first call's time is the
clock's in any case. Needs torchvision and transformers; nothing is downloaded.
"""

import argparse
import json
import statistics
import sys
import time

import torch

sys.path.pop(0)  # this folder has an mg.py of its own
import mg.torch

SIZES = dict(vocab_size=1000, hidden_size=256, num_hidden_layers=4, num_attention_heads=4, intermediate_size=1024, max_position_embeddings=256)
NETS = ["squeezenet1_1", "resnet18", "mobilenet_v2", "bert", "gpt2", "llama"]
WAYS = {"mg": dict(backend="mg"), "frozen": dict(backend="mg", options={"frozen": True}), "inductor": {}}


def make(name):
    """A network, its arguments, and its result's tensor."""
    if name in ("bert", "gpt2", "llama"):
        import transformers as zoo
        ids = torch.randint(3, 900, (1, 64))
        net = (zoo.BertModel(zoo.BertConfig(**SIZES)) if name == "bert" else
               zoo.LlamaForCausalLM(zoo.LlamaConfig(num_key_value_heads=2, **SIZES)) if name == "llama" else
               zoo.GPT2LMHeadModel(zoo.GPT2Config(vocab_size=1000, n_embd=256, n_layer=4, n_head=4, n_positions=256, bos_token_id=1,
                                                  eos_token_id=2)))
        return net.eval(), lambda f: f(ids, use_cache=False)[0] if name != "bert" else f(ids)[0]
    import torchvision.models as zoo
    size = 299 if name == "inception_v3" else 224
    x = torch.randn(1, 3, size, size)
    more = dict(init_weights=False) if name in ("googlenet", "inception_v3") else {}
    return getattr(zoo, name)(weights=None, **more).eval(), lambda f: f(x)


def measure(name, clock, seconds):
    """By way of compiling: how often eager's time it is faster, and the first call's time."""
    net, call = make(name)
    found = {}
    for way, options in WAYS.items():
        torch._dynamo.reset()
        compiled = torch.compile(net, **options)
        begin = time.perf_counter()
        y = call(compiled)
        first = time.perf_counter() - begin
        want = call(net)
        error = ((y - want).abs().max() / want.abs().max()).item()
        eager, fast, end = [], [], time.time() + seconds
        while time.time() < end or len(eager) < 5:
            a = clock()
            call(net)
            b = clock()
            call(compiled)
            eager.append(b - a)
            fast.append(clock() - b)
        place = len(eager) // 5
        found[way] = dict(speedup=round(sorted(eager)[place] / sorted(fast)[place], 3), ms=round(sorted(fast)[place] * 1e3, 2),
                          first=round(first, 2), error=float(f"{error:.1e}"))
    return found


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nets", nargs="*", default=NETS)
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--cpu", action="store_true")
    options.add_argument("--seconds", type=float, default=15)
    given = options.parse_args()
    torch.manual_seed(0)
    torch.set_num_threads(given.threads)
    ratios = {"mg": [], "frozen": []}
    for name in given.nets:
        with torch.no_grad():
            found = measure(name, time.thread_time if given.cpu else time.perf_counter, given.seconds)
        best = max(1.0, found["inductor"]["speedup"])
        for way in ratios:
            ratios[way].append(found[way]["speedup"] / best)
        print(json.dumps({"net": name, **found}), flush=True)
    for way, all_ratios in ratios.items():
        print(f"{way}: {statistics.geometric_mean(all_ratios):.3f} times the best peer, at least {min(all_ratios):.3f}")


if __name__ == "__main__":
    main()
