"""Random pieces of attempts and of tables; `rng` is a random.Random. The same generator gives the same pieces."""

from tests.oracle.tonj_family import cards
from tests.oracle.tonj_family.piles import FOUNDATION, HOUSE, PILE_KINDS


def random_pile(game, rng):
    """A pile by any name, some of which do not exist."""
    pile = {"kind": rng.choice(PILE_KINDS[1:] if rng.random() < 0.95 else PILE_KINDS)}
    if rng.random() < 0.6:
        pile["seat"] = rng.choice([0, 1, 1 - game.turn_seat, 2])
    if rng.random() < 0.9:
        pile["index"] = rng.randrange(9)
    return pile


def random_move(game, rng):
    """A move between any two piles."""
    move = {"from": random_pile(game, rng), "to": random_pile(game, rng)}
    if rng.random() < 0.3:
        move["count"] = rng.randrange(5)
    return move


def malformed_moves():
    """Moves that are no protobuf JSON of the message, or say too little to be one."""
    house = {"kind": HOUSE, "index": 0}
    return [
        {},
        {"from": house},
        {"from": house, "to": {"kind": HOUSE, "index": -1}},
        {"from": house, "to": {"kind": HOUSE, "index": 1 << 32}},
        {"from": house, "to": {"kind": HOUSE, "index": 1.5}},
        {"from": house, "to": {"kind": "HOUSE", "index": 1}},
        {"from": house, "to": {"kind": 17, "index": 1}},
        {"from": house, "to": {"kind": HOUSE, "index": 1}, "count": "two"},
        {"from": house, "to": {"kind": HOUSE, "index": 1}, "cards": 1},
        {"from": house, "to": {"kind": HOUSE, "index": True}},
    ]


def respelled_move(move, rng):
    """The same move in another spelling that protobuf JSON allows."""
    spelled = {"from": respelled_pile(move["from"], rng), "to": respelled_pile(move["to"], rng)}
    spelled["count"] = (
        rng.choice([move["count"], str(move["count"])]) if "count" in move else rng.choice([0, 1, None, "1"])
    )
    return spelled


def respelled_pile(pile, rng):
    spelled = {"kind": rng.choice([pile["kind"], PILE_KINDS.index(pile["kind"])])}
    seat = pile.get("seat", 0)
    if seat or pile["kind"] in (HOUSE, FOUNDATION):
        spelled["seat"] = rng.choice([seat, str(seat)])
    if "index" in pile:
        spelled["index"] = rng.choice([pile["index"], str(pile["index"]), float(pile["index"])])
    return spelled


def draw_run(rng, deck):
    """A single card, or a run built downwards as far as luck goes; its cards leave the deck."""
    house = [deck.pop()]
    while rng.random() < 0.6:
        fitting = [card for card in deck if cards.builds_on(card, house[-1])]
        if not fitting:
            break
        house.append(rng.choice(fitting))
        deck.remove(house[-1])
    return house
