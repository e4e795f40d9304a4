"""The deal of the house edition, and what must hold at every point of random play.

Single clauses are told by the cases of seeds/verdicts.
"""

import itertools
import random
from collections import Counter

import pytest

from tests.oracle import protojson
from tests.oracle.cards import DECK, RANKS
from tests.oracle.judge import take_step
from tests.oracle.position import Impossible
from tests.oracle.tonj_family import cards, deal, piles
from tests.oracle.tonj_house import actions, ends, moves, play, tables
from tests.oracle.tonj_house.deal import higher_top
from tests.oracle.tonj_house.game import Game

SEED = bytes(range(32)).hex()


def test_each_seat_is_dealt_a_pack_of_his_own_and_the_starter_opens():
    """H1, H7."""
    table = Game.deal(SEED, ["aa", ""], {}).to_position()
    starter = table["starter"]
    for seat in range(2):
        houses = [house[0] for house in table["houses"][4 * seat : 4 * seat + 4]]
        opened = [table["pending"]] if seat == starter else []
        dealt = table["reserves"][seat] + opened + table["hands"][seat] + houses
        assert sorted(dealt) == sorted(card for card in cards.EVERY_CARD if card[2] == str(seat))
        assert [len(table["reserves"][seat]), len(opened + table["hands"][seat])] == [13, 35]
    assert table["turn_seat"] == starter


@pytest.mark.parametrize(
    ("first", "second", "higher"),
    [("AC0", "KS1", 0), ("2S0", "3C1", 1), ("TD0", "9S1", 0), ("7C0", "7S1", None), ("AD0", "AD1", None)],
)
def test_higher_top(first, second, higher):
    """H2."""
    assert higher_top(first, second) == higher


def test_lots_are_drawn_between_equal_tops():
    """H2."""
    starters = set()
    for number in range(300):
        seed = number.to_bytes(32, "big")
        tops = [reserve[-1] for reserve in deal.deal_hand(seed, [], 1)["reserves"]]
        if tops[0][0] == tops[1][0]:
            game = Game.deal(seed.hex(), [], {})
            assert game.starter == deal.draw_of_lots(seed, [], 1)
            starters.add(game.starter)
    assert starters == {0, 1}


def standing(game):
    """Every face on the table, and those that left play (H4)."""
    table = game.to_position()
    piles = [*table["reserves"], *table["hands"], *table["wastes"], *table["houses"], *table["foundations"]]
    pending = [table["pending"]] if table["pending"] else []
    gone = [face for face in DECK for _ in range(table["retired"][face[1]])]
    return Counter([*(card[:2] for card in itertools.chain(*piles, pending)), *gone])


def holds(game, seat):
    """Personal cards, the opened one included."""
    return ends.personal_cards(game, seat) + bool(game.pending and seat == game.turn_seat)


def check_step(game, rng):
    """Takes a random step, and names what came about."""
    before, table, held, duties = game.copy(), game.to_position(), standing(game), moves.duties(game)
    step = play.random_action(game, rng)
    result = take_step(game, step)
    assert standing(game) == held, step
    if result["verdict"] == "refused":
        assert game.to_position() == table, step
    if not game.outcome():
        assert Game.from_position(game.to_position()).to_position() == game.to_position(), step
        assert all(holds(game, seat) for seat in range(2)), step  # H10, H14
    if result["verdict"] == "penalty":
        assert duties
        assert game.houses == before.houses
        assert game.foundations == before.foundations
        yield from penalty(before, game)
    if game.retired != before.retired:
        yield "retired"
    if result["verdict"] == "accepted" and "move" in step.get("action", {}) and game.turn_number > before.turn_number:
        yield "passed by itself" if game.passes else "capped"
    yield game.outcome()["reason"] if game.outcome() else result["verdict"]


def penalty(before, game):
    """H10: what the offender got, and from whom."""
    seat, limits = before.turn_seat, before.limits
    got = len(game.reserves[seat]) - len(before.reserves[seat])
    assert holds(game, 0) + holds(game, 1) == holds(before, 0) + holds(before, 1)
    assert holds(game, seat) - holds(before, seat) == (0 if limits.own_stock else got)
    yield "penalised in full" if got == limits.penalty_cards else "penalised with fewer"
    if before.limits.own_stock:
        yield "penalised by the own stock"


def test_random_play_from_deals():
    rng = random.Random(1)
    seen = Counter()
    for _ in range(4):
        game = Game.deal(rng.randbytes(32).hex(), [], tables.random_options(rng))
        assert standing(game) == Counter(2 * DECK)
        for _ in range(150):
            seen.update(check_step(game, rng))
            if game.outcome():
                break
    assert seen.keys() >= {"accepted", "refused", "penalty"}


def test_random_play_on_small_tables_meets_everything():
    rng = random.Random(2)
    seen = Counter()
    for _ in range(200):
        game = Game.from_position(tables.random_table(rng))
        for _ in range(30):
            seen.update(check_step(game, rng))
            if game.outcome():
                break
    assert seen.keys() >= {
        *("accepted", "refused", "penalty", "retired", "capped", "passed by itself"),
        *("penalised in full", "penalised with fewer", "penalised by the own stock"),
        *(ends.PLAYED_OUT, ends.STALEMATE, ends.TURN_LIMIT, ends.RESIGNED),
    }, seen


def test_an_action_is_legal_exactly_if_it_is_accepted():
    """H29: in the form in which actions are listed, drawn without a look at what is legal."""
    rng = random.Random(3)
    both = set()
    for _ in range(60):
        game = Game.from_position(tables.random_table(rng))
        legal = game.legal_actions()
        assert legal == sorted(legal, key=protojson.text)
        assert not legal or all(game.copy().act(game.turn_seat, action) == {"verdict": "accepted"} for action in legal)
        for _ in range(60):
            action = plain_form(rng)
            accepted = game.copy().act(game.turn_seat, action)["verdict"] == "accepted"
            assert accepted == (action in legal), action
            both.add(accepted)
    assert both == {True, False}


def plain_form(rng):
    """An attempt as it would be listed."""
    if rng.random() < 0.1:
        return rng.choice([actions.DISCARD, actions.PASS])
    shared = [{"kind": kind, "index": rng.randrange(8)} for kind in (piles.HOUSE, piles.FOUNDATION)]
    own = [piles.pile_of(kind, rng.randrange(2)) for kind in (piles.RESERVE, piles.HAND, piles.WASTE)]
    return actions.place(rng.choice([*shared, *own]), rng.choice([*shared, *own]))


def test_clocks_alone_play_a_match_to_its_end():
    """H18: no penalty, and no turn without an end."""
    game = Game.deal(SEED, ["01", "02"], {"maxTurns": 120})
    while not game.outcome():
        turn, sizes = game.turn_number, [holds(game, seat) for seat in range(2)]
        assert game.expire("turn") == {"verdict": "accepted"}
        assert game.outcome() or game.turn_number > turn
        assert [holds(game, seat) for seat in range(2)] <= sizes
    assert game.outcome()["reason"] in (ends.TURN_LIMIT, ends.PLAYED_OUT)


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        (
            {"houses": [["7H0"], *[[]] * 7], "hands": [["7H0"], []], "pending": "5C0"},
            "7H0 stands twice: hands[0], houses",
        ),
        ({"partial": False}, "cards are missing"),
        ({"turn_seat": 1}, "turn_seat"),
        ({"totals": [5, 0]}, "totals"),
        ({"claim": {"offender": 0}}, "claim"),
        ({"quiet": [0, 0]}, "unknown key: quiet"),
        ({"moves": 40}, "moves"),
        ({"options": {"maxTurns": 3}, "turn_number": 5}, "turn_number"),
        ({"passes": 1}, "passes"),
        ({"retired": {"C": 3}}, "retired.C"),
        ({"retired": [0, 0, 0, 0]}, "retired"),
        ({"retired": {"H": 2}}, "retired: 5H stands on the table as well"),
        ({"foundations": [[rank + "C1" for rank in RANKS], *[[]] * 7]}, "foundations[0]"),
        ({"houses": [["9S0", "8C0"], *[[]] * 7]}, "houses[0]"),
        ({"hands": [["8C0"], []]}, "pending"),
    ],
)
def test_impossible_positions_are_named(given, fault):
    table = {
        "game": "tonj_house",
        "turn_seat": 0,
        "partial": True,
        "reserves": [["5C1"], ["5H1"]],
        "hands": [[], ["9D1"]],
    }
    assert Game.from_position(table)
    with pytest.raises(Impossible) as raised:
        Game.from_position(table | given)
    assert fault in str(raised.value)
