"""Every refusal of the catalogue as a status: code, details, and the sentence in the caller's language."""

import grpc
import pytest
from google.rpc import status_pb2

from majlis.api import errors, language
from majlis.match.catalogue import CATALOGUE
from majlis.match.refusal import Refusal
from tests.api.refused import Told


def told(refusal: Refusal, spoken: language.Language = "en") -> Told:
    status = errors.status(refusal, spoken)
    assert status.trailing_metadata is not None
    ((_, packed),) = status.trailing_metadata
    assert isinstance(packed, bytes)
    read = Told()
    read.read(status.code, status_pb2.Status.FromString(packed))
    return read


@pytest.mark.parametrize("reason", CATALOGUE)
@pytest.mark.parametrize("spoken", ["en", "ar"])
def test_every_reason_has_its_status_and_details(reason: str, spoken: language.Language) -> None:
    entry = CATALOGUE[reason]
    read = told(Refusal(reason, sequence=7), spoken)
    assert read.code is grpc.StatusCode[entry.code]
    assert read.reason == reason
    assert read.english == entry.english
    assert read.localized.locale == spoken
    assert read.localized.message == (entry.arabic if spoken == "ar" else entry.english)
    assert read.info.metadata["sequence"] == "7"
    assert read.refusal.sequence == 7
    assert (read.retry is not None) == entry.retry


def test_a_sequence_that_is_not_known_is_not_told() -> None:
    assert "sequence" not in told(Refusal("TOKEN_MISSING")).info.metadata


def test_a_retry_says_when() -> None:
    read = told(Refusal("OVERLOADED", retry_after_ms=1_250))
    assert read.retry is not None
    assert read.retry.retry_delay.ToMilliseconds() == 1_250
    assert read.refusal.retry_after_ms == 1_250


def test_faulty_fields_are_told_by_path() -> None:
    fields = (("match_id", "must have 1 to 64 bytes"), ("tonj.move.from", "is missing"))
    assert told(Refusal("MALFORMED_REQUEST", fields=fields)).fields == dict(fields)


def test_of_many_faulty_fields_the_first_are_told() -> None:
    fields = tuple((f"players[{number}].player_id", "has 0 bytes, must have 1 to 64") for number in range(1_000))
    assert told(Refusal("MALFORMED_REQUEST", fields=fields)).fields == dict(fields[: errors.MOST_FIELDS])


@pytest.mark.parametrize(
    ("accept", "spoken"),
    [
        (None, "en"),
        ("", "en"),
        ("ar", "ar"),
        ("AR-sa", "ar"),
        ("en-GB,ar;q=0.9", "en"),
        ("fr, ar;q=0.8, en;q=0.7", "ar"),
        ("ar;q=0.2, en;q=0.7", "en"),
        ("ar;q=0", "en"),
        ("*", "en"),
        ("*;q=0.5, ar;q=0.4", "en"),
        ("de", "en"),
        ("ar;q=x", "en"),
        ("arz", "en"),
        ("," * 10_000 + "ar", "en"),
    ],
)
def test_the_language_is_the_best_that_we_speak(accept: str | None, spoken: str) -> None:
    assert language.preferred(accept) == spoken


def test_those_who_are_turned_away_together_come_back_apart() -> None:
    waits = {told(Refusal("OVERLOADED")).refusal.retry_after_ms for _ in range(400)}
    assert len(waits) > 40
    assert min(waits) >= errors.SOONEST_RETRY_MS
    assert max(waits) <= errors.LATEST_RETRY_MS


def test_what_is_kept_for_all_tells_of_nobodys_match() -> None:
    assert told(Refusal("MATCH_OVER")).refusal.sequence == 0
    assert told(Refusal("MATCH_OVER", sequence=7)).refusal.sequence == 7
    assert told(Refusal("MATCH_OVER")).refusal.sequence == 0
    assert told(Refusal("MALFORMED_REQUEST", fields=(("match_id", "is empty"),))).fields == {"match_id": "is empty"}
    assert not told(Refusal("MALFORMED_REQUEST")).fields
