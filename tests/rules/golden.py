"""Golden matches: recorded once, and read by every later version (seeds/golden, one record a line).

A record's line holds the command that brought it about ("create" for the first), its instant, the log payload in hex,
its events as a replay tells them, the sequence and the view digest after it, and in `sent` the SHA-256 of all that its
viewers are sent. The last line holds the seed, the final position, the outcome, and the SHA-256 of the replay.

Files are added to and never rewritten. They are made by golden_recording.py, and that they hold is tested in
test_golden.py.
"""

import dataclasses
import hashlib
import json
import pathlib
from collections.abc import Iterator
from typing import Any

from google.protobuf import json_format

from majlis import _core
from majlis.v1 import event_pb2, match_service_pb2, tonj_pb2
from tests.rules import judges
from tests.rules.matches import VIEWERS, Action, Command

Json = dict[str, Any]
FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "golden"
PAGE = 100
SEALER = _core.Sealer({"golden": bytes(range(32))}, "golden")
"""Opens sealed seeds and plain ones alike."""


@dataclasses.dataclass(frozen=True)
class Golden:
    """One recorded match."""

    name: str
    records: list[Json]
    end: Json

    @property
    def payloads(self) -> list[bytes]:
        return [bytes.fromhex(record["payload"]) for record in self.records]

    def commands(self) -> Iterator[tuple[Json, Command]]:
        """Every record after the first, with its command."""
        for record in self.records[1:]:
            yield record, command(record)

    def line(self) -> str:
        """The whole match as a line of judge input, from the deal of its first hand."""
        return judges.line(self.dealt(), [step(record) for record in self.records[1:]], self.name)

    def dealt(self) -> Json:
        """The position after the first deal, with the options of the room."""
        position: Json = json.loads(_core.deal("tonj", self.end["seed"], self.end["entropies"], 1))
        position["options"] = self.records[0]["create"].get("options", {}).get("tonj", {})
        return position


def names() -> list[str]:
    return sorted(path.stem for path in FOLDER.glob("tonj-*.jsonl"))


def read(name: str) -> Golden:
    *records, end = map(json.loads, (FOLDER / f"{name}.jsonl").read_text().splitlines())
    return Golden(name, records, end)


def step(record: Json) -> Json:
    """A record's command as a judge step."""
    return {key: record[key] for key in ("seat", "action", "expire") if key in record}


def command(record: Json) -> Command:
    """A record's command as a table takes it."""
    if "expire" in record:
        return Command(record["at"])
    action: Action = tonj_pb2.TonjAction()
    if "resign" in record["action"]:
        action = match_service_pb2.Resign()
    else:
        json_format.ParseDict(record["action"], action)
    return Command(record["at"], record["seat"], action)


# --- What was sent ---


def sent(table: _core.Table, answers: list[bytes], updates: list[bytes]) -> str:
    """SHA-256 over the answers, updates and states of all viewers, right after a record."""
    whole = hashlib.sha256()
    for viewer, answer, update in zip(VIEWERS, answers, updates, strict=True):
        for message in (
            answer,
            update,
            table.snapshot(viewer, table.instant_ms, [0]),
            table.get_match(viewer, table.instant_ms, [0]),
        ):
            whole.update(message)
    return whole.hexdigest()


def sent_first(payload: bytes) -> str:
    """The same for a match's first record, which founds it."""
    table = _core.Table.load([payload], SEALER)
    answers = [_core.answer([payload], SEALER, viewer) for viewer in VIEWERS]
    updates = [_core.missed([payload], SEALER, viewer, 0, table.instant_ms)[0] for viewer in VIEWERS]
    return sent(table, answers, updates)


def sent_with(table: _core.Table, draft: _core.Draft) -> str:
    """The same for a draft that the table has taken over."""
    answers = [draft.answer(viewer) for viewer in VIEWERS]
    updates = [draft.update(viewer, draft.instant_ms) for viewer in VIEWERS]
    return sent(table, answers, updates)


def digest(table: _core.Table) -> str:
    """The view digest, in hex, which is the same for every viewer of Tonj."""
    state = match_service_pb2.GetMatchResponse.FromString(table.get_match(_core.SPECTATOR, 0))
    return state.view_digest.hex()


def replay(payloads: list[bytes], page_size: int = PAGE) -> list[bytes]:
    """All pages of the replay."""
    pages, after = [], 0
    while True:
        page, after = _core.replay(payloads, SEALER, after, page_size)
        pages.append(page)
        if not after:
            return pages


def replayed(pages: list[bytes]) -> list[event_pb2.Event]:
    """The events of all pages."""
    return [event for page in pages for event in match_service_pb2.GetReplayResponse.FromString(page).events]


def hash_of(pages: list[bytes]) -> str:
    return hashlib.sha256(b"".join(pages)).hexdigest()
