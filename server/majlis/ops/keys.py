"""Keys that seal deal seeds in the store, as an operator writes them. What sealing is, the Rust core knows."""

import binascii
from typing import Any

from pydantic import SecretBytes

KEY_BYTES = 32
LONGEST_ID = 16


def parse(given: Any) -> dict[str, SecretBytes]:
    """Reads `id=hex,id=hex` from the environment, or a table of id and hex from a file.

    Returns:
        Keys of 32 bytes by id, in the order given.

    Raises:
        ValueError: something is not a key; the text names the id and never the key.
    """
    if isinstance(given, str):
        pairs = [pair.partition("=")[::2] for pair in given.split(",") if pair.strip()]
    elif isinstance(given, dict):
        pairs = list(given.items())
    else:
        raise ValueError("must be id=hex,… in the environment, or a table of id and hex in the file")
    keys: dict[str, SecretBytes] = {}
    for identifier, written in pairs:
        name = str(identifier).strip()
        if not 1 <= len(name.encode()) <= LONGEST_ID:
            raise ValueError(f"a key's id must have 1 to {LONGEST_ID} bytes")
        if name in keys:
            raise ValueError(f"the id {name!r} stands twice")
        keys[name] = _key(name, written)
    return keys


def _key(name: str, written: Any) -> SecretBytes:
    if isinstance(written, SecretBytes):
        return written
    try:
        key = binascii.unhexlify(str(written).strip())
    except (binascii.Error, ValueError):
        raise ValueError(f"the key {name!r} is not hexadecimal") from None
    if len(key) != KEY_BYTES:
        raise ValueError(f"the key {name!r} must have {KEY_BYTES} bytes, {2 * KEY_BYTES} hexadecimal digits")
    return SecretBytes(key)
