"""The catalogue is whole: every reason has a status and a sentence in each language, and the page says the same."""

import re

import pytest

from majlis import _core
from majlis.match import catalogue, page
from majlis.match.refusal import Refusal
from tools import refusals

ENTRIES = list(catalogue.CATALOGUE.values())


def test_every_reason_of_the_rules_has_its_entry() -> None:
    assert {entry.reason for entry in catalogue.BY_THE_RULES} == set(_core.RULE_REASONS)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry.reason)
def test_an_entry_is_complete(entry: catalogue.Entry) -> None:
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", entry.reason)
    assert entry.code in catalogue.Code
    assert re.fullmatch(r"[A-Z][^|]*\.", entry.english)
    assert re.fullmatch(r"[\u0621-\u0652؛، «»!]+\.", entry.arabic)


def test_no_two_reasons_share_a_sentence() -> None:
    assert len({entry.english for entry in ENTRIES}) == len(ENTRIES)
    assert len({entry.arabic for entry in ENTRIES}) == len(ENTRIES)


def test_what_may_be_repeated_has_a_status_that_says_so() -> None:
    repeatable = {catalogue.Code.UNAVAILABLE, catalogue.Code.RESOURCE_EXHAUSTED, catalogue.Code.INTERNAL}
    assert {entry.reason for entry in ENTRIES if entry.retry} == {
        entry.reason for entry in ENTRIES if entry.code in repeatable
    }


def test_a_reason_that_stands_twice_is_found() -> None:
    with pytest.raises(ValueError, match="INTERNAL"):
        catalogue._by_reason([*ENTRIES, catalogue.CATALOGUE["INTERNAL"]])


def test_a_refusal_without_an_entry_cannot_be_made() -> None:
    with pytest.raises(KeyError):
        Refusal("BECAUSE")


def test_the_page_tells_every_reason_in_both_languages() -> None:
    text = page.text()
    for entry in ENTRIES:
        assert text.count(f"| `{entry.reason}` |") == 2
        assert entry.english in text
        assert entry.arabic in text


def test_the_page_in_docs_is_the_catalogues() -> None:
    assert refusals.main(["--check"]) == 0
