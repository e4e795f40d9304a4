"""The audit of the crash tests on records made by hand: it lets through what is sound, and nothing else."""

import contextlib
import pathlib
import random
from typing import Any

import pytest

from majlis.v1 import event_pb2, match_pb2, matchmaking_service_pb2
from tests.crash import audit
from tests.crash.asking import Broken
from tests.crash.audit import Stored
from tests.crash.server import Server
from tests.crash.wallet import Result, Wallet

SEATED, STARTED = matchmaking_service_pb2.RESULT_KIND_SEATED, matchmaking_service_pb2.RESULT_KIND_STARTED
ENDED = matchmaking_service_pb2.RESULT_KIND_ENDED
WHOLE = [SEATED, STARTED, ENDED]


def taken(seat: int, player: str) -> dict[str, Any]:
    return {"seat_taken": event_pb2.SeatTaken(seat=seat, player_id=player)}


BEGUN = [taken(0, "amal"), taken(1, "badr"), {"match_started": event_pb2.MatchStarted()}]
OVER: list[dict[str, Any]] = [*BEGUN, {"match_ended": event_pb2.MatchEnded()}]


def match(*events: dict[str, Any]) -> Stored:
    shown = match_pb2.Match(match_id="m", game=match_pb2.GAME_TONJ, sequence=len(events))
    return Stored(shown, [event_pb2.Event(sequence=number, **one) for number, one in enumerate(events, 1)])


def result(kind: matchmaking_service_pb2.ResultKind.ValueType, place: int = 0) -> Result:
    return Result(cursor=f"{place}", kind=kind, match=match_pb2.Match(match_id="m"))


def test_each_had_the_seat_that_was_free() -> None:
    there = match(taken(0, "amal"), {"seat_left": event_pb2.SeatLeft(seat=0)}, taken(0, "badr"), taken(1, "amal"))
    assert there.players("seat_taken") == {"amal": 2, "badr": 1}
    assert there.players("seat_left") == {"amal": 1}
    assert there.results() == [SEATED]
    with pytest.raises(Broken, match="given twice"):
        match(taken(0, "amal"), taken(0, "badr")).players("seat_taken")


@pytest.mark.parametrize(
    ("seen", "placed", "sound"),
    [
        (WHOLE, WHOLE, True),
        (WHOLE[:2], WHOLE, False),
        ([SEATED, ENDED, STARTED], WHOLE, False),
        (WHOLE[:2], WHOLE[:2], False),
        ([*WHOLE, ENDED], [*WHOLE, ENDED], False),
        ([SEATED, ENDED, STARTED], [SEATED, ENDED, STARTED], False),
    ],
)
def test_results_are_those_that_the_log_makes(seen: list[Any], placed: list[Any], sound: bool) -> None:
    with contextlib.nullcontext() if sound else pytest.raises(Broken):
        audit.results({"m": match(*OVER)}, [("m", kind) for kind in placed], [result(kind) for kind in seen])


@pytest.mark.parametrize(("places", "sound"), [([0, 1, 1], False), ([0, 1, 2], True)])
def test_a_wallet_takes_a_new_result_after_its_last(tmp_path: pathlib.Path, places: list[int], sound: bool) -> None:
    wallet, may_follow = Wallet(Server(tmp_path), random.Random(1)), range(1)
    with contextlib.nullcontext() if sound else pytest.raises(Broken, match="was to come"):
        for place in places:
            came = wallet._kept(result(SEATED, place), may_follow)
            may_follow = range(came + 1, came + 2)


def fees(data: pathlib.Path, confirmed: int, payout: int) -> None:
    """A match of two fees of 50, so many of them confirmed, that pays so much to the first."""
    wallet = Wallet(Server(data), random.Random(1))
    wallet.confirmed = {("m", f"p{number}") for number in range(confirmed)}
    over = match_pb2.Match(match_id="m")
    over.options.tonj_house.entry_fee_minor = 50
    over.outcome.settlement.CopyFrom(match_pb2.Settlement(pot_minor=100, rake_minor=10, payout_minor=[payout, 0]))
    wallet._players["m"] = {0: "p0", 1: "p1"}
    wallet._settle(over)


def test_what_is_paid_is_what_came_in(tmp_path: pathlib.Path) -> None:
    fees(tmp_path, 2, 90)
    for confirmed, payout in ((1, 90), (2, 80), (2, 100)):
        with pytest.raises(Broken, match="took"):
            fees(tmp_path, confirmed, payout)
