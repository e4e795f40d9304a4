"""`majlis judge`: the rules asked line by line. What a line says and what is answered stands in docs/positions.md."""

import json
import sys
from collections.abc import Iterator
from typing import BinaryIO

import click


@click.command(short_help="Judge positions, one JSON object a line.")
@click.argument("files", nargs=-1, type=click.File("rb"))
def judge(files: tuple[BinaryIO, ...]) -> None:
    """Judge positions: one JSON object a line in, from FILES or standard input, and one a line out.

    A line is {"id": …, "position": {…}, "steps": […], "legal": true}, with nothing needed but the position; one that
    is a position itself, as `majlis deal` prints it, is judged as it stands. docs/positions.md explains all of it.

    Each answer is written as soon as its line is read. Empty lines are passed over. A line that cannot be judged has
    an answer with `error`, the same on standard error with the line's number, and 1 as the exit status in the end.
    """
    from majlis import _core

    output = sys.stdout.buffer
    faulty = False
    for place, line in _lines(files):
        try:
            answer, fault = _core.judge_line(_request(line.decode()))
        except UnicodeDecodeError:
            answer, fault = json.dumps({"id": None, "error": "the line is not UTF-8"}), True
        output.write(answer.encode() + b"\n")
        output.flush()
        if fault:
            faulty = True
            click.echo(f"majlis: {place}: {json.loads(answer)['error']}", err=True)
    sys.exit(faulty)


def _lines(files: tuple[BinaryIO, ...]) -> Iterator[tuple[str, bytes]]:
    """Every line that is not empty, and its place."""
    sources = [(file.name, file) for file in files] or [("<stdin>", sys.stdin.buffer)]
    for name, source in sources:
        for number, line in enumerate(source, 1):
            if line.strip():
                yield f"{name}:{number}", line


def _request(line: str) -> str:
    """The line; around a position that stands alone, what asks to judge it."""
    if '"position"' in line:
        return line
    try:
        given = json.loads(line)
    except (ValueError, RecursionError):
        return line  # The judge says so.
    stands_alone = isinstance(given, dict) and "game" in given and "id" not in given
    return f'{{"position":{line}}}' if stands_alone else line
