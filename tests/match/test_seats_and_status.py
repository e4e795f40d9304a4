"""Who sits where, who may look, and what a change of status means."""

import pytest

from majlis import _core
from majlis.match import seats, status
from majlis.match.seats import Visibility
from majlis.match.status import MatchStatus
from majlis.v1 import match_pb2


@pytest.mark.parametrize(("player", "seat"), [("amal", 0), ("basim", 1), ("celine", _core.SPECTATOR)])
def test_a_players_seat_follows_from_his_name(player: str, seat: int) -> None:
    assert seats.viewer_of(("amal", "basim"), player) == seat


@pytest.mark.parametrize(
    ("visibility", "spectators"), [(Visibility.SEATED, False), (Visibility.LINK, True), (Visibility.PUBLIC, True)]
)
def test_spectators_see_what_is_not_kept_to_the_seated(visibility: Visibility, spectators: bool) -> None:
    assert seats.may_see(visibility, 0)
    assert seats.may_see(visibility, _core.SPECTATOR) is spectators


def test_an_unknown_visibility_hides_the_match() -> None:
    assert not seats.may_see(0, _core.SPECTATOR)


def test_numbers_are_those_of_the_wire() -> None:
    assert {f"MATCH_STATUS_{one.name}": one.value for one in MatchStatus} == {
        name: number for name, number in match_pb2.MatchStatus.items() if number
    }
    assert {f"VISIBILITY_{one.name}": one.value for one in Visibility} == {
        name: number for name, number in match_pb2.Visibility.items() if number
    }


def test_a_match_is_over_when_it_has_ended_one_way_or_the_other() -> None:
    assert [status.is_over(one) for one in MatchStatus] == [False, False, True, True]


@pytest.mark.parametrize(
    ("before", "after", "told"),
    [
        (0, MatchStatus.WAITING, ()),
        (0, MatchStatus.ACTIVE, ("started",)),
        (MatchStatus.WAITING, MatchStatus.ACTIVE, ("started",)),
        (MatchStatus.ACTIVE, MatchStatus.ACTIVE, ()),
        (MatchStatus.ACTIVE, MatchStatus.ENDED, ("ended",)),
        (MatchStatus.WAITING, MatchStatus.ENDED, ("started", "ended")),
        (MatchStatus.WAITING, MatchStatus.VOID, ("void",)),
        (MatchStatus.ACTIVE, MatchStatus.VOID, ("void",)),
        (MatchStatus.ENDED, MatchStatus.ENDED, ()),
    ],
)
def test_consumers_are_told_of_starts_and_ends(before: int, after: int, told: tuple[str, ...]) -> None:
    assert status.results(before, after) == told
