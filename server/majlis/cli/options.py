"""Command line options made from the fields of `Settings`, so that names, defaults and help stand once."""

import pathlib
import typing
from collections.abc import Callable
from typing import Any

import click
from pydantic.fields import FieldInfo

from majlis.cli.faults import Misuse
from majlis.ops.settings import FILE_ONLY, NO_FLAGS, PREFIX, SECRETS, Settings, WrongSetting

Command = Callable[..., None]
METAVARS: dict[Any, str] = {int: "N", float: "X", pathlib.Path: "PATH", pathlib.Path | None: "PATH"}


def takes_settings(*names: str) -> Callable[[Command], Command]:
    """Gives a command a `settings` argument, and options for these settings; for all of them without names."""
    chosen = names or tuple(Settings.model_fields)

    def decorate(command: Command) -> Command:
        def run(config: pathlib.Path | None, **given: Any) -> None:
            flags = {name: given.pop(name) for name in chosen if name not in NO_FLAGS}
            try:
                settings = Settings.read({name: value for name, value in flags.items() if value is not None}, config)
            except WrongSetting as error:
                raise Misuse(str(error)) from None
            command(settings=settings, **given)

        run.__doc__ = command.__doc__
        run.__name__ = command.__name__
        # click collects the options that inner decorators left.
        run.__click_params__ = list(getattr(command, "__click_params__", []))  # type: ignore[attr-defined]
        decorated: Command = run
        for name in reversed([name for name in chosen if name not in NO_FLAGS]):
            decorated = _option(name, Settings.model_fields[name])(decorated)
        return click.option(
            "--config",
            type=click.Path(path_type=pathlib.Path),
            envvar=f"{PREFIX}CONFIG",
            help=f"TOML file with settings by name (here with _ for -, or [stakes] seconds).  [{PREFIX}CONFIG]",
        )(decorated)

    return decorate


def environment_only() -> str:
    """Help on the settings that are no flags."""
    return "\n\n".join(f"{PREFIX}{name.upper()}: {Settings.model_fields[name].description}" for name in sorted(SECRETS))


def file_only() -> str:
    """Help on the settings that stand in a file or nowhere."""
    return "\n\n".join(f"{name}: {Settings.model_fields[name].description}" for name in sorted(FILE_ONLY))


def _option(name: str, field: FieldInfo) -> Callable[[Command], Command]:
    # Settings judges the values, so that a wrong flag, variable and file are told in the same words.
    flag = name.replace("_", "-")
    shown = f"{field.description}  [{PREFIX}{name.upper()}{_bounds(field)}{_default(field)}]"
    if field.annotation is bool:
        return click.option(f"--{flag}/--no-{flag}", name, default=None, help=shown)
    if typing.get_origin(field.annotation) is typing.Literal:
        return click.option(f"--{flag}", name, metavar="|".join(typing.get_args(field.annotation)), help=shown)
    metavar = METAVARS.get(field.annotation, "TEXT")
    return click.option(f"--{flag}", name, metavar=metavar, help=shown)


def _bounds(field: FieldInfo) -> str:
    low, high = (
        next((getattr(mark, bound) for mark in field.metadata if hasattr(mark, bound)), None) for bound in ("ge", "le")
    )
    return f"; {low:,} to {high:,}" if low is not None and high is not None else ""


def _default(field: FieldInfo) -> str:
    default = field.default
    if isinstance(default, bool):
        return f"; default: {'on' if default else 'off'}"
    if isinstance(default, int | float):
        return f"; default: {default:,}"
    return f"; default: {default}" if default not in (None, "") else ""
