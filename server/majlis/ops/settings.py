"""Every setting of the server: its name, default, bounds and help text, and where it is read from.

Flags win over the environment (`MAJLIS_…`), that over the TOML file, that over the defaults. The command line makes its
options from these fields (`majlis.cli.options`). What a setting does stands with the part that takes it.
"""

import os
import pathlib
import tomllib
import urllib.parse
from collections.abc import Collection, Iterable, Mapping
from typing import Annotated, Any, Literal, Self

import pydantic
from pydantic import AfterValidator, BeforeValidator, Field, SecretBytes

from majlis.ops import keys
from majlis.ops.address import Address
from majlis.ops.tables import FREE, Tables

PREFIX = "MAJLIS_"
SQLITE = "sqlite:///"
"""What a store's URL begins with; a path follows, relative unless it begins with one more slash."""
POSTGRES = ("postgresql://", "postgres://")
"""The same of a database on a server; user, host and name of the database follow."""
SECRETS = frozenset({"seal_keys"})
"""No flags: command lines are seen by everybody on the machine."""
FILE_ONLY = frozenset({"tables"})
"""Neither flags nor variables: they are too much for a line."""
NO_FLAGS = SECRETS | FILE_ONLY


class WrongSetting(Exception):
    """A setting that cannot be read or is out of bounds; one line, without the value."""


Listenable = Annotated[str, AfterValidator(lambda text: str(Address.parse(text)))]


class Settings(pydantic.BaseModel):
    """What an operator may set. Immutable; `Settings.read` makes one."""

    model_config = pydantic.ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True, allow_inf_nan=False)

    listen: Listenable = Field("127.0.0.1:50051", description="Address for gRPC; 0.0.0.0:50051 serves every interface.")
    metrics: Listenable = Field("127.0.0.1:9464", description="Address for Prometheus: HTTP, /metrics.")
    data: pathlib.Path = Field(pathlib.Path("var"), description="Directory of the server's own files.")
    store: str = Field(
        "",
        description="Where matches are kept: sqlite:///PATH or postgresql://USER@HOST/DATABASE, which several servers "
        "may share; empty takes majlis.db in DATA.",
        repr=False,  # it may hold a password
    )
    log_format: Literal["console", "json"] = Field("console", description="Form of the log, on standard error.")
    log_level: Literal["debug", "info", "warning", "error"] = Field("info", description="Least weight that is logged.")
    seal_keys: Annotated[dict[str, SecretBytes], BeforeValidator(keys.parse)] = Field(
        {}, description="Keys that seal deal seeds in the store, 32 bytes each: id=hex,… or a TOML table."
    )
    seal_with: str = Field("", description="Id of the key that seals, the first when empty; the others only open.")
    dev_identity: bool = Field(
        False, description="Take tokens of `majlis token`, signed with a key in DATA. Not for production."
    )
    identity_keys: pathlib.Path | None = Field(
        None, description="JSON Web Key Set (file) of the service that signs players' tokens."
    )
    identity_issuer: str = Field("", description="The iss that its tokens must have.")
    identity_audience: str = Field("majlis", description="The aud that its tokens must have.")
    uvloop: bool = Field(True, description="Run on uvloop's event loop.")
    linger_ms: float = Field(1.0, ge=0, le=50, description="Longest wait for company before a commit, under load.")
    heartbeat_seconds: float = Field(15.0, ge=0.05, le=20, description="Between signs of life on an idle stream.")
    queue_length: int = Field(64, ge=1, le=10_000, description="Actions that may wait in one match.")
    feed_length: int = Field(64, ge=1, le=10_000, description="Updates that may wait for one watcher.")
    max_gap: int = Field(512, ge=1, le=100_000, description="Missed events that are sent again; more take a snapshot.")
    presence_grace_seconds: float = Field(
        5.0, ge=0, le=300, description="How long who went is still shown as connected."
    )
    stall_seconds: float = Field(30.0, ge=0.05, le=600, description="Until a watcher that reads nothing is let go.")
    max_loaded: int = Field(20_000, ge=1, le=10_000_000, description="Matches in memory, as long as others are in use.")
    idle_seconds: float = Field(60.0, ge=0, le=86_400, description="Until a match that nobody uses leaves the memory.")
    grace_seconds: float = Field(10.0, ge=0, le=600, description="Longest stop, from the signal to the exit.")
    drain_seconds: float = Field(5.0, ge=0, le=600, description="Of those, over how long the ends of streams spread.")
    stream_minutes: float = Field(
        0.0, ge=0, le=1_440, description="Until a stream has to be opened again, half of it to all of it; 0 is never."
    )
    max_calls: int = Field(2_000, ge=1, le=1_000_000, description="Calls and sessions' actions in work at once.")
    max_streams: int = Field(20_000, ge=1, le=1_000_000, description="Streams and sessions open at once.")
    max_streams_per_player: int = Field(32, ge=1, le=10_000, description="Of those, one player's.")
    max_message_bytes: int = Field(65_536, ge=1_024, le=4_194_304, description="Largest message that is read.")
    stakes_confirmation: Literal["required", "none"] = Field(
        "required", description="Whether a match with a fee waits until a wallet has confirmed every seat."
    )
    stakes_seconds: float = Field(60.0, ge=1, le=3_600, description="How long the wallet has for that.")
    rooms_seconds: float = Field(900.0, ge=10, le=86_400, description="How long the join code of a room is valid.")
    rooms_guesses: int = Field(10, ge=1, le=1_000, description="Wrong codes of one player in 10 minutes.")
    rooms_guesses_address: int = Field(
        200, ge=0, le=1_000_000, description="Wrong codes of one address, which many may share; 0 is no limit."
    )
    tables: Tables = Field(FREE, description="Standing offers, one [[tables]] each; without any, a free one a game.")
    tables_seconds: float = Field(
        600.0, ge=10, le=86_400, description="Until a match that waits for players at a table is void."
    )
    rematch_seconds: float = Field(
        30.0, ge=1, le=600, description="Until a rematch that the others do not join is void."
    )
    rematch_stay_seconds: float = Field(
        120.0, ge=0, le=3_600, description="How long after the end a stream that awaits a rematch stays open."
    )

    @pydantic.field_validator("data", "store", "identity_keys")
    @classmethod
    def _can_name_a_file(cls, path: object) -> object:
        if "\0" in str(path):
            raise ValueError("holds a NUL character, which no path does")
        return path

    @pydantic.field_validator("store")
    @classmethod
    def _names_a_store(cls, url: str) -> str:
        # None of these texts quotes it, for there may be a password in it.
        if url.startswith(POSTGRES):
            try:
                parts = urllib.parse.urlsplit(url)
                whole = bool(parts.path.strip("/")) and parts.port != 0
            except ValueError:
                whole = False
            if not whole:
                raise ValueError(f"is not of the form {POSTGRES[0]}USER@HOST:PORT/DATABASE")
        elif url and (not url.startswith(SQLITE) or url == SQLITE):
            raise ValueError(f"is neither of the form {SQLITE}PATH nor {POSTGRES[0]}USER@HOST/DATABASE")
        return url

    @pydantic.model_validator(mode="after")
    def _fits_together(self) -> Self:
        if self.seal_with and self.seal_with not in self.seal_keys:
            raise ValueError("seal_with names no key of seal_keys")
        if self.identity_keys is not None and self.dev_identity:
            raise ValueError("dev_identity and identity_keys exclude each other")
        if "drain_seconds" in self.model_fields_set and self.drain_seconds > self.grace_seconds:
            raise ValueError("drain_seconds is longer than grace_seconds")
        if self.identity_keys is not None and not self.identity_issuer:
            raise ValueError("identity_keys needs identity_issuer")
        return self

    @property
    def is_embedded(self) -> bool:
        """Whether matches are kept in a file of this server alone."""
        return not self.store.startswith(POSTGRES)

    @property
    def store_url(self) -> str:
        """Where matches are kept. It may hold a password."""
        return f"{SQLITE}{self.database}" if self.is_embedded else self.store

    @property
    def store_shown(self) -> str:
        """The same for people, without a password."""
        if self.is_embedded:
            return str(self.database)
        parts = urllib.parse.urlsplit(self.store)
        user = f"{parts.username}@" if parts.username else ""
        return f"{parts.scheme}://{user}{parts.netloc.rpartition('@')[2]}{parts.path}"

    @property
    def database(self) -> pathlib.Path:
        """The SQLite file, where matches are kept in one."""
        return pathlib.Path(self.store.removeprefix(SQLITE)) if self.store else self.data / "majlis.db"

    @property
    def spread_seconds(self) -> float:
        """`drain_seconds`; unless it was set, no more than half of `grace_seconds`."""
        if "drain_seconds" in self.model_fields_set:
            return self.drain_seconds
        return min(self.drain_seconds, self.grace_seconds / 2)

    @property
    def sealing_key(self) -> str | None:
        """Id of the key that seals; None without keys."""
        return self.seal_with or next(iter(self.seal_keys), None)

    @classmethod
    def read(
        cls, flags: Mapping[str, Any], config: pathlib.Path | None = None, environment: Mapping[str, str] = os.environ
    ) -> Self:
        """Reads flags, environment and file.

        Args:
            flags: by name of the setting, only those that were given.
            config: a TOML file with settings by name; `[stakes]` with `seconds` is `stakes_seconds`.
            environment: variables; an empty one counts as absent.

        Raises:
            WrongSetting: the first thing that is wrong, and where it was set.
        """
        file, written = _flat(_document(config), cls.model_fields) if config is not None else ({}, {})
        variables = {
            name: text
            for name in cls.model_fields.keys() - FILE_ONLY
            if (text := environment.get(f"{PREFIX}{name.upper()}", "")) != ""
        }
        try:
            return cls.model_validate({**file, **variables, **flags})
        except pydantic.ValidationError as error:
            fault = error.errors()[0]
        name = str(fault["loc"][0]) if fault["loc"] else ""
        if name in flags:
            source = f"--{name.replace('_', '-')}"
        elif name in variables:
            source = f"{PREFIX}{name.upper()}"
        elif name:
            source = f"{written.get(name, name)}{_path(fault['loc'][1:])} in {config}"
        else:
            source = "settings"
        raise WrongSetting(f"{source}: {_sentence(fault)}")


def _document(config: pathlib.Path) -> dict[str, Any]:
    try:
        return tomllib.loads(config.read_text(encoding="utf-8"))
    except OSError as error:
        raise WrongSetting(f"{config}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise WrongSetting(f"{config}: no TOML: {error}") from None


def _flat(document: Mapping[str, Any], settings: Collection[str]) -> tuple[dict[str, Any], dict[str, str]]:
    """Settings by name from a document in which some stand in tables, and where each of them stands.

    Raises:
        WrongSetting: one stands there in both ways.
    """
    flat: dict[str, Any] = {}
    written: dict[str, str] = {}
    for name, value in document.items():
        # A table that is no setting, but what some are named after.
        if isinstance(value, dict) and name not in settings and any(one.startswith(f"{name}_") for one in settings):
            found = {f"{name}_{key}": (f"{name}.{key}", inner) for key, inner in value.items()}
        else:
            found = {name: (name, value)}
        for setting, (place, given) in found.items():
            if setting in flat:
                raise WrongSetting(f"{setting} stands twice: {written[setting]} and {place}")
            flat[setting], written[setting] = given, place
    return flat, written


def _path(inside: Iterable[int | str]) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in inside)


def _sentence(fault: Any) -> str:
    if fault["type"] == "extra_forbidden":
        return "there is no such setting"
    message: str = fault["msg"].removeprefix("Value error, ").removeprefix("Input ")
    return message
