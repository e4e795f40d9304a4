"""Who is let in as whom: tokens, good and bad, and the issuers that sign them."""

import base64
import json
import pathlib
import stat
from collections.abc import Callable
from typing import Any

import jwt
import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

from majlis.api import dev_identity, identity, issuer_file
from majlis.api.caller import Role
from majlis.api.identity import Identity, Issuer
from majlis.match.refusal import Refusal
from tests.api.clients import bearer
from tests.api.refused import refused
from tests.api.serving import Serve, Served

NOW = 1_800_000_000_000
KEY = ed25519.Ed25519PrivateKey.generate()
CLAIMS = {"iss": "us", "aud": "majlis", "sub": "alice", "role": "player", "exp": NOW // 1000 + 60}


def public(key: Any, **more: str) -> dict[str, Any]:
    kinds: dict[type, Any] = {
        ed25519.Ed25519PrivateKey: jwt.algorithms.OKPAlgorithm,
        ec.EllipticCurvePrivateKey: jwt.algorithms.ECAlgorithm,
        rsa.RSAPrivateKey: jwt.algorithms.RSAAlgorithm,
    }
    algorithm = next(made for kind, made in kinds.items() if isinstance(key, kind))
    return {**algorithm.to_jwk(key.public_key(), as_dict=True), **more}


ISSUER = Issuer("us", "majlis", {"k1": jwt.PyJWK(public(KEY, alg="EdDSA"))})


def signed(key: Any = KEY, algorithm: str = "EdDSA", kid: str | None = "k1", **claims: Any) -> str:
    headers = None if kid is None else {"kid": kid}
    present = {name: value for name, value in {**CLAIMS, **claims}.items() if value is not None}
    return "Bearer " + jwt.encode(present, key, algorithm=algorithm, headers=headers)


@pytest.fixture
def known() -> Identity:
    return Identity(ISSUER, lambda: NOW)


def reason(known: Identity, authorization: str | None) -> str:
    with pytest.raises(Refusal) as caught:
        known.caller(authorization)
    return caught.value.reason


def test_a_good_token_names_its_caller(known: Identity) -> None:
    caller = known.caller(signed())
    assert (caller.subject, caller.role, caller.expires_ms) == ("alice", Role.PLAYER, NOW + 60_000)
    assert known.caller(signed().replace("Bearer", "bearer")) == caller


def test_only_players_have_seats(known: Identity) -> None:
    assert known.caller(signed()).player_id == "alice"
    assert known.caller(signed(role="spectator")).player_id == ""
    assert known.caller(signed(role="matchmaker")).player_id == ""
    assert known.caller(signed(role="wallet")).player_id == ""


@pytest.mark.parametrize(
    ("claim", "shown"),
    [
        (None, "alice"),
        ("", "alice"),
        (" \t ", "alice"),
        ("Alice", "Alice"),
        (" عليّة ", "عليّة"),
        ("é" * 32, "é" * 32),
        ("a" + "é" * 32, "a" + "é" * 31),
        ("🂡" * 17, "🂡" * 16),
    ],
)
def test_a_name_is_shown_as_far_as_it_fits(known: Identity, claim: str | None, shown: str) -> None:
    caller = known.caller(signed(name=claim))
    assert (caller.subject, caller.name) == ("alice", shown)


def test_a_name_that_is_null_is_none(known: Identity) -> None:
    token = jwt.encode({**CLAIMS, "name": None}, KEY, algorithm="EdDSA", headers={"kid": "k1"})
    assert known.caller(f"Bearer {token}").name == "alice"


def unsigned() -> str:
    parts = ({"alg": "none", "typ": "JWT", "kid": "k1"}, CLAIMS)
    return (
        "Bearer "
        + ".".join(base64.urlsafe_b64encode(json.dumps(p).encode()).rstrip(b"=").decode() for p in parts)
        + "."
    )


def flipped() -> str:
    token = signed()
    return token[:-10] + ("A" if token[-10] != "A" else "B") + token[-9:]


BAD: dict[str, Callable[[], str]] = {
    "no scheme": lambda: signed().removeprefix("Bearer "),
    "another scheme": lambda: "Basic " + signed().removeprefix("Bearer "),
    "nothing": lambda: "Bearer ",
    "no token": lambda: "Bearer x.y.z",
    "not ASCII": lambda: "Bearer é",
    "too long": lambda: signed(more="x" * identity.LONGEST_TOKEN),
    "another key": lambda: signed(ed25519.Ed25519PrivateKey.generate()),
    "a key id that is not known": lambda: signed(kid="k2"),
    "no key id": lambda: signed(kid=None),
    "a changed signature": flipped,
    "no signature": unsigned,
    "a secret key": lambda: signed("x" * 32, "HS256"),
    "another issuer": lambda: signed(iss="them"),
    "another audience": lambda: signed(aud="chess"),
    "no expiry": lambda: signed(exp=None),
    "no subject": lambda: signed(sub=None),
    "an empty subject": lambda: signed(sub=""),
    "a long subject": lambda: signed(sub="é" * 33),
    "no role": lambda: signed(role=None),
    "a subject that is half a surrogate pair": lambda: signed(sub="\ud800"),
    "an endless expiry": lambda: signed(exp=float("inf")),
    "an expiry that is no number": lambda: signed(exp="9" * 10),
    "a role that is not known": lambda: signed(role="admin"),
    "a list of roles": lambda: signed(role=["player"]),
    "a name that is no text": lambda: signed(name=["Alice"]),
    "a name that is half a surrogate pair": lambda: signed(name="\ud800"),
    "not yet": lambda: signed(nbf=2**33),
}


@pytest.mark.parametrize("fault", BAD)
def test_a_bad_token_is_refused(known: Identity, fault: str) -> None:
    assert reason(known, BAD[fault]()) == "TOKEN_INVALID"


def test_no_token_is_told_apart(known: Identity) -> None:
    assert reason(known, None) == "TOKEN_MISSING"


def test_a_token_ends_when_it_expires_remembered_or_not() -> None:
    now = NOW
    known = Identity(ISSUER, lambda: now)
    token = signed()
    now = NOW + 59_999
    assert known.caller(token).subject == "alice"
    now = NOW + 60_000
    assert reason(known, token) == "TOKEN_EXPIRED"
    assert reason(known, token) == "TOKEN_EXPIRED"
    assert reason(Identity(ISSUER, lambda: now), token) == "TOKEN_EXPIRED"


def test_a_remembered_token_is_not_verified_again(known: Identity, monkeypatch: pytest.MonkeyPatch) -> None:
    token = signed()
    caller = known.caller(token)
    monkeypatch.setattr(jwt, "decode", None)
    assert known.caller(token) is caller


def test_memory_of_tokens_is_bounded(known: Identity, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(identity, "REMEMBERED", 3)
    tokens = [signed(sub=name) for name in "abcde"]
    assert [known.caller(token).subject for token in [*tokens, *tokens]] == [*"abcde", *"abcde"]
    assert len(known._known) <= 3


class TestDevelopment:
    def test_server_and_command_share_a_key_that_others_cannot_read(self, tmp_path: pathlib.Path) -> None:
        data = tmp_path / "var"
        token = dev_identity.token(data, "alice", Role.SPECTATOR, 1, "Alice")
        caller = Identity(dev_identity.issuer(data), lambda: 0).caller(f"Bearer {token}")
        assert (caller.subject, caller.role, caller.name) == ("alice", Role.SPECTATOR, "Alice")
        assert stat.S_IMODE((data / dev_identity.FILE).stat().st_mode) == 0o600
        assert [path.name for path in data.iterdir()] == [dev_identity.FILE]

    def test_another_directory_has_another_key(self, tmp_path: pathlib.Path) -> None:
        token = dev_identity.token(tmp_path / "a", "alice", Role.PLAYER, 1)
        other = Identity(dev_identity.issuer(tmp_path / "b"), lambda: 0)
        assert reason(other, f"Bearer {token}") == "TOKEN_INVALID"

    @pytest.mark.parametrize(
        "text", [b"", b"\x00\xff", b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"]
    )
    def test_a_damaged_key_is_told_and_kept(self, tmp_path: pathlib.Path, text: bytes) -> None:
        path = tmp_path / dev_identity.FILE
        path.write_bytes(text)
        with pytest.raises(dev_identity.BadKey, match="PEM"):
            dev_identity.issuer(tmp_path)
        assert path.read_bytes() == text


class TestKeySet:
    def written(self, directory: pathlib.Path, *keys: dict[str, Any]) -> pathlib.Path:
        path = directory / "jwks.json"
        path.write_text(json.dumps({"keys": keys}))
        return path

    @pytest.mark.parametrize(
        ("key", "algorithm"),
        [
            (KEY, "EdDSA"),
            (ec.generate_private_key(ec.SECP256R1()), "ES256"),
            (rsa.generate_private_key(65537, 2048), "RS256"),
        ],
    )
    def test_each_of_its_keys_signs_by_its_own_algorithm(
        self, tmp_path: pathlib.Path, key: Any, algorithm: str
    ) -> None:
        path = self.written(tmp_path, public(KEY, kid="other", alg="EdDSA"), public(key, kid="k1", alg=algorithm))
        known = Identity(issuer_file.issuer(path, "us", "majlis"), lambda: NOW)
        assert known.caller(signed(key, algorithm)).subject == "alice"
        assert reason(known, signed(ed25519.Ed25519PrivateKey.generate())) == "TOKEN_INVALID"

    def test_a_secret_key_is_not_taken(self, tmp_path: pathlib.Path) -> None:
        path = self.written(tmp_path, {"kty": "oct", "k": "c2VjcmV0", "alg": "HS256", "kid": "k1"})
        with pytest.raises(issuer_file.BadKeys, match="HS256"):
            issuer_file.issuer(path, "us", "majlis")

    def test_two_keys_of_one_id_are_not_taken(self, tmp_path: pathlib.Path) -> None:
        path = self.written(tmp_path, public(KEY, kid="k1", alg="EdDSA"), public(KEY, kid="k1", alg="EdDSA"))
        with pytest.raises(issuer_file.BadKeys, match="same id"):
            issuer_file.issuer(path, "us", "majlis")

    @pytest.mark.parametrize("text", ["", "[]", "{}", '{"keys": []}', '{"keys": [{}]}', '{"keys": 1}', "[" * 100_000])
    def test_what_is_no_key_set_is_told(self, tmp_path: pathlib.Path, text: str) -> None:
        path = tmp_path / "jwks.json"
        path.write_text(text)
        with pytest.raises(issuer_file.BadKeys, match="no JSON Web Key Set"):
            issuer_file.issuer(path, "us", "majlis")

    async def test_serves_those_whom_its_service_signs_for(self, tmp_path: pathlib.Path, serve: Serve) -> None:
        path = self.written(tmp_path, public(KEY, kid="k1", alg="EdDSA"))
        settings = {"dev_identity": False, "identity_keys": path, "identity_issuer": "us"}
        async with serve(now=lambda: NOW, **settings) as served:
            client = served.nobody.with_metadata(("authorization", signed()))
            assert not (await client.list_my_matches()).matches
            with refused("TOKEN_INVALID"):
                await served.player("alice").list_my_matches()


async def test_bad_and_expired_tokens_are_told_on_the_wire(served: Served, tmp_path: pathlib.Path) -> None:
    with refused("TOKEN_INVALID"):
        await served.nobody.with_metadata(("authorization", "Bearer x")).list_my_matches()
    with refused("TOKEN_EXPIRED"):
        await served.nobody.with_metadata(bearer(tmp_path, "alice", hours=-1)).list_my_matches()
