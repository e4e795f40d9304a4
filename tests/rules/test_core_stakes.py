"""What is paid when the wallet confirms each fee (H20, H28): a void match gives back what was taken, and no more.

What a match pays that started without being waited for stands in test_settlement.py.
"""

import itertools

import hypothesis
import hypothesis.strategies as st
import pytest

from majlis import _core
from majlis.v1 import match_pb2
from tests.rules import lobby
from tests.rules.lobby import SEALER, Log
from tests.rules.matches import RESIGN, State, viewers

PLAYERS = ("amal", "basim")
FEES = st.integers(1, 10**9) | st.sampled_from([1, 2, 10**9 - 1, 10**9])
RATES = st.integers(0, 5_000) | st.sampled_from([0, 1, 4_999, 5_000])
ENDS = st.sampled_from([("expire", ""), ("leave", "amal"), ("leave", "basim")])


def staked(fee: int, rate: int) -> Log:
    """A match that is full and waits for two fees."""
    return Log(lobby.opened("tonj_house", stakes_ms=9_000, entry_fee_minor=fee, rake_bps=rate)).after(("join", "basim"))


def settled(log: Log) -> match_pb2.Settlement:
    """What everybody is told that it pays, at the table and at one that is made from the log."""
    tables = (log.table, _core.Table.load(log.payloads, SEALER))
    told = [
        State.FromString(table.get_match(viewer, 0)).match.outcome.settlement
        for table in tables
        for viewer in viewers(table)
    ]
    assert all(settlement == told[0] for settlement in told)
    return told[0]


@hypothesis.given(fee=FEES, rate=RATES, paid=st.sampled_from(["", *PLAYERS]), end=ENDS)
def test_a_void_match_gives_back_exactly_what_was_taken(fee: int, rate: int, paid: str, end: tuple[str, str]) -> None:
    log = staked(fee, rate)
    if paid:
        log.after(("confirm", paid))
    settlement = settled(log.after(end))
    assert list(settlement.payout_minor) == [fee if player == paid else 0 for player in PLAYERS]
    assert settlement.entry_fee_minor == fee
    assert settlement.pot_minor == sum(settlement.payout_minor) == (fee if paid else 0)
    assert settlement.rake_minor == 0
    assert log.match().status == match_pb2.MATCH_STATUS_VOID
    assert not log.match().outcome.winner_seats


@hypothesis.given(fee=FEES, rate=RATES, loser=st.integers(0, 1), first=st.sampled_from(PLAYERS))
def test_a_match_that_was_paid_for_pays_the_pot_but_for_the_rake(fee: int, rate: int, loser: int, first: str) -> None:
    log = staked(fee, rate)
    for player in (first, *(player for player in PLAYERS if player != first)):
        assert log.table.status == match_pb2.MATCH_STATUS_WAITING
        log.after(("confirm", player))
    assert log.table.status == match_pb2.MATCH_STATUS_ACTIVE
    log.act(loser, RESIGN)
    settlement = settled(log)
    rake = 2 * fee * rate // 10_000
    assert settlement.payout_minor[1 - loser] == 2 * fee - rake
    assert settlement.payout_minor[loser] == 0
    assert (settlement.entry_fee_minor, settlement.pot_minor, settlement.rake_minor) == (fee, 2 * fee, rake)
    assert [seat.stake_confirmed for seat in log.match().seats] == [True, True]


@hypothesis.given(fee=FEES, rate=RATES, come=st.sampled_from(["", *PLAYERS]), end=ENDS)
def test_a_match_that_players_did_not_come_to_gives_back_both_fees(
    fee: int, rate: int, come: str, end: tuple[str, str]
) -> None:
    """To whoever came and to whoever did not: nothing was played for."""
    log = Log(lobby.created("tonj_house", 9_000, connect_seconds=30, entry_fee_minor=fee, rake_bps=rate))
    log.after(*[("connect", come)][: bool(come)], *(("confirm", player) for player in PLAYERS), end)
    settlement = settled(log)
    assert list(settlement.payout_minor) == [fee, fee]
    assert (settlement.entry_fee_minor, settlement.pot_minor, settlement.rake_minor) == (fee, 2 * fee, 0)
    no_show, cancelled = match_pb2.END_REASON_NO_SHOW, match_pb2.END_REASON_CANCELLED
    assert log.match().outcome.reason == (no_show if end[0] == "expire" else cancelled)
    assert [seat.has_come for seat in log.match().seats] == [player == come for player in PLAYERS]


@pytest.mark.parametrize(("fee", "stakes_ms"), [(0, 9_000), (0, 0), (250, 0)])
def test_a_seat_that_nobody_confirms_is_given_nothing_back(fee: int, stakes_ms: int) -> None:
    """Nothing was taken: fees are due at the start, and it never came to that (H28)."""
    log = Log(lobby.opened("tonj_house", stakes_ms=stakes_ms, entry_fee_minor=fee)).after(("expire", ""))
    assert settled(log) == match_pb2.Settlement(entry_fee_minor=fee, payout_minor=[0, 0])


@pytest.mark.parametrize("game", ["tonj", "trix"])
def test_a_game_without_stakes_settles_nothing(game: str) -> None:
    log = Log(lobby.opened(game, stakes_ms=9_000)).after(("expire", ""))
    assert not log.match().outcome.HasField("settlement")


def test_a_payment_is_known_again_whatever_its_name() -> None:
    """The key is the player's in this match, the hash the payment's."""
    tables = {name: lobby.opened("tonj_house", match_id=name)[0] for name in ("m-1", "m-2")}
    known = {
        (name, player, payment): tables[name].stake_request(player, payment)
        for name, player, payment in itertools.product(tables, PLAYERS, ("p-1", "p-2"))
    }
    for (one, (key, hashed)), (other, (other_key, other_hashed)) in itertools.combinations(known.items(), 2):
        assert (key == other_key) == (one[:2] == other[:2])
        assert hashed != other_hashed
    assert all(tables[name].stake_request(*rest) == told for (name, *rest), told in known.items())
    assert all(len(key) == len(hashed) == 32 for key, hashed in known.values())
