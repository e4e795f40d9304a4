"""`majlis token`: signs a token for development, for servers with --dev-identity and the same data directory."""

import math

import click

from majlis.cli.faults import Fault
from majlis.cli.options import takes_settings
from majlis.ops.settings import Settings

ROLES = ("player", "spectator", "matchmaker", "wallet")


@click.command(short_help="Sign a token for development.")
@click.option("--player", required=True, help="Who it is for: the token's subject, 1 to 64 bytes.")
@click.option("--role", type=click.Choice(ROLES), default="player", show_default=True)
@click.option("--name", default="", help="The name that others are shown, at most 64 bytes; the subject when empty.")
@click.option(
    "--hours", type=click.FloatRange(0, 8_760, min_open=True), default=24.0, show_default=True, help="Until it expires."
)
@takes_settings("data")
def token(settings: Settings, player: str, role: str, name: str, hours: float) -> None:
    """Print a token for a server that runs with --dev-identity on the same data directory.

    For curl-like clients: the metadata `authorization: Bearer TOKEN`.
    """
    from majlis.api import dev_identity
    from majlis.api.caller import Role

    if not player or not _fits(player):
        raise click.BadParameter("must have 1 to 64 bytes of UTF-8", param_hint="--player")
    if not _fits(name):
        raise click.BadParameter("must have at most 64 bytes of UTF-8", param_hint="--name")
    if math.isnan(hours):
        raise click.BadParameter("must be a number", param_hint="--hours")
    key = settings.data / dev_identity.FILE
    is_new = not key.exists()
    try:
        click.echo(dev_identity.token(settings.data, player, Role(role), hours, name))
    except dev_identity.BadKey as error:
        raise Fault(str(error)) from None
    if is_new:
        # A token of another directory's key is refused without a word about why.
        click.echo(f"majlis: made a new key, {key}; only a server on this data directory takes its tokens", err=True)


def _fits(text: str) -> bool:
    encoded = text.encode(errors="ignore")
    return len(encoded) <= 64 and encoded.decode() == text
