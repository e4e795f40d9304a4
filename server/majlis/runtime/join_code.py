"""Join codes of private rooms: what one player reads to another, over the phone if need be.

Capital letters and digits without those that are taken for one another (0 and O, 1 and I), in groups of three.
"""

import secrets
import unicodedata

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
    """What somebody typed or pasted as it is stored; None if no code can be meant.

    Capitals do not matter, nor does what is neither letter nor digit: dashes of all kinds, spaces, and the invisible
    marks that stand around a code in Arabic text. Arabic digits are digits.
    """
    code = "".join(_sign(sign) for sign in typed.upper() if sign.isalnum())
    return code if len(code) == LENGTH and set(code) <= set(ALPHABET) else None


def _sign(sign: str) -> str:
    digit = unicodedata.digit(sign, None)
    return sign if digit is None else str(digit)
