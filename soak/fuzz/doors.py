"""The doors of the core that bytes come through, and what each may say to bytes that are wrong.

A door does all that is ever done with what it takes, so that bytes that pass the first look are looked at to the end.
It answers in a few words what came of it; when all of them were heard before, nothing new was met.
"""

import functools
import json
import re
from collections.abc import Callable

from majlis import _core
from soak.fuzz import corpus
from soak.fuzz.corpus import Parts

SEALER = _core.Sealer({"golden": bytes(range(32))}, "golden")
"""Opens what the golden matches have sealed."""
PAGE = 10_000
STOPS = {
    "tonj-series": (1, 2, 9, 30),
    "tonj_house-own-stock": (1, 2, 9, 30),
    "trix-drawn": (1, 2, 4, 30, 200),
}
"""Golden matches, and after how many of their records an action is tried."""


Said = frozenset[str]


class Broken(Exception):
    """A door answered what it must not."""


def records(parts: Parts) -> Said:
    """A match's log: folded, read by every viewer, replayed and verified."""
    try:
        table = _core.Table.load(parts, SEALER)
        for viewer in (_core.SPECTATOR, *range(len(table.players))):
            table.snapshot(viewer, table.instant_ms)
            table.get_match(viewer, table.instant_ms)
            table.private_state(viewer, table.instant_ms)
            _core.missed(parts, SEALER, viewer, 0, table.instant_ms)
            _core.answer(parts, SEALER, viewer)
    except _core.Damaged as error:
        return frozenset({f"damaged: {_kind(str(error))}"})
    before = table.snapshot(_core.SPECTATOR, table.instant_ms)
    said = {_drafted(table, functools.partial(table.expire, table.instant_ms)), _replayed(parts)}
    if table.snapshot(_core.SPECTATOR, table.instant_ms) != before:
        raise Broken("what was only drafted has changed the table")
    return frozenset(said)


def positions(parts: Parts) -> Said:
    """Lines of judge input: each is answered by one line of JSON."""
    said = set()
    for part in parts:
        answer, failed = _core.judge_line(part.decode("utf-8", "replace"))
        told = json.loads(answer)
        if "\n" in answer or failed != ("error" in told):
            raise Broken("the answer is not one line that says whether it is an error")
        said.add(f"error: {_kind(told['error'])}" if failed else "judged")
    return frozenset(said)


def actions(parts: Parts) -> Said:
    """`SubmitActionRequest`s, each in matches of every game, from every seat and one that is none."""
    said = set()
    for part in parts:
        try:
            submit = _core.Submit.read(part)
        except _core.Malformed as error:
            said.add(f"malformed: {_kind(str(error))}")
            continue
        for table in tables():
            table.request("amal", submit)
            for seat in (*range(len(table.players)), 2**32 - 1):
                said.add(_drafted(table, functools.partial(table.decide, seat, submit, table.instant_ms)))
    return frozenset(said)


def replays(parts: Parts) -> Said:
    """Pages of a replay, as whoever checks a match hands them in."""
    try:
        return frozenset({f"verified: {_kind(_core.verify(parts))}"})
    except _core.Malformed as error:
        return frozenset({f"malformed: {_kind(str(error))}"})


DOORS: dict[str, Callable[[Parts], Said]] = {
    "records": records,
    "positions": positions,
    "actions": actions,
    "replays": replays,
}


@functools.cache
def tables() -> tuple[_core.Table, ...]:
    """Golden matches of each game, at moments of several kinds. Read only."""
    made = []
    for name, moments in STOPS.items():
        lines = (corpus.FOLDER.parent / "golden" / f"{name}.jsonl").read_text().splitlines()
        payloads = [bytes.fromhex(json.loads(line)["payload"]) for line in lines[: max(moments)]]
        made += [_core.Table.load(payloads[:count], SEALER) for count in moments]
    return tuple(made)


def _drafted(table: _core.Table, decide: Callable[[], _core.Draft]) -> str:
    try:
        draft = decide()
    except (_core.Refused, _core.Malformed) as error:
        return f"refused: {_kind(str(error))}"
    for viewer in (_core.SPECTATOR, *range(len(table.players))):
        draft.update(viewer, draft.instant_ms)
        draft.answer(viewer)
    return f"drafted {draft.verdict}"


def _replayed(parts: Parts) -> str:
    try:
        page, _ = _core.replay(parts, SEALER, 0, PAGE)
    except _core.Refused:
        return "under way"
    if _core.verify([page]):
        # The log was sound, so whatever is wrong was wrong when it was written: damage has no way to forge a deal.
        return "replayed, not as promised"
    return "replayed"


def _kind(text: str) -> str:
    """Words without what differs from one input to the next."""
    return re.sub(r"\d+|\"[^\"]*\"|'[^']*'|`[^`]*`", "#", text)[:80]
