"""Random options, and random small tables: partial positions near the end of a hand.

Wins, stalemates, recycled wastes and claims with a pending card come up there far more often than in play from a deal.
"""

from tests.oracle.cards import SUITS
from tests.oracle.position import Impossible
from tests.oracle.tonj.game import Game
from tests.oracle.tonj_family import cards, chance

OPTIONS = [
    {},
    {"targetPoints": 40},
    {"timeoutPolicy": "TIMEOUT_POLICY_ONE_ACTION"},
    {"maxClaimsPerTurn": 1, "maxTransfersPerTurn": 2},
]


TARGETS = [0, 0, 1, 25, 60, 200]
CLAIMS = [0, 1, 2, 3, 5]
TRANSFERS = [0, 1, 2, 4, 30]
POLICIES = [0, 1, 2, "TIMEOUT_POLICY_FINISH_TURN", "TIMEOUT_POLICY_ONE_ACTION", "TIMEOUT_POLICY_ONE_ACTION"]


def random_options(rng):
    """Any settings, under either spelling, some left out."""
    options = {
        rng.choice(["targetPoints", "target_points"]): rng.choice(TARGETS),
        "turnSeconds": rng.choice([0, 1, 30, "604800"]),
        "claimWindowMs": rng.choice([0, 100, 60_000]),
        "maxClaimsPerTurn": rng.choice(CLAIMS),
        rng.choice(["maxTransfersPerTurn", "max_transfers_per_turn"]): rng.choice(TRANSFERS),
        rng.choice(["timeoutPolicy", "timeout_policy"]): rng.choice(POLICIES),
        "showLegalMoves": rng.random() < 0.5,
    }
    return {name: value for name, value in options.items() if rng.random() < 0.6}


def random_table(rng):
    """A possible position of few cards; `rng` is a random.Random."""
    while True:
        table = draw_loop(rng) if rng.random() < 0.1 else draw(rng)
        try:
            Game.from_position(table)
        except Impossible:
            continue
        return table


def draw(rng):
    """A position that is nearly always possible."""
    deck = list(cards.EVERY_CARD)
    rng.shuffle(deck)
    foundations = [draw_foundation(rng, deck, index) for index in range(8)]

    def take(most):
        return [deck.pop() for _ in range(min(len(deck), rng.randint(0, most)))]

    starter, turn_number = rng.randrange(2), rng.randint(1, 9)
    return {
        "game": "tonj",
        "partial": True,
        "options": rng.choice(OPTIONS),
        "starter": starter,
        "turn_number": turn_number,
        "turn_seat": (starter + turn_number - 1) % 2,
        "foundations": foundations,
        "houses": [draw_house(rng, deck) for _ in range(8)],
        "reserves": [take(3), take(3)],
        "hands": [take(2), take(2)],
        "wastes": [take(2), take(2)],
        "pending": deck.pop() if rng.random() < 0.3 else None,
        "quiet": [rng.randrange(3), rng.randrange(3)],
        "transfers": rng.choice([0, 0, 1]),
        "claims": rng.choice([0, 0, 0, 1]),
        "totals": [rng.randrange(40), rng.randrange(40)],
    }


def draw_loop(rng):
    """Two reserves of one suit and nothing else to play with: cards go to and fro, and positions come again (T27)."""
    suit, lowest = rng.choice(SUITS), rng.randint(2, 8)
    neighbours = [cards.RANKS[lowest - 1 + step] + suit + rng.choice(cards.PACKS) for step in range(3)]
    seat = rng.randrange(2)
    return {
        "game": "tonj",
        "partial": True,
        "starter": seat,
        "turn_seat": seat,
        "houses": [["K" + suit + pack] for pack in cards.PACKS for suit in SUITS],
        "reserves": [neighbours[:2], neighbours[2:]] if seat == 0 else [neighbours[2:], neighbours[:2]],
    }


def draw_foundation(rng, deck, index):
    """One of the two foundations of each suit, up to a random height."""
    height = rng.choice([0, 0, rng.randint(1, 13)])
    foundation = [rank + SUITS[index % 4] + str(index // 4) for rank in cards.RANKS[:height]]
    for card in foundation:
        deck.remove(card)
    return foundation


def draw_house(rng, deck):
    """Empty, a single card, or a run built downwards as far as luck goes; rarely any three cards, run or not (T13)."""
    if rng.random() < 0.15 or not deck:
        return []
    if rng.random() < 0.05:
        return [deck.pop() for _ in range(min(3, len(deck)))]
    return chance.draw_run(rng, deck)
