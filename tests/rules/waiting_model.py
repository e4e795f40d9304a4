"""What may happen to a match before its start, written from the contract and from H19, H20 and H28 without the core.

A small model to hold the core against: who sits, who has paid, who has come, which clock runs, and the numbered facts
so far. It knows nothing of cards: at the start it ends.
"""

import dataclasses
from typing import NamedTuple, Self

SEATS, STAKES, CONNECT = "seats", "stakes", "connect"
WAITING, ACTIVE, VOID = "waiting", "active", "void"
CANCELLED, NO_SHOW = "cancelled", "no show"


class Refused(Exception):
    """The model says no; its text is the reason."""


class Fact(NamedTuple):
    """A numbered fact of the lifecycle, by the name of its event."""

    kind: str
    seat: int | None = None
    player: str | None = None


CREATED, STARTED, ENDED = Fact("match_created"), Fact("match_started"), Fact("match_ended")


class Command(NamedTuple):
    """What is asked of a waiting match: to `join`, `leave`, `confirm` or `connect` by a player, or to `expire`."""

    verb: str
    player: str = ""


class Clock(NamedTuple):
    """A clock that runs, and the record that armed it."""

    kind: str
    deadline_ms: int
    record: int


@dataclasses.dataclass(frozen=True, slots=True)
class Terms:
    """What a match is made of, as far as its start hangs on it."""

    seats: int
    fee: int | None
    """None in a game without stakes."""
    seats_ms: int
    """0 waits for ever."""
    stakes_ms: int
    """0 asks for no confirmation; what has no fee is never asked for."""
    reserved: tuple[str, ...] = ()
    connect_ms: int = 0
    """0 waits for no player to come."""

    @property
    def asks_for_stakes(self) -> bool:
        return self.stakes_ms > 0 and bool(self.fee)


@dataclasses.dataclass(frozen=True, slots=True)
class Waiting:
    """A match before its start, or at the moment that it starts or is void."""

    terms: Terms
    players: tuple[str | None, ...]
    facts: tuple[Fact, ...]
    record: int = 1
    paid: frozenset[int] = frozenset()
    come: frozenset[int] = frozenset()
    status: str = WAITING
    clock: Clock | None = None
    reason: str | None = None
    """Why it is void."""

    @classmethod
    def founded(cls, terms: Terms, seated: dict[int, str], at_ms: int) -> Self:
        """With its first players."""
        players = tuple(seated.get(seat) for seat in range(terms.seats))
        facts = (CREATED, *(Fact("seat_taken", seat, player) for seat, player in seated.items()))
        clock = Clock(SEATS, at_ms + terms.seats_ms, 1) if terms.seats_ms else None
        return cls(terms, players, facts, clock=clock)._followed(at_ms)

    def after(self, command: Command, at_ms: int) -> Self:
        """What a command comes to; the same match if nothing followed.

        Raises:
            Refused: it is not to be.
        """
        verbs = {
            "join": self._join,
            "leave": self._leave,
            "confirm": self._confirm,
            "connect": self._connect,
            "expire": self._expire,
        }
        return verbs[command.verb](command.player, at_ms)

    @property
    def awaited(self) -> list[int]:
        """The seats that the clock waits for."""
        if self.clock is None:
            return []
        if self.clock.kind == SEATS:
            return [seat for seat, player in enumerate(self.players) if player is None]
        done = self.paid if self.clock.kind == STAKES else self.come
        return [seat for seat in range(self.terms.seats) if seat not in done]

    @property
    def payouts(self) -> list[int]:
        """What each seat gets back if the match is void: what was taken of it."""
        return [(self.terms.fee or 0) if seat in self.paid else 0 for seat in range(self.terms.seats)]

    @property
    def is_full(self) -> bool:
        return None not in self.players

    def _join(self, player: str, at_ms: int) -> Self:
        if self.status != VOID and player in self.players:
            raise Refused("OWN_ROOM")
        self._must_wait()
        if self.terms.reserved and player not in self.terms.reserved:
            raise Refused("NOT_SEATED")
        if self.is_full:
            raise Refused("SEATS_TAKEN")
        seat = (self.terms.reserved or self.players).index(player if self.terms.reserved else None)
        players = (*self.players[:seat], player, *self.players[seat + 1 :])
        return self._with(Fact("seat_taken", seat, player), players=players)._followed(at_ms)

    def _leave(self, player: str, at_ms: int) -> Self:
        seat = self._seat(player)
        self._must_wait()
        if self.is_full:
            return self._void(CANCELLED)
        players = (*self.players[:seat], None, *self.players[seat + 1 :])
        left = self._with(Fact("seat_left", seat), players=players)
        return left if any(players) else dataclasses.replace(left._void(CANCELLED), record=left.record)

    def _confirm(self, player: str, at_ms: int) -> Self:
        seat = self._seat(player)
        if not self.terms.asks_for_stakes:
            raise Refused("NO_STAKE")
        self._must_wait()
        if not self.is_full:
            raise Refused("SEATS_FREE")
        if seat in self.paid:
            return self
        return self._with(Fact("stake_confirmed", seat), paid=self.paid | {seat})._followed(at_ms)

    def _connect(self, player: str, at_ms: int) -> Self:
        seat = self._seat(player)
        if self.status != WAITING or not self.terms.connect_ms or seat in self.come:
            return self
        return self._with(Fact("player_connected", seat), come=self.come | {seat})._followed(at_ms)

    def _expire(self, _player: str, _at_ms: int) -> Self:
        if self.clock is None:
            raise Refused("NO_SUCH_CLOCK")
        return self._void(NO_SHOW if self.clock.kind == CONNECT else CANCELLED)

    def _seat(self, player: str) -> int:
        if player not in self.players:
            raise Refused("NOT_SEATED")
        return self.players.index(player)

    def _must_wait(self) -> None:
        if self.status != WAITING:
            raise Refused({ACTIVE: "ALREADY_STARTED", VOID: "MATCH_VOID"}[self.status])

    def _with(
        self,
        fact: Fact,
        players: tuple[str | None, ...] | None = None,
        paid: frozenset[int] | None = None,
        come: frozenset[int] | None = None,
    ) -> Self:
        """One record further."""
        return dataclasses.replace(
            self,
            facts=(*self.facts, fact),
            record=self.record + 1,
            players=self.players if players is None else players,
            paid=self.paid if paid is None else paid,
            come=self.come if come is None else come,
        )

    def _void(self, reason: str) -> Self:
        return dataclasses.replace(self._with(ENDED), status=VOID, clock=None, reason=reason)

    def _followed(self, at_ms: int) -> Self:
        """In the same record it starts, or waits for the fees from now on, or for its players."""
        if not self.is_full:
            return self
        if self.terms.asks_for_stakes and len(self.paid) < self.terms.seats:
            kind, length_ms = STAKES, self.terms.stakes_ms
        elif self.terms.connect_ms and len(self.come) < self.terms.seats:
            kind, length_ms = CONNECT, self.terms.connect_ms
        else:
            return dataclasses.replace(self, facts=(*self.facts, STARTED), status=ACTIVE, clock=None)
        if self.clock is not None and self.clock.kind == kind:
            return self
        return dataclasses.replace(self, clock=Clock(kind, at_ms + length_ms, self.record))
