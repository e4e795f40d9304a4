"""Holds what guests and the wallet know against the file that a stopped server leaves: seats, results, fees."""

import collections
import contextlib
import dataclasses
import pathlib
import sqlite3
from collections.abc import Sequence

from majlis import _core
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, matchmaking_service_pb2
from tests.crash.guest import Guest
from tests.crash.judge import must
from tests.crash.wallet import PLATFORM, Result, Wallet

KINDS = {
    "seated": matchmaking_service_pb2.RESULT_KIND_SEATED,
    "started": matchmaking_service_pb2.RESULT_KIND_STARTED,
    "ended": matchmaking_service_pb2.RESULT_KIND_ENDED,
    "void": matchmaking_service_pb2.RESULT_KIND_VOID,
}
SEATS = {match_pb2.GAME_TRIX: 4}
"""Of a game; two of the others."""
Told = tuple[str, int]
"""A result: of which match, and its kind."""


@dataclasses.dataclass(frozen=True)
class Stored:
    """A match that is over, as its log tells it."""

    match: match_pb2.Match
    events: Sequence[event_pb2.Event]

    @property
    def is_called_off(self) -> bool:
        """Whether it was full, and void while fees were due."""
        fee = self.match.options.tonj_house.entry_fee_minor
        return fee > 0 and self.results() == [KINDS["seated"], KINDS["void"]]

    def players(self, kind: str) -> collections.Counter[str]:
        """How often each had a `seat_taken`, `seat_left` or `stake_confirmed`."""
        seated: dict[int, str] = {}
        found = collections.Counter[str]()
        for event in self.events:
            if event.HasField("seat_taken"):
                must(event.seat_taken.seat not in seated, f"{self.match.match_id}: a seat was given twice")
                seated[event.seat_taken.seat] = event.seat_taken.player_id
            if event.WhichOneof("kind") == kind:
                found[seated[getattr(event, kind).seat]] += 1
            if event.HasField("seat_left"):
                del seated[event.seat_left.seat]
        return found

    def results(self) -> list[int]:
        """The kinds of result that its events make, in order."""
        seated, found = 0, list[int]()
        for event in self.events:
            kind = event.WhichOneof("kind")
            seated += {"seat_taken": 1, "seat_left": -1}.get(kind or "", 0)
            if kind == "seat_taken" and seated == SEATS.get(self.match.game, 2):
                found.append(KINDS["seated"])
            elif kind == "match_started":
                found.append(KINDS["started"])
            elif kind == "match_ended":
                is_void = self.match.status == match_pb2.MATCH_STATUS_VOID
                found.append(KINDS["void" if is_void else "ended"])
        return found


def audit(data: pathlib.Path, guests: Sequence[Guest], wallet: Wallet) -> None:
    """Of a server that has stopped, with every match over.

    Raises:
        Broken: what somebody knows is not in the file, or what is there nobody knows.
    """
    matches, outbox = stored(data)
    seats(matches, guests)
    rematches(matches)
    results(matches, outbox, wallet.seen)
    fees(matches, wallet)


def stored(data: pathlib.Path) -> tuple[dict[str, Stored], list[Told]]:
    """All matches by id, and all results by place."""
    payloads = collections.defaultdict[str, list[bytes]](list)
    with contextlib.closing(sqlite3.connect(data / "majlis.db")) as database:
        for match_id, payload in database.execute("SELECT match_id, payload FROM log ORDER BY match_id, record"):
            payloads[match_id].append(payload)
        placed = database.execute("SELECT position, match_id, kind FROM outbox ORDER BY position").fetchall()
    must([place for place, _, _ in placed] == list(range(1, len(placed) + 1)), "results have places with gaps")
    return {match_id: _read(match_id, log) for match_id, log in payloads.items()}, [
        (match_id, KINDS[kind]) for _, match_id, kind in placed
    ]


def _read(match_id: str, payloads: list[bytes]) -> Stored:
    try:
        page, rest = _core.replay(payloads, _core.Sealer(), 0, 1_000_000)
    except _core.Refused:
        must(False, f"{match_id} is not over, and nobody is there any more")
        raise
    assert not rest
    replay = match_service_pb2.GetReplayResponse.FromString(page)
    return Stored(replay.match, replay.events)


def seats(matches: dict[str, Stored], guests: Sequence[Guest]) -> None:
    """Each seat that was given or given back by the lobby was acknowledged once, and the other way round."""
    ways = {match_id: one for match_id, one in matches.items() if not one.match.external_id}
    given, back = (
        collections.Counter((match_id, name) for match_id, one in ways.items() for name in one.players(kind).elements())
        for kind in ("seat_taken", "seat_left")
    )
    told = collections.Counter((seat.match_id, guest.name) for guest in guests for seat in guest.seats)
    must(told == given, f"seats: told and not there {told - given}, there and not told {given - told}")
    told = collections.Counter((match_id, guest.name) for guest in guests for match_id in guest.left)
    must(not back - told, f"seats given back: there and not told {back - told}")
    # Who leaves while fees are due keeps his seat in the log, and the match is void by that.
    calls_off = collections.Counter(match_id for match_id, _ in (told - back).elements())
    for match_id, count in calls_off.items():
        must(
            count == 1 and ways[match_id].is_called_off,
            f"seats given back: told and not there {told - back}, in {match_id}",
        )
    for guest in guests:
        for match_id, events in guest.before:
            log = {event.sequence: event.SerializeToString(deterministic=True) for event in matches[match_id].events}
            must(events.items() <= log.items(), f"{guest.name} saw of {match_id} what is not there")


def rematches(matches: dict[str, Stored]) -> None:
    """A match has one rematch at the most that is not void."""
    found = collections.Counter(
        one.match.rematch_of for one in matches.values() if one.match.status != match_pb2.MATCH_STATUS_VOID
    )
    del found[""]
    must(all(count == 1 for count in found.values()), f"more than one rematch: {found}")


def results(matches: dict[str, Stored], outbox: Sequence[Told], seen: Sequence[Result]) -> None:
    """What was seen is what has a place, in order; each match's are those that its log makes."""
    told = [(result.match.match_id, result.kind) for result in seen]
    must(told == list(outbox), f"of {len(outbox)} results {len(told)} were seen, or others")
    kinds = collections.defaultdict[str, list[int]](list)
    for match_id, kind in told:
        kinds[match_id].append(kind)
    for match_id, one in matches.items():
        must(kinds.pop(match_id, []) == one.results(), f"{match_id} made {one.results()}, and that was not told")
    must(not kinds, f"results of matches that are not there: {kinds}")
    for result in seen:
        log = matches[result.match.match_id]
        must(result.match.sequence <= log.match.sequence, f"a result of {log.match.match_id} is ahead of its log")
        if result.match.sequence == log.match.sequence:
            must(result.match.outcome == log.match.outcome, f"{log.match.match_id} was told to end otherwise")


def fees(matches: dict[str, Stored], wallet: Wallet) -> None:
    """Every fee that was confirmed is in a log once, and none else; all of them are paid out again."""
    there = collections.Counter(
        (match_id, player) for match_id, one in matches.items() for player in one.players("stake_confirmed").elements()
    )
    known = collections.Counter(wallet.confirmed)
    must(known == there, f"fees: told and not there {known - there}, there and not told {there - known}")
    unsettled = {match_id for match_id, _ in wallet.taken} - wallet.settled
    must(not unsettled, f"fees were taken and never settled: {unsettled}")
    rake = sum(one.match.outcome.settlement.rake_minor for one in matches.values())
    must(wallet.purses[PLATFORM] == rake, f"the platform has {wallet.purses[PLATFORM]} of {rake}")
    must(wallet.purses.total() == 0, f"{wallet.purses.total()} more came out than in")
