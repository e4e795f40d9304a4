"""The programs in the documentation: code blocks of a page that are marked `python runnable`, from top to bottom."""

import pathlib
import re

ROOT = pathlib.Path(__file__).parents[2]

_BLOCK = re.compile(r"^```python runnable\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def program(page: str) -> str:
    """The blocks of a page as one program, with line numbers that are those of the page."""
    text = (ROOT / page).read_text(encoding="utf-8")
    lines = [""] * (text.count("\n") + 1)
    for block in _BLOCK.finditer(text):
        first = text.count("\n", 0, block.start(1))
        code = block[1].splitlines()
        lines[first : first + len(code)] = code
    return "\n".join(lines) + "\n"
