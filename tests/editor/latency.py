#!/usr/bin/env python3
"""latency.py MGC [LIMIT_MS]: how long the server takes to answer on a file of 1,000 lines, a change before each
request. The median of each method is within the limit, which leaves a slow machine room."""
import statistics
import sys
import time

from client import Client
from long_net import long_net

ROUNDS = 5


def main():
    limit = float(sys.argv[2]) if len(sys.argv) > 2 else 0
    client, uri, text = Client(sys.argv[1]), "file:///long/net.mg", long_net()
    lines = text.split("\n")
    line = next(i for i, l in enumerate(lines) if "c80 = " in l)
    client.open(uri, text)
    assert client.diagnostics(uri) == []
    whole = {"start": {"line": 0, "character": 0}, "end": {"line": len(lines), "character": 0}}
    document = {"textDocument": {"uri": uri}}
    place = {**document, "position": {"line": line, "character": lines[line].index("linear") + 2}}
    methods = {"hover": place, "definition": place, "completion": place, "signatureHelp":
               {**place, "position": {"line": line, "character": lines[line].index("features")}},
               "references": {**place, "context": {"includeDeclaration": True}}, "documentSymbol": document,
               "inlayHint": {**document, "range": whole}, "formatting": {**document, "options": {}},
               "codeAction": {**document, "range": whole, "context": {"diagnostics": []}},
               "rename": {**document, "newName": "fresh", "position": {"line": line, "character": 5}}}
    slow = []
    for method, params in methods.items():
        times = []
        for i in range(ROUNDS):
            client.change(uri, text.replace("0.5", f"0.5{i}", 1), i + 2)
            begin = time.monotonic()
            client.ask("textDocument/" + method, params)
            times.append((time.monotonic() - begin) * 1e3)
        median = statistics.median(times)
        print(f"{method:16} {median:6.1f} ms of {len(lines)} lines, analysis included")
        slow += [method] if limit and median > limit else []
    assert client.close() == 0
    sys.exit(f"slower than {limit} ms: {', '.join(slow)}" if slow else 0)


main()
