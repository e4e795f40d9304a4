"""Faults that end a command with one line on standard error."""

from typing import IO, Any

import click


class Fault(click.ClickException):
    """Something outside the program stands in the way; exit status 1."""

    exit_code = 1

    def show(self, file: IO[Any] | None = None) -> None:
        """Prints the line."""
        click.echo(f"majlis: {self.message}", file=file, err=True)


class Misuse(Fault):
    """What was asked for cannot be meant so; exit status 2."""

    exit_code = 2
