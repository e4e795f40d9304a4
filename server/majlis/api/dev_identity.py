"""An issuer for development: an Ed25519 key in the data directory, made when it is first needed.

Whoever can read that directory can be anybody. In production an identity service signs, and this is not switched on.
"""

import os
import pathlib
import secrets
import time

import jwt
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from majlis.api.caller import Role
from majlis.api.identity import Issuer

FILE = "dev-identity.pem"
NAME = "majlis-dev"
AUDIENCE = "majlis"
ALGORITHM = "EdDSA"


class BadKey(Exception):
    """The key file is there but cannot be used."""


def issuer(data: pathlib.Path) -> Issuer:
    """The issuer whose tokens `token` makes with the same directory.

    Raises:
        BadKey: the file cannot be made, read or used.
    """
    public = jwt.algorithms.OKPAlgorithm.to_jwk(_key(data).public_key(), as_dict=True)
    return Issuer(NAME, AUDIENCE, {"": jwt.PyJWK({**public, "alg": ALGORITHM})})


def token(data: pathlib.Path, player: str, role: Role, hours: float, name: str = "") -> str:
    """A signed token for a player, or for a service with another role. An empty name is left out.

    Raises:
        BadKey: the file cannot be made, read or used.
    """
    now = time.time()
    claims = {
        "iss": NAME,
        "aud": AUDIENCE,
        "sub": player,
        "role": role.value,
        "iat": int(now),
        "exp": int(now + hours * 3600),
    }
    if name:
        claims["name"] = name
    return jwt.encode(claims, _key(data), algorithm=ALGORITHM)


def _key(data: pathlib.Path) -> Ed25519PrivateKey:
    path = data / FILE
    try:
        if not path.exists():
            _make(path)
        key = serialization.load_pem_private_key(path.read_bytes(), password=None)
    except OSError as error:
        raise BadKey(f"{path}: {error.strerror}") from None
    except (ValueError, TypeError, UnsupportedAlgorithm):
        raise BadKey(f"{path}: not a private key in PEM") from None
    if not isinstance(key, Ed25519PrivateKey):
        raise BadKey(f"{path}: not an Ed25519 key")
    return key


def _make(path: pathlib.Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    pem = Ed25519PrivateKey.generate().private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(pem)
        # A link appears whole or not at all: of two programs that make the key at once, both use the first one's.
        path.hardlink_to(draft)
    except FileExistsError:
        pass
    finally:
        draft.unlink()
