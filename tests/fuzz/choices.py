#!/usr/bin/env python3
"""choices.py FOLDER COUNT: writes seeds for the targets that read their input as choices. These are files of random bytes, the
same each time."""
import os
import random
import sys

draw = random.Random(1)
for k in range(int(sys.argv[2])):
    with open(os.path.join(sys.argv[1], f"{k:05}"), "wb") as file:
        file.write(draw.randbytes(draw.choice([60, 120, 200, 400])))
