"""Writes docs/refusals.md from the catalogue of refusals: `make refusals`; `--check` only compares."""

import pathlib
import sys

from majlis.match import page

PAGE = pathlib.Path(__file__).resolve().parent.parent / "docs" / "refusals.md"


def main(arguments: list[str]) -> int:
    """Writes or compares; the exit code is 1 if the page is not what the catalogue says."""
    text = page.text()
    if arguments != ["--check"]:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    if PAGE.is_file() and PAGE.read_text(encoding="utf-8") == text:
        return 0
    print(f"{PAGE.name} is not what the catalogue says: run `make refusals`.", file=sys.stderr)
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
