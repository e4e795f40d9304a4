"""Which games are played in these tests, and how each is asked for, played and shown."""

import dataclasses
from collections.abc import Callable

import pytest

from majlis.v1 import match_service_pb2, matchmaking_service_pb2
from tests.rules import matches, tonj_house_play, tonj_house_shown, tonj_play, tonj_shown, trix_play, trix_shown
from tests.rules.judges import Json


@dataclasses.dataclass(frozen=True)
class Game:
    asked: Callable[..., matchmaking_service_pb2.CreateMatchRequest]
    """With options of the room by name."""
    chance: Callable[..., matches.Chance]
    """With a generator, and rates by name."""
    view_of: Callable[[Json, int], match_service_pb2.View]
    """What a viewer sees of a position, written from the clauses."""


GAMES = {
    "tonj": Game(tonj_play.asked, tonj_play.Chance, tonj_shown.view_of),
    "tonj_house": Game(tonj_house_play.asked, tonj_house_play.Chance, tonj_house_shown.view_of),
    "trix": Game(trix_play.asked, trix_play.Chance, trix_shown.view_of),
}
EVERY_GAME = pytest.mark.parametrize("game", GAMES)
