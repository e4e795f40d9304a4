"""Random attempts, good and faulty, for playing the oracle against another implementation.

An attempt is a judge step: {"seat", "action"} or {"expire": clock}. The same generator gives the same attempts.
"""

from tests.oracle.trix import actions, cards, clocks, contracts, doubling, layout, tricks

CLOCKS = ["choose", "double", "play", "auto", "away", "turn", "claim"]


def random_action(game, rng):
    """One attempt at the game as it stands; `rng` is a random.Random.

    While a seat's own clock runs it often runs out, and choices and answers are often at fault: these come about too
    seldom otherwise.
    """
    own = clocks.own(game)
    if own and rng.random() < 0.2:
        return {"expire": own[0]}
    if game.phase == "CHOOSING" and rng.random() < 0.3:
        return rng.choice([any_choice, clock])(game, rng)
    if game.phase == "DOUBLING" and rng.random() < 0.3:
        return any_answer(game, rng)
    return rng.choices(
        [legal, own_card, any_choice, any_answer, any_card, plain_pass, wrong_seat, malformed, clock, resign],
        [86, 2, 1, 0.2, 1, 1, 2, 1, 6, 1],
    )[0](game, rng)


def legal(game, rng):
    """A good attempt, where there is one; now and then respelled."""
    if game.phase == "OVER":
        return any_card(game, rng)
    if game.phase == "DOUBLING":
        return good_answer(game, rng)
    action = good_action(game, rng)
    return {"seat": game.turn_seat, "action": respelled(action, rng) if rng.random() < 0.1 else action}


def good_action(game, rng):
    """A choice, a card or a pass of the seat on turn."""
    if game.phase == "CHOOSING":
        return actions.choose(rng.choice(contracts.left(game.played_contracts)))
    fitting = tricks.legal_cards(game) if game.phase == "TRICKS" else layout.legal_cards(game)
    return actions.play(rng.choice(fitting)) if fitting else actions.passed()


def good_answer(game, rng):
    seat = rng.choice(doubling.still_asked(game))
    named = [card for card in doubling.doublable(game, seat) if rng.random() < 0.6]
    rng.shuffle(named)
    return {"seat": seat, "action": actions.double(named)}


def some_seat(game, rng):
    """The seat on turn, most often."""
    return game.turn_seat if game.turn_seat is not None and rng.random() < 0.8 else rng.randrange(4)


def own_card(game, rng):
    """Any card of the seat's own hand, legal or not."""
    seat = some_seat(game, rng)
    return {"seat": seat, "action": actions.play(rng.choice(game.hands[seat] or cards.EVERY_CARD))}


def any_card(game, rng):
    return {"seat": some_seat(game, rng), "action": actions.play(rng.choice(cards.EVERY_CARD))}


def any_choice(game, rng):
    """A contract whether it was played or not, or a number that is none's."""
    if rng.random() < 0.1:
        return {"seat": some_seat(game, rng), "action": {"chooseContract": {"contract": rng.choice([6, 99, -1])}}}
    return {"seat": some_seat(game, rng), "action": actions.choose(rng.choice(contracts.CONTRACTS))}


def any_answer(game, rng):
    """From any seat, with cards that it may or may not hold, perhaps twice."""
    seat = rng.randrange(4)
    named = [rng.choice(["KH", "QC", "QD", "QH", "QS", *game.hands[seat]]) for _ in range(rng.randrange(3))]
    if named and rng.random() < 0.1:
        named.append(named[0])
    return {"seat": seat, "action": actions.double(named)}


def plain_pass(game, rng):
    return {"seat": some_seat(game, rng), "action": actions.passed()}


def wrong_seat(game, rng):
    """A legal action from any seat, or from none of this table."""
    return {**legal(game, rng), "seat": rng.choice([0, 1, 2, 3, 4])}


def clock(game, rng):
    """Any clock, a running one half the time; not often the window's, or few would answer."""
    running = clocks.running(game)
    if game.phase == "DOUBLING" and rng.random() < 0.3:
        return good_answer(game, rng)
    return {"expire": rng.choice(running) if running and rng.random() < 0.5 else rng.choice(CLOCKS)}


def resign(game, rng):
    """Somebody is given up, the seat on turn most often."""
    return {"seat": some_seat(game, rng), "action": {"resign": {}}}


def malformed(game, rng):
    """No action of the game (X19)."""
    seven = {"rank": "RANK_SEVEN", "suit": "SUIT_HEARTS"}
    action = rng.choice(
        [
            {},
            None,
            [],
            "pass",
            {"pass": None},
            {"pass": True},
            {"pass": {"card": seven}},
            {"pass": {}, "resign": {}},
            {"resign": 1},
            {"Pass": {}},
            {"reveal": {}},
            {"chooseContract": {}},
            {"chooseContract": {"contract": "CONTRACT_UNSPECIFIED"}},
            {"chooseContract": {"contract": "CONTRACT_HEARTS"}},
            {"chooseContract": {"contract": "QUEENS"}},
            {"chooseContract": {"contract": "1"}, "choose_contract": {"contract": 1}},
            {"playCard": {}},
            {"playCard": seven},
            {"playCard": {"card": "7H"}},
            {"playCard": {"card": {"rank": "RANK_SEVEN"}}},
            {"playCard": {"card": {"suit": "SUIT_HEARTS"}}},
            {"playCard": {"card": {**seven, "pack": 1}}},
            {"playCard": {"card": {**seven, "pack": -1}}},
            {"playCard": {"card": {**seven, "colour": 0}}},
            {"playCard": {"card": {"rank": 14, "suit": 3}}},
            {"playCard": {"card": {"rank": 7, "suit": 5}}},
            {"playCard": {"card": {"rank": 7.5, "suit": 3}}},
            {"playCard": {"cards": [seven]}},
            {"answerDouble": []},
            {"answerDouble": {"cards": seven}},
            {"answerDouble": {"cards": [{}]}},
            {"answerDouble": {"cards": [None]}},
            {"answerDouble": {"cards": [{**seven, "pack": 1}]}},
            {"answerDouble": {"card": seven}},
        ]
    )
    return {"seat": some_seat(game, rng), "action": action}


def respelled(action, rng):
    """The same action in another spelling that protobuf JSON allows."""
    if "playCard" in action:
        card = action["playCard"]["card"]
        spelled = {
            "rank": rng.choice([card["rank"], actions.RANK_VALUES.index(card["rank"])]),
            "suit": rng.choice([card["suit"], actions.SUIT_VALUES.index(card["suit"])]),
        }
        if rng.random() < 0.5:
            spelled["pack"] = rng.choice([0, "0", None])
        return {rng.choice(["playCard", "play_card"]): {"card": spelled}}
    if "chooseContract" in action:
        contract = action["chooseContract"]["contract"]
        spelled = rng.choice([contract, actions.CONTRACT_VALUES.index(contract)])
        return {rng.choice(["chooseContract", "choose_contract"]): {"contract": spelled}, "pass": None}
    return {**action, "playCard": None}
