"""Settings: where they come from, what is out of bounds, and that each fault is one line that names its source."""

import pathlib
import re
from typing import Any

import click.testing
import pytest

from majlis.cli import group
from majlis.ops.address import Address
from majlis.ops.settings import FILE_ONLY, NO_FLAGS, Settings, WrongSetting

KEY = "00" * 31 + "01"


def read(
    flags: dict[str, Any] | None = None, environment: dict[str, str] | None = None, file: pathlib.Path | None = None
) -> Settings:
    return Settings.read(flags or {}, file, environment or {})


def written(directory: pathlib.Path, text: str) -> pathlib.Path:
    path = directory / "majlis.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_defaults_serve_this_machine_only() -> None:
    settings = read()
    assert Address.parse(settings.listen).host == "127.0.0.1"
    assert Address.parse(settings.metrics).host == "127.0.0.1"
    assert settings.database == pathlib.Path("var/majlis.db")


def test_flags_win_over_environment_over_file_over_defaults(tmp_path: pathlib.Path) -> None:
    file = written(tmp_path, "queue_length = 3\nfeed_length = 3\nmax_gap = 3\n")
    environment = {"MAJLIS_QUEUE_LENGTH": "2", "MAJLIS_FEED_LENGTH": "2"}
    settings = read({"queue_length": "1"}, environment, file)
    assert (settings.queue_length, settings.feed_length, settings.max_gap) == (1, 2, 3)
    assert settings.max_calls == Settings.model_fields["max_calls"].default


def test_a_store_may_lie_elsewhere() -> None:
    assert read({"store": "sqlite:///a/b.db"}).database == pathlib.Path("a/b.db")
    assert read({"store": "sqlite:////a/b.db"}).database == pathlib.Path("/a/b.db")


def test_matches_may_be_kept_in_a_database_whose_password_is_shown_to_nobody() -> None:
    url = "postgresql://amal:secret@db.example:5433/majlis?sslmode=require&password=secret"
    settings = read(environment={"MAJLIS_STORE": url})
    assert (settings.store_url, settings.is_embedded) == (url, False)
    assert settings.store_shown == "postgresql://amal@db.example:5433/majlis"
    assert "secret" not in f"{settings!r} {settings}"
    for wrong in ("postgresq://amal:secret@db/majlis", "postgresql://amal:secret@db:x/majlis"):
        with pytest.raises(WrongSetting) as refused:
            read(environment={"MAJLIS_STORE": wrong})
        assert "secret" not in str(refused.value)


def test_an_empty_variable_counts_as_absent() -> None:
    assert read(environment={"MAJLIS_LISTEN": ""}) == read()


def test_variables_of_others_are_passed_over() -> None:
    # Kubernetes sets such variables for a service of this name.
    assert read(environment={"MAJLIS_PORT": "tcp://10.0.0.1:50051", "MAJLIS_SERVICE_HOST": "10.0.0.1"}) == read()


@pytest.mark.parametrize(
    ("flags", "environment", "text", "line"),
    [
        ({"linger_ms": "99"}, {}, "", "--linger-ms: should be less than or equal to 50"),
        ({}, {"MAJLIS_QUEUE_LENGTH": "many"}, "", "MAJLIS_QUEUE_LENGTH: should be a valid integer"),
        ({}, {}, "grace_seconds = -1", "grace_seconds in {file}: should be greater than or equal to 0"),
        ({}, {}, "grace_seconds = nan", "grace_seconds in {file}: should be a finite number"),
        ({}, {}, "lisen = 'x'", "lisen in {file}: there is no such setting"),
        ({}, {}, "listen =", "{file}: no TOML"),
        ({}, {}, f"listen = {'[' * 5_000}", "{file}: no TOML"),
        ({}, {}, f"queue_length = {'9' * 5_000}", "{file}: no TOML"),
        ({}, {}, "[stakes]\nsecond = 5", "stakes.second in {file}: there is no such setting"),
        ({}, {}, "[stakes]\nseconds = 0", "stakes.seconds in {file}: should be greater than or equal to 1"),
        ({}, {}, "[stakes]\nseconds = {a = 1}", "stakes.seconds in {file}: should be a valid number"),
        ({}, {}, "[steaks]\nseconds = 5", "steaks in {file}: there is no such setting"),
        ({}, {}, "[store]\nurl = 'x'", "store in {file}: should be a valid string"),
        (
            {},
            {},
            "stakes_seconds = 5\n[stakes]\nseconds = 5",
            "stakes_seconds stands twice: stakes_seconds and stakes.seconds",
        ),
        (
            {},
            {},
            "[rematch]\nstay_seconds = 5\n[rematch_stay]\nseconds = 5",
            "rematch_stay_seconds stands twice: rematch.stay_seconds and rematch_stay.seconds",
        ),
        (
            {"stakes_confirmation": "maybe"},
            {},
            "[stakes]\nconfirmation = 'none'",
            "--stakes-confirmation: should be 'required' or 'none'",
        ),
        ({}, {}, 'data = "a\\u0000b"', "data in {file}: holds a NUL character"),
        ({}, {}, 'store = "sqlite:///a\\u0000b"', "store in {file}: holds a NUL character"),
        ({}, {}, 'identity_keys = "\\u0000"', "identity_keys in {file}: holds a NUL character"),
        ({"listen": ":50051"}, {}, "", "--listen: must be host:port"),
        ({"listen": "127.0.0.1:65536"}, {}, "", "--listen: the port must be a number"),
        ({"store": "mysql://x"}, {}, "", "--store: is neither of the form sqlite:///PATH nor postgresql://USER@HOST/D"),
        ({"store": "sqlite:///"}, {}, "", "--store: is neither of the form"),
        ({"store": "postgresql://amal:secret@db"}, {}, "", "--store: is not of the form postgresql://USER@HOST"),
        ({"store": "postgres://db:secret/majlis"}, {}, "", "--store: is not of the form postgresql://USER@HOST"),
        ({"log_format": "yaml"}, {}, "", "--log-format: should be 'console' or 'json'"),
        ({"seal_with": "k2"}, {"MAJLIS_SEAL_KEYS": f"k1={KEY}"}, "", "settings: seal_with names no key"),
        ({"dev_identity": True, "identity_keys": "x"}, {}, "", "settings: dev_identity and identity_keys exclude"),
        ({"identity_keys": "x"}, {}, "", "settings: identity_keys needs identity_issuer"),
        ({"drain_seconds": 5, "grace_seconds": 1}, {}, "", "settings: drain_seconds is longer than grace_seconds"),
    ],
)
def test_a_fault_is_one_line_that_names_its_source(
    tmp_path: pathlib.Path, flags: dict[str, Any], environment: dict[str, str], text: str, line: str
) -> None:
    file = written(tmp_path, text)
    with pytest.raises(WrongSetting) as caught:
        read(flags, environment, file)
    told = str(caught.value)
    assert told.startswith(line.format(file=file))
    assert "\n" not in told


@pytest.mark.parametrize(
    ("flags", "seconds"),
    [
        ({}, 5),
        ({"grace_seconds": 60}, 5),
        ({"grace_seconds": 4}, 2),
        ({"grace_seconds": 0}, 0),
        ({"grace_seconds": 4, "drain_seconds": 4}, 4),
        ({"drain_seconds": 0}, 0),
    ],
)
def test_the_ends_of_streams_are_spread_as_told_or_over_half_of_a_short_grace(
    flags: dict[str, Any], seconds: float
) -> None:
    assert read(flags).spread_seconds == seconds


def test_a_file_that_is_not_there_is_told(tmp_path: pathlib.Path) -> None:
    with pytest.raises(WrongSetting, match="No such file"):
        read(file=tmp_path / "missing.toml")


def test_a_file_may_put_settings_in_tables_by_the_beginning_of_their_names(tmp_path: pathlib.Path) -> None:
    file = written(tmp_path, "[stakes]\nconfirmation = 'none'\nseconds = 5\n[rooms]\nguesses_address = 0\n[rematch]\n")
    settings = read(file=file)
    assert (settings.stakes_confirmation, settings.stakes_seconds) == ("none", 5)
    assert settings.rooms_guesses_address == 0
    assert read({"stakes_seconds": "7"}, {"MAJLIS_STAKES_CONFIRMATION": "required"}, file) == settings.model_copy(
        update={"stakes_confirmation": "required", "stakes_seconds": 7.0}
    )


class TestSealKeys:
    def test_come_from_the_environment_or_a_table(self, tmp_path: pathlib.Path) -> None:
        from_environment = read(environment={"MAJLIS_SEAL_KEYS": f"k1={KEY}, k2={'ff' * 32}"})
        file = written(tmp_path, f'[seal_keys]\nk1 = "{KEY}"\nk2 = "{"ff" * 32}"\n')
        assert from_environment.seal_keys == read(file=file).seal_keys
        assert from_environment.seal_keys["k1"].get_secret_value() == bytes(31) + b"\1"
        assert from_environment.sealing_key == "k1"

    def test_the_named_one_seals(self) -> None:
        settings = read({"seal_with": "k2"}, {"MAJLIS_SEAL_KEYS": f"k1={KEY},k2={KEY}"})
        assert settings.sealing_key == "k2"
        assert read().sealing_key is None

    @pytest.mark.parametrize(
        "text", ["k1", f"k1={KEY[:-2]}", f"k1={KEY[:-1]}g", f"={KEY}", f"{'k' * 17}={KEY}", f"k1={KEY},k1={KEY}"]
    )
    def test_a_wrong_one_is_told_without_its_text(self, text: str) -> None:
        with pytest.raises(WrongSetting) as caught:
            read(environment={"MAJLIS_SEAL_KEYS": text})
        assert str(caught.value).startswith("MAJLIS_SEAL_KEYS: ")
        assert KEY[:10] not in str(caught.value)

    def test_never_show(self) -> None:
        settings = read(environment={"MAJLIS_SEAL_KEYS": f"k1={'ab' * 32}"})
        assert "ab" * 4 not in repr(settings)
        assert r"\xab" not in repr(settings)

    def test_are_no_flags(self) -> None:
        answer = click.testing.CliRunner().invoke(group, ["serve", "--seal-keys", f"k1={KEY}"])
        assert answer.exit_code == 2
        assert "No such option" in answer.output


def test_help_tells_every_setting_with_its_variable_and_default() -> None:
    text = " ".join(click.testing.CliRunner().invoke(group, ["serve", "--help"]).output.split())
    for name, field in Settings.model_fields.items():
        assert bool(re.search(rf"\bMAJLIS_{name.upper()}\b", text)) == (name not in FILE_ONLY), name
        assert f"{name}: " in text or name not in FILE_ONLY, name
        assert field.description is not None, name
        assert field.description in text, name
        if name not in NO_FLAGS:
            assert f"--{name.replace('_', '-')} " in text, name
    assert "default: 127.0.0.1:50051" in text
    assert "0 to 50; default: 1.0" in text


@pytest.mark.parametrize("text", ["127.0.0.1:0", "[::1]:50051", "localhost:65535"])
def test_an_address_is_written_as_it_was_read(text: str) -> None:
    assert str(Address.parse(text)) == text


def test_an_address_knows_whether_others_get_there() -> None:
    assert all(Address(host, 1).is_loopback for host in ("127.0.0.1", "127.1.2.3", "::1", "localhost"))
    assert not any(Address(host, 1).is_loopback for host in ("0.0.0.0", "::", "10.0.0.1", "majlis.example"))


@pytest.mark.parametrize("text", ["", "50051", ":1", "::1:50051", "[::1]", "h:", "h:-1", "h:1.0", "h:65536", "[h]:1"])
def test_what_is_no_address_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="must be"):
        Address.parse(text)
