"""Logs that were damaged: found out as such, never a panic, and never a table that was not played."""

import random

import pytest

from majlis import _core
from tests.rules import golden
from tests.rules.golden import SEALER, Golden
from tests.rules.matches import viewers

MOST = 300
"""Records that are read of a long log: each is read once for every viewer."""


@pytest.fixture(scope="module")
def match() -> Golden:
    return golden.read("tonj-repetition")


def read_all(payloads: list[bytes]) -> None:
    """Everything that is ever made of a log; raises Damaged where it is told to be so."""
    table = _core.Table.load(payloads, SEALER)
    for viewer in viewers(table):
        table.snapshot(viewer, table.instant_ms)
        table.get_match(viewer, table.instant_ms)
        _core.missed(payloads, SEALER, viewer, 0, table.instant_ms)
        _core.answer(payloads, SEALER, viewer)
    try:
        page, _ = _core.replay(payloads, SEALER, 0, 10_000)
        _core.verify([page])
        table.expire(table.instant_ms)
    except _core.Refused:
        pass


def found_out(payloads: list[bytes]) -> bool:
    try:
        read_all(payloads)
    except _core.Damaged:
        return True
    return False


def test_the_log_itself_is_sound(match: Golden) -> None:
    read_all(match.payloads)


@pytest.mark.parametrize(
    ("name", "bits", "times"),
    [
        ("tonj-repetition", 1, 1_500),
        ("tonj-repetition", 8, 1_000),
        ("tonj-played-out", 1, 150),
        ("tonj-series", 2, 100),
        ("tonj_house-played-out", 1, 150),
        ("tonj_house-own-stock", 2, 100),
        ("trix-played-out", 1, 150),
        ("trix-leader-pays", 2, 100),
    ],
)
def test_flipped_bits_never_panic(name: str, bits: int, times: int) -> None:
    """Some flips leave a log that could have been: another instant, another letter of a name. Most do not."""
    rng, found, match = random.Random(bits), 0, golden.read(name)
    for _ in range(times):
        payloads = match.payloads[:MOST]
        number = rng.randrange(len(payloads))
        damaged = bytearray(payloads[number])
        for _ in range(bits):
            damaged[rng.randrange(len(damaged))] ^= 1 << rng.randrange(8)
        payloads[number] = bytes(damaged)
        found += found_out(payloads)
    assert found > times // 2


def test_every_truncation_is_found_out_or_harmless(match: Golden) -> None:
    for number, payload in enumerate(match.payloads):
        for length in range(len(payload)):
            payloads = match.payloads
            payloads[number] = payload[:length]
            found_out(payloads)


def test_random_bytes_are_no_record(match: Golden) -> None:
    rng = random.Random(3)
    for _ in range(500):
        noise = rng.randbytes(rng.randrange(200))
        assert found_out([noise])
        assert found_out([b"\x01" + noise])
        found_out([*match.payloads[:3], b"\x01" + noise])


def test_a_record_too_many_or_too_few_is_found_out(match: Golden) -> None:
    """Wherever the rest of the log does not happen to follow all the same, as after a claim that only came and went."""
    payloads = match.payloads
    twice = [found_out([*payloads[: number + 1], *payloads[number:]]) for number in range(len(payloads))]
    without = [found_out([*payloads[:number], *payloads[number + 1 :]]) for number in range(len(payloads) - 1)]
    assert all(twice)
    assert sum(without) >= len(without) - 2


def test_a_log_without_its_beginning_or_of_another_format_is_found_out(match: Golden) -> None:
    payloads = match.payloads
    assert found_out([])
    assert found_out(payloads[1:])
    assert found_out([b"\x02" + payloads[0][1:], *payloads[1:]])
    assert found_out([b"", *payloads])


def test_a_record_that_does_not_follow_leaves_the_table_alone(match: Golden) -> None:
    table = _core.Table.load(match.payloads[:4], SEALER)
    before = table.snapshot(0, 0)
    for payload in (match.payloads[0], match.payloads[2], match.payloads[-1], b"", b"\x01\xff"):
        with pytest.raises(_core.Damaged):
            table.read(payload)
        assert table.snapshot(0, 0) == before
