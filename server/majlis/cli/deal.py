"""`majlis deal`: the cards that a seed deals, recomputed. How they follow from it stands in docs/positions.md."""

import click

from majlis.cli.faults import Misuse

GAMES = ("tonj", "trix")
MOST = 2**32 - 1
"""The last deal: its number is hashed in 32 bits."""


@click.command(short_help="Print the position right after a deal.")
@click.option("--game", required=True, metavar="GAME", help=f"{' or '.join(GAMES)}.")
@click.option("--seed", required=True, metavar="HEX", help="The match's deal seed, 64 hexadecimal digits.")
@click.option(
    "--entropy",
    "entropies",
    multiple=True,
    metavar="HEX",
    help="What a seat added to the seed, up to 255 bytes: the first for seat 0, the next for seat 1, no more than there"
    " are seats. A seat without one added nothing, as every seat has in matches of this version.",
)
@click.option(
    "--number",
    type=click.IntRange(1, MOST),
    default=1,
    show_default=True,
    help="Which deal of the match. What was played before it is not known: totals are 0. Trix has 20 deals; there the"
    " kingdom's earlier contracts stand as if played in the order of X3, and from deal 2 on the position is partial.",
)
def deal(game: str, seed: str, entropies: tuple[str, ...], number: int) -> None:
    """Print the position right after a deal, as a JSON line.

    What the position says, and how the cards follow from the seed, stands in docs/positions.md. `majlis judge` takes
    the line as it is.
    """
    from majlis import _core

    try:
        click.echo(_core.deal(game, seed, entropies, number))
    except ValueError as error:
        raise Misuse(str(error)) from None
