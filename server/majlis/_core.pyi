"""The Rust core: the one door to rules, hidden cards, seeds and the wire.

Python holds tables and drafts as opaque objects and passes ready-made bytes on; nothing here hands out a card.
Instants are milliseconds since 1970. A viewer is a seat number, or `SPECTATOR`.
"""

from collections.abc import Mapping, Sequence
from typing import Self, final

__all__ = [
    "RULES_VERSIONS",
    "RULE_REASONS",
    "SPECTATOR",
    "Damaged",
    "Draft",
    "Malformed",
    "Panicked",
    "Refused",
    "Sealer",
    "Simulation",
    "Submit",
    "Table",
    "answer",
    "deal",
    "judge_line",
    "missed",
    "options",
    "replay",
    "verify",
]

SPECTATOR: int
"""The viewer who sits nowhere."""

RULES_VERSIONS: tuple[str, ...]
"""Versions of the rules that matches may be played by here."""

RULE_REASONS: tuple[str, ...]
"""Every refusal reason that the rules can give."""

class Refused(Exception):
    """The rules say no, and nothing changed."""

    reason: str
    """From the catalogue, such as `NOT_YOUR_TURN`."""

class Malformed(Exception):
    """A request that cannot be read or lacks something; nothing changed."""

    fields: tuple[tuple[str, str], ...]
    """Field path and what is wrong with it, English."""

class Damaged(Exception):
    """A stored record cannot be read, opened or folded."""

class Panicked(Exception):
    """A fault of the core itself. Its text names the place in the source and nothing else; drop the table."""

@final
class Sealer:
    """Seals deal seeds and hidden answers for the store and opens them again. AES-256-GCM with a key, plain without."""

    def __new__(cls, keys: Mapping[str, bytes] | None = None, current: str | None = None) -> Self:
        """Keys of 32 bytes by id (1–16 bytes); `current` names the one that seals.

        Raises:
            ValueError: a key or an id has the wrong length, or `current` names none.
        """

@final
class Submit:
    """A `SubmitActionRequest`, read."""

    match_id: str
    request_id: str
    expected_sequence: int | None
    kind: str
    """For metrics: `move`, `reveal`, `resign` …"""

    @staticmethod
    def read(request: bytes) -> Submit:
        """Reads the request.

        Raises:
            Malformed: bytes that are no such message, or fields that are missing or out of bounds.
        """

@final
class Draft:
    """An accepted command that is not yet durable: what to append, and what to send once it is."""

    record: int
    """The number that it takes in the log."""
    payload: bytes
    """For the store; opaque."""
    instant_ms: int
    public_ms: int
    """When the match's last event with a number happened, after it."""
    is_empty: bool
    """The command was accepted and caused nothing: there is nothing to append."""
    is_public: bool
    """Whether it has events at all that have a number; what has none is told to its own seat only."""
    first_sequence: int
    """Of its first numbered event; `sequence + 1` when it has none."""
    sequence: int
    """Of its last one."""
    acted_sequence: int
    """Of the match's last event, after it, that was more than time given back: what is older is stale."""
    status: int
    """`MatchStatus` after it."""
    deadline_ms: int | None
    """When the clock that runs after it runs out, a seat's own one included: not for anybody's eyes."""
    players: tuple[str | None, ...]
    """By seat, after it; None on a free one."""
    is_full: bool
    """Whether all seats are taken after it."""
    verdict: str
    """`accepted` or `claim_opened`."""
    kinds: list[str]
    """Names of its events, for metrics: `cards_moved`, `claim_opened` …"""

    def answer(self, viewer: int) -> bytes:
        """A `SubmitActionResponse` for the player who caused it."""

    def update(self, viewer: int, now_ms: int, after_sequence: int = 0) -> bytes | None:
        """A `WatchMatchResponse` with its events after `after_sequence`, as the viewer may see them.

        None if it tells him nothing: somebody else's hidden answer. To the seat itself that is a notice.
        """

@final
class Table:
    """One match: its log folded, hidden cards included."""

    match_id: str
    game: str
    """`tonj` …"""
    record: int
    sequence: int
    acted_sequence: int
    """Of the last event that was more than time given back: an action formed on an older one is stale."""
    status: int
    visibility: int
    external_id: str
    players: tuple[str | None, ...]
    """By seat; None on a free one."""
    is_full: bool
    """Whether all seats are taken."""
    reserved: tuple[str, ...]
    """In a rematch the player whom each seat is kept for; empty for all others."""
    end_ms: int | None
    """When it ended."""
    created_ms: int
    instant_ms: int
    """Of its last record."""
    public_ms: int
    """Of its last event that has a number."""
    deadline_ms: int | None
    """When a clock runs out, a seat's own one included: not for anybody's eyes."""
    clock: str | None
    """`seats`, `stakes`, `connect`, `turn`, `claim`, `play` …, or None when nothing is awaited."""
    clock_record: int
    """The record that armed the running clock."""

    @staticmethod
    def found(request: bytes, match_id: str, now_ms: int, sealer: Sealer, stakes_ms: int = 0) -> tuple[Table, Draft]:
        """A new match from a `CreateMatchRequest`: a table at record 0 and the draft that makes, seats and starts it.

        One with a fee waits so long for the wallet to confirm its stakes; 0 asks for no confirmation. One with
        `connect_seconds` waits for its players.

        Raises:
            Malformed: the request cannot be read, or its fields are wrong.
            OSError: the operating system gave no randomness.
        """

    @staticmethod
    def open(
        game: int,
        options: bytes,
        player_id: str,
        display_name: str,
        match_id: str,
        now_ms: int,
        sealer: Sealer,
        *,
        visibility: int,
        seats_ms: int,
        stakes_ms: int,
        table_id: str = ...,
    ) -> tuple[Table, Draft]:
        """A new match that waits for players, with the first of them on seat 0: a table at record 0, and its draft.

        Args:
            game: number of `majlis.v1.Game`.
            options: bytes of a `GameOptions`.
            player_id: who has the first seat.
            display_name: his name to show; empty shows his id.
            match_id: the new match's.
            now_ms: when it is made.
            sealer: seals its seed.
            visibility: number of `majlis.v1.Visibility`; 0 takes SEATED.
            seats_ms: how long its seats may take to fill before it is void; 0 is for ever.
            stakes_ms: how long the wallet has to confirm the fees once it is full; 0 asks for no confirmation.
            table_id: the operator's table that it is opened at.

        Raises:
            Malformed: options that cannot be read or are out of bounds, or another visibility than there is.
            OSError: the operating system gave no randomness.
        """

    def rematch(self, player_id: str, match_id: str, now_ms: int, seats_ms: int, stakes_ms: int) -> tuple[Table, Draft]:
        """The same players and options again, each player one seat further round; only the one who asks is seated yet.

        Raises:
            Refused: `NOT_SEATED`, `MATCH_NOT_ENDED` or `MATCH_VOID`.
            OSError: the operating system gave no randomness.
        """

    def join(self, player_id: str, display_name: str, now_ms: int) -> Draft:
        """Takes the seat that is kept for a player, or the first free one; the last starts what waits for nothing else.

        Raises:
            Refused: `OWN_ROOM`, `SEATS_TAKEN`, `NOT_SEATED` in a rematch of others, `ALREADY_STARTED`, `MATCH_OVER` or
                `MATCH_VOID`.
        """

    def leave(self, player_id: str, now_ms: int) -> Draft:
        """Gives a player's seat back. The match is void if nobody is left, or if it was full.

        Raises:
            Refused: `NOT_SEATED`, `ALREADY_STARTED`, `MATCH_OVER` or `MATCH_VOID`.
        """

    def confirm_stake(self, player_id: str, now_ms: int) -> Draft:
        """A player's fee is taken; the last starts what waits for nothing else. Empty if that was known.

        Raises:
            Refused: `NOT_SEATED`, `NO_STAKE`, `SEATS_FREE`, `ALREADY_STARTED`, `MATCH_OVER` or `MATCH_VOID`.
        """

    def connect(self, player_id: str, now_ms: int) -> Draft:
        """A player opens the match; the last starts what waits for nothing else. Empty if he is not waited for.

        Raises:
            Refused: `NOT_SEATED`.
        """

    def awaits(self, player_id: str) -> bool:
        """Whether the match waits for this player to open it; once it does not, it never does again."""

    def stake_request(self, player_id: str, payment_id: str) -> tuple[bytes, bytes]:
        """As `request`, for a player's only payment in this match and its id."""

    @staticmethod
    def request_hash(request: bytes) -> bytes:
        """SHA-256 of what a `CreateMatchRequest` asks for, 32 bytes; the same however it was serialized.

        Raises:
            Malformed: the bytes are no such message.
        """

    @staticmethod
    def load(payloads: Sequence[bytes], sealer: Sealer) -> Table:
        """A table from its whole log, in order. Releases the interpreter lock.

        Raises:
            Damaged: a payload cannot be read, or does not follow from those before.
        """

    def request(self, player_id: str, submit: Submit) -> tuple[bytes, bytes]:
        """How the store knows a player's request again, without being told who asked for what.

        Returns:
            The key of player and request id, and the hash of what is asked; 32 bytes each, keyed with the match's seed.
        """

    def decide(self, seat: int, submit: Submit, now_ms: int) -> Draft:
        """Judges an action; the table is unchanged until the draft is committed.

        Raises:
            Refused: the rules say no.
            Malformed: the action belongs to another game.
        """

    def expire(self, now_ms: int) -> Draft:
        """Lets the clock run out whose deadline comes first.

        Raises:
            Refused: `NO_SUCH_CLOCK`.
        """

    def extend(self, by_ms: int, now_ms: int) -> Draft:
        """Gives time back to the running clocks.

        Raises:
            Refused: `NO_SUCH_CLOCK`.
        """

    def read(self, payload: bytes) -> Draft:
        """The draft that another replica, or an earlier run, appended as the next record.

        Raises:
            Damaged: it cannot be read, or does not follow.
        """

    def commit(self, draft: Draft) -> None:
        """Takes over the state after the draft. Only after it is durable.

        Raises:
            ValueError: the draft does not follow the table's head.
        """

    def otherwise(self, viewer: int, number: int) -> Table:
        """The same match with everything that this viewer cannot see put elsewhere, for tests of secrecy.

        Args:
            viewer: who must not be able to tell the two apart.
            number: of the arrangement.

        Raises:
            ValueError: this game has no way to do that yet.
        """

    def snapshot(self, viewer: int, now_ms: int, connected: Sequence[int] = ...) -> bytes:
        """A `WatchMatchResponse` with a snapshot. `connected` lists the seats whose players watch."""

    def get_match(self, viewer: int, now_ms: int, connected: Sequence[int] = ...) -> bytes:
        """A `GetMatchResponse`."""

    def match(self, connected: Sequence[int] = ...) -> bytes:
        """A `Match`."""

    def heartbeat(self, now_ms: int) -> bytes:
        """A `WatchMatchResponse` with a heartbeat."""

    def private_state(self, viewer: int, now_ms: int) -> bytes | None:
        """A `WatchMatchResponse` with the notice of what only this viewer may know; None if there is no such thing."""

    def presence(self, seat: int, connected: bool, now_ms: int) -> bytes:
        """A `WatchMatchResponse` with a presence notice.

        Raises:
            ValueError: nobody sits there.
        """

    def rematch_made(self, rematch_id: str, now_ms: int) -> bytes:
        """A `WatchMatchResponse` with the notice of a rematch."""

    def drain(self, within_ms: int, now_ms: int) -> bytes:
        """A `WatchMatchResponse` that tells of the stream's end."""

@final
class Simulation:
    """A match played for its own sake by those who study the rules: default options, no log, no clock, no wire."""

    choices: int
    """How many legal actions there are; 0 at the end."""
    seat: int | None
    """Whose they are; None at the end."""

    def __new__(cls, game: str, number: int) -> Self:
        """The match of that game and number, dealt.

        Raises:
            ValueError: no game is called so.
        """

    def play(self, word: int) -> int:
        """Plays the legal action of that number, counted from 0 and round again; how many there are after it.

        So any random word chooses one. Does nothing at the end.
        """

    def legal_actions(self) -> list[str]:
        """What may be done, in the order of the choices, as canonical protobuf JSON."""

    def position(self) -> str:
        """The whole table, hidden cards included, as `majlis judge` takes it."""

def options(game: int, options: bytes) -> bytes:
    """The `GameOptions` with the defaults of its game put in.

    Args:
        game: number of `majlis.v1.Game`.
        options: bytes of a `GameOptions`.

    Raises:
        Malformed: options that cannot be read, are of another game, or are out of bounds.
    """

def missed(payloads: Sequence[bytes], sealer: Sealer, viewer: int, after_sequence: int, now_ms: int) -> list[bytes]:
    """`WatchMatchResponse`s for what a viewer missed, one a record, from the match's whole log. Releases the lock.

    Raises:
        Damaged: a payload cannot be read.
    """

def answer(payloads: Sequence[bytes], sealer: Sealer, viewer: int) -> bytes:
    """The `SubmitActionResponse` of the last of these payloads, remade from the log up to it. Releases the lock.

    Raises:
        Damaged: a payload cannot be read.
    """

def replay(payloads: Sequence[bytes], sealer: Sealer, after_sequence: int, page_size: int) -> tuple[bytes, int]:
    """A `GetReplayResponse` without its page token, and the sequence of its last event (0 at the end).

    Raises:
        Damaged: a payload cannot be read.
        Refused: `MATCH_NOT_ENDED`.
    """

def verify(replay: Sequence[bytes]) -> str:
    """Recomputes the commitment and every deal of a replay given as its `GetReplayResponse` pages.

    Returns:
        Empty when all is as it was promised, else the first difference, English.

    Raises:
        Malformed: a page cannot be read.
    """

def judge_line(line: str) -> tuple[str, bool]:
    """One line of `majlis judge` input; the answer line, and whether it is an error."""

def deal(game: str, seed_hex: str, entropies_hex: Sequence[str], number: int) -> str:
    """The position right after a deal, as a JSON line.

    Raises:
        ValueError: an unknown game, a seed or an entropy that cannot be read.
    """
