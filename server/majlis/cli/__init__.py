"""The command line: one module a command, loaded when that command runs, so that the offline ones start quickly.

Faults that a person can mend are one line on standard error: exit status 2 for what was asked wrongly, 1 for the rest.
"""

import importlib

import click

import majlis

COMMANDS = ("serve", "token", "judge", "deal", "verify", "migrate")


class Commands(click.Group):
    """Finds each command in the module of its name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Names in the order of the help."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command, or None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(importlib.import_module(f"majlis.cli.{cmd_name}"), cmd_name)
        return command


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(majlis.__version__, message="majlis %(version)s")
def group() -> None:
    """Majlis: the authoritative match server for Arabic card games."""


def main() -> None:
    """Runs the command that the process was started with."""
    group(prog_name="majlis")
