"""Fails if server/majlis/v1 is not what proto/ generates: `python tools/check_generated.py`.

Generates into a scratch directory and compares; changes nothing in the tree.
"""

import pathlib
import sys
import tempfile

from tools import protos


def differences(expected: pathlib.Path, actual: pathlib.Path) -> list[str]:
    """One line for each generated file that is missing, left over or different in `actual`."""
    wanted = {path.name: path.read_bytes() for path in expected.glob(protos.GENERATED)}
    found = {path.name: path.read_bytes() for path in actual.glob(protos.GENERATED)}
    different = {name for name in wanted.keys() & found.keys() if wanted[name] != found[name]}
    return [
        *(f"missing: {name}" for name in sorted(wanted.keys() - found.keys())),
        *(f"left over: {name}" for name in sorted(found.keys() - wanted.keys())),
        *(f"not what proto/ generates: {name}" for name in sorted(different)),
    ]


def main() -> int:
    """Prints the differences; the exit code is 1 if there are any."""
    with tempfile.TemporaryDirectory() as scratch:
        fresh = pathlib.Path(scratch)
        protos.generate(fresh)
        lines = differences(fresh / protos.PACKAGE, protos.SERVER / protos.PACKAGE)
    for line in lines:
        print(line, file=sys.stderr)
    if lines:
        print("`make protos` brings server/majlis/v1 up to date.", file=sys.stderr)
    return 1 if lines else 0


if __name__ == "__main__":
    sys.exit(main())
