"""Putting ready-made messages into a message around them, without reading them."""

_LENGTH_DELIMITED = 2


def field(number: int, value: bytes) -> bytes:
    """A message, string or bytes field, tag and length before it. Fields put one after another make a message."""
    return _varint(number << 3 | _LENGTH_DELIMITED) + _varint(len(value)) + value


def text(number: int, value: str) -> bytes:
    """A string field; nothing for an empty string, which is what absent means."""
    return field(number, value.encode()) if value else b""


def _varint(value: int) -> bytes:
    groups = bytearray()
    while value > 0x7F:
        groups.append(value & 0x7F | 0x80)
        value >>= 7
    groups.append(value)
    return bytes(groups)
