#!/usr/bin/env python3
"""protocol.py MGC: tests the language server's answers, and that no input makes it misbehave."""
import json
import os
import pathlib
import re
import sys
import tempfile

from client import Client

MGC = sys.argv[1]
TEXT = """mg 1
import nn

// x, by times
op scaled<T: float>(x: T[..S], by: float = 2.0) -> (y: T[..S]) { y[..s] = by * x[..s] }

graph net(image: f32[B, 784]) -> (probs: f32[B, 10]) {
    h = nn.linear(image, features = 128)
    r = relu(scaled(h, by = 3.0))
    z[b, o]: f32[B, 10] = sum[k in 0..10] r[b, o + k]
    probs = softmax(z)
}
"""
PARSE, INVALID, NO_METHOD, PARAMS, EARLY, CANCELLED, FAILED = -32700, -32600, -32601, -32602, -32002, -32800, -32803


def place(text, marked, shift=0):
    line = next(i for i, l in enumerate(text.split("\n")) if marked in l)
    return line, text.split("\n")[line].index(marked) + shift


def whole(uri, **more):
    return {"textDocument": {"uri": uri}, "range": {"start": {"line": 0, "character": 0},
                                                     "end": {"line": 10**6, "character": 0}}, **more}


def applied(text, edits):
    lines = text.split("\n")
    offset = lambda p: len("\n".join(lines[:p["line"]])) + (p["line"] > 0) + p["character"]
    for e in sorted(edits, key=lambda e: -offset(e["range"]["start"])):
        text = text[:offset(e["range"]["start"])] + e["newText"] + text[offset(e["range"]["end"]):]
    return text


def test_questions(folder):
    c, uri = Client(MGC), f"file://{folder}/net.mg"
    c.open(uri, TEXT)
    assert c.diagnostics(uri) == []
    at = lambda method, marked, shift=0, **more: c.at(method, uri, *place(TEXT, marked, shift), **more)
    text = lambda *a: at("hover", *a)["contents"]["value"]
    assert "h: f32[B, 128]" in text("h = nn"), text("h = nn")
    assert "layer linear" in text("linear(") and "std/nn.mg" in text("linear(")
    assert "x, by times" in text("scaled(h")
    assert "features: int" in text("features", 2)
    assert "B\n" in text("B, 784") and "image: f32[B, 784]" in text("image,", 3)
    assert at("hover", "= 128", 3) is None
    library = at("definition", "linear(")
    with open(library["uri"].removeprefix("file://")) as f:
        assert "layer linear" in f.read().split("\n")[library["range"]["start"]["line"]]
    assert at("definition", "by = 3")["range"]["start"] == dict(zip(("line", "character"), place(TEXT, "by: float")))
    ranges = lambda answer: sorted((r["range"]["start"]["line"], r["range"]["start"]["character"]) for r in answer)
    assert ranges(at("references", "scaled<", context={"includeDeclaration": False})) == [place(TEXT, "scaled(h")]
    assert len(at("references", "image:", context={"includeDeclaration": True})) == 2
    assert {h["kind"] for h in at("documentHighlight", "h, by")} == {2, 3}
    labels = [i["label"] for i in at("completion", "nn.linear", 3)]
    assert "linear" in labels and "conv2d" in labels and "relu" not in labels
    labels = {i["label"]: i for i in at("completion", "features = 128")}
    for label in ("features", "image", "h", "relu", "softmax", "f32", "param", "sum", "B", "scaled"):
        assert label in labels, label
    assert labels["features"]["insertText"] == "features = "
    relu = c.ask("completionItem/resolve", labels["gelu"])
    assert "documentation" in relu
    signature = at("signatureHelp", "features = 128", 9)
    assert signature["activeParameter"] == 1 and "linear" in signature["signatures"][0]["label"]
    hints = c.ask("textDocument/inlayHint", whole(uri))
    assert [h["label"] for h in hints] == [": f32[B, 128]", ": f32[B, 128]"], hints
    names = {s["name"]: [k["name"] for k in s["children"]] for s in
             c.ask("textDocument/documentSymbol", whole(uri)) if "children" in s}
    assert names == {"scaled": ["x", "by", "y"], "net": ["image", "probs", "h", "r", "z"]}, names
    assert [s["name"] for s in c.ask("workspace/symbol", {"query": "sca"})] == ["scaled"]
    assert c.close() == 0


def test_rename(folder):
    c, uri = Client(MGC, root=f"file://{folder}"), f"file://{folder}/net.mg"
    blocks = "mg 1\nop half<T: float>(x: T[..S], by: float = 0.5) -> (y: T[..S]) { y[..s] = by * x[..s] }\n"
    pathlib.Path(folder, "blocks.mg").write_text(blocks)
    text = 'mg 1\nimport "blocks.mg" as b\ngraph net(x: f32[N]) -> (y: f32[N])\n' \
           '    require N > 1 : "{N} is too few"\n{\n    y = b.half(x, by = 0.25)\n}\n'
    third = 'mg 1\nimport "blocks.mg" as parts\ngraph h(x: f32[N]) -> (y: f32[N]) { y = parts.half(x) }\n'
    pathlib.Path(folder, "third.mg").write_text(third)
    c.open(uri, text)
    rename = lambda marked, name, shift=0: c.full("textDocument/rename", {
        "textDocument": {"uri": uri}, "position": dict(zip(("line", "character"), place(text, marked, shift))),
        "newName": name})
    changes = rename("half", "third")["result"]["changes"]
    assert applied(text, changes[uri]) == text.replace("half", "third")
    assert applied(blocks, changes[f"file://{folder}/blocks.mg"]) == blocks.replace("half", "third")
    assert applied(third, changes[f"file://{folder}/third.mg"]) == third.replace("half", "third")
    assert c.diagnostics(uri) == []
    # A file changes while the server runs. The next answer is about the new text.
    pathlib.Path(folder, "blocks.mg").write_text("// new\n" + blocks)
    c.tell("workspace/didChangeWatchedFiles", {"changes": []})
    blocks = "// new\n" + blocks
    changes = rename("by = ", "factor")["result"]["changes"]
    assert applied(blocks, changes[f"file://{folder}/blocks.mg"]) == blocks.replace("by", "factor")
    changes = rename("N]", "Many")["result"]["changes"]
    assert applied(text, changes[uri]) == text.replace("N", "Many")
    for name in ("x", "for", "sum", "1x", "a b", ""):
        assert rename("N]", name)["error"]["code"] == FAILED, name
    assert c.close() == 0


def test_diagnostics(folder):
    c, uri, other = Client(MGC), f"file://{folder}/net.mg", f"file://{folder}/ops.mg"
    wrong = TEXT.replace("features", "featurs").replace("softmax(z)", "sofmax(z)")
    c.open(uri, wrong)
    found = c.diagnostics(uri)
    assert [d["code"] for d in found] == ["no_attribute", "unknown_call"] or len(found) == 2, found
    fixed = wrong
    for action in sorted(c.ask("textDocument/codeAction", whole(uri, context={"diagnostics": []})),
                         key=lambda a: -a["diagnostics"][0]["range"]["start"]["line"]):
        fixed = applied(fixed, action["edit"]["changes"][uri])
    assert fixed == TEXT, fixed
    c.change(uri, TEXT.replace("import nn\n", ""))
    assert c.diagnostics(uri)
    fixes = [a for a in c.ask("textDocument/codeAction", whole(uri, context={"diagnostics": []}))
             if "mport" in a["title"]]
    c.change(uri, applied(TEXT.replace("import nn\n", ""), fixes[0]["edit"]["changes"][uri]))
    assert c.diagnostics(uri) == []
    # definitions in another open text, saved or not
    c.open(other, "mg 1\nop inc(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] + 1 }\n")
    user = 'mg 1\nimport "ops.mg" as ops\ngraph g(x: f32[N]) -> (y) { y = ops.inc(x) }\n'
    c.change(uri, user)
    assert c.diagnostics(uri) == [] and c.diagnostics(other) == []
    c.change(other, "mg 1\nop dec(x: f32[N]) -> (y: f32[N]) { y[n] = x[n] - 1 }\n")
    assert "inc" in c.diagnostics(uri)[0]["message"]
    c.change(other, "mg 1\nop inc(x: f32[N]) -> (y: f32[N]) { y[n] = x[m] + 1 }\n")
    assert c.diagnostics(other), "a mistake in an import stands in its own text"
    c.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert c.diagnostics(uri) == []
    # half a line is one error, and the text around it stays known
    c.open(uri, TEXT.replace("softmax(z)", "softmax(z, "))
    assert len(c.diagnostics(uri)) == 1
    labels = [i["label"] for i in c.at("completion", uri, *place(TEXT, "softmax(z)", 10))]
    assert "axis" in labels and "z" in labels
    assert c.close() == 0


def test_incremental(folder):
    """Edits in each encoding give the text that a whole change gives."""
    for encodings, units in ((None, "utf-16"), (["utf-8", "utf-16"], "utf-8")):
        c, uri = Client(MGC, encodings), f"file://{folder}/edit.mg"
        assert c.initialized["capabilities"]["positionEncoding"] == units
        text = "mg 1\n// ein Maß für 𝒳\ngraph g(x: f32[N]) -> (y: f32[N]) {   y = x }  // 𝒳ß\n"
        width = lambda s: len(s.encode("utf-16-le")) // 2 if units == "utf-16" else len(s.encode())
        c.open(uri, text)
        line = text.split("\n")[1]
        c.tell("textDocument/didChange", {"textDocument": {"uri": uri, "version": 2}, "contentChanges": [
            {"range": {"start": {"line": 1, "character": width(line[:-1])}, "end": {"line": 1, "character": width(line)}},
             "text": "𝒵: ß"},
            {"range": {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}, "text": ""}]})
        whole_text = text.replace("𝒳\n", "𝒵: ß\n", 1)
        edits = c.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})
        plain = [{"range": {k: {"line": p["line"], "character": p["character"]} for k, p in e["range"].items()},
                  "newText": e["newText"]} for e in edits]
        assert applied(whole_text, plain).count("𝒵: ß") == 1 and "{ y = x }" in applied(whole_text, plain)
        hover = c.at("hover", uri, 2, width("graph g("))
        assert "x: f32[N]" in hover["contents"]["value"]
        assert c.close() == 0


def test_formatting(folder):
    c, uri = Client(MGC), f"file://{folder}/f.mg"
    text = TEXT.replace("h = nn", "h   =   nn").replace("probs = ", "probs=")
    c.open(uri, text)
    edits = c.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})
    formatted = applied(text, edits)
    assert "    h = nn.linear" in formatted and "    probs = softmax" in formatted and len(edits) == 2
    line = place(text, "probs=")[0]
    part = {"textDocument": {"uri": uri}, "options": {}, "range": {"start": {"line": line, "character": 0},
                                                                  "end": {"line": line, "character": 3}}}
    assert len(c.ask("textDocument/rangeFormatting", part)) == 1
    c.change(uri, formatted)
    assert c.ask("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}}) == []
    c.change(uri, "mg 1\ngraph g(")
    assert c.full("textDocument/formatting", {"textDocument": {"uri": uri}, "options": {}})["error"]["code"] == FAILED
    assert c.close() == 0


def test_protocol(folder):
    c, uri = Client(MGC), f"file://{folder}/p.mg"
    code = lambda answer: answer["error"]["code"]
    assert code(c.full("textDocument/nonsense", {})) == NO_METHOD
    assert code(c.full("textDocument/hover", {})) == PARAMS
    assert code(c.full("initialize", {})) == INVALID
    c.tell("$/nonsense", {})
    for position in (None, {}, {"line": -1, "character": 0}, {"line": "a", "character": 0}, {"line": 1e300, "character": 0}):
        c.open(uri, TEXT)
        assert code(c.full("textDocument/hover", {"textDocument": {"uri": uri}, "position": position})) == PARAMS
    c.at("hover", uri, 10**6, 10**6)
    # two requests and the cancellation of the second arrive in one write: the second never starts
    hover = {"jsonrpc": "2.0", "method": "textDocument/hover", "params": {
        "textDocument": {"uri": uri}, "position": {"line": 0, "character": 0}}}
    c.raw(c.frame({**hover, "id": "one"}) + c.frame({**hover, "id": "two"}) +
          c.frame({"jsonrpc": "2.0", "method": "$/cancelRequest", "params": {"id": "two"}}))
    assert "result" in c.wait("one") and code(c.wait("two")) == CANCELLED
    for bad in (b"{", b"nonsense", b"", b"[1]", b"3", b'{"id":7}', b'{"method":3}', b"[" * 5000, b"\xff\xfe"):
        c.raw(c.frame(bad))
        answer = c.wait(7) if b"7" in bad else c.wait(None)
        assert code(answer) in (PARSE, INVALID), (bad, answer)
    c.raw(b"Content-Length: nonsense\r\n\r\n")
    assert code(c.wait(None)) == PARSE
    c.raw(b"Content-Length: 99999999999999999999\r\n\r\n")
    assert code(c.wait(None)) == PARSE  # what follows belongs to it, and is skipped
    c.process.kill()
    c.process.wait()
    # before initialize, after shutdown, exit without shutdown, the client's end
    early = Client.__new__(Client)
    Client.__init__(early, MGC)
    assert early.ask("shutdown", None) is None
    assert code(early.full("textDocument/hover", {})) == INVALID
    early.tell("exit", None)
    assert early.process.wait(timeout=60) == 0
    rude = Client(MGC)
    rude.tell("exit", None)
    assert rude.process.wait(timeout=60) == 1
    gone = Client(MGC)
    gone.process.stdin.close()
    assert gone.process.wait(timeout=60) == 1


def test_hostile_imports(folder):
    """An import of a pipe, a device, a folder, the file itself or standard input gets a message, and nothing waits."""
    os.mkfifo(os.path.join(folder, "pipe"))
    c = Client(MGC)
    for uri in (f"file://{folder}/evil.mg", "untitled:evil"):
        for path in ("pipe", "/dev/zero", "/dev/stdin", "-", ".", "evil.mg", "/", "x" * 5000):
            c.open(uri, f'mg 1\nimport "{path}" as p\ngraph g(x: f32[N]) -> (y: f32[N]) {{ y = p.f(x) }}\n')
            assert c.diagnostics(uri), path
            c.at("hover", uri, 2, 40)
            c.at("definition", uri, 1, len(path) + 14)
            c.at("completion", uri, 2, 43)
    endless = 'mg 1\ngraph g(x: f32[N]) -> (y: f32[N]) { h = x\n for i in 0..1000000 { h = h + 1.0 }\n y = h }\n'
    c.open(uri, endless)
    c.at("hover", uri, 1, 7)
    assert c.close() == 0


def main():
    for name, test in list(globals().items()):
        if name.startswith("test_") and (len(sys.argv) < 3 or re.search(sys.argv[2], name)):
            with tempfile.TemporaryDirectory() as folder:
                folder = os.path.realpath(folder)
                os.environ["MG_CACHE_DIR"] = folder + "/cache"
                test(folder)
            print(f"{name}: ok", flush=True)


main()
