"""Page tokens and cursors: where a list goes on, in a form that nobody is to read anything into."""

import base64
import binascii

from majlis.match.refusal import Refusal

LONGEST = 256


def token(*place: int | str) -> str:
    """The token of a place; it has no spaces in its parts."""
    return base64.urlsafe_b64encode(" ".join(map(str, place)).encode()).decode().rstrip("=")


def place(given: str, parts: int, field: str = "page_token") -> list[str]:
    """The parts of the place that a token names; `field` of the request has it.

    Raises:
        Refusal: MALFORMED_REQUEST; we never gave such a token.
    """
    try:
        if len(given) > LONGEST:
            raise malformed(field)
        padded = given + "=" * (-len(given) % 4)
        found = base64.b64decode(padded, altchars=b"-_", validate=True).decode().split(" ")
    except (binascii.Error, ValueError):
        raise malformed(field) from None
    if len(found) != parts or not found[0].isascii() or not found[0].isdecimal() or len(found[0]) > 18:
        raise malformed(field)
    return found


def malformed(field: str = "page_token") -> Refusal:
    """A refusal of a token in a field of the request."""
    return Refusal("MALFORMED_REQUEST", fields=((field, "is none that we gave"),))
