"""The deals of seeds/deals, from the server's rules and from the oracle: decks, starter, the table, the commitment."""

import hashlib
import json
import pathlib
import random

import pytest

from majlis import _core
from tests.oracle.games import GAMES
from tests.oracle.tonj import Game
from tests.oracle.tonj.deal import deal_hand, higher_shown
from tests.rules.duel import MANNERS
from tests.rules.judges import Json

PATH = pathlib.Path(__file__).parents[2] / "seeds" / "deals" / "tonj.jsonl"
DEALS = [json.loads(line) for line in PATH.read_text().splitlines()]
EVERY_DEAL = pytest.mark.parametrize("deal", DEALS, ids=[f"{n}-{deal['why']}" for n, deal in enumerate(DEALS)])


def table(deal: Json) -> Json:
    """The piles as the decks lie on the table (T2, T3)."""
    decks = deal["decks"]
    return {
        "reserves": [cards[:13] for cards in decks],
        "houses": [[card] for cards in decks for card in cards[13:17]],
        "hands": [cards[17:] for cards in decks],
        "starter": deal["starter"],
        "turn_seat": deal["starter"],
        "hand_number": deal["number"],
        "turn_number": 1,
        "deal_seed": deal["seed"],
    }


@EVERY_DEAL
def test_the_rules_deal_so(deal: Json) -> None:
    position = json.loads(_core.deal("tonj", deal["seed"], deal["entropies"], deal["number"]))
    assert {key: position[key] for key in table(deal)} == table(deal)
    assert position.get("entropies", []) == deal["entropies"]


@EVERY_DEAL
def test_the_oracle_deals_so(deal: Json) -> None:
    game = Game.deal(deal["seed"], deal["entropies"], {}, deal["number"])  # type: ignore[no-untyped-call]
    position = game.to_position()
    assert {key: position[key] for key in table(deal)} == table(deal)


@EVERY_DEAL
def test_the_commitment_binds_the_seed(deal: Json) -> None:
    bound = hashlib.sha256(b"majlis-commit-v1\x00" + bytes.fromhex(deal["seed"])).hexdigest()
    assert deal["commitment"] == bound


@EVERY_DEAL
def test_lots_are_drawn_only_where_all_that_shows_is_alike(deal: Json) -> None:
    """T5, T28: the oracle finds no higher card exactly where the vector says that lots were drawn."""
    first = deal_hand(bytes.fromhex(deal["seed"]), [bytes.fromhex(text) for text in deal["entropies"]], 1)  # type: ignore[no-untyped-call]
    rows = [[first["reserves"][seat][-1], *(house[0] for house in first["houses"][4 * seat :][:4])] for seat in (0, 1)]
    drawn = higher_shown(*rows) is None  # type: ignore[no-untyped-call]
    assert deal["drawn"] == (drawn and deal["number"] == 1)


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", [*range(1, 7), 10, 15, 16, 20])
def test_both_deal_alike(game: str, number: int) -> None:
    """The whole printed table, of other seeds than those that are pinned."""
    seed, entropies = random.Random(number).randbytes(32).hex(), ["", "0a", "ff" * 255, "00"][: MANNERS[game].seats]
    theirs = GAMES[game].Game.deal(seed, entropies, {}, number).to_position()
    assert json.loads(_core.deal(game, seed, entropies, number)) == theirs


def test_a_deal_can_be_played_on_from() -> None:
    """The printed table is a position like any other."""
    position = _core.deal("tonj", DEALS[0]["seed"], [], 1)
    answer, errored = _core.judge_line(f'{{"id":"x","position":{position},"legal":true}}')
    assert not errored
    assert json.loads(answer)["position"] == json.loads(position)
    assert json.loads(answer)["legal"]
