#!/usr/bin/env python3
"""latency.py MGC [LIMIT_MS]: measures how long the server takes to answer on a file of 1,000 lines, with a change before
each request of every kind, and how long it takes to publish a mistake. The limit is on the processor time of all but the
slowest request of each kind (the 95th percentile of 20), with the analysis. Other programs of a busy machine hardly change
it. Elapsed times are only printed. Work that the server does after an answer ends before the next change, as it does when
somebody types."""
import statistics
import sys
import time

from client import Client
from long_net import long_net

ROUNDS = 20


def processor_ms(pid):
    """Returns the processor time that the process has used so far, by the scheduler's count."""
    with open(f"/proc/{pid}/schedstat") as file:
        return int(file.read().split()[0]) / 1e6


def percentile_95(times):
    return sorted(times)[len(times) * 95 // 100 - 1]


def next_push(client):
    while client.read().get("method") != "textDocument/publishDiagnostics":
        pass


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
    span = {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}}
    methods = {"hover": place, "definition": place, "completion": place, "signatureHelp":
               {**place, "position": {"line": line, "character": lines[line].index("features")}},
               "references": {**place, "context": {"includeDeclaration": True}}, "documentSymbol": document,
               "inlayHint": {**document, "range": whole}, "formatting": {**document, "options": {}},
               "codeAction": {**document, "range": whole, "context": {"diagnostics": []}},
               "documentHighlight": place, "prepareRename": {**document, "position": {"line": line, "character": 5}},
               "rangeFormatting": {**document, "range": span, "options": {}},
               "rename": {**document, "newName": "fresh", "position": {"line": line, "character": 5}}}
    asks = {method: lambda m=method, p=params: client.ask("textDocument/" + m, p) for method, params in methods.items()}
    asks["symbol"] = lambda: client.ask("workspace/symbol", {"query": "net"})
    asks["diagnostics"] = lambda: next_push(client)
    slow, version = [], 1
    for kind, ask in asks.items():
        elapsed, used = [], []
        for i in range(ROUNDS):
            version += 1
            mistake = f"0.5 + nothing{i}" if kind == "diagnostics" else f"0.5{i}"
            begin, used_before = time.monotonic(), processor_ms(client.process.pid)
            client.change(uri, text.replace("0.5", mistake, 1), version)
            came = []
            client.arrived = lambda: came.append((time.monotonic(), processor_ms(client.process.pid)))
            ask()
            client.arrived = lambda: None
            elapsed.append((came[0][0] - begin) * 1e3)
            used.append(came[0][1] - used_before)
            client.ask("workspace/symbol", {"query": "\0"})  # answered when the server has published
        print(f"{kind:18} processor {statistics.median(used):5.1f} ms, 95% within {percentile_95(used):5.1f}; "
              f"elapsed {statistics.median(elapsed):5.1f}, 95% within {percentile_95(elapsed):5.1f}")
        slow += [kind] if limit and percentile_95(used) > limit else []
    assert client.close() == 0
    sys.exit(f"more than {limit} ms of processor time: {', '.join(slow)}" if slow else 0)


main()
