"""Vectors for the view digest, taken from telling moments of the golden matches.

python -m tests.rules.digest_vectors trix      # prints them, to be added to seeds/digests/trix.jsonl
"""

import hashlib
import json
import sys
from collections.abc import Callable, Hashable, Iterator

from majlis import _core
from majlis.client import digest
from majlis.v1 import cards_pb2
from tests.rules import golden, matches
from tests.rules.games import GAMES
from tests.rules.matches import START_MS, State


def text_of(state: State) -> str:
    """The canonical text of a match as it stands."""
    return digest.canonical_text(state.match, state.view if state.HasField("view") else None)


def before_the_first_record(game: str) -> State:
    """A match that waits, without a table."""
    table, _ = _core.Table.found(GAMES[game].asked().SerializeToString(), "m", START_MS, _core.Sealer())
    return State.FromString(table.get_match(_core.SPECTATOR, START_MS))


def tables(name: str) -> Iterator[tuple[_core.Table, golden.Json]]:
    """The table after each record of a golden match."""
    match = golden.read(name)
    table = _core.Table.load(match.payloads[:1], golden.SEALER)
    for record in match.records:
        if record is not match.records[0]:
            table.commit(table.read(bytes.fromhex(record["payload"])))
        yield table, record


def states(name: str) -> Iterator[tuple[State, int]]:
    """What every viewer sees after each record of a golden match."""
    for table, _ in tables(name):
        for viewer in matches.viewers(table):
            yield State.FromString(table.get_match(viewer, START_MS)), viewer


def tonj_moment(state: State, _viewer: int) -> Hashable:
    """Every hand, with and without a pending card, and each kind of claim."""
    view = state.view.tonj
    attempt = view.claim.attempt
    move = attempt.move
    aim = (getattr(move, "from").kind, move.to.kind, move.to.HasField("index"), move.count)
    return (attempt.WhichOneof("kind"), aim, view.hand_number, view.HasField("pending"))


def trix_moment(state: State, viewer: int) -> Hashable:
    """Every contract in every phase, from a seat and from nowhere, with and without what may lie on the table."""
    view = state.view.trix
    ends = [(row.low == cards_pb2.RANK_TWO, row.high == cards_pb2.RANK_ACE) for row in view.rows]
    lies = (bool(view.doubled), bool(view.trick), bool(view.last_trick), ends[-1:], len(view.finished))
    return (view.contract, view.phase, viewer == _core.SPECTATOR, str(lies), len(view.doubled) == 3)


def tonj_house_moment(state: State, _viewer: int) -> Hashable:
    """What has left play, passes in a row, turns with and without an opened card, the last placements of a turn."""
    view = state.view.tonj_house
    piles = [(side.reserve_count == 0, side.hand_count == 0, side.waste_count == 0) for side in view.sides]
    return (tuple(view.retired), min(view.passes, 3), view.HasField("opened"), min(view.moves_left, 2), str(piles))


MOMENTS: dict[str, Callable[[State, int], Hashable]] = {
    "tonj": tonj_moment,
    "tonj_house": tonj_house_moment,
    "trix": trix_moment,
}
"""What makes a moment of a game unlike others: the first of each kind is taken."""


def chosen(game: str) -> Iterator[str]:
    """Before the deal, every telling moment, and every end."""
    yield text_of(before_the_first_record(game))
    seen = set()
    for name in golden.names(game):
        for state, viewer in states(name):
            ended = name if state.match.HasField("outcome") else None
            moment = (MOMENTS[game](state, viewer), ended)
            if moment not in seen:
                seen.add(moment)
                yield text_of(state)


if __name__ == "__main__":
    for text in chosen(*sys.argv[1:]):
        print(
            json.dumps({"text": text, "digest": hashlib.sha256(text.encode()).hexdigest()[: 2 * digest.DIGEST_BYTES]})
        )
