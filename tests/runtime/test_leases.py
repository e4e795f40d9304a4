"""Leases beside a model: of a player's device the newest holds, and what has lost changes nothing any more."""

from hypothesis import given
from hypothesis import strategies as some

from majlis.runtime.leases import Lease, Leases

MOST = 3


def test_the_newest_wins_and_the_loser_gives_back_in_vain() -> None:
    leases = Leases(MOST)
    old = leases.take("amal", "phone")
    assert leases.rival("amal", "phone") == old
    assert leases.rival("amal", "tablet") is None
    assert leases.rival("basim", "phone") is None
    new = leases.take("amal", "phone")
    assert new.epoch > old.epoch
    assert not leases.give_back(old)
    assert leases.rival("amal", "phone") == new
    assert leases.give_back(new)
    assert not leases.give_back(new)
    assert leases.rival("amal", "phone") is None


def test_a_stream_without_a_device_is_a_device_of_its_own_until_there_are_too_many() -> None:
    leases = Leases(MOST)
    taken = [leases.take("amal", "") for _ in range(MOST)]
    assert leases.rival("amal", "") == leases.rival("amal", "phone") == taken[0]
    leases.take("amal", "phone")
    assert [leases.give_back(lease) for lease in taken] == [False, True, True]


def test_spectators_are_not_each_other_nor_a_player_of_the_same_name() -> None:
    leases = Leases(MOST)
    taken = [leases.take("", "tv", "zahra"), leases.take("", "tv", "yara"), leases.take("zahra", "tv")]
    assert leases.rival("", "tv", "zahra") == taken[0]
    assert leases.rival("", "tv", "xenia") is None
    assert all(leases.give_back(lease) for lease in taken)
    assert not leases._held


@given(
    some.lists(
        some.tuples(
            some.sampled_from("ab"), some.sampled_from(["", "phone", "tablet"]), some.booleans(), some.integers(0)
        )
    )
)
def test_whoever_takes_and_gives_back(steps: list[tuple[str, str, bool, int]]) -> None:
    leases, taken = Leases(MOST), list[Lease]()
    held: list[Lease] = []  # oldest first
    for player, device, takes, which in steps:
        if takes or not taken:
            own = [lease for lease in held if lease.player_id == player]
            same = [lease for lease in own if device and lease.device == device]
            loser = (same or (own[:1] if len(own) == MOST else []))[:1]
            assert leases.rival(player, device) == (loser[0] if loser else None)
            taken.append(leases.take(player, device))
            held = [lease for lease in held if lease not in loser] + taken[-1:]
        else:
            lease = taken[which % len(taken)]
            assert leases.give_back(lease) == (lease in held)
            held = [one for one in held if one != lease]
    epochs = [lease.epoch for lease in taken]
    assert epochs == sorted(set(epochs))
    assert sum(len(own) for own in leases._held.values()) == len(held)
    assert all(leases._held.values())
