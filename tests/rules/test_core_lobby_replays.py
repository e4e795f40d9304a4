"""Replays of matches that waited, told truly and changed: the verifier judges every fact before the start again (R19).

What is changed after the start stands in test_core_replays.py.
"""

import functools
import itertools
import random
import re
from collections.abc import Callable, Iterable, Iterator

import pytest

from majlis import _core
from majlis.v1 import event_pb2, match_pb2, match_service_pb2
from tests.rules import lobby
from tests.rules.games import GAMES
from tests.rules.lobby import FEE, ROOMS, STRANGER, Log
from tests.rules.matches import RESIGN, START_MS
from tests.rules.test_core_lobby import commands
from tests.rules.waiting_model import CANCELLED, ENDED, NO_SHOW, STARTED, Fact, Refused, Waiting

Replay = match_service_pb2.GetReplayResponse
Change = Callable[[Replay], None]


def played(log: Log, records: int, **rates: float) -> Log:
    """Some way on by chance, or to its end."""
    chance = GAMES[log.table.game].chance(random.Random(5), **rates)
    while not log.over and len(log.payloads) < records:
        chance.play(log)
    return log


def paid(log: Log) -> Log:
    """Both fees confirmed, a few turns played, and given up."""
    played(log.after(("confirm", "basim")).extended().after(("confirm", "amal")), 12)
    if not log.over:
        log.act(0, RESIGN)
    return log


def awaited(fee: int = FEE) -> Log:
    """A match of two that waits for both of them."""
    return Log(lobby.created("tonj_house", 20_000, connect_seconds=30, entry_fee_minor=fee))


def come(log: Log) -> Log:
    """Both fees confirmed, both players come, and played."""
    log.after(("connect", "basim"), ("confirm", "amal")).extended().after(("confirm", "basim")).extended()
    played(log.after(("connect", "amal")), 12)
    if not log.over:
        log.act(0, RESIGN)
    return log


STORIES: dict[str, Callable[[], Log]] = {
    "void": lambda: (
        Log(lobby.opened("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE))
        .extended()
        .after(("join", "basim"), ("confirm", "basim"), ("expire", ""))
    ),
    "left": lambda: Log(lobby.opened("trix")).after(("join", "basim"), ("leave", "amal"), ("leave", "basim")),
    "paid": lambda: paid(
        Log(lobby.opened("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE, rake_bps=300))
        .extended()
        .after(("join", "basim"))
    ),
    "unconfirmed": lambda: played(
        Log(lobby.opened("tonj_house", entry_fee_minor=FEE, max_turns=3)).after(("join", "basim")), 2_000, clock=1.0
    ),
    "changed": lambda: played(
        Log(lobby.opened("trix", table_id="t-9"))
        .after(("join", "basim"), ("join", "dalia"), ("leave", "basim"))
        .extended()
        .after(("join", STRANGER), ("join", "faris")),
        9_000,
    ),
    "come": lambda: come(awaited()),
    "no show": lambda: awaited().after(("confirm", "amal"), ("confirm", "basim"), ("connect", "basim"), ("expire", "")),
    "no show of four": lambda: (
        Log(lobby.created("trix", connect_seconds=30)).after(("connect", "faris"), ("connect", "amal")).extended()
    ).after(("expire", "")),
    "not paid": lambda: awaited().after(("connect", "amal"), ("confirm", "basim"), ("expire", "")),
    "again": lambda: paid(
        Log(lobby.again("tonj_house", stakes_ms=20_000, entry_fee_minor=FEE)).extended().after(("join", "basim"))
    ),
}


@functools.cache
def told(story: str) -> bytes:
    return STORIES[story]().replay().SerializeToString()


@pytest.mark.parametrize("story", STORIES)
def test_a_match_that_waited_is_verified_from_its_replay(story: str) -> None:
    assert _core.verify([told(story)]) == ""


# --- One thing changed ---


def at(replay: Replay, kind: str, number: int = 0) -> int:
    """Where an event of that kind stands, counted from 0."""
    return [index for index, event in enumerate(replay.events) if event.WhichOneof("kind") == kind][number]


def content(replay: Replay, kind: str, number: int = 0) -> object:
    return getattr(replay.events[at(replay, kind, number)], kind)


def retold(replay: Replay, events: Iterable[event_pb2.Event]) -> None:
    """Other events, numbered anew, each without a time at that of the one before it."""
    kept = [event_pb2.Event.FromString(event.SerializeToString()) for event in events]
    del replay.events[:]
    for number, event in enumerate(kept, 1):
        event.sequence = number
        if not event.HasField("time"):
            event.time.CopyFrom(kept[number - 2].time)
    replay.events.extend(kept)
    replay.match.sequence = len(kept)


def insert(index: Callable[[Replay], int], fact: Fact) -> Change:
    def change(replay: Replay) -> None:
        place = index(replay)
        retold(replay, [*replay.events[:place], lobby.event(fact), *replay.events[place:]])

    return change


def without(kind: str, number: int = 0) -> Change:
    def change(replay: Replay) -> None:
        place = at(replay, kind, number)
        retold(replay, [*replay.events[:place], *replay.events[place + 1 :]])

    return change


def after(kind: str, number: int = 0) -> Callable[[Replay], int]:
    return lambda replay: at(replay, kind, number) + 1


def term(name: str, value: object) -> Change:
    """Another one in the match's creation, and in the match where that tells of it too."""

    def change(replay: Replay) -> None:
        created = replay.events[0].match_created
        if isinstance(value, list):
            created.reserved[:] = value
            return
        setattr(created, name, value)
        if name in replay.match.DESCRIPTOR.fields_by_name:
            setattr(replay.match, name, value)

    return change


def named_elsewhere(name: str) -> Change:
    """In the match alone."""
    return lambda replay: setattr(replay.match, name, "other")


def another(before: str, now: str) -> Change:
    """Another player in everything that tells of him."""

    def change(replay: Replay) -> None:
        for taken in [event.seat_taken for event in replay.events if event.HasField("seat_taken")]:
            if taken.player_id == before:
                taken.player_id = taken.display_name = now
        for seat in replay.match.seats:
            if seat.player_id == before:
                seat.player_id = seat.display_name = now

    return change


def void_after_the_start(replay: Replay) -> None:
    """With both fees given back, and no word of what came of it."""
    end = lobby.event(ENDED, lobby.void([FEE, FEE]))
    retold(replay, [*replay.events[: at(replay, STARTED.kind) + 3], end])
    replay.match.status = match_pb2.MATCH_STATUS_VOID
    replay.match.outcome.CopyFrom(end.match_ended.outcome)
    replay.match.end_time.CopyFrom(replay.events[-1].time)


def refund(payouts: list[int]) -> Change:
    """Another one, in everything that tells of it."""

    def change(replay: Replay) -> None:
        for outcome in (replay.events[-1].match_ended.outcome, replay.match.outcome):
            outcome.CopyFrom(lobby.void(payouts))

    return change


def refund_of_a_no_show(payouts: list[int]) -> Change:
    def change(replay: Replay) -> None:
        for outcome in (replay.events[-1].match_ended.outcome, replay.match.outcome):
            outcome.CopyFrom(lobby.void(payouts, reason=NO_SHOW))

    return change


def rake_of_a_void_match(replay: Replay) -> None:
    for outcome in (replay.events[-1].match_ended.outcome, replay.match.outcome):
        outcome.settlement.payout_minor[1] -= 10
        outcome.settlement.rake_minor += 10


def seats_swapped(replay: Replay) -> None:
    one, other = (event.seat_taken for event in replay.events if event.HasField("seat_taken"))
    one.seat, other.seat = other.seat, one.seat
    for seat in replay.match.seats:
        seat.seat = 1 - seat.seat
    replay.match.seats.sort(key=lambda seat: seat.seat)


def a_seat_less(replay: Replay) -> None:
    del replay.match.seats[-1]


def a_no_show(replay: Replay) -> None:
    """Told of a match that had not come to waiting for its players."""
    for outcome in (replay.events[-1].match_ended.outcome, replay.match.outcome):
        outcome.reason = match_pb2.END_REASON_NO_SHOW


def a_seat_further(replay: Replay) -> None:
    """The second player passed over a free seat."""
    for kind in ("seat_taken", "seat_left"):
        getattr(replay.events[at(replay, kind, 1)], kind).seat = 2


def gone_and_back(replay: Replay) -> None:
    """A player between the last seat and the start that it brought about at once."""
    place = at(replay, "match_started")
    facts = [Fact("seat_left", 3), Fact("seat_taken", 3, "faris")]
    retold(replay, [*replay.events[:place], *map(lobby.event, facts), *replay.events[place:]])


ANY = ""
"""What it is put down to is the verifier's own matter."""
FACT = "^event [0-9]+ "
"""One event, or what it brought about, cannot be."""
MATCH = "the match is not what its events say"
CHANGES: dict[str, tuple[str, Change, str]] = {
    "a seat taken twice": ("changed", insert(after("seat_taken", 1), Fact("seat_taken", 1, "omar")), FACT),
    "a player seated twice": ("changed", insert(after("seat_taken", 1), Fact("seat_taken", 3, "basim")), FACT),
    "no such seat": ("changed", insert(after("seat_taken", 1), Fact("seat_taken", 4, "omar")), FACT),
    "a seat taken after the start": ("changed", insert(after("match_started"), Fact("seat_taken", 1, "o")), FACT),
    "a seat left that was free": ("changed", insert(after("seat_taken", 1), Fact("seat_left", 3)), FACT),
    "a seat left that there is not": ("changed", insert(after("seat_taken", 1), Fact("seat_left", 9)), FACT),
    "a seat left after the start": ("changed", insert(after("match_started"), Fact("seat_left", 0)), FACT),
    "a seat never left": ("changed", without("seat_left"), FACT),
    "a start before the seats are full": ("changed", without("seat_taken", -1), FACT),
    "no start": ("changed", without("match_started"), FACT),
    "two starts": ("paid", insert(after("match_started"), STARTED), FACT),
    "a start before the first fee": ("paid", without("stake_confirmed", 0), FACT),
    "a start before the last fee": ("paid", without("stake_confirmed", 1), FACT),
    "a fee confirmed twice": ("paid", insert(after("stake_confirmed"), Fact("stake_confirmed", 1)), FACT),
    "a fee confirmed of nobody": ("paid", insert(after("stake_confirmed"), Fact("stake_confirmed", 2)), FACT),
    "a fee confirmed before the seats": ("paid", insert(after("seat_taken"), Fact("stake_confirmed", 0)), FACT),
    "a fee confirmed after the start": ("paid", insert(after("match_started"), Fact("stake_confirmed", 0)), FACT),
    "a fee confirmed that is not asked for": (
        *("unconfirmed", insert(after("seat_taken", 1), Fact("stake_confirmed", 0)), FACT),
    ),
    "a void after the start": ("paid", void_after_the_start, FACT),
    "a refund to whom did not pay": ("void", refund([FEE, 0]), FACT),
    "a refund to both": ("void", refund([FEE, FEE]), FACT),
    "no refund": ("void", refund([0, 0]), FACT),
    "a refund less a rake": ("void", rake_of_a_void_match, FACT),
    "a refund of a fee never confirmed": ("void", without("stake_confirmed"), FACT),
    "a no show where nobody is waited for": ("void", a_no_show, FACT),
    "a no show while fees are due": ("not paid", a_no_show, FACT),
    "a no show after everybody came": ("no show", insert(after("player_connected"), Fact("player_connected", 0)), FACT),
    "a start before anybody came": ("come", without("player_connected", 0), FACT),
    "a start before the last has come": ("come", without("player_connected", 1), FACT),
    "one who comes twice": ("come", insert(after("player_connected"), Fact("player_connected", 1)), FACT),
    "one who comes twice in vain": ("no show", insert(after("player_connected"), Fact("player_connected", 1)), FACT),
    "one who comes and is nobody": ("come", insert(after("player_connected"), Fact("player_connected", 2)), FACT),
    "one who comes before the seats": ("come", insert(after("match_created"), Fact("player_connected", 0)), FACT),
    "one who comes after the start": ("come", insert(after("match_started"), Fact("player_connected", 0)), FACT),
    "one who comes to what waits for nobody": ("void", insert(after("seat_taken"), Fact("player_connected", 0)), FACT),
    "no player waited for": ("come", term("connect_ms", 0), FACT),
    "no player waited for in vain": ("no show", term("connect_ms", 0), FACT),
    "players waited for": ("paid", term("connect_ms", 5), FACT),
    "a no show that keeps a fee": ("no show", refund_of_a_no_show([FEE, 0]), FACT),
    "a no show that gives back a fee never taken": ("no show", without("stake_confirmed", 1), FACT),
    "a free seat passed over": ("left", a_seat_further, ANY),
    "gone and back before the start": ("changed", gone_and_back, ANY),
    "fees of a game without stakes": ("left", term("stakes_ms", 5), ANY),
    "no clock to extend": ("void", term("seats_ms", 0), FACT),
    "nothing asked of the wallet": ("paid", term("stakes_ms", 0), FACT),
    "something asked of the wallet": ("unconfirmed", term("stakes_ms", 5), FACT),
    "seats kept for others": ("changed", term("reserved", ["amal", "omar", "dalia", "faris"]), FACT),
    "seats kept in another order": ("again", term("reserved", ["amal", "basim"]), FACT),
    "a seat kept for a stranger": ("again", term("reserved", [STRANGER, "amal"]), FACT),
    "a stranger on a seat that is kept": ("again", another("basim", STRANGER), FACT),
    "seats of a rematch swapped": ("again", seats_swapped, FACT),
    "another match before it": ("again", named_elsewhere("rematch_of"), MATCH),
    "another table": ("changed", named_elsewhere("table_id"), MATCH),
    "a player less in the match alone": ("void", a_seat_less, MATCH),
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_changed_replay_is_found_out(name: str) -> None:
    story, change, why = CHANGES[name]
    replay = Replay.FromString(told(story))
    change(replay)
    assert replay.SerializeToString() != told(story)
    difference = _core.verify([replay.SerializeToString()])
    assert difference
    assert re.search(why, difference)


# --- Every story that could be told of a void match ---

MOST_FACTS = 3
Story = tuple[tuple[Fact, ...], str]
"""What happened after the founding and before the end, and why it is void."""


def true_stories(room: str) -> set[Story]:
    """What can happen to it until it is void, by the model."""
    terms, seated = ROOMS[room].terms, ROOMS[room].seated
    first = Waiting.founded(terms, seated, START_MS)
    found, layer = set[Story](), [first]
    while layer:
        following = list[Waiting]()
        for model in layer:
            if model.reason is not None:
                found.add((model.facts[len(first.facts) : -1], model.reason))
            for command in commands(model):
                try:
                    after = model.after(command, START_MS)
                except Refused:
                    continue
                if after != model and len(after.facts) - len(first.facts) <= MOST_FACTS + 1:
                    following.append(after)
        layer = following
    return found


def all_stories() -> Iterator[Story]:
    """Whatever can be written down of two seats and three players."""
    words = [
        *(Fact("seat_taken", seat, player) for seat in range(2) for player in ("amal", "basim", STRANGER)),
        *(Fact(kind, seat) for kind in ("seat_left", "stake_confirmed", "player_connected") for seat in range(2)),
    ]
    for length in range(MOST_FACTS + 1):
        for facts in itertools.product(words, repeat=length):
            yield from ((facts, reason) for reason in (CANCELLED, NO_SHOW))


def void_replay(base: Replay, founding: int, story: Story, fee: int | None) -> bytes:
    """A replay that begins like this one, tells this story of a match until it is void, and a match to go with it."""
    replay = Replay.FromString(base.SerializeToString())
    founded = [event.seat_taken for event in replay.events[:founding] if event.HasField("seat_taken")]
    seats = {
        taken.seat: match_pb2.Seat(seat=taken.seat, player_id=taken.player_id, display_name=taken.display_name)
        for taken in founded
    }
    facts, reason = story
    for fact in facts:
        assert fact.seat is not None
        if fact.player is not None:
            seats[fact.seat] = match_pb2.Seat(seat=fact.seat, player_id=fact.player, display_name=fact.player.title())
        elif fact.kind == "seat_left":
            seats.pop(fact.seat, None)
        elif fact.seat in seats:
            setattr(seats[fact.seat], "stake_confirmed" if fact.kind == "stake_confirmed" else "has_come", True)
    paid = [seat in seats and seats[seat].stake_confirmed for seat in range(2)]
    outcome = lobby.void(None if fee is None else [fee * took for took in paid], fee or 0, reason)
    retold(replay, [*replay.events[:founding], *map(lobby.event, facts), lobby.event(ENDED, outcome)])
    del replay.match.seats[:]
    replay.match.seats.extend(seats[seat] for seat in sorted(seats))
    replay.match.outcome.CopyFrom(outcome)
    replay.match.end_time.CopyFrom(replay.events[-1].time)
    return replay.SerializeToString()


@functools.cache
def believed(room: str) -> set[Story]:
    """The stories that the verifier takes for true."""
    log = Log(ROOMS[room].found())
    founding, player = log.table.sequence, next(iter(ROOMS[room].seated.values()))
    base, fee = log.after(("leave", player)).replay(), ROOMS[room].terms.fee
    return {story for story in all_stories() if not _core.verify([void_replay(base, founding, story, fee)])}


EVERY_ROOM = pytest.mark.parametrize(
    "room",
    [
        *("tonj", "tonj-for-ever", "house-confirmed", "house-unconfirmed", "house-for-ever", "house-again"),
        *("house-created", "tonj-awaited", "house-awaited", "house-awaited-unconfirmed"),
    ],
)


@EVERY_ROOM
def test_every_true_story_of_a_void_match_is_believed(room: str) -> None:
    true = true_stories(room)
    assert true
    assert true - believed(room) == set()


@EVERY_ROOM
def test_no_other_story_of_a_void_match_is_believed(room: str) -> None:
    """What no command can have brought about is found out, however well it is told."""
    assert sorted(believed(room) - true_stories(room), key=repr) == []
