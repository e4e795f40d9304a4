"""`majlis judge`: the rules asked line by line. What a line says and what is answered stands in docs/positions.md."""

import json
import sys
from collections.abc import Iterable
from typing import BinaryIO

import click


@click.command(short_help="Judge positions, one JSON object a line.")
@click.argument("files", nargs=-1, type=click.File("rb"))
def judge(files: tuple[BinaryIO, ...]) -> None:
    """Judge positions: one JSON object a line in, from FILES or standard input, and one a line out.

    Each answer is written as soon as its line is read. Empty lines are passed over. The exit status is 1 if any line
    could not be judged.
    """
    from majlis import _core

    output = sys.stdout.buffer
    faulty = False
    for source in files or (sys.stdin.buffer,):
        for line in _lines(source):
            try:
                answer, fault = _core.judge_line(line.decode())
            except UnicodeDecodeError:
                answer, fault = json.dumps({"id": None, "error": "the line is not UTF-8"}), True
            faulty = faulty or fault
            output.write(answer.encode() + b"\n")
            output.flush()
    sys.exit(faulty)


def _lines(source: BinaryIO) -> Iterable[bytes]:
    return (line for line in source if line.strip())
