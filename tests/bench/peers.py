"""What a benchmark does whose peer is not installed: it says so, and ends with a status of its own, for it did not run."""
import sys

NOT_RUN = 77


def absent(benchmark, error):
    print(f"{benchmark}: {error.name} is not there: nothing to compare with; MG_PYTHON names a Python that has it", file=sys.stderr)
    sys.exit(NOT_RUN)
