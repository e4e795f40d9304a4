"""Positions of Trix in and out: which keys there are, and which tables are impossible.

`game`, `phase` and `owner` must stand, and `turn_seat` where a seat is on turn. What every game's positions share
stands in `tests.oracle.position`.
"""

import copy

from tests.oracle import position
from tests.oracle.cards import SUITS
from tests.oracle.position import Impossible
from tests.oracle.trix import cards, contracts, deals, doubling, layout, options, scores
from tests.oracle.trix.deals import SEATS

KEYS = {
    "game", "options", "deal_number", "kingdom", "owner", "played_contracts", "phase", "contract", "hands", "turn_seat",
    "answers", "doubled", "trick", "taken", "tricks_taken", "rows", "finished", "totals", "partial", "deal_seed",
    "entropies",
}  # fmt: skip
MOST_POINTS = 10_000
PHASES = ["CHOOSING", "DOUBLING", "TRICKS", "LAYOUT", "OVER"]
CONTRACTS_OF = {
    "CHOOSING": [None],
    "DOUBLING": [contracts.KING, contracts.QUEENS],
    "TRICKS": [contracts.KING, contracts.QUEENS, contracts.DIAMONDS, contracts.LTOOSH],
    "LAYOUT": [contracts.TRIX],
    "OVER": contracts.CONTRACTS,
}
HAND_SIZE = 13


def read(game, given):
    """Fills a game from a position. Raises Impossible, naming the fault."""
    found = position.given_keys(given, KEYS)
    if found.get("game") != "trix":
        raise Impossible('game: "trix" was expected')
    read_room(game, found)
    read_deal(game, found)
    read_cards(game, found)
    read_rows(game, found)
    position.check_cards(places(game), cards.EVERY_CARD, game.partial)  # X15
    read_answers(game, found)
    read_doubled(game, found)
    check_phase(game)
    check_turn(game)
    check_hand_sizes(game)
    check_finished(game)
    check_end(game)
    if not game.partial:
        check_whole_deal(game)


def read_room(game, found):
    settings, game.limits = position.read_options(found, options.Options)
    game.options = copy.deepcopy(settings)
    game.partial = position.flag(found, "partial")
    game.deal_seed = position.read_seed(found)
    game.entropies = position.read_entropies(found, SEATS)


def read_deal(game, found):
    """X3: where in the match the deal stands."""
    game.deal_number = position.number(found, "deal_number", 1, least=1, most=deals.LAST_DEAL)
    game.kingdom = position.number(found, "kingdom", 1, least=1, most=4)
    game.owner = position.number(found, "owner", None, most=SEATS - 1)
    game.totals = position.numbers(found, "totals", SEATS, least=-position.NUMBER_LIMIT)
    if any(abs(total) > MOST_POINTS for total in game.totals):
        raise Impossible(f"totals: twenty deals of 500 points come to {MOST_POINTS} at most")
    game.played_contracts = read_contracts(found.get("played_contracts", []))
    game.phase = found.get("phase")
    if game.phase not in PHASES:
        raise Impossible(f"phase: one of {', '.join(PHASES)} was expected")
    game.contract = found.get("contract")
    if game.contract not in CONTRACTS_OF[game.phase]:
        raise Impossible(f"contract: {game.contract!r} cannot be while {game.phase}")
    if game.contract in game.played_contracts:
        raise Impossible(f"contract: {game.contract} was played in this kingdom")
    if game.kingdom != deals.kingdom_of(game.deal_number):
        raise Impossible(f"kingdom: deal {game.deal_number} is not of kingdom {game.kingdom}")
    if len(game.played_contracts) != deals.played_before(game.deal_number):
        raise Impossible(f"played_contracts: not as many were finished before deal {game.deal_number}")
    if game.phase == "CHOOSING" and len(contracts.left(game.played_contracts)) == 1:
        raise Impossible("phase: the fifth contract is not chosen")


def read_contracts(played):
    if not isinstance(played, list):
        raise Impossible("played_contracts: a list was expected")
    for index, contract in enumerate(played):
        if contract not in contracts.CONTRACTS or contract in played[:index]:
            raise Impossible(f"played_contracts: {contract!r} is no contract, or stands twice")
    return list(played)


def read_cards(game, found):
    for key in ("hands", "taken"):
        piles = position.lists(found, key, SEATS, idle=[])
        setattr(game, key, [position.read_pile(pile, f"{key}[{n}]", cards.is_card) for n, pile in enumerate(piles)])
    game.hands = [cards.by_suit(hand) for hand in game.hands]
    game.tricks_taken = position.numbers(found, "tricks_taken", SEATS, most=HAND_SIZE)
    game.trick = read_plays(found.get("trick", []), "trick")
    game.turn_seat = position.number(found, "turn_seat", None, most=SEATS - 1) if "turn_seat" in found else None


def read_plays(plays, key):
    """A list of {"seat", "card"}."""
    if not isinstance(plays, list):
        raise Impossible(f"{key}: a list was expected")
    for play in plays:
        if not isinstance(play, dict) or set(play) != {"seat", "card"}:
            raise Impossible(f"{key}: seat and card were expected")
        position.checked_number(play["seat"], f"{key}.seat", most=SEATS - 1)
        position.read_pile([play["card"]], key, cards.is_card)
    return [dict(play) for play in plays]


def read_rows(game, found):
    """X10: a row lies around its jack."""
    game.rows = {}
    rows = found.get("rows", {})
    if not isinstance(rows, dict):
        raise Impossible("rows: an object was expected")
    for suit, ends in rows.items():
        if len(suit) != 1 or suit not in SUITS:
            raise Impossible(f"rows: no such suit: {suit!r}")
        ends = position.sized_list(ends, f"rows.{suit}", 2)
        if any(not isinstance(end, str) or not cards.is_card(f"{end}{suit}") for end in ends):
            raise Impossible(f"rows.{suit}: two ranks were expected")
        if not cards.RANKS.index(ends[0]) <= layout.JACK <= cards.RANKS.index(ends[1]):
            raise Impossible(f"rows.{suit}: the jack lies within")
        game.rows[suit] = ends
    game.finished = found.get("finished", [])
    if not isinstance(game.finished, list):
        raise Impossible("finished: a list was expected")
    game.finished = [position.checked_number(seat, "finished", most=SEATS - 1) for seat in game.finished]


def places(game):
    """(place, cards) of every place where cards stand."""
    for key in ("hands", "taken"):
        for index, pile in enumerate(getattr(game, key)):
            yield f"{key}[{index}]", pile
    yield "trick", [play["card"] for play in game.trick]
    yield "rows", layout.cards_laid(game.rows)


def read_answers(game, found):
    """X4: answers that would have been accepted, and not yet all of them."""
    game.answers = {}
    answers = found.get("answers", {})
    if not isinstance(answers, dict):
        raise Impossible("answers: an object was expected")
    for seat, named in answers.items():
        if seat not in ("0", "1", "2", "3"):
            raise Impossible(f"answers: no such seat: {seat!r}")
        named = position.read_pile(named, f"answers.{seat}", cards.is_card)
        if game.phase != "DOUBLING":
            raise Impossible("answers: no doubling window is open")
        fault = doubling.fault(game, int(seat), named)
        if fault:
            raise Impossible(f"answers.{seat}: {fault}")
        game.answers[int(seat)] = cards.by_suit(named)
    if game.phase == "DOUBLING" and not doubling.still_asked(game):
        raise Impossible("phase: all who are asked have answered")


def read_doubled(game, found):
    """X4: cards that may be doubled, each still with its doubler as long as it was not taken."""
    game.doubled = read_plays(found.get("doubled", []), "doubled")
    game.doubled.sort(key=lambda shown: (shown["seat"], SUITS.index(cards.suit(shown["card"]))))
    if game.doubled and game.phase not in ("TRICKS", "OVER"):
        raise Impossible("doubled: nothing is shown yet")
    seen = []
    for shown in game.doubled:
        seat, card = shown["seat"], shown["card"]
        if not contracts.may_be_doubled(game.contract, card):
            raise Impossible(f"doubled: {card} cannot be")
        if card in seen:
            raise Impossible(f"doubled: {card} stands twice")
        seen.append(card)
        for holder in range(SEATS):
            played = [play["card"] for play in game.trick if play["seat"] == holder]
            if card in game.hands[holder] + played and holder != seat:
                raise Impossible(f"doubled: {card} is not seat {seat}'s")


def check_phase(game):
    """What a phase, or an ended deal's contract, has no use for is not there."""
    layout_deal = game.contract == contracts.TRIX
    if game.trick and game.phase != "TRICKS":
        raise Impossible("trick: no tricks are played")
    if (any(game.taken) or any(game.tricks_taken)) and (layout_deal or game.phase not in ("TRICKS", "OVER")):
        raise Impossible("taken: no tricks were played")
    if (game.rows or game.finished) and not layout_deal:
        raise Impossible("rows: the contract is another")


def check_turn(game):
    """X3, X5, X6, X10: who is on turn."""
    if game.phase == "OVER":
        game.turn_seat = None
        return
    if game.phase == "DOUBLING":
        if game.turn_seat is not None:
            raise Impossible("turn_seat: nobody is on turn while doubling")
        return
    if game.turn_seat is None:
        raise Impossible("turn_seat is missing")
    if game.phase == "CHOOSING" and game.turn_seat != game.owner:
        raise Impossible("turn_seat: the owner chooses")
    if game.phase == "LAYOUT" and not game.hands[game.turn_seat]:
        raise Impossible("turn_seat: that hand is empty")
    if len(game.trick) > 3:
        raise Impossible("trick: it would have been taken")
    for step, play in enumerate(reversed(game.trick), start=1):
        if play["seat"] != (game.turn_seat - step) % SEATS:
            raise Impossible("trick: the seats play in turn, and the seat on turn is the next")


def check_hand_sizes(game):
    """X2: everybody was dealt as many cards, and plays one a trick; in the layout hands may differ (X10)."""
    sizes = [len(hand) for hand in game.hands]
    for play in game.trick:
        sizes[play["seat"]] += 1
    most = HAND_SIZE - sum(game.tricks_taken)
    if max(sizes) > most:
        raise Impossible(f"hands: more than {most} cards")
    if game.contract == contracts.TRIX:
        return
    if min(sizes) != max(sizes):
        raise Impossible("hands: they are not of one size")
    if not any(sizes) and game.phase != "OVER":
        raise Impossible("hands: all are empty")


def check_finished(game):
    """X10: exactly the empty hands of a layout are finished."""
    if len(set(game.finished)) < len(game.finished):
        raise Impossible("finished: a seat stands twice")
    if game.contract == contracts.TRIX and sorted(game.finished) != [s for s in range(SEATS) if not game.hands[s]]:
        raise Impossible("finished: other seats than those with empty hands")


def check_end(game):
    """A position stands after all that happens by itself: X7, X8, X10."""
    if game.phase in ("TRICKS", "LAYOUT") and scores.deal_is_over(game):
        raise Impossible("phase: the deal is over")
    if game.phase == "OVER" and not scores.deal_is_over(game):
        raise Impossible("phase: the deal is not over")
    if game.phase == "OVER" and scores.goes_on(game):
        raise Impossible("phase: the next deal would have been dealt")


def check_whole_deal(game):
    """X3, X7, X15: what must hold where all cards stand."""
    if sum(game.totals) != sum(contracts.SUMS[contract] for contract in game.played_contracts):
        raise Impossible("totals: not the sum of the contracts that were played")
    if game.deal_number == 1:
        for seat in range(SEATS):
            played = [play["card"] for play in game.trick if play["seat"] == seat]
            if "7H" in game.hands[seat] + played and seat != game.owner:
                raise Impossible(f"owner: 7H is held by seat {seat}")
    if game.contract == contracts.TRIX:
        return
    if any(len(pile) != 4 * count for pile, count in zip(game.taken, game.tricks_taken, strict=True)):
        raise Impossible("taken: not four cards for each of tricks_taken")
    if game.phase == "TRICKS" and not any(game.tricks_taken):
        leader = game.trick[0]["seat"] if game.trick else game.turn_seat
        if leader != game.owner:
            raise Impossible("turn_seat: the owner leads the first trick")


def write(game):
    """The position of a game: every key, `deal_seed` and `entropies` only if given."""
    printed = {
        key: copy.deepcopy(getattr(game, key))
        for key in KEYS - {"game"}
        if key not in ("deal_seed", "entropies") or getattr(game, key) is not None
    }
    printed["game"] = "trix"
    printed["answers"] = {str(seat): list(game.answers[seat]) for seat in sorted(game.answers)}
    printed["rows"] = {suit: list(game.rows[suit]) for suit in SUITS if suit in game.rows}
    return dict(sorted(printed.items()))
