"""Join codes of private rooms: what one player reads to another, over the phone if need be.

Capital letters and digits without those that are taken for one another (0 and O, 1 and I), in groups of three.
"""

import secrets

ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
"""32 signs: five bits each."""
LENGTH = 9
"""45 random bits: guessing one of a thousand open rooms takes some 17 thousand million tries on the average."""
GROUP = 3


def new() -> str:
    """A code as it is stored: without dashes."""
    return "".join(secrets.choice(ALPHABET) for _ in range(LENGTH))


def shown(code: str) -> str:
    """A code as it is read and written: in groups, such as `K7M-2QX-9TR`."""
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))


def read(typed: str) -> str | None:
    """What somebody typed as it is stored; None if it cannot be a code. Capitals, dashes and spaces do not matter."""
    code = "".join(typed.upper().split()).replace("-", "")
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None
