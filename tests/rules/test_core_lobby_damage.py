"""Logs of matches that wait, with facts where they cannot stand: found out as such, never a panic.

How damaged bytes are found out stands in test_core_damage.py too, with the logs of matches that were played.
"""

import functools
import itertools
import random
from collections.abc import Callable

import pytest

from majlis import _core
from majlis.v1 import event_pb2, match_pb2
from tests.rules import lobby
from tests.rules.lobby import FEE, FOUR, SEALER, STRANGER, Log
from tests.rules.matches import RESIGN, Update
from tests.rules.test_core_damage import found_out
from tests.rules.test_core_tables import shows
from tests.rules.waiting_model import CREATED, ENDED, NO_SHOW, STARTED, Fact


def house() -> Log:
    return Log(lobby.opened("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE))


def resigned(log: Log) -> Log:
    log.act(0, RESIGN)
    return log


def awaited(fee: int = FEE) -> Log:
    """A match that waits for two players, and for their fees first if it has any."""
    return Log(lobby.created("tonj_house", 20_000, connect_seconds=30, entry_fee_minor=fee))


FULL, PAID, COME = ("join", "basim"), ("confirm", "amal"), ("connect", "basim")

STAGES: dict[str, Callable[[], Log]] = {
    "one of two": house,
    "full": lambda: house().after(FULL),
    "half paid": lambda: house().after(FULL, PAID),
    "paid": lambda: house().after(FULL, PAID, ("confirm", "basim")),
    "void": lambda: house().after(FULL, PAID, ("expire", "")),
    "resigned": lambda: resigned(Log(lobby.opened("tonj")).after(FULL)),
    "one of two for ever": lambda: Log(lobby.opened("tonj", seats_ms=0)),
    "three of four": lambda: Log(lobby.opened("trix")).after(
        FULL, ("join", "dalia"), ("leave", "amal"), ("join", "faris")
    ),
    "started by four": lambda: Log(lobby.opened("trix")).after(*(("join", player) for player in FOUR[1:])),
    "left": lambda: Log(lobby.opened("trix")).after(("leave", "amal")),
    "awaited, unpaid": lambda: awaited().after(COME),
    "awaited, paid": lambda: awaited().after(COME, PAID, ("confirm", "basim")),
    "awaited": lambda: awaited(0),
    "half come": lambda: awaited(0).after(COME),
    "all come": lambda: awaited(0).after(COME, ("connect", "amal")),
    "not come": lambda: awaited(0).after(COME, ("expire", "")),
    "one of four not come": lambda: Log(lobby.created("trix", connect_seconds=30)).after(
        *(("connect", player) for player in FOUR[1:])
    ),
    "one of a rematch": lambda: Log(lobby.again("tonj_house", entry_fee_minor=FEE, stakes_ms=20_000)),
    "two of a rematch of four": lambda: Log(lobby.again("trix")).after(("join", "dalia")),
}
EVERY_STAGE = pytest.mark.parametrize("stage", STAGES)


@functools.cache
def stage_of(stage: str) -> Log:
    """Read only."""
    return STAGES[stage]()


# --- One record more ---


def varint(number: int) -> bytes:
    return bytes([number]) if number < 0x80 else bytes([number & 0x7F | 0x80]) + varint(number >> 7)


def record(at_ms: int, *events: event_pb2.Event) -> bytes:
    """A payload as the log keeps it: the format, then a `majlis.log.v1.Record`."""
    told = [event.SerializeToString() for event in events]
    return b"\x01\x08" + varint(at_ms) + b"".join(b"\x12" + varint(len(event)) + event for event in told)


def events_of(message: bytes) -> list[event_pb2.Event]:
    return list(Update.FromString(message).events.events)


def first_deal(game: str) -> event_pb2.Event:
    """What a game tells first, of another match."""
    [first] = _core.missed(Log(lobby.created(game)).payloads, SEALER, 0, 0, 0)
    return next(event for event in events_of(first) if event.WhichOneof("kind") == game)


def may_follow(log: Log, fact: Fact) -> bool:
    """Whether a fact of the lifecycle can be the next one, by what the table shows."""
    table, reserved = log.table, list(created_of(log).reserved)
    if table.status != match_pb2.MATCH_STATUS_WAITING or fact == CREATED:
        return False
    seat = fact.seat if fact.seat is not None and fact.seat < len(table.players) else None
    taken = seat is not None and table.players[seat] is not None
    match fact.kind:
        case "seat_taken":
            kept = not reserved or (seat is not None and reserved[seat] == fact.player)
            return seat is not None and not taken and fact.player not in table.players and kept
        case "seat_left":
            return taken and not table.is_full  # who leaves a full one makes it void, so that no fee is lost
        case "stake_confirmed":
            return taken and table.clock == "stakes" and seat in log.state().clock.awaited_seats
        case "player_connected":
            waits = created_of(log).connect_ms > 0
            return waits and taken and not any(one.seat == seat and one.has_come for one in log.match().seats)
        case "match_started":
            return False  # what was not waited for would have started before
        case _:
            return True


def created_of(log: Log) -> event_pb2.MatchCreated:
    first, *_ = _core.missed(log.payloads, SEALER, 0, 0, 0)
    return events_of(first)[0].match_created


PLAYERS = (*FOUR, STRANGER)
FACTS: dict[str, list[Fact]] = {
    "match_created": [CREATED],
    "seat_taken": [Fact("seat_taken", seat, player) for seat in (*range(5), 2**32 - 1) for player in PLAYERS],
    "seat_left": [Fact("seat_left", seat) for seat in (*range(5), 2**32 - 1)],
    "stake_confirmed": [Fact("stake_confirmed", seat) for seat in (*range(5), 2**32 - 1)],
    "player_connected": [Fact("player_connected", seat) for seat in (*range(5), 2**32 - 1)],
    "match_started": [STARTED],
    "match_ended": [ENDED],
}


@EVERY_STAGE
@pytest.mark.parametrize("kind", FACTS)
def test_a_fact_stands_only_where_it_can(stage: str, kind: str) -> None:
    """As a log's next record, and as a draft that another replica is said to have appended."""
    log = stage_of(stage)
    before = shows(log.table)
    for fact in FACTS[kind]:
        payload = record(log.now_ms, lobby.event(fact, lobby.void([0, 0]) if fact == ENDED else None))
        assert found_out([*log.payloads, payload]) != may_follow(log, fact), fact
        if not may_follow(log, fact):
            with pytest.raises(_core.Damaged):
                log.table.read(payload)
        assert shows(log.table) == before


@EVERY_STAGE
def test_nobody_fails_to_come_where_nobody_is_waited_for(stage: str) -> None:
    """Neither before the fees are confirmed, nor once everybody has come."""
    log = stage_of(stage)
    payload = record(log.now_ms, lobby.event(ENDED, lobby.void([0, 0], reason=NO_SHOW)))
    assert found_out([*log.payloads, payload]) == (log.table.clock != "connect")


@EVERY_STAGE
def test_no_time_is_given_back_where_no_clock_runs(stage: str) -> None:
    log = stage_of(stage)
    payload = record(log.now_ms, event_pb2.Event(clock_extended=event_pb2.ClockExtended(by_ms=5)))
    assert found_out([*log.payloads, payload]) == (log.table.clock is None)


UNSTARTED = [
    "one of two",
    "full",
    "half paid",
    "void",
    "three of four",
    "left",
    "awaited, paid",
    "half come",
    "not come",
]


@pytest.mark.parametrize("stage", UNSTARTED)
def test_nothing_is_dealt_before_the_start(stage: str) -> None:
    """Neither in a record of its own nor behind a fact that may stand there."""
    log = stage_of(stage)
    deal = first_deal(log.table.game)
    assert found_out([*log.payloads, record(log.now_ms, deal)])
    with pytest.raises(_core.Damaged):
        log.table.read(record(log.now_ms, deal))


def test_a_void_match_does_not_end_once_more() -> None:
    """By the very events that would have ended it, had it started: another outcome, which would be paid as well."""
    log = STAGES["half paid"]()
    void = [*log.payloads, log.table.expire(log.now_ms).payload]
    log.after(("confirm", "basim")).act(0, RESIGN)
    last = [event for message in _core.missed(log.payloads, SEALER, 0, 0, 0)[-2:] for event in events_of(message)]
    played = [event for event in last if event.WhichOneof("kind") not in ("stake_confirmed", "match_started")]
    assert {event.WhichOneof("kind") for event in played} == {"tonj_house", "resigned", "match_ended"}
    assert found_out([*void, record(log.now_ms, *played)])


@EVERY_STAGE
def test_two_facts_in_one_record_never_panic(stage: str) -> None:
    """Whatever they are: most cannot follow each other, and what can is what two records would have come to."""
    log = stage_of(stage)
    words = [
        *(Fact("seat_taken", seat, player) for seat in range(3) for player in ("amal", "basim", STRANGER)),
        *(Fact(kind, seat) for kind in ("seat_left", "stake_confirmed", "player_connected") for seat in range(3)),
        *(STARTED, ENDED),
    ]
    outcomes = set()
    for pair in itertools.product(words, repeat=2):
        events = [lobby.event(fact, lobby.void([0, 0]) if fact == ENDED else None) for fact in pair]
        apart = found_out([*log.payloads, *(record(log.now_ms, event) for event in events)])
        assert found_out([*log.payloads, record(log.now_ms, *events)]) == apart, pair
        outcomes.add(apart)
    assert True in outcomes


def test_an_end_without_an_outcome_or_with_that_of_a_game_is_none() -> None:
    for stage in STAGES:
        log = stage_of(stage)
        for outcome in (None, match_pb2.Outcome(reason=match_pb2.END_REASON_RESIGNED, winner_seats=[0])):
            assert found_out([*log.payloads, record(log.now_ms, lobby.event(ENDED, outcome))])


def test_a_refund_that_a_record_tells_wrongly_is_reckoned_anew() -> None:
    """What is paid hangs on the fees that were confirmed, and on nothing that is written beside them."""
    log = STAGES["half paid"]()
    log.commit(log.table.read(record(log.now_ms, lobby.event(ENDED, lobby.void([FEE, FEE])))))
    assert log.match().outcome == lobby.void([FEE, 0])


# --- Logs out of order ---


@EVERY_STAGE
def test_records_in_another_order_never_panic(stage: str) -> None:
    """Nor without one, nor with one twice; and whatever record is missing or twice is found out where it matters."""
    payloads = stage_of(stage).payloads
    first, rest = payloads[0], payloads[1:]
    for order in itertools.permutations(rest):
        found_out([first, *order])
    for number in range(len(payloads)):
        assert found_out([*payloads[: number + 1], *payloads[number:]])
        found_out([*payloads[:number], *payloads[number + 1 :]])
    assert found_out(rest) or not rest


def test_records_of_another_match_are_found_out_or_could_have_been() -> None:
    """Those that seal nothing are bound to no match; a founding is never taken for a later record."""
    for one, other in itertools.permutations(STAGES, 2):
        theirs = stage_of(other).payloads
        for payload in theirs[1:]:
            found_out([*stage_of(one).payloads, payload])
        assert found_out([*stage_of(one).payloads, theirs[0]])


@EVERY_STAGE
@pytest.mark.parametrize("bits", [1, 8])
def test_flipped_bits_never_panic(stage: str, bits: int) -> None:
    rng, found, log = random.Random(bits), 0, stage_of(stage)
    for _ in range(150):
        payloads = list(log.payloads)
        number = rng.randrange(len(payloads))
        damaged = bytearray(payloads[number])
        for _ in range(bits):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        payloads[number] = bytes(damaged)
        found += found_out(payloads)
    assert found > 75


@EVERY_STAGE
def test_truncations_never_panic(stage: str) -> None:
    payloads = stage_of(stage).payloads
    for number, payload in enumerate(payloads):
        for length in range(len(payload)):
            found_out([*payloads[:number], payload[:length], *payloads[number + 1 :]])
