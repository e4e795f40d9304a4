"""`python -m soak.fuzz.batch DOOR NUMBER COUNT`: so many mutants of one number, in a process that may die of them.

Prints a line of JSON for each find, and keeps its input in the corpus. With `--last FILE` each input is written there
before it is tried, so that one that takes the process down is known.
"""

import argparse
import itertools
import json
import pathlib

from soak.fuzz import corpus, run
from soak.fuzz.doors import DOORS


def main() -> None:
    """Tries them."""
    arguments = argparse.ArgumentParser(prog="python -m soak.fuzz.batch", description=__doc__)
    arguments.add_argument("door", choices=DOORS)
    arguments.add_argument("number", type=int)
    arguments.add_argument("count", type=int)
    arguments.add_argument("--last", type=pathlib.Path)
    asked = arguments.parse_args()
    before = None if asked.last is None else lambda parts: asked.last.write_bytes(corpus.text(asked.door, parts))
    for one in itertools.islice(run.mutants(asked.door, asked.number, before=before), asked.count):
        if one.find is not None:
            path = corpus.keep(asked.door, one.parts, "find")
            print(json.dumps({"what": one.find.what, "file": str(path)}), flush=True)


if __name__ == "__main__":
    main()
