"""What the match costs and what it pays (H19, H20): known before the first card, and settled to the unit."""

from demo.failure import must
from demo.screen import Screen
from majlis.v1 import match_pb2

WHOLE = 10_000
"""Basis points."""


def introduce(match: match_pb2.Match, screen: Screen) -> None:
    """Says what the players agree to when they sit down."""
    options = match.options.tonj_house
    rate = f"{options.rake_bps / 100:g} %"
    screen.say(f"Each seat pays {options.entry_fee_minor}; the platform keeps {rate} of a pot that is won.")


def settle(match: match_pb2.Match, screen: Screen) -> None:
    """Says what each seat is paid.

    Raises:
        Failure: that is not what was announced, or money was lost or made.
    """
    options, outcome, settlement = match.options.tonj_house, match.outcome, match.outcome.settlement
    pot, payout = settlement.pot_minor, list(settlement.payout_minor)
    must(settlement.entry_fee_minor == options.entry_fee_minor, "the fee is not the one that was announced")
    must(pot == settlement.entry_fee_minor * len(match.seats), "the pot is not what the seats have paid")
    must(sum(payout) + settlement.rake_minor == pot, "payouts and rake are not the pot")
    if len(outcome.winner_seats) > 1:
        must(payout == [options.entry_fee_minor] * len(match.seats), "a drawn match did not give the fees back")
        screen.say(f"Of the pot of {pot} each seat is paid its {options.entry_fee_minor} back, for it is a draw.")
        return
    [winner] = outcome.winner_seats
    must(settlement.rake_minor == pot * options.rake_bps // WHOLE, "the platform kept another part than was announced")
    must(payout[winner] == sum(payout), "somebody was paid who had not won")
    name = match.seats[winner].display_name
    screen.say(f"Of the pot of {pot} {name} is paid {payout[winner]}, and the platform keeps {settlement.rake_minor}.")
