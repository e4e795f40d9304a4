"""Random attempts, good and faulty, for playing the oracle against another implementation.

An attempt is a judge step: {"seat", "action"} or {"expire": clock}. The same generator gives the same attempts.
"""

from tests.oracle.tonj_family import chance
from tests.oracle.tonj_house import actions, moves

CLOCKS = ["turn", "claim", "choose", "double", "play", "auto", "away"]
RESIGN_RATE = 0.002


def random_action(game, rng):
    """One attempt at the game as it stands; `rng` is a random.Random."""
    if rng.random() < RESIGN_RATE:
        return {"seat": rng.randrange(2), "action": {"resign": {}}}
    return rng.choices(
        [legal, neglect, plain, any_move, misplaced, wrong_seat, malformed, clock],
        [70, 14, 4, 5, 6, 2, 2, 3],
    )[0](game, rng)


def judged(game, judgement):
    """The attempts of the seat on turn that would be judged so."""
    return [action for action in moves.candidates(game) if moves.judge(game, action) == judgement]


def legal(game, rng):
    """A good attempt, mostly one that shifts nothing between houses, so that matches end; now and then respelled."""
    listed = judged(game, moves.GOOD)
    if not listed:  # the match is over
        return plain(game, rng)
    others = [action for action in listed if "move" not in action or not moves.from_house_to_house(action)]
    action = rng.choice(others if others and rng.random() < 0.8 else listed)
    return {"seat": game.turn_seat, "action": respelled(action, rng) if rng.random() < 0.1 else action}


def neglect(game, rng):
    """An attempt that brings a penalty, where a duty holds."""
    neglected = judged(game, moves.NEGLECT)
    return {"seat": game.turn_seat, "action": rng.choice(neglected)} if neglected else plain(game, rng)


def plain(game, rng):
    """A discard or a pass, whether or not it is the time for it."""
    return {"seat": game.turn_seat, "action": rng.choice([actions.DISCARD, actions.PASS])}


def any_move(game, rng):
    """A move between any two piles, some of which do not exist."""
    return {"seat": game.turn_seat, "action": {"move": chance.random_move(game, rng)}}


def misplaced(game, rng):
    """A card of one's own to a pile that may not take it, and sometimes more cards than one."""
    move = {"from": rng.choice(moves.sources(game.turn_seat)), "to": chance.random_pile(game, rng)}
    if rng.random() < 0.1:
        move["count"] = rng.randint(0, 3)
    return {"seat": game.turn_seat, "action": {"move": move}}


def wrong_seat(game, rng):
    """A good attempt, or a neglect, from the seat that is not on turn, or from no seat of this table."""
    step = rng.choice([legal, neglect])(game, rng)
    return {**step, "seat": rng.choice([1 - game.turn_seat, 2])}


def clock(game, rng):
    """Any clock, the running one half the time."""
    return {"expire": "turn" if rng.random() < 0.5 else rng.choice(CLOCKS)}


def malformed(game, rng):
    """No action of the game."""
    action = rng.choice(
        [
            {},
            None,
            [],
            "pass",
            {"pass": None},
            {"pass": True},
            {"discard": {"card": "7H0"}},
            {"discard": {}, "pass": {}},
            {"Pass": {}},
            {"reveal": {}},
            {"endTurn": {}},
            {"callTonj": {}},
            {"resign": None},
            *({"move": move} for move in chance.malformed_moves()),
        ]
    )
    return {"seat": game.turn_seat, "action": action}


def respelled(action, rng):
    """The same action in another spelling that protobuf JSON allows."""
    if "move" not in action:
        return {**action, "move": None}
    return {"move": chance.respelled_move(action["move"], rng), "pass": None}
