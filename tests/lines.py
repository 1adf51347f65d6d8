#!/usr/bin/env python3
"""lines.py SOURCE_FOLDER: lines of the pages are at most 120 columns wide.

Code and tables can't be wrapped, and docs/ops.md is generated, so these may be wider. In a log, which only grows, tables
of long cells are lists instead."""
import glob
import os
import sys

WIDEST = 120
GENERATED = {"docs/ops.md"}


def too_wide(path, tables):
    code = False
    with open(path, encoding="utf-8") as page:
        for number, line in enumerate(page, 1):
            code ^= line.startswith("```")
            if len(line.rstrip("\n")) > WIDEST and not code and (tables or not line.startswith("|")):
                yield number


def main(root):
    pages = [os.path.relpath(p, root) for folder in ("", "docs", "docs/log", "lang", "python", "examples/*")
             for p in glob.glob(os.path.join(root, folder, "*.md"))]
    if "docs/architecture.md" not in pages:
        sys.exit("FAIL: the pages were not found")
    wide = [f"{page}:{number}: more than {WIDEST} columns" for page in sorted(pages) if page not in GENERATED
            for number in too_wide(os.path.join(root, page), page.startswith("docs/log/"))]
    print("\n".join(wide) or f"{len(pages)} pages")
    return bool(wide)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
