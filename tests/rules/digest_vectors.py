"""Vectors for the view digest, taken from telling moments of the golden matches.

python -m tests.rules.digest_vectors      # prints them, to be added to seeds/digests/tonj.jsonl
"""

import hashlib
import json
from collections.abc import Iterator

from majlis import _core
from majlis.client import digest
from majlis.v1 import match_service_pb2
from tests.rules import golden
from tests.rules.matches import START_MS, asked

State = match_service_pb2.GetMatchResponse


def text_of(state: State) -> str:
    """The canonical text of a match as it stands."""
    return digest.canonical_text(state.match, state.view if state.HasField("view") else None)


def before_the_first_record() -> State:
    """A match that waits, without a table."""
    table, _ = _core.Table.found(asked().SerializeToString(), "m", START_MS, _core.Sealer())
    return State.FromString(table.get_match(_core.SPECTATOR, START_MS))


def states(name: str) -> Iterator[tuple[State, golden.Json]]:
    """The state after each record of a golden match."""
    match = golden.read(name)
    table = _core.Table.load(match.payloads[:1], golden.SEALER)
    for record in match.records:
        if record is not match.records[0]:
            table.commit(table.read(bytes.fromhex(record["payload"])))
        yield State.FromString(table.get_match(_core.SPECTATOR, START_MS)), record


def chosen() -> Iterator[str]:
    """Before the deal; then of every hand, with and without a pending card, each kind of claim, and every end."""
    yield text_of(before_the_first_record())
    seen = set()
    for name in golden.names():
        for state, _ in states(name):
            view = state.view.tonj
            attempt = view.claim.attempt
            move = attempt.move
            aim = (getattr(move, "from").kind, move.to.kind, move.to.HasField("index"), move.count)
            ended = name if state.match.HasField("outcome") else None
            moment = (attempt.WhichOneof("kind"), aim, view.hand_number, view.HasField("pending"), ended)
            if moment not in seen:
                seen.add(moment)
                yield text_of(state)


if __name__ == "__main__":
    for text in chosen():
        print(
            json.dumps({"text": text, "digest": hashlib.sha256(text.encode()).hexdigest()[: 2 * digest.DIGEST_BYTES]})
        )
