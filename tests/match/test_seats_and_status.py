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
    ("before", "after", "filled", "told", "released"),
    [
        (MatchStatus.WAITING, MatchStatus.WAITING, False, (), ()),
        (MatchStatus.WAITING, MatchStatus.WAITING, True, ("seated",), ("table",)),
        (MatchStatus.WAITING, MatchStatus.ACTIVE, False, ("started",), ("code",)),
        (MatchStatus.WAITING, MatchStatus.ACTIVE, True, ("seated", "started"), ("table", "code")),
        (MatchStatus.ACTIVE, MatchStatus.ACTIVE, False, (), ()),
        (MatchStatus.ACTIVE, MatchStatus.ENDED, False, ("ended",), ()),
        (MatchStatus.WAITING, MatchStatus.ENDED, True, ("seated", "started", "ended"), ("table", "code")),
        (MatchStatus.WAITING, MatchStatus.VOID, False, ("void",), ("rematch", "table")),
        (MatchStatus.ENDED, MatchStatus.ENDED, False, (), ()),
    ],
)
def test_what_consumers_are_told_and_which_names_are_given_up(
    before: int, after: int, filled: bool, told: tuple[str, ...], released: tuple[str, ...]
) -> None:
    assert status.results(before, after, filled) == told
    assert status.released(before, after, filled) == released
