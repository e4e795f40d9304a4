"""Protobuf's wire format without a schema: just enough to change a message and keep its lengths right."""

import dataclasses

_VARINT, _LENGTH = 0, 2
_FIXED = {1: 8, 5: 4}


@dataclasses.dataclass(frozen=True, slots=True)
class Field:
    """A field of a message."""

    number: int
    value: int | bytes
    """A varint, or whatever has a length."""
    fixed: int | None = None
    """The wire type of one of a fixed size, whose bytes `value` holds."""


def read(text: bytes) -> list[Field]:
    """The fields of a message; empty for what is none."""
    fields: list[Field] = []
    place = 0
    try:
        while place < len(text):
            key, place = _varint(text, place)
            number, kind = key >> 3, key & 7
            if kind == _VARINT:
                value, place = _varint(text, place)
                fields.append(Field(number, value))
                continue
            if kind == _LENGTH:
                length, place = _varint(text, place)
            else:
                length = _FIXED[kind]
            if number == 0 or place + length > len(text):
                return []
            fields.append(Field(number, text[place : place + length], None if kind == _LENGTH else kind))
            place += length
    except (IndexError, KeyError):
        return []
    return fields


def written(fields: list[Field]) -> bytes:
    """The message of these fields."""
    text = bytearray()
    for field in fields:
        if isinstance(field.value, int):
            text += _bytes(field.number << 3 | _VARINT) + _bytes(field.value)
        elif field.fixed is not None:
            text += _bytes(field.number << 3 | field.fixed) + field.value
        else:
            text += _bytes(field.number << 3 | _LENGTH) + _bytes(len(field.value)) + field.value
    return bytes(text)


def _varint(text: bytes, place: int) -> tuple[int, int]:
    number = shift = 0
    while True:
        byte = text[place]
        place += 1
        number |= (byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 or shift > 63:
            return number & (2**64 - 1), place


def _bytes(number: int) -> bytes:
    number &= 2**64 - 1
    text = bytearray()
    while number >= 0x80:
        text.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*text, number])
