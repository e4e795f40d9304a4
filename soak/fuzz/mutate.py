"""Inputs made from others by seeded chance: bytes changed, and fields and values of what they say moved about.

Bytes alone seldom get past the first look, since lengths no longer fit; so messages are also taken apart by the wire
format and put together again, and positions by that of JSON.
"""

import json
import random
from collections.abc import Sequence
from typing import Any

from soak.fuzz import wire
from soak.fuzz.corpus import TEXT, Parts

FORMAT = b"\x01"
"""The byte that opens a record; a message follows."""
EDGES = (0, 1, 3, 4, 13, 14, 51, 52, 53, 104, 127, 128, 2**31 - 1, 2**31, 2**32 - 1, 2**63, 2**64 - 1)
"""Numbers at which something ends: seats, ranks, decks, bytes, words."""
VALUES: tuple[Any, ...] = (None, True, -1, *EDGES, 2**64, 1.5, 1e308, "", "AS", "ZZ", "\0", "ا", [], {}, [[]])


def mutated(door: str, chance: random.Random, parts: Parts, others: Sequence[Parts]) -> Parts:
    """An input like this one, with one to three things about it changed; `others` lend what is theirs."""
    changed = list(parts)
    for _ in range(chance.randint(1, 3)):
        place = chance.randrange(len(changed)) if changed else 0
        match chance.randrange(10):
            case 0 if changed:
                del changed[place]
            case 1 if changed:
                changed.insert(chance.randrange(len(changed) + 1), changed[place])
            case 2:
                lent = chance.choice(others)
                changed[place : place + chance.randrange(2)] = lent[chance.randrange(len(lent) + 1) :][:1]
            case 3 | 4 if changed:
                changed[place] = _bytes(chance, changed[place])
            case _ if changed:
                changed[place] = _position(chance, changed[place]) if door in TEXT else _message(chance, changed[place])
    if door in TEXT:
        return tuple(part.replace(b"\n", b" ") for part in changed)
    return tuple(changed)


def _bytes(chance: random.Random, text: bytes) -> bytes:
    changed = bytearray(text)
    for _ in range(chance.randint(1, 4)):
        place = chance.randrange(len(changed) + 1)
        match chance.randrange(5):
            case 0 if place < len(changed):
                changed[place] ^= 1 << chance.randrange(8)
            case 1:
                changed[place : place + 1] = chance.randbytes(1)
            case 2:
                del changed[place : place + chance.randrange(1, 9)]
            case 3:
                changed[place:place] = changed[place : place + chance.randrange(1, 17)]
            case _:
                del changed[place:]
    return bytes(changed)


def _message(chance: random.Random, text: bytes) -> bytes:
    """One field of the message, or of one within it, changed."""
    opening, body = (FORMAT, text[1:]) if text.startswith(FORMAT) else (b"", text)
    fields = wire.read(body)
    if not fields:
        return _bytes(chance, text)
    place = chance.randrange(len(fields))
    field = fields[place]
    match chance.randrange(8):
        case 0:
            del fields[place]
        case 1:
            fields.insert(chance.randrange(len(fields) + 1), field)
        case 2:
            fields[place] = wire.Field(chance.randint(1, 20), field.value)
        case _ if isinstance(field.value, int):
            near = (field.value + 1, max(0, field.value - 1))
            fields[place] = wire.Field(field.number, chance.choice((*EDGES, *near)))
        case _:
            inner = _message(chance, field.value) if field.value else chance.randbytes(chance.randrange(4))
            fields[place] = wire.Field(field.number, inner)
    return opening + wire.written(fields)


def _position(chance: random.Random, text: bytes) -> bytes:
    """One value somewhere in the line changed."""
    try:
        line = json.loads(text)
    except (ValueError, RecursionError):
        return _bytes(chance, text)
    return json.dumps(_value(chance, line), ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def _value(chance: random.Random, value: Any) -> Any:
    if not value or not isinstance(value, list | dict) or chance.randrange(12) == 0:
        return chance.choice(VALUES)
    keys: list[Any] = list(value) if isinstance(value, dict) else list(range(len(value)))
    key = chance.choice(keys)
    changed = value.copy()
    match chance.randrange(8):
        case 0:
            del changed[key]
        case 1 if isinstance(changed, list):
            changed.insert(chance.randrange(len(changed)), changed[key])
        case 2:
            changed[chance.choice(keys)] = changed[key]
        case 3:
            other = chance.choice(keys)
            changed[key], changed[other] = changed[other], changed[key]
        case _:
            changed[key] = _value(chance, changed[key])
    return changed
