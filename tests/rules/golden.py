"""Golden matches: recorded once, and read by every later version (seeds/golden, one record a line).

A record's line holds the command that brought it about ("create" for the first), its instant, the log payload in hex,
its events as a replay tells them, the sequence and a spectator's view digest after it, and in `sent` the SHA-256 of all
that its viewers are sent. The last line holds the seed, the final position, the outcome, and the replay's SHA-256.

Files are added to and never rewritten; each is named after its game. They are made by golden_recording.py, and that
they hold is tested in test_golden.py.
"""

import dataclasses
import hashlib
import json
import pathlib
from collections.abc import Iterator
from typing import Any

from google.protobuf import empty_pb2, json_format, unknown_fields

from majlis import _core
from majlis.v1 import event_pb2, match_pb2, match_service_pb2
from tests.rules import judges, matches
from tests.rules.matches import Command

Json = dict[str, Any]
FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "golden"
PAGE = 100
SEALER = _core.Sealer({"golden": bytes(range(32))}, "golden")
"""Opens what is sealed and what is plain alike, and seals."""
SEALED = 4
"""The field of a log record that holds a hidden answer."""


@dataclasses.dataclass(frozen=True)
class Golden:
    """One recorded match."""

    name: str
    records: list[Json]
    end: Json

    @property
    def game(self) -> str:
        return self.name.split("-", 1)[0]

    @property
    def payloads(self) -> list[bytes]:
        return [bytes.fromhex(record["payload"]) for record in self.records]

    def commands(self) -> Iterator[tuple[Json, Command]]:
        """Every record after the first, with its command."""
        for record in self.records[1:]:
            yield record, self.command(record)

    def command(self, record: Json) -> Command:
        """A record's command as a table takes it."""
        if "expire" in record:
            return Command(record["at"])
        given = record["action"]
        request = match_service_pb2.SubmitActionRequest()
        json_format.ParseDict(given if "resign" in given else {self.game: given}, request)
        return Command(record["at"], record["seat"], getattr(request, request.WhichOneof("action") or ""))

    def line(self) -> str:
        """The whole match as a line of judge input, from its first deal."""
        return judges.line(self.dealt(), [step(record) for record in self.records[1:]], self.name)

    def dealt(self) -> Json:
        """The position after the first deal, with the options of the room."""
        position: Json = json.loads(_core.deal(self.game, self.end["seed"], self.end["entropies"], 1))
        name = match_pb2.GameOptions.DESCRIPTOR.fields_by_name[self.game].json_name
        position["options"] = self.records[0]["create"].get("options", {}).get(name, {})
        return position


def names(game: str = "*") -> list[str]:
    """Of one game, or of all."""
    return sorted(path.stem for path in FOLDER.glob(f"{game}-*.jsonl"))


def read(name: str) -> Golden:
    *records, end = map(json.loads, (FOLDER / f"{name}.jsonl").read_text().splitlines())
    return Golden(name, records, end)


def step(record: Json) -> Json:
    """A record's command as a judge step."""
    return {key: record[key] for key in ("seat", "action", "expire") if key in record}


def open_part(payload: bytes) -> list[tuple[int, Any]]:
    """The fields of a log record but for a hidden answer, which is sealed to other bytes each time."""
    record = unknown_fields.UnknownFieldSet(empty_pb2.Empty.FromString(payload[1:]))
    fields = (record[number] for number in range(len(record)))
    return [(field.field_number, field.data) for field in fields if field.field_number != SEALED]


# --- What was sent ---


def sent(table: _core.Table, answers: list[bytes], updates: list[bytes | None]) -> str:
    """SHA-256 over the answers, updates and states of all viewers, right after a record."""
    whole = hashlib.sha256()
    for viewer, answer, update in zip(matches.viewers(table), answers, updates, strict=True):
        for message in (
            answer,
            update or b"",
            table.snapshot(viewer, table.instant_ms, [0]),
            table.get_match(viewer, table.instant_ms, [0]),
        ):
            whole.update(message)
    return whole.hexdigest()


def sent_first(payload: bytes) -> str:
    """The same for a match's first record, which founds it."""
    table = _core.Table.load([payload], SEALER)
    viewers = matches.viewers(table)
    answers = [_core.answer([payload], SEALER, viewer) for viewer in viewers]
    return sent(table, answers, [_core.missed([payload], SEALER, viewer, 0, table.instant_ms)[0] for viewer in viewers])


def sent_with(table: _core.Table, draft: _core.Draft) -> str:
    """The same for a draft that the table has taken over."""
    viewers = matches.viewers(table)
    answers = [draft.answer(viewer) for viewer in viewers]
    return sent(table, answers, [draft.update(viewer, draft.instant_ms) for viewer in viewers])


def digest(table: _core.Table, viewer: int = _core.SPECTATOR) -> str:
    """A view digest, in hex; in Tonj it is the same for every viewer."""
    state = match_service_pb2.GetMatchResponse.FromString(table.get_match(viewer, 0))
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
