#!/usr/bin/env python3
"""grammars.py SOURCE_FOLDER: tests that the grammars of editors/ are up to date with the lexer's words, and read every file
of the project: TextMate's gives each word the scope of its kind, and tree-sitter's leaves no ERROR node."""
import glob
import json
import re
import subprocess
import sys

from oniguruma import Pattern

SOURCE = sys.argv[1]


def read_rules(entries):
    """Returns the rules of a TextMate grammar with their patterns compiled. A pattern that Oniguruma refuses raises ValueError."""
    return [{**e, **{key: Pattern(e[key]) for key in ("match", "begin", "end") if key in e},
             "patterns": read_rules(e.get("patterns", []))} for e in entries]


def first(rules, line, at):
    """Returns the rule that an editor applies next: the first in the list of those with the earliest match."""
    found = [(spans[0][0], i, spans) for i, rule in enumerate(rules)
             if (spans := rule.get("match", rule.get("begin")).search(line, at)) and spans[0][1] > at]
    at, number, spans = min(found, default=(None, None, None))
    return (rules[number], spans) if spans else None


def string_end(rule, line, at):
    while True:
        end, inner = rule["end"].search(line, at), first(rule["patterns"], line, at)
        if not inner or inner[1][0][0] >= end[0][0]:
            return end[0][1]
        at = inner[1][0][1]


def scopes(rules, line):
    """Returns the scope of each byte of a line."""
    found, at = [None] * len(line), 0
    while next_rule := first(rules, line, at):
        rule, spans = next_rule
        begin, at = spans[0]
        if "begin" in rule:
            at = string_end(rule, line, at)
        found[begin:at] = [rule.get("name")] * (at - begin)
        for group, scope in rule.get("captures", {}).items():
            for i in range(*spans[int(group)]):
                found[i] = scope["name"]
    return found


def main():
    subprocess.run([SOURCE + "/scripts/editor-grammars", "--check"], check=True)
    patterns = read_rules(json.load(open(SOURCE + "/editors/mg.tmLanguage.json"))["patterns"])
    words = 0
    files = [f for kind in ("lang/std", "examples/*", "tests/std") for f in glob.glob(f"{SOURCE}/{kind}/*.mg")]
    for path in files:
        for line in open(path):
            line = line.rstrip("\n")
            code = line.split("//")[0]
            if '"' in code or "`" in code or not code.isascii():
                continue
            found = scopes(patterns, line.encode())
            for m in re.finditer(r"(?<![\w.])(param|const|require|yield|for|else)(?![\w.])(?!\s*=)", code):
                assert found[m.start()] == "keyword.control.mg", (path, line, m.group(), found[m.start()])
                words += 1
            for m in re.finditer(r"^(?:graph|layer|op) (\w+)", code):
                assert found[m.start(1)] == "entity.name.function.mg", (path, line)
                words += 1
    assert words > 500
    strings = scopes(patterns, rb'weights "a\"b" for x')
    assert strings[8:14] == ["string.quoted.double.mg"] * 6 and strings[15] == "keyword.control.mg", strings
    tree_sitter = ["node", SOURCE + "/tests/editor/tree_sitter.js", SOURCE + "/editors/tree-sitter-mg/grammar.js"]
    wrong = ("/tests/lang/syntax/", "/tests/lang/messages/")  # programs with syntax errors
    right = [f for f in glob.glob(SOURCE + "/*/**/*.mg", recursive=True)
             if f.removeprefix(SOURCE).split("/")[1] in ("lang", "examples", "tests") and not any(w in f for w in wrong)]
    assert len(right) > 150
    subprocess.run(tree_sitter + right, check=True)
    refused = subprocess.run(tree_sitter + [SOURCE + "/tests/lang/syntax/tokens.mg"], stderr=subprocess.PIPE)
    assert refused.returncode == 1 and b"tokens.mg:4: ERROR" in refused.stderr, refused
    print(f"{words} words of {len(files)} files")


main()
