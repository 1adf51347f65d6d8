#!/usr/bin/env python3
"""grammars.py SOURCE_FOLDER: the grammars of editors/ are up to date with the lexer's words, and read every file of the
project: each word gets the scope of its kind, and the rules of the tree-sitter grammar are all defined."""
import glob
import json
import re
import shutil
import subprocess
import sys

SOURCE = sys.argv[1]
EVALUATE = """
const used = new Set(), $ = new Proxy({}, { get: (_, name) => (used.add(name), name) });
const same = (...x) => x;
Object.assign(global, { grammar: x => x, choice: same, seq: same, repeat: same, optional: same, token: same,
  field: same, prec: same });
global.token.immediate = same;
const g = require(process.argv[1]);
for (const rule of [g.extras, g.word, ...Object.values(g.rules)]) rule($);
const missing = [...used].filter(name => !g.rules[name]);
const unused = Object.keys(g.rules).filter(name => !used.has(name) && name !== "source_file");
if (missing.length || unused.length) { console.error("missing", missing, "unused", unused); process.exit(1); }
"""


def scopes(patterns, line):
    """The scope of each character of a line, as an editor finds it: the first pattern that matches wins."""
    found, at = [None] * len(line), 0
    while at < len(line):
        matches = [(m.start(), i, m, p) for i, p in enumerate(patterns)
                   if (m := re.compile(p.get("match") or r'"(?:[^"\\]|\\.)*(?:"|$)').search(line, at)) and m.end() > at]
        if not matches:
            break
        _, _, m, p = min(matches, key=lambda x: x[:2])
        for i in range(m.start(), m.end()):
            found[i] = p.get("name")
        for group, scope in p.get("captures", {}).items():
            for i in range(*m.span(int(group))):
                found[i] = scope["name"]
        at = m.end()
    return found


def main():
    subprocess.run([SOURCE + "/scripts/editor-grammars", "--check"], check=True)
    patterns = json.load(open(SOURCE + "/editors/mg.tmLanguage.json"))["patterns"]
    words = 0
    files = [f for kind in ("lang/std", "examples/*", "tests/std") for f in glob.glob(f"{SOURCE}/{kind}/*.mg")]
    for path in files:
        for line in open(path):
            line = line.rstrip("\n")
            found, code = scopes(patterns, line), line.split("//")[0]
            if '"' in code or "`" in code:
                continue
            for m in re.finditer(r"(?<![\w.])(param|const|require|yield|for|else)(?![\w.])(?!\s*=)", code):
                assert found[m.start()] == "keyword.control.mg", (path, line, m.group(), found[m.start()])
                words += 1
            for m in re.finditer(r"^(?:graph|layer|op) (\w+)", code):
                assert found[m.start(1)] == "entity.name.function.mg", (path, line)
                words += 1
    assert words > 500
    node = shutil.which("node")
    if not node:
        sys.exit("there is no node to read the tree-sitter grammar")
    subprocess.run([node, "-e", EVALUATE, SOURCE + "/editors/tree-sitter-mg/grammar.js"], check=True)
    print(f"{words} words of {len(files)} files")


main()
