"""The issuer of a real deployment: a JSON Web Key Set in a file, as identity services publish them.

Read once, at the start; keys that are new since then need a restart. Secret (symmetric) keys are not taken.
"""

import json
import pathlib

import jwt

from majlis.api.identity import Issuer

ALGORITHMS = frozenset({"EdDSA", "ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"})
"""Public key algorithms; each key is used with its own only, whatever a token asks for."""


class BadKeys(Exception):
    """The file cannot be used."""


def issuer(path: pathlib.Path, name: str, audience: str) -> Issuer:
    """The issuer whose public keys stand in the file.

    Raises:
        BadKeys: no key set, or a key that cannot be used.
    """
    try:
        keys = jwt.PyJWKSet.from_dict(json.loads(path.read_text(encoding="utf-8"))).keys
    except OSError as error:
        raise BadKeys(f"{path}: {error.strerror}") from None
    except (ValueError, RecursionError, AttributeError, jwt.PyJWTError):
        raise BadKeys(f"{path}: no JSON Web Key Set") from None
    for key in keys:
        if key.algorithm_name not in ALGORITHMS:
            raise BadKeys(f"{path}: key {key.key_id!r} is for {key.algorithm_name}, which is not taken")
    by_id = {key.key_id or "": key for key in keys}
    if len(by_id) != len(keys):
        raise BadKeys(f"{path}: two keys have the same id")
    return Issuer(name, audience, by_id)
