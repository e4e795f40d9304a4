"""Random attempts, good and faulty, for playing the oracle against another implementation.

An attempt is a judge step: {"seat", "action"} or {"expire": clock}. The same generator gives the same attempts.
"""

from tests.oracle.tonj import moves
from tests.oracle.tonj_family import chance
from tests.oracle.tonj_family.piles import HAND, HOUSE, RESERVE, pile_of

CLOCKS = ["turn", "claim", "choose", "double", "play", "auto"]
PLAIN = ["reveal", "discard", "endTurn"]


def random_action(game, rng):
    """One attempt at the game as it stands; `rng` is a random.Random.

    Resigns about once in 2000 attempts, and often once the hand is over, when only that is accepted, and only while
    the match is not (T41).
    """
    if rng.random() < (0.3 if game.outcome() else 0.0005):
        return {"seat": rng.randrange(2), "action": {"resign": {}}}
    if game.claim and rng.random() < 0.7:
        return close_claim(game, rng)
    return rng.choices(
        [legal, neglect, plain, any_move, house_group, pending_move, wrong_seat, stray_call, malformed, clock],
        [70, 4, 4, 5, 5, 4, 2, 2, 2, 2],
    )[0](game, rng)


def close_claim(game, rng):
    if rng.random() < 0.5:
        return {"seat": 1 - game.claim["offender"], "action": {"callTonj": {}}}
    return {"expire": "claim"}


def of_class(game, kind):
    """The attempts of the seat on turn that would be judged so: "good", "U", "B" or "P"."""
    return [action for action in moves.candidates(game) if moves.judge(game, action).kind == kind]


def legal(game, rng):
    """A good attempt, half the time one that is no transfer, so that hands come to an end; now and then respelled."""
    listed = of_class(game, "good")
    if not listed:
        return plain(game, rng)
    others = [action for action in listed if not is_transfer(action)]
    action = rng.choice(others if others and rng.random() < 0.5 else listed)
    return {"seat": game.turn_seat, "action": respelled(action, rng) if rng.random() < 0.1 else action}


def is_transfer(action):
    return "move" in action and action["move"]["from"]["kind"] == action["move"]["to"]["kind"] == HOUSE


def plain(game, rng):
    """A reveal, discard or end of turn, whether or not it is the time for it."""
    return {"seat": game.turn_seat, "action": {rng.choice(PLAIN): {}}}


def neglect(game, rng):
    """An attempt that neglects a duty, where one stands."""
    neglected = of_class(game, "P")
    return {"seat": game.turn_seat, "action": rng.choice(neglected)} if neglected else plain(game, rng)


def any_move(game, rng):
    """A move between any two piles, some of which do not exist."""
    return {"seat": game.turn_seat, "action": {"move": chance.random_move(game, rng)}}


def house_group(game, rng):
    """A group of every count, up to one card more than the house holds, onto a pile of any kind."""
    index = rng.randrange(8)
    count = rng.randint(1, len(game.houses[index]) + 1)
    target = {"kind": HOUSE, "index": rng.randrange(8)} if rng.random() < 0.8 else chance.random_pile(game, rng)
    return {
        "seat": game.turn_seat,
        "action": {"move": {"from": {"kind": HOUSE, "index": index}, "to": target, "count": count}},
    }


def pending_move(game, rng):
    """The revealed card, or else the reserve's, to a pile that may not take it."""
    source = pile_of(HAND if game.pending else RESERVE, game.turn_seat)
    return {"seat": game.turn_seat, "action": {"move": {"from": source, "to": chance.random_pile(game, rng)}}}


def wrong_seat(game, rng):
    """A legal action from the seat that is not on turn, or from no seat of this table."""
    step = legal(game, rng)
    return {**step, "seat": rng.choice([1 - game.turn_seat, 2])}


def stray_call(game, rng):
    return {"seat": rng.randrange(2), "action": {"callTonj": {}}}


def clock(game, rng):
    """Any clock, the running one half the time."""
    running = "claim" if game.claim else "turn"
    return {"expire": running if rng.random() < 0.5 else rng.choice(CLOCKS)}


def malformed(game, rng):
    """No action of the game."""
    action = rng.choice(
        [
            {},
            None,
            [],
            "reveal",
            {"reveal": None},
            {"reveal": True},
            {"reveal": {"card": "7H0"}},
            {"reveal": {}, "discard": {}},
            {"endTurn": {}, "end_turn": {}},
            {"Reveal": {}},
            {"resign": None},
            *({"move": move} for move in chance.malformed_moves()),
        ]
    )
    return {"seat": game.turn_seat, "action": action}


def respelled(action, rng):
    """The same action in another spelling that protobuf JSON allows."""
    if "move" not in action:
        [kind] = action
        return {{"endTurn": "end_turn", "callTonj": "call_tonj"}.get(kind, kind): {}, "move": None}
    return {"move": chance.respelled_move(action["move"], rng), "reveal": None}
