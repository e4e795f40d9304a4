"""A match before its start, as the core decides it: every way of every room to a fixed depth, held against the model.

Settlement stands in test_core_stakes.py, what a rematch is made of in test_core_rematch.py.
"""

import dataclasses
import random
from collections import Counter

import pytest

from majlis import _core
from majlis.client.view import Picture
from majlis.v1 import match_pb2
from tests.rules import lobby, matches, waiting_model
from tests.rules.games import EVERY_GAME, GAMES
from tests.rules.lobby import FEE, FOUR, ROOMS, SEALER, STRANGER, Log, Room
from tests.rules.matches import RESIGN, START_MS, State, Update, submit, viewers
from tests.rules.test_core_tables import shows
from tests.rules.waiting_model import ACTIVE, CANCELLED, NO_SHOW, STARTED, VOID, WAITING, Command, Waiting

STATUS = {
    WAITING: match_pb2.MATCH_STATUS_WAITING,
    ACTIVE: match_pb2.MATCH_STATUS_ACTIVE,
    VOID: match_pb2.MATCH_STATUS_VOID,
}
CLOCKS = {
    waiting_model.SEATS: match_pb2.CLOCK_KIND_SEATS,
    waiting_model.STAKES: match_pb2.CLOCK_KIND_STAKES,
    waiting_model.CONNECT: match_pb2.CLOCK_KIND_CONNECT,
}
EVERY_ROOM = pytest.mark.parametrize("name", ROOMS)


@dataclasses.dataclass(frozen=True)
class Node:
    """A match some way on: in the model, at the core, in its log, and as each viewer's client holds it."""

    model: Waiting
    table: _core.Table
    payloads: list[bytes]
    pictures: dict[int, Picture]

    @property
    def next_ms(self) -> int:
        return START_MS + 1_000 * len(self.payloads)


def picture(table: _core.Table, viewer: int) -> Picture:
    return Picture.of(Update.FromString(table.snapshot(viewer, 0)).snapshot)


def root(room: Room) -> Node:
    table, draft = room.found()
    before = {viewer: picture(table, viewer) for viewer in viewers(table)}
    return follow(Waiting.founded(room.terms, room.seated, START_MS), table, table, draft, [], before)


def follow(
    model: Waiting,
    table: _core.Table,
    other: _core.Table,
    draft: _core.Draft,
    payloads: list[bytes],
    pictures: dict[int, Picture],
) -> Node:
    """The node after a draft that a table made; another table reads it from its payload, and a third from the log."""
    payloads = [*payloads, draft.payload]
    table.commit(draft)
    if other is not table:
        read = other.read(draft.payload)
        assert (read.payload, read.kinds, read.players, read.status) == (
            *(draft.payload, draft.kinds, draft.players, draft.status),
        )
        other.commit(read)
    assert shows(table) == shows(other) == shows(_core.Table.load(payloads, SEALER))
    assert (draft.players, draft.is_full, draft.status) == (table.players, table.is_full, table.status)
    assert (draft.sequence, draft.record, draft.deadline_ms) == (table.sequence, table.record, table.deadline_ms)
    kept = {}
    for viewer, before in pictures.items():
        batch = matches.batch(draft, viewer, 0).events
        numbers = [event.sequence for event in batch.events]
        assert numbers == list(range(draft.first_sequence, draft.sequence + 1))
        assert numbers[0] == before.match.sequence + 1
        held = Picture(match_pb2.Match(), before.view)
        held.match.CopyFrom(before.match)
        held.take(batch)
        fresh = picture(table, viewer)
        assert (held.match, held.view) == (fresh.match, fresh.view)
        kept[viewer] = held
    return Node(model, table, payloads, kept)


def check(node: Node) -> None:
    """That the core's match is the model's."""
    model, table = node.model, node.table
    assert table.status == STATUS[model.status]
    assert (table.players, table.is_full) == (model.players, model.is_full)
    assert table.record == model.record == len(node.payloads)
    state = State.FromString(table.get_match(_core.SPECTATOR, 0))
    assert [(seat.seat, seat.player_id, seat.stake_confirmed, seat.has_come) for seat in state.match.seats] == [
        (seat, player, seat in model.paid, seat in model.come)
        for seat, player in enumerate(model.players)
        if player is not None
    ]
    awaits = bool(model.terms.connect_ms) and model.status == WAITING
    assert [table.awaits(player) for player in (*FOUR, STRANGER)] == [
        awaits and player in model.players and model.players.index(player) not in model.come
        for player in (*FOUR, STRANGER)
    ]
    if model.status == ACTIVE:
        assert state.HasField("view")
        assert table.clock not in CLOCKS
        return
    assert table.sequence == len(model.facts)
    assert not state.HasField("view")
    if model.clock is None:
        assert (table.clock, table.deadline_ms, state.HasField("clock")) == (None, None, False)
    else:
        assert (table.clock, table.deadline_ms, table.clock_record) == model.clock
        assert (state.clock.kind, list(state.clock.awaited_seats)) == (CLOCKS[model.clock.kind], model.awaited)
        assert state.clock.deadline.ToMilliseconds() == model.clock.deadline_ms
    if model.status == WAITING:
        assert not state.match.HasField("outcome")
        assert not state.match.HasField("end_time")
        return
    assert state.match.end_time.ToMilliseconds() == table.end_ms == table.instant_ms
    settlement = None
    if model.terms.fee is not None:
        settlement = match_pb2.Settlement(
            entry_fee_minor=model.terms.fee, pot_minor=sum(model.payouts), payout_minor=model.payouts
        )
    assert state.match.outcome == match_pb2.Outcome(reason=lobby.REASONS[str(model.reason)], settlement=settlement)


def commands(model: Waiting) -> list[Command]:
    """Everything that may be asked of it, by everybody and by one too many; the clock of a game is not its matter."""
    players = (*FOUR[: model.terms.seats], STRANGER)
    asked = [Command(verb, player) for verb in ("join", "leave", "confirm", "connect") for player in players]
    return asked if model.status == ACTIVE else [*asked, Command("expire")]


def expected(node: Node, command: Command) -> Waiting | str:
    """What the model makes of a command, or its reason not to."""
    try:
        return node.model.after(command, node.next_ms)
    except waiting_model.Refused as no:
        return str(no)


def children(node: Node) -> tuple[list[Node], "Counter[str]"]:
    """The nodes that follow, and why the others do not: the model and the core agree on each."""
    before, after, refused = shows(node.table), list[Node](), Counter[str]()
    for command in commands(node.model):
        model = expected(node, command)
        if isinstance(model, str):
            with pytest.raises(_core.Refused) as no:
                lobby.draft(node.table, command, node.next_ms)
            assert no.value.reason == model, (command, node.model)
            refused[model] += 1
        else:
            table, other = (_core.Table.load(node.payloads, SEALER) for _ in range(2))
            draft = lobby.draft(table, command, node.next_ms)
            if model == node.model:
                assert (draft.is_empty, draft.is_public, draft.kinds, draft.sequence) == (
                    *(True, False, [], node.table.sequence),
                )
                refused["nothing"] += 1
                continue
            told = [fact.kind for fact in model.facts[len(node.model.facts) :]]
            assert not draft.is_empty
            assert draft.kinds[: len(told)] == told
            assert (len(draft.kinds) > len(told)) == (told[-1] == STARTED.kind)
            after.append(follow(model, table, other, draft, node.payloads, node.pictures))
        assert shows(node.table) == before, command
    return after, refused


def check_extended(node: Node) -> None:
    """Time that is given back moves the deadline and nothing else; where no clock runs there is none to give."""
    if node.table.clock is None:
        with pytest.raises(_core.Refused, match="NO_SUCH_CLOCK"):
            node.table.extend(7, node.next_ms)
        return
    draft = node.table.extend(7, node.next_ms)
    assert (draft.deadline_ms, draft.kinds) == ((node.table.deadline_ms or 0) + 7, ["clock_extended"])
    assert (draft.players, draft.status) == (node.table.players, node.table.status)


def check_from_nothing(node: Node) -> None:
    """A client that knows nothing builds the same match from its events alone, numbered from 1 without a gap."""
    for viewer in viewers(node.table):
        held = Picture(match_pb2.Match(), None)
        for message in _core.missed(node.payloads, SEALER, viewer, 0, 0):
            held.take(Update.FromString(message).events)
        fresh = picture(node.table, viewer)
        # The ids and the room's visibility are no events.
        for field in ("match_id", "external_id", "visibility"):
            fresh.match.ClearField(field)
        assert (held.match, held.view) == (fresh.match, fresh.view)


REASONS = {"OWN_ROOM", "NOT_SEATED"}
COMES: dict[str, set[str]] = {
    "tonj": {*REASONS, WAITING, ACTIVE, VOID, "NO_STAKE", "ALREADY_STARTED", "MATCH_VOID", "NO_SUCH_CLOCK"},
    "house-confirmed": {*REASONS, WAITING, ACTIVE, VOID, "SEATS_FREE", "SEATS_TAKEN", "nothing"},
    "house-again": {*REASONS, WAITING, ACTIVE, VOID, "SEATS_FREE", "nothing"},
    "house-created": {WAITING, ACTIVE, VOID},
    "house-created-free": {ACTIVE},
    "tonj-awaited": {"NOT_SEATED", ACTIVE, NO_SHOW, CANCELLED, "ALREADY_STARTED", "MATCH_VOID", "nothing"},
    "house-awaited": {"NOT_SEATED", ACTIVE, NO_SHOW, CANCELLED, "SEATS_TAKEN", "nothing"},
    "trix-awaited": {"NOT_SEATED", ACTIVE, NO_SHOW, CANCELLED, "NO_STAKE", "nothing"},
    "trix": {*REASONS, WAITING, ACTIVE, VOID, "NO_STAKE"},
    "trix-again": {*REASONS, WAITING, ACTIVE, VOID, "NO_STAKE"},
}
"""What is seen on the way, at least: statuses, and reasons of voids and refusals."""


@EVERY_ROOM
def test_the_core_decides_as_the_model_does(name: str) -> None:
    room = ROOMS[name]
    layer, seen = [root(room)], Counter[str]()
    for _ in range(room.depth):
        following = list[Node]()
        for node in layer:
            check(node)
            check_extended(node)
            seen.update([node.model.status, *([node.model.reason] if node.model.reason else [])])
            after, refused = children(node)
            following += after
            seen += refused
            if not after:
                check_from_nothing(node)
        layer = following
    for node in layer:
        check(node)
        seen[node.model.status] += 1
    assert set(seen) >= COMES.get(name, set())
    # With two seats every way comes to an end by itself.
    assert room.terms.seats > 2 or not layer


# --- Before the start there is nothing to be seen ---

UNTIL = {
    "waiting": [("join", "basim"), ("leave", "amal"), ("join", "amal")],
    "void": [("join", "basim"), ("leave", "amal"), ("leave", "basim")],
}
"""Ways of a match of four that does not start; those of two are shorter."""


def unstarted(game: str, until: str) -> Log:
    return Log(lobby.opened(game)).after(*(UNTIL[until] if game == "trix" else [("leave", "amal")][: until == "void"]))


EVERY_END = pytest.mark.parametrize("until", UNTIL)


@EVERY_GAME
@EVERY_END
def test_no_viewer_sees_more_than_the_spectator_does(game: str, until: str) -> None:
    table = unstarted(game, until).table
    snapshots, states = {}, {}
    for viewer in viewers(table):
        snapshot = Update.FromString(table.snapshot(viewer, 0)).snapshot
        state = State.FromString(table.get_match(viewer, 0))
        for told in (snapshot, state):
            assert not any(told.HasField(field) for field in ("view", "legal_actions"))
            assert not told.private_state.may_double
            assert not told.private_state.HasField("auto_play_time")
            told.ClearField("private_state")
        assert snapshot.HasField("viewer_seat") == (viewer != _core.SPECTATOR)
        snapshot.ClearField("viewer_seat")
        snapshots[snapshot.SerializeToString(deterministic=True)] = viewer
        states[state.SerializeToString(deterministic=True)] = viewer
    assert len(snapshots) == len(states) == 1


@EVERY_GAME
@EVERY_END
def test_what_will_be_dealt_shows_in_the_commitment_alone(game: str, until: str) -> None:
    """Two matches with the same story are told in the same bytes but for it."""
    one, other = (unstarted(game, until) for _ in range(2))
    commitments = [log.match().deal_commitment for log in (one, other)]
    assert commitments[0] != commitments[1]
    told = []
    for log, commitment in zip((one, other), commitments, strict=True):
        sent = [
            *(log.table.match(), log.table.heartbeat(0)),
            *(log.table.snapshot(viewer, 0) for viewer in viewers(log.table)),
            *(log.table.get_match(viewer, 0) for viewer in viewers(log.table)),
        ]
        for viewer in viewers(log.table):
            sent += _core.missed(log.payloads, SEALER, viewer, 0, 0)
        told.append([message.replace(commitment, b"") for message in sent])
    assert told[0] == told[1]


@EVERY_GAME
@pytest.mark.parametrize(("until", "reason"), [("waiting", "NOT_STARTED"), ("void", "MATCH_VOID")])
def test_there_is_nothing_to_do_at_a_table_before_its_start(game: str, until: str, reason: str) -> None:
    """On a taken seat and on a free one, whether the action could be one or not; on no seat at all there is nobody."""
    table = unstarted(game, until).table
    before, seats = shows(table), range(len(table.players))
    chance = GAMES[game].chance(random.Random(1))
    dealt = matches.Match(GAMES[game].asked())
    for seat in seats:
        for action in (RESIGN, chance.attempt(dealt, seat)):
            with pytest.raises(_core.Refused) as no:
                table.decide(seat, submit("m-1", action), START_MS)
            assert no.value.reason == reason
    with pytest.raises(_core.Refused, match="NOT_SEATED"):
        table.decide(len(seats), submit("m-1", RESIGN), START_MS)
    assert shows(table) == before


@EVERY_GAME
def test_an_unstarted_match_has_no_replay_but_a_void_one_has(game: str) -> None:
    log = unstarted(game, "waiting")
    with pytest.raises(_core.Refused, match="MATCH_NOT_ENDED"):
        log.replay()
    assert [event.WhichOneof("kind") for event in unstarted(game, "void").replay().events][-1] == "match_ended"


# --- What a match is opened with ---


def test_an_opened_match_tells_whence_it_is_and_how_long_it_waits() -> None:
    table, draft = lobby.opened("tonj_house", stakes_ms=7_000, table_id="t-9", entry_fee_minor=FEE)
    created = matches.batch(draft, _core.SPECTATOR).events.events[0].match_created
    assert (created.seats_ms, created.stakes_ms, created.table_id) == (60_000, 7_000, "t-9")
    assert (created.rematch_of, list(created.reserved)) == ("", [])
    table.commit(draft)
    told = match_pb2.Match.FromString(table.match())
    assert (told.table_id, told.rematch_of, told.external_id) == ("t-9", "", "")
    assert told.visibility == match_pb2.VISIBILITY_SEATED
    assert [(seat.player_id, seat.display_name) for seat in told.seats] == [("amal", "أمل")]


@EVERY_GAME
def test_options_are_filled_in_once(game: str) -> None:
    request = GAMES[game].asked()
    filled = _core.options(request.game, request.options.SerializeToString())
    assert _core.options(request.game, filled) == filled
    log = Log(lobby.opened(game))
    assert log.match().options == match_pb2.GameOptions.FromString(filled)
    with pytest.raises(_core.Malformed):
        _core.options(request.game, b"\xff")
    for other in set(GAMES) - {game}:
        with pytest.raises(_core.Malformed):
            _core.options(GAMES[other].asked().game, filled)


@pytest.mark.parametrize("visibility", [-1, 4, 99])
def test_another_visibility_than_there_is_opens_nothing(visibility: int) -> None:
    with pytest.raises(_core.Malformed) as no:
        lobby.opened("tonj", visibility=visibility)
    assert [field for field, _ in no.value.fields] == ["visibility"]


def test_who_has_no_name_to_show_is_shown_by_his_id() -> None:
    log = Log(lobby.opened("trix"))
    log.commit(log.table.join("basim", "", START_MS))
    log.commit(log.table.join("dalia", "داليا", START_MS))
    assert [seat.display_name for seat in log.match().seats] == ["أمل", "basim", "داليا"]
