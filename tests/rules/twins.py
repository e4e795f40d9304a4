"""What a viewer can tell of a table, and of its twins: the same table with everything put elsewhere that he cannot see
(`Table.otherwise`). That he is told the same of both, at any record of any match, is what secrecy means here.

Attempts and phases are those of Trix, the game that has hands.
"""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

from majlis import _core
from tests.rules.matches import RESIGN, Action, Command, Match
from tests.rules.trix_play import ALL_QUEENS, DECK, KING, PASS, choose, double, play

CONNECTED = [1, 2]
TRIES = 12
"""Twins that are looked at for one in which the next command means the same."""


def told(table: _core.Table, viewer: int, now_ms: int) -> list[Any]:
    """All that a table tells a viewer, and what the server does by it for all to see."""
    return [
        table.snapshot(viewer, now_ms, CONNECTED),
        table.get_match(viewer, now_ms, CONNECTED),
        table.match(CONNECTED),
        table.heartbeat(now_ms),
        table.private_state(viewer, now_ms),
        *(table.presence(seat, True, now_ms) for seat in range(len(table.players))),
        *(table.sequence, table.status, table.public_ms, table.clock, table.clock_record),
    ]


def told_by(draft: _core.Draft, viewer: int, now_ms: int) -> list[Any]:
    """All that a draft tells him once it is durable."""
    first = draft.first_sequence - 1
    return [
        *(draft.answer(viewer), draft.update(viewer, now_ms), draft.update(viewer, now_ms, first + 1)),
        *(first, draft.sequence, draft.public_ms, draft.status, draft.is_public),
    ]


def outcome(table: _core.Table, command: Command) -> _core.Draft | str:
    """The draft, or the reason of the refusal."""
    try:
        return command.draft(table)
    except _core.Refused as no:
        return no.reason


def attempts(match: Match, seat: int, rng: random.Random) -> Iterator[Action]:
    """Of every kind, good and faulty, by a seat that may be on turn or not."""
    held = list(match.state(seat).view.trix.hand)
    special = [KING, *ALL_QUEENS]
    doublable = [card for card in held if card in special]
    yield from (PASS, RESIGN, choose(rng.choice([1, 2, 3, 4, 5, 99])), play(rng.choice(DECK)))
    yield from (play(card) for card in rng.sample(held, min(2, len(held))))
    yield double([card for card in doublable if rng.random() < 0.5])
    yield double(rng.choice([[], [rng.choice(special)], [rng.choice(DECK)], rng.sample(special, 2)]))
    yield double([rng.choice(doublable or DECK)] * 2)


@dataclasses.dataclass
class Witness:
    """Holds a match against twins of it, record by record, for every viewer; `seen` counts what was compared."""

    match: Match
    rng: random.Random
    seen: "Counter[str]" = dataclasses.field(default_factory=Counter)

    def twin(self, viewer: int) -> _core.Table:
        return self.match.table.otherwise(viewer, self.rng.getrandbits(40))

    def look(self) -> None:
        """The table as it stands, and what comes of the viewer's own attempts."""
        match, now_ms = self.match, self.match.now_ms + 1
        for viewer in match.viewers:
            twin = self.twin(viewer)
            assert told(twin, viewer, now_ms) == told(match.table, viewer, now_ms), self.failure(viewer)
            other = self.rng.choice([other for other in match.viewers[:-1] if other != viewer])
            differ = twin.snapshot(other, now_ms) != match.table.snapshot(other, now_ms)
            self.seen["other tables" if differ else "same tables"] += 1
            if viewer != _core.SPECTATOR:
                for action in attempts(match, viewer, self.rng):
                    self.attempt(twin, Command(now_ms, viewer, action))

    def attempt(self, twin: _core.Table, command: Command) -> None:
        """Comes to the same on both; unless it closes the window on one, which the answers of others decide."""
        seat = command.seat
        assert seat is not None
        ours, theirs = outcome(self.match.table, command), outcome(twin, command)
        if isinstance(ours, str) or isinstance(theirs, str):
            assert ours == theirs, self.failure(seat)
            self.seen[f"own {ours}"] += 1
        elif "doubles_shown" not in (*ours.kinds, *theirs.kinds):
            assert told_by(ours, seat, command.at_ms) == told_by(theirs, seat, command.at_ms), self.failure(seat)
            self.seen[f"own {ours.kinds[-1] if ours.kinds else 'nothing'}"] += 1

    def follow(self, draft: _core.Draft, command: Command | None = None, extension_ms: int = 0) -> None:
        """Commits the next record, beside twins in which the same goes into the log: all viewers are told the same.

        Args:
            draft: of the record.
            command: that brought it about; None where time was given back,
            extension_ms: so much.
        """
        if draft.is_empty:
            return  # a seat that gives up again: nothing happened
        match, now_ms, twins = self.match, draft.instant_ms, dict[int, _core.Table]()
        before = {} if draft.is_public else {viewer: told(match.table, viewer, now_ms) for viewer in match.viewers}
        for viewer in match.viewers if draft.is_public else ():
            for _ in range(TRIES):
                twin = self.twin(viewer)
                other = outcome(twin, command) if command else twin.extend(extension_ms, now_ms)
                if not isinstance(other, str) and other.payload == draft.payload:
                    assert told_by(other, viewer, now_ms) == told_by(draft, viewer, now_ms), self.failure(viewer)
                    twin.commit(other)
                    twins[viewer] = twin
                    break
                assert not self.must_be_the_same(viewer, command), self.failure(viewer)
            self.seen["followed" if viewer in twins else "not followed"] += 1
        match.commit(draft)
        match.now_ms = now_ms
        for viewer, twin in twins.items():
            assert told(twin, viewer, now_ms) == told(match.table, viewer, now_ms), self.failure(viewer)
            self.seen.update(draft.kinds)
        if not draft.is_public:
            assert command is not None
            self.hidden(draft, command, before)

    def must_be_the_same(self, viewer: int, command: Command | None) -> bool:
        """Whether a command cannot come to anything else on a twin: it is public, or the viewer's own."""
        if command is None or command.action is RESIGN:
            return True
        table = self.match.table
        if table.clock == "double":
            return False
        awaited = list(self.match.state().clock.awaited_seats)
        return command.seat == viewer or (command.seat is None and awaited == [viewer])

    def hidden(self, draft: _core.Draft, command: Command, before: dict[int, list[Any]]) -> None:
        """A hidden answer: for everybody else the match stands as it stood, and nothing comes."""
        for viewer in self.match.viewers:
            update = draft.update(viewer, draft.instant_ms)
            if viewer == command.seat:
                assert update == self.match.table.private_state(viewer, draft.instant_ms), self.failure(viewer)
            else:
                assert update is None, self.failure(viewer)
                assert told(self.match.table, viewer, draft.instant_ms) == before[viewer], self.failure(viewer)
                self.seen["hidden answers"] += 1

    def failure(self, viewer: int) -> str:
        return f"viewer {viewer} at record {self.match.table.record}; {self.match.log()}"
