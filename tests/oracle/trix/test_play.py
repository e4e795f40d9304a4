"""The deal of Trix, and what must hold at every point of random play (X15)."""

import itertools
import random

import pytest

from tests.oracle import protojson
from tests.oracle.judge import take_step
from tests.oracle.trix import actions, cards, clocks, contracts, layout, play, tables
from tests.oracle.trix.game import Game

SEED = bytes(range(32)).hex()


def test_card_i_of_the_deck_goes_to_seat_i_mod_4():
    table = Game.deal(SEED, ["aa"], {}).to_position()
    assert [len(hand) for hand in table["hands"]] == [13] * 4
    assert sorted(itertools.chain(*table["hands"])) == sorted(cards.EVERY_CARD)
    assert "7H" in table["hands"][table["owner"]]  # X3
    assert (table["phase"], table["turn_seat"], table["partial"]) == ("CHOOSING", table["owner"], False)


def test_a_deal_depends_on_seed_entropies_and_number():
    dealt = [
        Game.deal(SEED, [], {}),
        Game.deal(SEED, ["00"], {}),
        Game.deal(SEED, ["", "", "", "00"], {}),
        Game.deal(SEED, [], {}, deal_number=2),
        Game.deal(bytes(32).hex(), [], {}),
    ]
    assert len({str(table.hands) for table in dealt}) == len(dealt)
    assert Game.deal(SEED, ["", "", "", ""], {}).hands == Game.deal(SEED, [], {}).hands


@pytest.mark.parametrize("number", range(1, 21))
def test_a_later_deal_has_its_owner_and_its_contracts(number):
    game = Game.deal(SEED, [], {}, number)
    first = Game.deal(SEED, [], {}).owner
    assert game.kingdom == (number + 4) // 5
    assert game.owner == (first + game.kingdom - 1) % 4
    assert len(game.played_contracts) == (number - 1) % 5
    assert game.phase == ("LAYOUT" if number % 5 == 0 else "CHOOSING")
    assert Game.from_position(game.to_position()).to_position() == game.to_position()


def steps_of(game, rng):
    """Plays random attempts until nothing follows: yields (position before, step, result)."""
    while not game.outcome():
        before, step = game.to_position(), play.random_action(game, rng)
        yield before, step, take_step(game, step)


def standing(table):
    """X15: every card, from wherever it stands."""
    piles = [*table["hands"], *table["taken"], [played["card"] for played in table["trick"]]]
    return sorted([*itertools.chain(*piles), *layout.cards_laid(table["rows"])])


@pytest.mark.parametrize("seed", range(4))
def test_whole_matches(seed):
    """X15: the cards, the sums of deals and kingdoms; and every position can be played on from."""
    rng = random.Random(seed)
    game = Game.deal(rng.randbytes(32).hex(), [], tables.random_options(rng))
    totals = {1: [0, 0, 0, 0]}
    for before, step, result in steps_of(game, rng):
        after = game.to_position()
        assert standing(after) == sorted(cards.EVERY_CARD), step
        if result["verdict"] == "refused":
            assert after == before, step
        assert Game.from_position(after).to_position() == after, step
        totals[after["deal_number"]] = after["totals"]
    totals[21] = game.outcome()["totals"]
    assert sorted(totals) == list(range(1, 22))
    assert all(sum(totals[deal]) == 0 for deal in (1, 6, 11, 16, 21))
    assert all(sum(totals[n + 1]) - sum(totals[n]) in contracts.SUMS.values() for n in range(1, 21))
    assert game.outcome()["match_over"]
    assert game.outcome()["winner_seats"] == [seat for seat in range(4) if totals[21][seat] == max(totals[21])]


def test_a_round_of_the_layout_brings_a_card_to_the_table():
    """X15: those who hold cards never all pass."""
    for seed in range(40):
        game = Game.deal(random.Random(seed).randbytes(32).hex(), [], {})
        game.act(game.owner, actions.choose("TRIX"))
        passes = 0
        while game.deal_number == 1:
            passes = passes + 1 if game.legal_actions() == [{"pass": {}}] else 0
            assert passes < sum(map(bool, game.hands))
            game.expire("play")


@pytest.mark.parametrize("seed", range(3))
def test_clocks_alone_play_a_match_to_its_end(seed):
    """X3, X4, X14, X17: whoever plays or does not, and every kingdom has its contracts in order."""
    game = Game.deal(random.Random(seed).randbytes(32).hex(), [], {})
    for seat in range(seed + 2):
        game.act(seat, {"resign": {}})
    chosen = []
    while not game.outcome():
        deal = game.deal_number
        assert game.expire(clocks.running(game)[-1]) == {"verdict": "accepted"}
        if game.contract and game.deal_number == deal and game.contract not in chosen[-1:]:
            chosen.append(game.contract)
    assert chosen == 4 * contracts.CONTRACTS


def test_play_on_small_tables():
    rng = random.Random(4)
    seen = set()
    for _ in range(300):
        game = Game.from_position(tables.random_table(rng))
        held = standing(game.to_position())
        for before, step, result in itertools.islice(steps_of(game, rng), 60):
            assert standing(game.to_position()) == held, step
            if result["verdict"] == "refused":
                assert game.to_position() == before, step
            seen |= {result.get("reason"), game.phase, step.get("expire") if result["verdict"] == "accepted" else None}
    assert seen >= {"double", "play", "auto", "away", "OVER", "NOT_ASKED", "ALREADY_ANSWERED"}


def test_an_action_is_legal_exactly_if_it_is_accepted():
    rng = random.Random(3)
    everything = [
        *map(actions.play, cards.EVERY_CARD),
        *map(actions.choose, contracts.CONTRACTS),
        {"pass": {}},
    ]
    for _ in range(60):
        game = Game.from_position(tables.random_table(rng))
        for _ in range(5):
            legal = game.legal_actions()
            assert legal == sorted(legal, key=protojson.text)
            accepted = [a for a in everything if game.copy().act(game.turn_seat, a)["verdict"] == "accepted"]
            assert sorted(accepted, key=protojson.text) == legal
            take_step(game, play.random_action(game, rng))


def test_answers_may_be_given_in_any_order():
    """X5: what is shown does not depend on it."""
    hands = [["QC", "QD"], ["2C", "2D"], ["QH", "2H"], ["QS", "2S"]]
    window = {"game": "trix", "partial": True, "deal_number": 7, "kingdom": 2, "owner": 1, "phase": "DOUBLING"}
    window |= {"contract": "QUEENS", "played_contracts": ["TRIX"], "hands": hands}
    answers = [(0, ["QD", "QC"]), (2, []), (3, ["QS"])]
    shown = []
    for order in itertools.permutations(answers):
        game = Game.from_position(window)
        for seat, named in order:
            assert game.phase == "DOUBLING"
            game.act(seat, actions.double(named))
        shown.append((game.phase, game.turn_seat, game.doubled))
    assert shown == 6 * [("TRICKS", 1, [{"seat": 0, "card": c} for c in ("QC", "QD")] + [{"seat": 3, "card": "QS"}])]


def test_there_is_a_ply_for_every_answer():
    game = Game.deal(SEED, [], {})
    game.act(game.owner, actions.choose("QUEENS"))
    ways = [game]
    while ways[0].phase == "DOUBLING":
        following = []
        for way in ways:
            for seat, action in way.plies():
                following.append(way.copy())
                assert following[-1].act(seat, action) == {"verdict": "accepted"}
        ways = following
    assert len(ways) == 2**4  # each queen doubled or not, whoever holds it
    assert len({str(way.doubled) for way in ways}) == 2**4
