"""Makes networks of torchvision and transformers for tests of mg.torch. Run as a program, it compares each with eager mode.

    MG_LIBRARY=build/libmg.so.0 PYTHONPATH=python python3 tests/deploy/torch_nets.py [NET…] [--forward | --gradients] [--batch=2]

It prints a line for each network: the error of its results, relative to the largest of them, and if it is above 1e-4, that of results in
f64; the number of graphs; the operators that run in PyTorch; the worst error of a parameter's gradient, relative to its largest element;
the error of all gradients together, relative to their length; the largest error of a gradient, relative to the largest of all gradients;
and the seconds of both. If the worst error is above 1e-3, the line also has
the distances of MG's and of eager mode's gradients from gradients in f64, that of the gradients that MG computes in f64, and that of
gradients where batch normalisation uses its stored statistics. The last two tell a wrong graph from rounding, which may choose among nearly
equal values, and which the statistics of a batch of two magnify. The last line counts the networks whose gradients are within 1e-3, by four
measures: each parameter's error, relative to its own largest element, in training mode and with stored statistics; the largest error of all,
relative to the largest element of all; and the first of them from the gradients in f64, or from eager mode's. Weights are random, and networks
of transformers have small configurations. Nothing is downloaded.
"""

import argparse
import copy
import json
import time
import traceback
import warnings

import torch
from torch import nn
from torch.utils import _pytree as pytree

VISION = ("alexnet vgg11 resnet18 resnet50 densenet121 squeezenet1_1 googlenet inception_v3 shufflenet_v2_x1_0 mobilenet_v2 "
          "mobilenet_v3_large mnasnet1_0 efficientnet_b0 regnet_y_400mf convnext_tiny vit_b_16 swin_t maxvit_t").split()
SCENES = {"lraspp": "lraspp_mobilenet_v3_large", "deeplabv3": "deeplabv3_resnet50"}
TEXTS = "bert distilbert roberta albert gpt2 gpt_neox llama mistral qwen2 phi gemma t5 bart whisper vit clip wav2vec2 mamba".split()
NETS = [*VISION, *SCENES, "ssdlite", *TEXTS]


def _vision(name, batch):
    import torchvision.models as zoo
    size = {"inception_v3": 299, "ssdlite": 320}.get(name, 224)
    x = torch.randn(batch, 3, size, size)
    if name in SCENES:
        return _Positional(getattr(zoo.segmentation, SCENES[name])(weights=None, weights_backbone=None)), dict(x=x)
    if name == "ssdlite":
        return zoo.detection.ssdlite320_mobilenet_v3_large(weights=None, weights_backbone=None), dict(images=list(x.sigmoid()))
    more = dict(init_weights=False, aux_logits=False) if name in ("googlenet", "inception_v3") else {}
    return _Positional(getattr(zoo, name)(weights=None, **more)), dict(x=x)


class _Positional(nn.Module):
    """A network with a single argument, x."""

    def __init__(self, net):
        super().__init__()
        self.net = net

    def forward(self, x):
        return self.net(x)


def _text(name, batch, width, layers, length):
    """Makes a network of transformers of this width, and for texts of this length if it reads texts."""
    import transformers as zoo
    usual = dict(vocab_size=1000, hidden_size=width, num_hidden_layers=layers, num_attention_heads=4, intermediate_size=4 * width,
                 max_position_embeddings=256)
    open_ = dict(usual, pad_token_id=0, bos_token_id=1, eos_token_id=2)
    ids = torch.randint(3, 900, (batch, length))
    image = torch.randn(batch, 3, 64, 64)
    made = {
        "bert": lambda: (zoo.BertModel(zoo.BertConfig(**usual)), dict(input_ids=ids)),
        "distilbert": lambda: (zoo.DistilBertModel(zoo.DistilBertConfig(
            vocab_size=1000, dim=width, n_layers=layers, n_heads=4, hidden_dim=4 * width, max_position_embeddings=256)),
            dict(input_ids=ids)),
        "roberta": lambda: (zoo.RobertaModel(zoo.RobertaConfig(**usual)), dict(input_ids=ids)),
        "albert": lambda: (zoo.AlbertModel(zoo.AlbertConfig(embedding_size=width // 2, **usual)), dict(input_ids=ids)),
        "gpt2": lambda: (zoo.GPT2LMHeadModel(zoo.GPT2Config(
            vocab_size=1000, n_embd=width, n_layer=layers, n_head=4, n_positions=256, bos_token_id=1, eos_token_id=2)), cached),
        "gpt_neox": lambda: (zoo.GPTNeoXForCausalLM(zoo.GPTNeoXConfig(**usual)), cached),
        "llama": lambda: (zoo.LlamaForCausalLM(zoo.LlamaConfig(num_key_value_heads=2, **open_)), cached),
        "mistral": lambda: (zoo.MistralForCausalLM(zoo.MistralConfig(num_key_value_heads=2, sliding_window=32, **open_)), cached),
        "qwen2": lambda: (zoo.Qwen2ForCausalLM(zoo.Qwen2Config(num_key_value_heads=2, **open_)), cached),
        "phi": lambda: (zoo.PhiForCausalLM(zoo.PhiConfig(**open_)), cached),
        "gemma": lambda: (zoo.GemmaForCausalLM(zoo.GemmaConfig(num_key_value_heads=1, head_dim=width // 4, **open_)), cached),
        "t5": lambda: (zoo.T5ForConditionalGeneration(zoo.T5Config(
            vocab_size=1000, d_model=width, d_kv=width // 4, d_ff=4 * width, num_layers=layers, num_heads=4, decoder_start_token_id=0)),
            dict(decoder_input_ids=ids[:, :9], **cached)),
        "bart": lambda: (zoo.BartForConditionalGeneration(zoo.BartConfig(
            vocab_size=1000, d_model=width, encoder_layers=layers, decoder_layers=layers, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width, max_position_embeddings=256)),
            dict(decoder_input_ids=ids[:, :9], **cached)),
        "whisper": lambda: (zoo.WhisperForConditionalGeneration(zoo.WhisperConfig(
            vocab_size=1000, d_model=width, encoder_layers=layers, decoder_layers=layers, encoder_attention_heads=4,
            decoder_attention_heads=4, encoder_ffn_dim=4 * width, decoder_ffn_dim=4 * width, num_mel_bins=16, max_source_positions=64,
            max_target_positions=64, pad_token_id=0, bos_token_id=1, eos_token_id=2, decoder_start_token_id=1,
            suppress_tokens=None, begin_suppress_tokens=None)),
            dict(input_features=torch.randn(batch, 16, 128), decoder_input_ids=ids[:, :9], use_cache=False)),
        "vit": lambda: (zoo.ViTModel(zoo.ViTConfig(
            hidden_size=width, num_hidden_layers=layers, num_attention_heads=4, intermediate_size=4 * width, image_size=64, patch_size=8)),
            dict(pixel_values=image)),
        "clip": lambda: (zoo.CLIPModel(zoo.CLIPConfig(
            text_config=dict(usual, projection_dim=width, eos_token_id=2), projection_dim=width,
            vision_config=dict(hidden_size=width, num_hidden_layers=layers, num_attention_heads=4, intermediate_size=4 * width,
                               image_size=64, patch_size=8, projection_dim=width))),
            dict(input_ids=ids, pixel_values=image, attention_mask=torch.ones_like(ids))),
        "wav2vec2": lambda: (zoo.Wav2Vec2Model(zoo.Wav2Vec2Config(
            hidden_size=width, num_hidden_layers=layers, num_attention_heads=4, intermediate_size=4 * width, conv_dim=(32,) * 7,
            num_conv_pos_embeddings=16, num_conv_pos_embedding_groups=4, apply_spec_augment=False)),
            dict(input_values=torch.randn(batch, 4000))),
        "mamba": lambda: (zoo.MambaForCausalLM(zoo.MambaConfig(
            vocab_size=1000, hidden_size=width, num_hidden_layers=layers, state_size=8)), cached),
    }
    cached = dict(input_ids=ids, use_cache=False)
    return made[name]()


def make(name, batch=2, width=32, layers=2, length=17):
    """Makes a network for inference, and its named arguments. `width`, `layers` and `length` are for networks of transformers."""
    torch.manual_seed(0)
    net, args = _text(name, batch, width, layers, length) if name in TEXTS else _vision(name, batch)
    with torch.no_grad():
        for p in net.parameters():  # some are all 0 or 1 at first
            p.add_(torch.randn_like(p) * 0.02)
    return net.eval(), args


def tensors(result):
    """Returns the floats of a result, whatever object holds them."""
    if hasattr(result, "to_tuple"):
        result = result.to_tuple()
    return [x for x in pytree.tree_leaves(result) if isinstance(x, torch.Tensor) and x.is_floating_point()]


def _in_order(result):
    """Returns a result in f64 with each image's detections in the order of their scores, labels and boxes, since equal scores have none."""
    if not (isinstance(result, list) and result and isinstance(result[0], dict) and "boxes" in result[0]):
        return tensors(result)
    rows = [torch.cat([d["scores"][:, None].round(decimals=12), d["labels"][:, None], d["boxes"].round(decimals=6)], 1) for d in result]
    return [torch.tensor(sorted(r.tolist()), dtype=torch.float64) for r in rows]


def _error(got, want):
    if len(got) != len(want) or any(a.shape != b.shape for a, b in zip(got, want)):
        return float("inf")
    pairs = [(a.double(), b.double()) for a, b in zip(got, want) if b.numel()]
    return max(((a - b).abs().max() / b.abs().max().clamp_min(1e-9)).item() for a, b in pairs)


def forward(name):
    import mg.torch
    net, args = make(name)
    reports, begin = [], time.time()
    torch._dynamo.reset()
    with torch.no_grad(), mg.torch.watch(reports):
        want = tensors(net(**args))
        error = _error(tensors(torch.compile(net, backend="mg")(**args)), want)
    outside = sorted({op for r in reports for op, _, _ in r.outside})
    found = dict(forward=float(f"{error:.1e}"), graphs=len(reports), outside=outside, seconds=round(time.time() - begin, 1))
    if error > 1e-4:  # rounding may have chosen among nearly equal values
        net, args = net.double(), pytree.tree_map(_double, args)
        torch._dynamo.reset()
        with torch.no_grad():
            error = _error(*[_in_order(f(**args)) for f in (torch.compile(net, backend="mg"), net)])
            found["forward_f64"] = float(f"{error:.1e}")
    return found


def _quiet(net, stored=False):
    """Makes a network for training without random numbers. If `stored`, batch normalisation uses its stored statistics."""
    for part in net.train().modules():
        if stored and isinstance(part, nn.modules.batchnorm._BatchNorm):
            part.eval()
        if isinstance(part, nn.modules.dropout._DropoutNd):
            part.p = 0.0
        if type(part).__name__ == "StochasticDepth":
            part.p = 0.0
        if isinstance(part, nn.MultiheadAttention):
            part.dropout = 0.0
        for word in ("dropout", "attention_dropout", "activation_dropout", "dropout_prob", "layerdrop", "attn_dropout"):
            if isinstance(getattr(part, word, None), float):
                setattr(part, word, 0.0)
        if type(getattr(part, "config", None)).__name__.endswith("Config") and hasattr(part.config, "layerdrop"):
            part.config.layerdrop = 0.0
    return net


def _gradients(net, call, args, name):
    if name == "ssdlite":
        args = dict(args, targets=[dict(boxes=torch.tensor([[20.0, 30, 200, 220]]), labels=torch.tensor([3]))] * len(args["images"]))
    torch.manual_seed(1)
    loss = sum((y * torch.linspace(-1, 1, y.numel()).reshape(y.shape)).sum() for y in tensors(call(**args)))
    loss.backward()
    return {n: p.grad for n, p in net.named_parameters() if p.grad is not None}


def _double(x):
    return x.double() if isinstance(x, torch.Tensor) and x.is_floating_point() else x


def _distance(got, want):
    """Returns the worst error of a parameter's gradient, relative to its largest element, the parameter's name, the error of all
    gradients, relative to their length, and the largest error, relative to the largest gradient."""
    top = max(g.abs().max().item() for g in want.values())
    worst, name = max(((got[n] - g).abs().max().item() / max(g.abs().max().item(), 1e-5 * top), n) for n, g in want.items())
    length = sum(g.double().square().sum() for g in want.values()).sqrt()
    whole = sum((got[n] - g).double().square().sum() for n, g in want.items()).sqrt() / length
    largest = max((got[n] - g).abs().max().item() for n, g in want.items()) / top
    return float(f"{worst:.1e}"), name, float(f"{whole.item():.1e}"), float(f"{largest:.1e}")


def _figures(got, want):
    return [x for x in _distance(got, want) if not isinstance(x, str)]


def gradients(name, batch):
    import mg.torch
    net, args = make(name, batch)
    nets, reports, begin = [_quiet(copy.deepcopy(net), stored=k > 3) for k in range(6)], [], time.time()
    torch._dynamo.reset()
    want = _gradients(nets[1], nets[1], args, name)
    with mg.torch.watch(reports):
        got = _gradients(nets[0], torch.compile(nets[0], backend="mg"), args, name)
    assert got.keys() == want.keys(), sorted(got.keys() ^ want.keys())
    found = dict(zip(("gradient", "at", "whole", "largest"), _distance(got, want)))
    if found["gradient"] > 1e-3:  # whose is it?
        torch._dynamo.reset()
        mine = _gradients(nets[4], torch.compile(nets[4], backend="mg"), args, name)
        found["gradient_stored"] = _figures(mine, _gradients(nets[5], nets[5], args, name))
        args = pytree.tree_map(_double, args)
        exact = _gradients(nets[2].double(), nets[2], args, name)
        torch._dynamo.reset()
        wide = _gradients(nets[3].double(), torch.compile(nets[3], backend="mg"), args, name)
        for word, mine in (("mg_from_f64", got), ("eager_from_f64", want), ("gradient_f64", wide)):
            found[word] = _figures(mine, exact)
    outside = sorted({op for r in reports for op, _, _ in r.outside})
    return dict(**found, training_outside=outside, training_seconds=round(time.time() - begin, 1))


def within(found):
    """Tells by which measures a network's gradients are within 1e-3."""
    strict = found["gradient"] <= 1e-3
    return dict(training=strict, stored_statistics=strict or found["gradient_stored"][0] <= 1e-3, of_the_largest=found["largest"] <= 1e-3,
                of_f64_or_eager=strict or min(found["mg_from_f64"][0], found["gradient"]) <= 1e-3)


def main():
    options = argparse.ArgumentParser()
    options.add_argument("nets", nargs="*", default=NETS)
    options.add_argument("--forward", action="store_true")
    options.add_argument("--gradients", action="store_true")
    options.add_argument("--threads", type=int, default=1)
    options.add_argument("--batch", type=int, default=2, help="of gradients")
    given = options.parse_args()
    torch.set_num_threads(given.threads)
    counts = []
    for name in given.nets:
        found = dict(net=name)
        for f in ([forward] if not given.gradients else []) + ([gradients] if not given.forward else []):
            try:
                found.update(f(name) if f is forward else f(name, given.batch))
            except Exception as e:
                found[f.__name__ + "_failed"] = f"{type(e).__name__}: {str(e)[:600]}"
                traceback.print_exc()
        print(json.dumps(found), flush=True)
        if "gradient" in found:
            counts.append(within(found))
    if counts:
        print(json.dumps({"gradients within 1e-3": {k: sum(c[k] for c in counts) for k in counts[0]}, "of": len(counts)}))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main()
