#!/usr/bin/env python3
"""lines.py SOURCE_FOLDER: checks that lines of the pages are at most 120 columns wide, and lines of C at most 100.

Code and tables of pages can't be wrapped, and docs/ops.md is generated, so these may be wider. In a log, which only
grows, tables of long cells are lists instead. clang-format wraps C, but not comments and long strings; comments are
wrapped by hand. A line of one or two words inside a paragraph of a page was torn when it was wrapped again.

Pages, scripts and comments also avoid the idioms below, which readers stumble over: a plainer word says the same."""
import glob
import os
import re
import sys

WIDEST, WIDEST_C, TORN = 120, 100, 16
GENERATED = {"docs/ops.md"}
IDIOMS = re.compile(r"\b(?:" + "|".join([
    "as may be",  # as possible
    "what there is",  # the rest, the elements
    "the like",  # the others by name
    "(?:of|in|for|by) so many",  # of n
    "what (?:becomes|became) of",  # how it is handled, the result
    "be had",  # be possible
    "puts? (?:it|them) down",  # store, record
    "the open (?:row|point|chunk|step|tap|line)",  # the current one; open: unknown until run time
    "taken apart",  # split, decomposed
    "one behind (?:another|the other)",  # one after another
]).replace(" ", r"\s+") + r")\b")


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


def files_of(root):
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(f for f in folders if not f.startswith(("build", ".")))
        yield from (os.path.relpath(os.path.join(folder, f), root) for f in sorted(files))


def is_script(path):
    """Tells whether a file is a script, or a text whose comments people read."""
    if "." in os.path.basename(path):
        return path.endswith((".py", ".sh", ".js", ".cmake", ".mg", ".mk", ".def", ".machine", "CMakeLists.txt"))
    with open(path, "rb") as file:
        return file.read(2) == b"#!"


def too_wide_c(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            if len(line.rstrip("\n")) > WIDEST_C and '"' not in line:
                yield number


def comments(path):
    """The comments of a C file, on their lines."""
    with open(path, encoding="utf-8") as source:
        return "\n".join(line.rstrip("\n").partition("//")[2] for line in source)


def idioms(text):
    for found in IDIOMS.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, " ".join(found[0].split())


def main(root):
    pages = [os.path.relpath(p, root) for folder in ("", "docs", "docs/log", "lang", "python", "examples/*")
             for p in glob.glob(os.path.join(root, folder, "*.md"))]
    if "docs/architecture.md" not in pages:
        sys.exit("FAIL: the pages were not found")
    wide = [f"{page}:{number}: more than {WIDEST} columns" for page in sorted(pages) if page not in GENERATED
            for number in too_wide(os.path.join(root, page), page.startswith("docs/log/"))]
    wide += [f"{page}:{number}: a torn line" for page in sorted(pages) if page not in GENERATED
             for number in torn(os.path.join(root, page))]
    every = list(files_of(root))
    files = [file for file in every if file.endswith((".c", ".h"))]
    if "include/mg.h" not in files:
        sys.exit("FAIL: the C files were not found")
    texts = [(page, open(os.path.join(root, page), encoding="utf-8").read()) for page in sorted(pages)
             if page not in GENERATED and not page.startswith("docs/log/")]
    texts += [(file, comments(os.path.join(root, file))) for file in files]
    texts += [(file, open(os.path.join(root, file), encoding="utf-8").read()) for file in every
              if file != "tests/lines.py" and is_script(os.path.join(root, file))]
    wide += [f"{path}:{number}: '{words}'" for path, text in texts for number, words in idioms(text)]
    wide += [f"{file}:{number}: more than {WIDEST_C} columns" for file in files
             for number in too_wide_c(os.path.join(root, file))]
    print("\n".join(wide) or f"{len(pages)} pages, {len(files)} C files")
    return bool(wide)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
