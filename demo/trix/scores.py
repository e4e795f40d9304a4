"""The table of points: one row a deal, each held against what its contract must sum to (X7, X15)."""

from collections.abc import Sequence

from demo.failure import must
from demo.trix import words
from majlis.v1 import trix_pb2

SUMS = {
    trix_pb2.CONTRACT_KING_OF_HEARTS: -75,
    trix_pb2.CONTRACT_QUEENS: -100,
    trix_pb2.CONTRACT_DIAMONDS: -130,
    trix_pb2.CONTRACT_LTOOSH: -195,
    trix_pb2.CONTRACT_TRIX: 500,
}
CONTRACTS_IN_KINGDOM = 5


class Scores:
    """The rows so far."""

    def __init__(self, names: Sequence[str]) -> None:
        """Nobody has a point yet.

        Args:
            names: by seat.
        """
        self._names = names
        self._before = [0] * len(names)

    def head(self, view: trix_pb2.TrixView) -> tuple[str, str]:
        """The two lines above the rows of a kingdom: whose it is, and what the numbers are."""
        names = "".join(f"{name:>14}" for name in self._names)
        numbers = f"{'points':>7}{'total':>7}" * len(self._names)
        return f"{f'kingdom {view.kingdom}, {self._names[view.owner]}':<20}{names}", f"{'deal':<20}{numbers}"

    def row(self, view: trix_pb2.TrixView) -> str:
        """A deal that was just scored.

        Raises:
            Failure: the points do not add up.
        """
        points, totals = list(view.deal_points), list(view.totals)
        must(sum(points) == SUMS[view.contract], f"deal {view.deal_number} has points for another contract")
        sums = [before + won for before, won in zip(self._before, points, strict=True)]
        must(totals == sums, f"deal {view.deal_number} left totals that are not the sums of the points")
        ends_kingdom = view.deal_number % CONTRACTS_IN_KINGDOM == 0
        must(not ends_kingdom or sum(totals) == 0, f"kingdom {view.kingdom} does not sum to 0")
        self._before = totals
        columns = "".join(f"{_signed(won):>7}{total:>7}" for won, total in zip(points, totals, strict=True))
        return f"{view.deal_number:>4} {words.contract(view.contract):<15}{columns}"


def _signed(points: int) -> str:
    return f"{points:+}" if points else "0"
