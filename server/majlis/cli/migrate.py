"""`majlis migrate`: brings a store to this program's schema, without serving from it."""

import click

from majlis.cli.faults import Fault
from majlis.cli.options import takes_settings
from majlis.ops.settings import Settings


@click.command(short_help="Bring the store up to date.")
@takes_settings("data", "store")
def migrate(settings: Settings) -> None:
    """Open the store, apply the schema changes that it lacks, and tell its version.

    An embedded store is migrated by `majlis serve` too. The server must not be running on it. A database on a server is
    migrated by this command only, while others serve from it, and by as many at once as like.
    """
    from majlis import app

    try:
        version = app.migrate(settings)
    except app.CannotStart as error:
        raise Fault(str(error)) from None
    click.echo(f"{settings.store_shown}: schema {version}")
