"""Lets a benchmark whose peer is not installed say so, and exit with a status that means that it did not run."""
import sys

NOT_RUN = 77


def absent(benchmark, error):
    print(f"{benchmark}: {error.name} is not there: nothing to compare with; MG_PYTHON names a Python that has it", file=sys.stderr)
    sys.exit(NOT_RUN)
