"""Trix tables at a telling moment: a doubling window in which several are asked, a seat with one play only."""

from majlis import _core
from tests.rules.matches import Match
from tests.rules.trix_play import LAYOUT, QUEENS, TRIX, asked, asked_seats, choose, play


def window(least: int = 3, sealer: _core.Sealer | None = None, **options: int) -> tuple[Match, list[int]]:
    """A match whose first deal is in the doubling window of Queens, and the seats that are asked: so many at least."""
    while True:
        match = Match(asked(**options), sealer=sealer)
        match.act(owner(match), choose(QUEENS))
        seats = asked_seats(match)
        if len(seats) >= least:
            return match, seats


def layout(plays: int | None = None, **options: int) -> tuple[Match, int]:
    """A match in the layout of its first deal, and the seat on turn, which has so many legal plays.

    One play is the only card that fits, or the pass. The deal is another one each time.
    """
    while True:
        match = Match(asked(**options))
        match.act(owner(match), choose(TRIX))
        while match.state().view.trix.phase == LAYOUT and match.state().view.trix.deal_number == 1:
            seat = on_turn(match)
            legal = match.state(seat).legal_actions.trix
            if plays is None or len(legal) == plays:
                return match, seat
            match.act(seat, legal[0])


def tricks(contract: int, **options: int) -> tuple[Match, int]:
    """A match before the first trick of a contract that nobody may double, and the seat on turn."""
    match = Match(asked(**options))
    match.act(owner(match), choose(contract))
    return match, on_turn(match)


def owner(match: Match) -> int:
    return match.state().view.trix.owner


def on_turn(match: Match) -> int:
    """The seat that everybody knows to be awaited."""
    [seat] = match.state().clock.awaited_seats
    return seat


def lead(match: Match) -> None:
    """The seat on turn plays its first legal card."""
    seat = on_turn(match)
    match.act(seat, play(match.state(seat).legal_actions.trix[0].play_card.card))
