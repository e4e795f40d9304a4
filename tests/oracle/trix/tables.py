"""Random options, and random small tables: doubling windows, the last tricks of a deal, the end of a layout.

Doubled cards that their own doubler takes, early ends and finished hands come up there far more often than in play
from a deal.
"""

from tests.oracle.position import Impossible
from tests.oracle.trix import cards, contracts, deals, layout
from tests.oracle.trix.game import Game


def random_options(rng):
    """Any settings, under either spelling, some left out."""
    options = {
        "chooseSeconds": rng.choice([0, 1, 20, "604800"]),
        rng.choice(["doubleSeconds", "double_seconds"]): rng.choice([0, 1, 10]),
        "playSeconds": rng.choice([0, 1, 20]),
        rng.choice(["autoPlayDelayMs", "auto_play_delay_ms"]): rng.choice([0, 0, 1, 1500, 60_000, None]),
        rng.choice(["playOut", "play_out"]): rng.random() < 0.5,
        rng.choice(["forcedCapture", "forced_capture"]): rng.choice(
            [0, 1, 2, "FORCED_CAPTURE_BASE", "FORCED_CAPTURE_LEADER_PAYS", "FORCED_CAPTURE_LEADER_PAYS"]
        ),
        "showLegalMoves": rng.random() < 0.5,
        "awayDelayMs": rng.choice([0, 100, 60_000]),
    }
    return {name: value for name, value in options.items() if rng.random() < 0.6}


def random_table(rng):
    """A possible position of few cards; `rng` is a random.Random."""
    while True:
        table = rng.choice([draw_choice, draw_window, draw_tricks, draw_tricks, draw_tricks, draw_layout])(rng)
        try:
            Game.from_position(table)
        except Impossible:
            continue
        return table


def draw_deal(rng, contract=None):
    """Where in the match a deal stands, that has or is still to have a contract."""
    deal_number = rng.choice([20, rng.randint(1, 20)])
    others = [other for other in contracts.CONTRACTS if other != contract]
    return {
        "game": "trix",
        "partial": True,
        "options": random_options(rng),
        "deal_number": deal_number,
        "kingdom": deals.kingdom_of(deal_number),
        "owner": rng.randrange(4),
        "played_contracts": rng.sample(others, deals.played_before(deal_number)),
        "contract": contract,
        "totals": [5 * rng.randint(-3, 3) for _ in range(4)],
    }


def draw_hands(rng, deck, size):
    return [[deck.pop() for _ in range(size)] for _ in range(4)]


def shuffled(rng):
    deck = list(cards.EVERY_CARD)
    rng.shuffle(deck)
    return deck


def draw_choice(rng):
    """A contract is to be chosen."""
    table = draw_deal(rng)
    hands = draw_hands(rng, shuffled(rng), rng.randint(1, 13))
    return {**table, "phase": "CHOOSING", "turn_seat": table["owner"], "hands": hands}


def draw_window(rng):
    """A doubling window, in which some have answered."""
    contract = rng.choice([contracts.KING, contracts.QUEENS])
    hands = draw_hands(rng, shuffled(rng), rng.randint(1, 13))
    answers = {}
    for seat in range(4):
        asked = [card for card in hands[seat] if contracts.may_be_doubled(contract, card)]
        if asked and rng.random() < 0.3:
            answers[str(seat)] = [card for card in asked if rng.random() < 0.5]
    return {**draw_deal(rng, contract), "phase": "DOUBLING", "hands": hands, "answers": answers}


def draw_tricks(rng):
    """Tricks are played, some were taken, and cards may be doubled, taken ones too."""
    contract = rng.choice([contracts.KING, contracts.QUEENS, contracts.QUEENS, contracts.DIAMONDS, contracts.LTOOSH])
    size = rng.choice([1, 2, 3, rng.randint(1, 13)])
    taken_count = rng.choice([13 - size, rng.randint(0, 13 - size)])
    deck = shuffled(rng)
    hands, taken, counts = draw_hands(rng, deck, size), [[], [], [], []], [0, 0, 0, 0]
    holders = {card: seat for seat in range(4) for card in hands[seat]}
    for _ in range(taken_count):
        trick, leader = [deck.pop() for _ in range(4)], rng.randrange(4)
        following = [card for card in trick if cards.suit(card) == cards.suit(trick[0])]
        taker = (leader + trick.index(max(following, key=cards.rank))) % 4
        taken[taker] += trick
        counts[taker] += 1
        holders |= {card: (leader + place) % 4 for place, card in enumerate(trick)}
    doubled = [
        {"seat": holders[card], "card": card}
        for card in holders
        if contracts.may_be_doubled(contract, card) and rng.random() < 0.7
    ]
    return {
        **draw_deal(rng, contract),
        "phase": "TRICKS",
        "turn_seat": rng.randrange(4),
        "hands": hands,
        "taken": taken,
        "tricks_taken": counts,
        "doubled": doubled,
    }


def draw_layout(rng):
    """Rows are grown some way, and up to two hands are empty; all the other cards are held, or only some of them."""
    rows = {suit: draw_row(rng) for suit in "CDHS" if rng.random() < 0.8}
    laid = layout.cards_laid(rows)
    deck = [card for card in shuffled(rng) if card not in laid]
    finished = rng.sample(range(4), rng.choice([0, 0, 1, 2]))
    playing = [seat for seat in range(4) if seat not in finished]
    hands = [[], [], [], []]
    for number, card in enumerate(deck[: rng.choice([len(deck), rng.randint(3, 12)])]):
        hands[playing[number % len(playing)]].append(card)
    return {
        **draw_deal(rng, contracts.TRIX),
        "phase": "LAYOUT",
        "turn_seat": rng.choice(playing),
        "hands": hands,
        "rows": rows,
        "finished": finished,
    }


def draw_row(rng):
    return [cards.RANKS[rng.randint(0, layout.JACK)], cards.RANKS[rng.randint(layout.JACK, 12)]]
