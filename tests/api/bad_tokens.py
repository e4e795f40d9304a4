"""Authorizations that must let nobody in: each kind by its name, as many of a kind as one likes, all for one caller."""

import pathlib
import random
import time
from collections.abc import Callable
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric import ed25519

from majlis.api import dev_identity
from majlis.api.caller import Role

Bad = Callable[[random.Random], str | None]
"""The value of the `authorization` metadata; None for a call without."""

CLAIMS = ("iss", "aud", "sub", "role", "exp")
_KEY = ed25519.Ed25519PrivateKey.generate()


def forged(chance: random.Random, good: str) -> str:
    """A good one with one letter changed; not the last, whose low bits carry nothing."""
    text = list(good.removeprefix("Bearer "))
    place = chance.randrange(len(text) - 1)
    text[place] = chance.choice([letter for letter in "abcXYZ019-_." if letter != text[place]])
    return "Bearer " + "".join(text)


def mangled(chance: random.Random, good: str) -> str:
    """A good one of which a piece is lost, or stands there twice, or is noise."""
    token = good.removeprefix("Bearer ")
    begin, end = sorted(chance.sample(range(len(token) - 1), 2))
    noise = "".join(chance.choice("!#$%&()*+,/:;<=>?@[]^{|}~ ") for _ in range(1 + chance.randrange(5)))
    return "Bearer " + chance.choice(
        [token[:begin] + token[end:], token[:end] + token[begin:], token[:begin] + noise + token[end:]]
    )


def kinds(data: pathlib.Path, subject: str, role: Role) -> dict[str, Bad]:
    """Of a server on this directory, for one who would be let in with a good one; none of them is for another role."""
    good = f"Bearer {dev_identity.token(data, subject, role, 1)}"
    issuer = dev_identity._key(data)
    public = issuer.public_key().public_bytes_raw().hex()

    def signed(chance: random.Random, key: Any = None, algorithm: str = "EdDSA", **changed: Any) -> str:
        """Good but for what is changed; each another one."""
        expires = int(time.time()) + 3_600 + chance.randrange(10**6)
        claims = {"iss": dev_identity.NAME, "aud": dev_identity.AUDIENCE, "sub": subject, "role": role.value}
        present = {**claims, "exp": expires, **changed}
        stated = {name: value for name, value in present.items() if value is not None}
        return "Bearer " + jwt.encode(stated, issuer if key is None else key, algorithm=algorithm)

    return {
        "forged": lambda chance: forged(chance, good),
        "mangled": lambda chance: mangled(chance, good),
        "expired": lambda chance: signed(chance, exp=int(time.time()) - 1 - chance.randrange(10**6)),
        "of no algorithm": lambda chance: signed(chance, "", "none"),
        "of a public key for a secret": lambda chance: signed(chance, public, "HS256"),
        "of another key": lambda chance: signed(chance, _KEY),
        "of another issuer": lambda chance: signed(chance, iss=f"issuer {chance.random()}"),
        "for another audience": lambda chance: signed(chance, aud=f"audience {chance.random()}"),
        "without a claim": lambda chance: signed(chance, None, "EdDSA", **{chance.choice([*CLAIMS]): None}),
        "of a role that is none": lambda chance: signed(chance, role=chance.choice(["", "admin", "Player", "*"])),
        "of no name": lambda chance: signed(chance, sub=chance.choice(["", "x" * 65, 7, ["alice"]])),
        "of another scheme": lambda _: good.replace("Bearer", "Basic"),
        "missing": lambda _: None,
    }
