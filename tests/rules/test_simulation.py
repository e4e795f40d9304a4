"""Matches played for their own sake: what is offered is what the judge calls legal, and every match comes to an end."""

import json
import random

import pytest

from majlis import _core
from tests.rules import judges
from tests.rules.games import EVERY_GAME

MOST = 20_000
"""More decisions than a match played by chance takes."""


@EVERY_GAME
def test_a_simulation_offers_what_is_legal_until_the_match_is_over(game: str) -> None:
    simulation, chance, compared = _core.Simulation(game, 7), random.Random(7), 0
    for made in range(MOST):
        if simulation.choices == 0:
            break
        if made % 97 == 0:
            judged = judges.rust(judges.line(json.loads(simulation.position()), []))
            # While several are asked the judge knows nobody on turn.
            if judged["legal"]:
                offered = sorted(
                    json.dumps(json.loads(action), sort_keys=True) for action in simulation.legal_actions()
                )
                assert offered == sorted(json.dumps(action, sort_keys=True) for action in judged["legal"])
                compared += 1
        assert simulation.seat is not None
        assert simulation.play(chance.getrandbits(32)) == simulation.choices == len(simulation.legal_actions())
    assert (simulation.choices, simulation.seat, simulation.play(1)) == (0, None, 0)
    assert compared > 3
    assert judges.rust(judges.line(json.loads(simulation.position()), [], legal=False))["position"]


@EVERY_GAME
def test_a_number_names_a_match_and_a_word_a_choice(game: str) -> None:
    one, same, other = (_core.Simulation(game, number) for number in (1, 1, 2))
    assert one.position() == same.position() != other.position()
    word = 10**6 + 3
    one.play(word)
    same.play(word % same.choices)
    assert one.position() == same.position()


def test_no_other_game_can_be_simulated() -> None:
    with pytest.raises(ValueError, match="bridge"):
        _core.Simulation("bridge", 1)
