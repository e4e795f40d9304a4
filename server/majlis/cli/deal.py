"""`majlis deal`: the cards that a seed deals, recomputed. How they follow from it stands in docs/positions.md."""

import click

from majlis.cli.faults import Misuse

MOST = 2**32 - 1
"""The last deal: its number is hashed in 32 bits."""


@click.command(short_help="Print the position right after a deal.")
@click.option("--game", required=True, help="Such as tonj.")
@click.option("--seed", required=True, metavar="HEX", help="64 hexadecimal digits.")
@click.option("--entropy", "entropies", multiple=True, metavar="HEX", help="Once for each seat, in order.")
@click.option("--number", type=click.IntRange(1, MOST), default=1, show_default=True, help="Which deal of the match.")
def deal(game: str, seed: str, entropies: tuple[str, ...], number: int) -> None:
    """Print the position right after a deal, as a JSON line."""
    from majlis import _core

    try:
        click.echo(_core.deal(game, seed, entropies, number))
    except ValueError as error:
        raise Misuse(str(error)) from None
