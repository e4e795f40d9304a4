"""The deals of seeds/deals, by the server's rules and by the oracle: decks, tables, who begins, commitments."""

import hashlib
import json
import pathlib
import random

import pytest

from majlis import _core
from tests.oracle.games import GAMES
from tests.oracle.tonj.deal import higher_shown
from tests.oracle.tonj_family.deal import deal_hand
from tests.oracle.trix.cards import EVERY_CARD as EVERY_TRIX_CARD
from tests.rules.duel import MANNERS
from tests.rules.judges import Json

FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "deals"
DEALS = {
    path.stem: [json.loads(line) for line in path.read_text().splitlines()] for path in sorted(FOLDER.glob("*.jsonl"))
}
EVERY_DEAL = pytest.mark.parametrize(
    ("game", "deal"),
    [
        pytest.param(game, deal, id=f"{game}-{n}-{deal['why']}")
        for game, deals in DEALS.items()
        for n, deal in enumerate(deals)
    ],
)
EVERY_TONJ_DEAL = pytest.mark.parametrize("deal", DEALS["tonj"], ids=[deal["why"] for deal in DEALS["tonj"]])


def tonj_table(deal: Json) -> Json:
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


def tonj_house_table(deal: Json) -> Json:
    """The same (H1), after the first card of the starter's stock has opened (H7)."""
    table = tonj_table(deal)
    opened = table["hands"][deal["starter"]].pop(0)
    return {**table, "pending": opened, "wastes": [[], []], "retired": {"C": 0, "D": 0, "H": 0, "S": 0}}


def trix_table(deal: Json) -> Json:
    """The hands as the deck goes round (X2), the owner, and what his kingdom has left (X3)."""
    number = deal["number"]
    in_order = ["KING_OF_HEARTS", "QUEENS", "DIAMONDS", "LTOOSH", "TRIX"]
    return {
        "hands": [sorted(deal["deck"][seat::4], key=EVERY_TRIX_CARD.index) for seat in range(4)],
        "owner": deal["owner"],
        "turn_seat": deal["owner"],
        "deal_number": number,
        "kingdom": (number + 4) // 5,
        "played_contracts": in_order[: (number - 1) % 5],
        "phase": "CHOOSING" if number % 5 else "LAYOUT",
        "contract": None if number % 5 else "TRIX",
        "deal_seed": deal["seed"],
    }


TABLES = {"tonj": tonj_table, "tonj_house": tonj_house_table, "trix": trix_table}


def test_there_are_deals_of_every_game() -> None:
    assert all(DEALS.get(game) for game in GAMES)


@EVERY_DEAL
def test_the_rules_deal_so(game: str, deal: Json) -> None:
    position = json.loads(_core.deal(game, deal["seed"], deal["entropies"], deal["number"]))
    table = TABLES[game](deal)
    assert {key: position[key] for key in table} == table
    assert position.get("entropies", []) == deal["entropies"]


@EVERY_DEAL
def test_the_oracle_deals_so(game: str, deal: Json) -> None:
    position = GAMES[game].Game.deal(deal["seed"], deal["entropies"], {}, deal["number"]).to_position()
    table = TABLES[game](deal)
    assert {key: position[key] for key in table} == table


@EVERY_DEAL
def test_the_commitment_binds_the_seed(game: str, deal: Json) -> None:
    bound = hashlib.sha256(b"majlis-commit-v1\x00" + bytes.fromhex(deal["seed"])).hexdigest()
    assert deal["commitment"] == bound


@EVERY_TONJ_DEAL
def test_lots_are_drawn_only_where_all_that_shows_is_alike(deal: Json) -> None:
    """T5, T28: the oracle finds no higher card exactly where the vector says that lots were drawn."""
    first = deal_hand(bytes.fromhex(deal["seed"]), [bytes.fromhex(text) for text in deal["entropies"]], 1)  # type: ignore[no-untyped-call]
    rows = [[first["reserves"][seat][-1], *(house[0] for house in first["houses"][4 * seat :][:4])] for seat in (0, 1)]
    drawn = higher_shown(*rows) is None  # type: ignore[no-untyped-call]
    assert deal["drawn"] == (drawn and deal["number"] == 1)


@pytest.mark.parametrize("deal", DEALS.get("tonj_house", []), ids=lambda deal: deal["why"])
def test_lots_are_drawn_in_the_house_edition_where_the_tops_are_of_one_rank(deal: Json) -> None:
    """H2: the suits of the tops do not matter, and nothing else does."""
    first, second = (pack[12] for pack in deal["decks"])
    assert deal["drawn"] == (first[0] == second[0])


NUMBERS = {"tonj": [*range(1, 7), 10], "tonj_house": [1], "trix": [*range(1, 7), 10, 15, 16, 20]}
"""Of hands or deals that are compared; a match of the house edition is one hand."""


@pytest.mark.parametrize("seeded", range(3))
@pytest.mark.parametrize(("game", "number"), [(game, number) for game in GAMES for number in NUMBERS[game]])
def test_both_deal_alike(game: str, number: int, seeded: int) -> None:
    """The whole printed table, of other seeds than those that are pinned."""
    seed = random.Random(100 * seeded + number).randbytes(32).hex()
    entropies = ["", "0a", "ff" * 255, "00"][: MANNERS[game].seats]
    theirs = GAMES[game].Game.deal(seed, entropies, {}, number).to_position()
    assert json.loads(_core.deal(game, seed, entropies, number)) == theirs


@pytest.mark.parametrize("number", [0, 2, 20])
def test_the_house_edition_has_no_deal_but_the_first(number: int) -> None:
    seed = bytes(32).hex()
    with pytest.raises(ValueError, match="one"):
        _core.deal("tonj_house", seed, [], number)
    with pytest.raises(ValueError, match="one"):
        GAMES["tonj_house"].Game.deal(seed, [], {}, number)


@pytest.mark.parametrize("game", GAMES)
def test_a_deal_can_be_played_on_from(game: str) -> None:
    """The printed table is a position like any other."""
    position = _core.deal(game, DEALS[game][0]["seed"], [], 1)
    answer, errored = _core.judge_line(f'{{"id":"x","position":{position},"legal":true}}')
    assert not errored
    assert json.loads(answer)["position"] == json.loads(position)
    assert json.loads(answer)["legal"]
