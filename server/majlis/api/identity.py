"""Bearer tokens to callers. Verified tokens are remembered by hash until they expire; nothing about matches is here.

Whose signature counts is told by an `Issuer`: `issuer_file` reads one, `dev_identity` makes one for development.
"""

import dataclasses
import hashlib
from collections.abc import Callable, Mapping

import jwt

from majlis.api.caller import Caller, Role
from majlis.match.refusal import Refusal

LONGEST_TOKEN = 4_096
LONGEST_ID = 64
LONGEST_NAME = 64
REMEMBERED = 50_000
SCHEME = "bearer "


@dataclasses.dataclass(frozen=True, slots=True)
class Issuer:
    """Whose tokens are taken."""

    name: str
    """The `iss` claim."""
    audience: str
    """The `aud` claim."""
    keys: Mapping[str, jwt.PyJWK]
    """Public keys by `kid`, each with the one algorithm that it is for; the key of the empty id is for tokens that
    name none."""


class Identity:
    """Names callers by their tokens."""

    def __init__(self, issuer: Issuer, now: Callable[[], int]) -> None:
        self._issuer = issuer
        self._now = now
        self._known: dict[bytes, Caller] = {}

    def caller(self, authorization: str | None) -> Caller:
        """Who holds the token of an `authorization` metadata value.

        Raises:
            Refusal: `TOKEN_MISSING`, `TOKEN_INVALID` or `TOKEN_EXPIRED`.
        """
        if authorization is None:
            raise Refusal("TOKEN_MISSING")
        token = authorization[len(SCHEME) :].strip()
        if not token or authorization[: len(SCHEME)].lower() != SCHEME or len(token) > LONGEST_TOKEN:
            raise Refusal("TOKEN_INVALID")
        digest = hashlib.sha256(token.encode()).digest()
        caller = self._known.get(digest)
        if caller is None:
            caller = self._verified(token)
            self._remember(digest, caller)
        if caller.expires_ms <= self._now():
            self._known.pop(digest, None)
            raise Refusal("TOKEN_EXPIRED")
        return caller

    def _verified(self, token: str) -> Caller:
        try:
            key = self._issuer.keys.get(jwt.get_unverified_header(token).get("kid", ""))
            if key is None:
                raise Refusal("TOKEN_INVALID")
            claims = jwt.decode(
                token,
                key,
                # The key's, and never the token's own choice.
                algorithms=[key.algorithm_name],
                issuer=self._issuer.name,
                audience=self._issuer.audience,
                # Expiry is judged by our own clock, for remembered and for new tokens alike.
                options={"require": ["iss", "aud", "sub", "exp"], "verify_exp": False},
            )
            subject, role, expires = claims["sub"], Role(str(claims.get("role"))), claims["exp"]
            # Half a surrogate pair has no bytes, and infinity is no instant.
            size, expires_ms = len(subject.encode()), int(float(expires) * 1000)
            name = _shown(claims.get("name"))
        except (jwt.PyJWTError, ValueError, TypeError, OverflowError):
            raise Refusal("TOKEN_INVALID") from None
        if not 1 <= size <= LONGEST_ID or not isinstance(expires, int | float):
            raise Refusal("TOKEN_INVALID")
        return Caller(subject, role, expires_ms, name or subject)

    def _remember(self, digest: bytes, caller: Caller) -> None:
        if len(self._known) >= REMEMBERED:
            now = self._now()
            self._known = {known: held for known, held in self._known.items() if held.expires_ms > now}
            while len(self._known) >= REMEMBERED:
                del self._known[next(iter(self._known))]
        self._known[digest] = caller


def _shown(name: object) -> str:
    """A name that fits on a seat, cut between characters; empty for none.

    Raises:
        TypeError: it is no text.
        ValueError: it is half a surrogate pair.
    """
    if name is None:
        return ""
    if not isinstance(name, str):
        raise TypeError
    return name.strip().encode()[:LONGEST_NAME].decode(errors="ignore")
