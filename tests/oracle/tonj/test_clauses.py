"""Single clauses on small tables, where two clauses meet or a wrong reading would go unnoticed in random play."""

import pytest

from tests.oracle.tonj import position
from tests.oracle.tonj.game import Game
from tests.oracle.tonj_family import piles
from tests.oracle.verdict import ACCEPTED

KINGS = [["KC0"], ["KD0"], ["KH0"], ["KS0"], ["KC1"], ["KD1"], ["KH1"], ["KS1"]]
DEFAULTS = {"game": "tonj", "turn_seat": 0, "partial": True, "houses": KINGS, "hands": [["8C0"], ["8D1"]]}
OPPONENT_RESERVE = {"kind": piles.RESERVE, "seat": 1}


def table(**given):
    return Game.from_position(DEFAULTS | given)


def houses(*first):
    return [list(house) for house in first] + KINGS[: 8 - len(first)]


def move(source, target, count=0):
    return {"move": {"from": source, "to": target, "count": count}}


def house(index):
    return {"kind": piles.HOUSE, "index": index}


def foundation(index):
    return {"kind": piles.FOUNDATION, "index": index}


PENDING, RESERVE, WASTE = {"kind": piles.HAND}, {"kind": piles.RESERVE}, {"kind": piles.WASTE}
CLAIM_B = {"verdict": "claim_opened", "class": "B"}
CLAIM_P = {"verdict": "claim_opened", "class": "P"}


def test_t39_a_called_mandated_move_turns_the_waste_over_though_the_turn_passes():
    game = table(
        hands=[[], ["8D1"]], pending="AS0", wastes=[["4S1", "9H0"], []], reserves=[["5C0"], ["5D1"]], quiet=[3, 3]
    )
    assert game.act(0, {"discard": {}}) == CLAIM_P
    assert game.act(1, {"callTonj": {}}) == ACCEPTED
    assert (game.hands[0], game.wastes[0], game.turn_seat, game.quiet) == (["4S1", "9H0"], [], 1, [0, 0])


def test_t26_a_called_mandated_move_that_leaves_hand_and_waste_empty_counts_one_after_the_progress():
    game = table(hands=[[], ["8D1"]], pending="AS0", reserves=[["5C0"], ["5D1"]], quiet=[3, 3])
    game.act(0, {"discard": {}})
    game.act(1, {"callTonj": {}})
    assert (game.quiet, game.turn_seat) == ([1, 0], 1)


def test_t39_a_called_claim_takes_the_pending_card_that_the_mandated_move_leaves():
    """No play leads to a pending card beside P3, but a position may; no turn begins with a card pending."""
    game = table(pending="7S0", reserves=[["5C0"], ["5D1"]], houses=houses([]), quiet=[1, 1])
    assert game.act(0, move(PENDING, house(0))) == CLAIM_P
    assert game.act(1, {"callTonj": {}}) == ACCEPTED
    assert (game.houses[0], game.wastes[0], game.pending) == (["5C0"], ["7S0"], None)
    assert (game.turn_seat, game.quiet) == (1, [0, 0])


def test_t23_a_mover_who_holds_nothing_has_won():
    """No play leads there, but a position may."""
    game = table(hands=[["8C0"], []], pending="7S0", reserves=[["5C0"], []])
    assert game.act(0, {"discard": {}}) == ACCEPTED
    assert game.outcome()["winner_seats"] == [1]
    assert game.outcome()["points"] == [0, 30 + 1 + 1 + 2]


def test_t29_a_called_build_fault_without_a_pending_card_only_passes_the_turn():
    game = table(reserves=[["5C0"], ["5D1"]], transfers=4, quiet=[2, 0])
    assert game.act(0, move(RESERVE, house(0))) == CLAIM_B
    assert game.act(1, {"callTonj": {}}) == ACCEPTED
    assert (game.turn_seat, game.turn_number, game.transfers, game.claims, game.quiet) == (1, 2, 0, 0, [2, 0])


def test_t30_the_claim_of_the_last_attempt_is_shown_as_it_was_sent():
    game = table(reserves=[["5C0"], ["5D1"]])
    game.act(
        0, {"move": {"from": {"kind": 1, "index": 3}, "to": {"kind": "PILE_KIND_HOUSE", "index": "0"}, "count": 1}}
    )
    sent = {"move": {"from": {"kind": piles.RESERVE, "index": 3}, "to": house(0), "count": 1}}
    assert game.to_position()["claim"] == {"offender": 0, "attempt": sent, "class": "B"}


def test_t13_an_empty_destination_does_not_count_as_an_empty_house():
    given = {"houses": houses(["9C0", "8H0"], []), "reserves": [[], ["5D1"]]}
    assert table(**given).act(0, move(house(0), house(1), 2)) == CLAIM_B
    given["houses"] = houses(["TD0", "9C0", "8H0"], [], [])
    assert table(**given).act(0, move(house(0), house(1), 2)) == ACCEPTED
    assert table(**given).act(0, move(house(0), house(1), 3)) == CLAIM_B


@pytest.mark.parametrize(
    "action",
    [
        move(house(0), house(0)),
        move(house(0), house(0), 2),
        move(house(0), house(1), 4),
        move(house(0), house(8)),
        move(house(8), house(0)),
        move(house(0), {"kind": piles.HOUSE}),
        move({"kind": piles.HOUSE}, house(1)),
        move(house(0), foundation(8)),
        move(house(0), RESERVE),
        move(house(0), WASTE),
        move(house(0), PENDING),
        move(house(0), {"kind": piles.WASTE, "seat": 2}),
        move(OPPONENT_RESERVE, house(1)),
        move(RESERVE, house(1), 2),
    ],
)
def test_t37_unavailable(action):
    game = table(houses=houses(["TD0", "9C0", "8H0"]), reserves=[["7C0"], ["5D1"]])
    assert game.act(0, action)["verdict"] == "refused"
    assert game.claim is None


@pytest.mark.parametrize("target", [foundation(0), {"kind": piles.FOUNDATION}, OPPONENT_RESERVE])
def test_t37_a_group_to_anything_but_a_house_is_a_build_fault(target):
    game = table(houses=houses(["TD0", "9C0", "8H0"], []), reserves=[["7C0"], ["9H1"]])
    assert game.act(0, move(house(0), target, 2)) == CLAIM_B


def test_t38_a_reserve_card_makes_no_duty_while_a_card_is_pending():
    game = table(pending="7D0", houses=houses(["8S0"]), reserves=[["9C0", "AC0"], ["5D1"]])
    assert game.act(0, move(PENDING, house(0))) == ACCEPTED
    assert game.act(0, {"reveal": {}}) == CLAIM_P


def test_t33_faults_beyond_the_limit_are_refused_and_good_moves_go_on():
    game = table(claims=3, reserves=[["9C0", "AC0"], ["5D1"]])
    before = game.to_position()
    assert game.act(0, {"reveal": {}})["verdict"] == "refused"
    assert game.act(0, move(RESERVE, house(0)))["verdict"] == "refused"
    assert game.to_position() == before
    assert game.act(0, move(RESERVE, foundation(0))) == ACCEPTED


def test_t21_turns_end_by_themselves_until_t26_ends_the_hand():
    """Seat 1 has nothing to do either, so two turns end without a command."""
    game = table(hands=[[], []], houses=houses(["7S0"]), reserves=[["5D0", "6H0"], ["4S1"]])
    assert game.act(0, move(RESERVE, house(0))) == ACCEPTED
    assert game.quiet == [1, 1]
    assert game.outcome()["reason"] == "END_REASON_STALEMATE"
    assert game.outcome()["burdens"] == [2, 2]


def test_t27_positions_are_counted_with_the_side_to_move():
    game = table(hands=[[], []], reserves=[["6H0", "7H0"], ["8H1"]])
    for seat, source, target in 2 * [(0, RESERVE, OPPONENT_RESERVE), (1, OPPONENT_RESERVE, RESERVE)]:
        assert game.outcome() is None
        assert game.act(seat, move(source, target)) == ACCEPTED
        assert game.act(seat, {"endTurn": {}}) == ACCEPTED
    assert game.outcome()["reason"] == "END_REASON_STALEMATE"
    assert sorted(game.history.values()) == [2, 3]


def test_t28_a_series_deals_on_with_alternating_starters_until_the_target():
    game = Game.deal("ab" * 32, ["01", "02"], {"targetPoints": 1000})
    starters, totals = [game.starter], []
    for hand in range(1, 5):
        while game.hand_number == hand:
            game.expire("turn")
        starters.append(game.starter)
        totals.append(list(game.totals))
        assert (game.hand_number, game.turn_number, game.turn_seat) == (hand + 1, 1, game.starter)
        assert game.hands == Game.deal("ab" * 32, ["01", "02"], {}, hand_number=hand + 1).hands
    assert starters in ([0, 1, 0, 1, 0], [1, 0, 1, 0, 1])
    assert totals == sorted(totals)
    assert totals[-1] != [0, 0]


def test_t28_the_higher_total_wins_though_the_other_won_the_hand():
    game = table(hands=[[], ["8D1"]], reserves=[["AC0"], ["5D1"]], totals=[10, 60], options={"targetPoints": 50})
    assert game.act(0, move(RESERVE, foundation(0))) == ACCEPTED
    assert game.outcome()["winner_seats"] == [1]
    assert game.outcome()["points"] == [33, 0]


def test_t41_resigning_is_open_to_both_until_the_match_is_over():
    game = table(reserves=[["5C0"], ["5D1"]])
    game.act(0, move(RESERVE, house(0)))
    assert game.copy().act(0, {"resign": {}}) == ACCEPTED
    assert game.act(1, {"resign": {}}) == ACCEPTED
    assert game.outcome()["winner_seats"] == [0]
    assert game.act(0, {"resign": {}})["reason"] == "MATCH_OVER"

    between_hands = table(hands=[[], ["8D1"]], reserves=[["AC0"], ["5D1"]], options={"targetPoints": 50})
    between_hands.act(0, move(RESERVE, foundation(0)))
    assert not between_hands.outcome()["match_over"]
    assert between_hands.act(0, {"reveal": {}})["reason"] == "HAND_OVER"
    assert between_hands.act(0, {"resign": {}}) == ACCEPTED
    assert (between_hands.outcome()["winner_seats"], between_hands.outcome()["totals"]) == ([1], [33, 0])


def test_t34_one_action_leaves_a_revealed_card_pending():
    game = table(reserves=[["5C0"], ["5D1"]], options={"timeout_policy": 2})
    assert game.expire("turn") == ACCEPTED
    assert (game.pending, game.turn_seat) == ("8C0", 0)


@pytest.mark.parametrize("clock", ["claim", "choose", "double", "play", "auto", "", None, 3])
def test_t41_a_clock_that_does_not_run_cannot_run_out(clock):
    assert table(reserves=[["5C0"], ["5D1"]]).expire(clock)["verdict"] == "refused"


@pytest.mark.parametrize(
    ("given", "fault"),
    [
        ({"houses": houses(["7H0"]), "hands": [["7H0"], ["8D1"]]}, "7H0 stands twice: hands[0], houses[0]"),
        ({"partial": False}, "are missing"),
        ({"transfers": 31}, "transfers"),
        ({"claims": 4}, "claims"),
        ({"options": {"maxTransfersPerTurn": 5}, "transfers": 6}, "transfers"),
        ({"options": {"houseRules": True}}, "houseRules"),
        ({"passes": 0}, "unknown key: passes"),
        ({"game": "whist"}, "game"),
        ({"turn_seat": 2}, "turn_seat"),
        ({"turn_seat": True}, "turn_seat"),
        ({"turn_number": 0}, "turn_number"),
        ({"foundations": [["AH0", "2D0"]] + [[]] * 7}, "foundations[0]"),
        ({"hands": [[], ["8D1"]], "wastes": [["5C0"], []]}, "turned over"),
        ({"deal_seed": "00"}, "deal_seed"),
        ({"entropies": ["0"]}, "entropies"),
        ({"claims": 1, "claim": {"offender": 1, "attempt": {"reveal": {}}, "class": "P"}}, "offend"),
        ({"claims": 1, "claim": {"offender": 0, "attempt": {"reveal": {}}, "class": "P"}}, "class"),
    ],
)
def test_impossible_positions_are_named(given, fault):
    with pytest.raises(position.Impossible) as raised:
        table(**given)
    assert fault in str(raised.value)


def test_an_open_claim_of_a_position_is_closed_as_if_it_had_opened_there():
    game = table(
        reserves=[["9C0", "AC0"], ["5D1"]], claims=1, claim={"offender": 0, "attempt": {"reveal": {}}, "class": "P"}
    )
    assert game.legal_actions() == []
    assert game.expire("claim") == ACCEPTED
    assert game.foundations[0] == ["AC0"]
    assert game.to_position()["claim"] is None
