#!/usr/bin/env python3
"""layers.py [FOLDER]: checks which room includes which. The table of rooms in docs/architecture.md names the rooms that each
folder may include. Every include of every source file is looked up there. FOLDER is the tree to look at."""
import os
import re
import sys

root = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(os.path.dirname(__file__), ".."))
ROW = re.compile(r"^\| `([\w/]+)/` \|.*\| ([^|]*) \|$|^\| `([\w/]+)/` \|.*\| \|$", re.M)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]+"([^"]+)"', re.M)
SOURCE = (".c", ".h", ".def", ".y", ".l")
EVERY = "every folder"


def read_rooms():
    """Returns the rooms in their order, each with the rooms that it may include."""
    rooms, wrong = {}, []
    with open(os.path.join(root, "docs/architecture.md")) as page:
        for name, below, alone in ROW.findall(page.read()):
            names = set(rooms) if below == EVERY else set(re.findall(r"`([\w/]+)`", below or ""))
            for unknown in sorted(names - set(rooms)):
                wrong.append(f"docs/architecture.md: `{name or alone}` stands on `{unknown}`, which is not above it in the table")
            rooms[name or alone] = names
    if not rooms:
        wrong.append("docs/architecture.md has no table of rooms")
    return rooms, wrong


def room_of(path, rooms):
    """Returns the innermost room that a path lies in, or None."""
    folder = os.path.dirname(path)
    while folder and folder not in rooms:
        folder = os.path.dirname(folder)
    return folder or None


def sources(rooms):
    for name in sorted({room.split("/")[0] for room in rooms}):
        for folder, _, files in os.walk(os.path.join(root, name)):
            for file in sorted(files):
                if file.endswith(SOURCE):
                    yield os.path.relpath(os.path.join(folder, file), root)


def target_of(path, include):
    """Returns the path that an include names, from the root. A name without a folder is beside the file, or generated."""
    beside = os.path.normpath(os.path.join(os.path.dirname(path), include))
    if include.startswith("../") or os.path.exists(os.path.join(root, beside)):
        return beside
    return os.path.join("include", include) if include == "mg.h" else include


def check(rooms, wrong):
    seen = set()
    for path in sources(rooms):
        room = room_of(path, rooms)
        if not room:
            continue
        seen.add(room)
        with open(os.path.join(root, path), encoding="utf-8") as file:
            text = file.read()
        for match in INCLUDE.finditer(text):
            target = target_of(path, match[1])
            other = room_of(target, rooms)
            if "/" not in target or other == room or other in rooms[room]:
                continue
            line = text.count("\n", 0, match.start()) + 1
            stands = ", ".join(sorted(rooms[room])) or "nothing"
            wrong.append(f'{path}:{line}: {room} includes "{match[1]}", but it stands on {stands}')
    for empty in sorted(set(rooms) - seen):
        wrong.append(f"docs/architecture.md: there is no source in `{empty}/`")
    return wrong


def homeless(rooms):
    """Yields folders that libmg or mgc is built from, but that the table doesn't name."""
    with open(os.path.join(root, "CMakeLists.txt")) as lists:
        built = set(re.findall(r"(?<![\w/*])([\w/]+)/\*\.c\b", lists.read()))
    return [f"CMakeLists.txt: {folder}/ is no room of docs/architecture.md" for folder in sorted(built - set(rooms))]


rooms, wrong = read_rooms()
wrong = check(rooms, wrong) + homeless(rooms)
print("\n".join(wrong) if wrong else f"{len(rooms)} rooms stand as the table says")
sys.exit(bool(wrong))
