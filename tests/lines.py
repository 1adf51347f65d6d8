#!/usr/bin/env python3
"""lines.py SOURCE_FOLDER: lines of the pages are at most 120 columns wide, lines of C 100.

Code and tables of pages can't be wrapped, and docs/ops.md is generated, so these may be wider. In a log, which only
grows, tables of long cells are lists instead. clang-format wraps C, but neither comments nor long strings; the former
are wrapped by hand. A line of a page that has a word or two, inside a paragraph, was torn by wrapping it again."""
import glob
import os
import sys

WIDEST, WIDEST_C, TORN = 120, 100, 16
GENERATED = {"docs/ops.md"}


def too_wide(path, tables):
    code = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            code ^= line.startswith("```")
            if len(line.rstrip("\n")) > WIDEST and not code and (tables or not line.startswith("|")):
                yield number


def torn(path):
    code, before = False, ""
    with open(path, encoding="utf-8") as page:
        lines = page.read().split("\n")
    for number, (line, after) in enumerate(zip(lines, lines[1:]), 1):
        code ^= line.startswith("```")
        prose = not code and not any(x[:1] in " |#<!`" or x[:2] == "- " for x in (before, line, after) if x)
        if prose and before and after and 0 < len(line) < TORN:
            yield number
        before = line


def sources(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(("build", ".")))
        yield from (os.path.relpath(os.path.join(folder, f), root) for f in sorted(files) if f.endswith((".c", ".h")))


def too_wide_c(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if len(line.rstrip("\n")) > WIDEST_C and '"' not in line:
                yield number


def main(root):
    pages = [os.path.relpath(p, root) for folder in ("", "docs", "docs/log", "lang", "python", "examples/*")
             for p in glob.glob(os.path.join(root, folder, "*.md"))]
    if "docs/architecture.md" not in pages:
        sys.exit("FAIL: the pages were not found")
    wide = [f"{page}:{number}: more than {WIDEST} columns" for page in sorted(pages) if page not in GENERATED
            for number in too_wide(os.path.join(root, page), page.startswith("docs/log/"))]
    wide += [f"{page}:{number}: a torn line" for page in sorted(pages) if page not in GENERATED
             for number in torn(os.path.join(root, page))]
    files = list(sources(root))
    if "include/mg.h" not in files:
        sys.exit("FAIL: the C files were not found")
    wide += [f"{file}:{number}: more than {WIDEST_C} columns" for file in files
             for number in too_wide_c(os.path.join(root, file))]
    print("\n".join(wide) or f"{len(pages)} pages, {len(files)} C files")
    return bool(wide)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
