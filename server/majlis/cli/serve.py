"""`majlis serve`: starts the server. What is started, and in which order, stands in `majlis.app`."""

import os
import pathlib

import click

from majlis.cli.faults import Fault, Misuse
from majlis.cli.options import environment_only, file_only, takes_settings
from majlis.ops.settings import Settings, WrongSetting


@click.command(
    epilog=f"Not flags, since others see those:\n\n{environment_only()}\n\nIn the file only:\n\n{file_only()}"
)
@click.option(
    "--ready-file",
    type=click.Path(path_type=pathlib.Path),
    help="Written once the server answers: JSON with the addresses `listen` and `metrics`.",
)
@takes_settings()
def serve(settings: Settings, ready_file: pathlib.Path | None) -> None:
    """Serve matches until SIGTERM or SIGINT.

    Flags win over the environment, that over the file of --config, that over the defaults.
    """
    # gRPC's own lines on a taken port would stand beside ours; it reads this when it is loaded.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    from majlis import app

    try:
        app.run(settings, ready_file)
    except app.CannotStart as error:
        raise Fault(str(error)) from None
    except WrongSetting as error:
        raise Misuse(str(error)) from None
