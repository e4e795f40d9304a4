"""Random options, and random small tables: partial positions in which a match of the house edition gets interesting.

Penalties from nearly nothing, foundations that leave play, blocks, last placements and last turns come up there far
more often than in play from a deal.
"""

from tests.oracle.cards import RANKS, SUITS
from tests.oracle.position import Impossible
from tests.oracle.tonj_family import cards, chance
from tests.oracle.tonj_house import ends
from tests.oracle.tonj_house.game import Game

SOURCES = [0, 1, 2, 2, "PENALTY_SOURCE_OPPONENT_STOCK", "PENALTY_SOURCE_OWN_STOCK"]
ENOUGH_CARDS = 40
"""For every pile but the foundations."""


def random_options(rng):
    """Any settings, under either spelling, some left out."""
    options = {
        "turnSeconds": rng.choice([0, 1, 30, "604800"]),
        rng.choice(["penaltyCards", "penalty_cards"]): rng.choice([0, 1, 2, 3, "3", 5, 10, None]),
        rng.choice(["penaltySource", "penalty_source"]): rng.choice(SOURCES),
        rng.choice(["maxMovesPerTurn", "max_moves_per_turn"]): rng.choice([0, 0, 1, 2, 3, 40]),
        rng.choice(["maxTurns", "max_turns"]): rng.choice([0, 0, 10, 30, 400]),
        rng.choice(["entryFeeMinor", "entry_fee_minor"]): rng.choice([0, 1, 333, 5_000, 10**9]),
        rng.choice(["rakeBps", "rake_bps"]): rng.choice([0, 1, 250, 1_234, 5_000]),
        "ranked": rng.random() < 0.5,
        "showLegalMoves": rng.random() < 0.5,
    }
    return {name: value for name, value in options.items() if rng.random() < 0.5}


def random_table(rng):
    """A possible position of few cards, that play may well lead to; `rng` is a random.Random."""
    while True:
        table = draw(rng)
        try:
            game = Game.from_position(table)
        except Impossible:
            continue
        if all(ends.personal_cards(game, seat) for seat in range(2)):
            return table


def draw(rng):
    """A position that is often possible."""
    deck = list(cards.EVERY_CARD)
    rng.shuffle(deck)
    retired = {suit: rng.choice([0, 0, 0, 0, 0, 1, 1, 2]) for suit in SUITS}
    foundations = [foundation for suit in SUITS for foundation in draw_foundations(rng, deck, suit, retired[suit])]
    if len(deck) < ENOUGH_CARDS:
        return draw(rng)
    due = due_cards(deck, foundations)
    rng.shuffle(foundations)
    no_stocks = rng.random() < 0.4
    most = 0 if no_stocks else 3

    def take(most):
        return [draw_card(rng, deck, due) for _ in range(rng.randint(0, most))]

    reserves, hands, wastes = [take(3), take(3)], [take(most), take(most)], [take(most), take(most)]
    options = random_options(rng)
    turn_seat, turn_number = rng.randrange(2), draw_counter(rng, options, ("maxTurns", "max_turns"), 400)
    pending = draw_card(rng, deck, due) if hands[turn_seat] or wastes[turn_seat] or rng.random() < 0.3 else None
    return {
        "game": "tonj_house",
        "partial": True,
        "options": options,
        "starter": (turn_seat + turn_number - 1) % 2,
        "turn_number": turn_number,
        "turn_seat": turn_seat,
        "foundations": foundations,
        "retired": retired,
        "houses": [draw_house(rng, deck, due, no_stocks) for _ in range(8)],
        "reserves": reserves,
        "hands": hands,
        "wastes": wastes,
        "pending": pending,
        "moves": draw_counter(rng, options, ("maxMovesPerTurn", "max_moves_per_turn"), 40) - 1,
        "passes": min(rng.choice([0, 1, 1, 2, 3]), turn_number - 1) if no_stocks else rng.choice([0, 0, 1]),
    }


def draw_foundations(rng, deck, suit, retired):
    """Both foundations of a suit, of cards of either pack, often nearly full; the cards of those that left play go."""
    foundations = []
    for number in range(2):
        height = 13 if number < retired else rng.choice([0, 0, rng.randint(1, 12), 11, 12])
        foundation = []
        for rank in RANKS[:height]:
            foundation.append(next(card for card in deck if card[:2] == rank + suit))
            deck.remove(foundation[-1])
        foundations.append([] if number < retired else foundation)
    return foundations


def due_cards(deck, foundations):
    """The cards that fit a foundation (H8)."""
    return [card for card in deck if any(cards.fits_foundation(card, foundation) for foundation in foundations)]


def draw_card(rng, deck, due):
    """Any card of the deck, or one that fits a foundation."""
    there = [card for card in due if card in deck]
    card = rng.choice(there) if there and rng.random() < 0.15 else deck[-1]
    deck.remove(card)
    return card


def draw_house(rng, deck, due, rigid):
    """Empty, a card that fits a foundation, a king of those left, or a run."""
    if not deck or rng.random() < (0.05 if rigid else 0.15):
        return []
    kings = [card for card in deck if cards.rank(card) == 13]
    if kings and rng.random() < (0.8 if rigid else 0.2):
        deck.remove(kings[0])
        return kings[:1]
    if rng.random() < 0.2:
        return [draw_card(rng, deck, due)]
    return chance.draw_run(rng, deck)


def draw_counter(rng, options, spellings, default):
    """A count of turns or placements that have begun, often the last or the last but one."""
    most = next((options[name] for name in spellings if options.get(name)), default)
    return max(1, min(most, rng.choice([rng.randint(1, 9), 1, 1, most - 1, most])))
