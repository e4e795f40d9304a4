"""The deal of Tonj, and what must hold at every point of random play.

Single clauses are tested in test_clauses.py.
"""

import itertools
import random

import pytest

from tests.oracle import protojson
from tests.oracle.judge import take_step
from tests.oracle.tonj import deal, play, tables
from tests.oracle.tonj.game import Game
from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family.piles import FOUNDATION, HOUSE, PILE_KINDS

SEED = bytes(range(32)).hex()


def test_each_seat_is_dealt_a_pack_of_his_own():
    table = Game.deal(SEED, ["aa", ""], {}).to_position()
    for seat in range(2):
        dealt = (
            table["reserves"][seat]
            + table["hands"][seat]
            + [house[0] for house in table["houses"][4 * seat : 4 * seat + 4]]
        )
        assert sorted(dealt) == sorted(card for card in cards.EVERY_CARD if card[2] == str(seat))
        assert [len(table["reserves"][seat]), len(table["hands"][seat])] == [13, 35]


def test_a_deal_depends_on_seed_entropies_and_number():
    tables = [
        Game.deal(SEED, [], {}),
        Game.deal(SEED, ["00", ""], {}),
        Game.deal(SEED, ["", "00"], {}),
        Game.deal(SEED, [], {}, hand_number=2),
        Game.deal(bytes(32).hex(), [], {}),
    ]
    assert len({str(table.hands) for table in tables}) == len(tables)
    assert Game.deal(SEED, ["", ""], {}).hands == Game.deal(SEED, [], {}).hands  # T42


@pytest.mark.parametrize(
    ("first", "second", "higher"),
    [
        (["AC0"], ["KS1"], 0),  # T5: the ace is high here
        (["2S0"], ["3C1"], 1),
        (["7H0"], ["7S1"], 1),
        (["7H0"], ["7D1"], 0),
        (["7H0", "2C0", "9C0"], ["7H1", "2C1", "9D1"], 1),
        (["7H0", "2C0", "9C0"], ["7H1", "2C1", "9C1"], None),
    ],
)
def test_higher_shown_cards(first, second, higher):
    assert deal.higher_shown(first, second) == higher


def played(rounds, seed, options=None):
    """Plays random attempts, dealing afresh after each match: yields (game, position before, step, result)."""
    rng = random.Random(seed)
    game = Game.deal(rng.randbytes(32).hex(), [], options or {})
    for _ in range(rounds):
        if game.outcome():
            game = Game.deal(rng.randbytes(32).hex(), [], options or {})
        before = game.to_position()
        step = play.random_action(game, rng)
        yield game, before, step, take_step(game, step)


def test_play_on_small_tables_meets_every_end():
    """Stalemates hardly come about from a deal."""
    rng = random.Random(4)
    ends = set()
    for _ in range(60):
        game = Game.from_position(tables.random_table(rng))
        held = all_cards(game.to_position())
        for _ in range(25):
            before = game.to_position()
            step = play.random_action(game, rng)
            result = take_step(game, step)
            assert all_cards(game.to_position()) == held, step
            if result["verdict"] == "refused":
                assert game.to_position() == before, step
            if game.outcome():
                ends.add(game.outcome()["reason"])
    assert ends >= {"END_REASON_PLAYED_OUT", "END_REASON_STALEMATE"}


def all_cards(table):
    piles = [*table["reserves"], *table["hands"], *table["wastes"], *table["houses"], *table["foundations"]]
    return sorted([*itertools.chain(*piles), *([table["pending"]] if table["pending"] else [])])


def test_random_play_keeps_104_cards_and_possible_positions():
    seen = set()
    for game, before, step, result in played(1000, seed=1, options={"targetPoints": 60}):
        after = game.to_position()
        assert all_cards(after) == sorted(cards.EVERY_CARD), step  # T6
        if result["verdict"] == "refused":
            assert after == before, step
        if not game.outcome():
            assert Game.from_position(after).to_position() == after, step
        seen.add(result["verdict"] + result.get("class", ""))
    assert seen == {"accepted", "refused", "claim_openedB", "claim_openedP"}


def test_an_action_is_legal_exactly_if_it_is_accepted():
    rng = random.Random(3)
    both = set()
    for game, _, _, _ in played(150, seed=2):
        legal = game.legal_actions()
        assert legal == sorted(legal, key=protojson.text)
        for _ in range(80):
            action = random_plain_form(game, rng)
            accepted = game.copy().act(game.turn_seat, action)["verdict"] == "accepted"
            assert accepted == (action in legal), action
            both.add(accepted)
    assert both == {True, False}


def random_plain_form(game, rng):
    """An attempt in the form of T44, drawn without a look at what is legal."""
    if rng.random() < 0.2:
        return {rng.choice(play.PLAIN): {}}
    source, target = ({"kind": kind} for kind in rng.choices(PILE_KINDS[1:], k=2))
    for pile in (source, target):
        if pile["kind"] in (HOUSE, FOUNDATION):
            pile["index"] = rng.randrange(8)
        elif rng.random() < 0.5:
            pile["seat"] = 1
    move = {"from": source, "to": target}
    if source["kind"] == HOUSE and rng.random() < 0.3:
        move["count"] = rng.randint(2, 4)
    return {"move": move}


def test_turns_that_time_out_bring_every_hand_to_its_end():
    """T34 alone plays a hand through: only mandated or legal moves, no claim, and no turn without an end."""
    game = Game.deal(SEED, ["01", "02"], {})
    for _ in range(1000):
        if game.outcome():
            break
        turn = game.turn_number
        assert game.expire("turn") == {"verdict": "accepted"}
        assert game.claim is None
        assert game.outcome() or game.turn_number > turn
    assert game.outcome()["match_over"]
