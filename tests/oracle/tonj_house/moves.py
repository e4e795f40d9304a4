"""What an attempt of the seat on turn is: refused, a neglect of the duty, or good.

Judging only (H3-H6, H8, H9, H11-H13, H22, H26): nothing here changes the game. A judgement is the reason of a refusal,
`NEGLECT`, or `GOOD`.
"""

from tests.oracle.tonj_family import piles
from tests.oracle.tonj_family.piles import FOUNDATION, HAND, HOUSE, RESERVE, WASTE
from tests.oracle.tonj_house import actions

GOOD = "good"
NEGLECT = "neglect"


def judge(game, action):
    """H9, H11: what is illegal in itself is refused; what is legal but for the duty is a neglect."""
    fault = fault_of(game, action)
    if fault:
        return fault
    return NEGLECT if duties(game) and not to_foundation(action) else GOOD


def fault_of(game, action):
    """Why an attempt would be refused, or None, whether or not a duty holds (H11, H22)."""
    if "move" in action:
        return fault_of_move(game, action["move"])
    if "discard" in action:
        return None if game.pending else "NOTHING_PENDING"  # H12, H22
    if "pass" in action:
        return "CARDS_LEFT" if cards_to_open(game) else None  # H13, H22
    raise ValueError(f"not an attempt: {action}")


def cards_to_open(game):
    """H13: whether the seat on turn has a stock, a waste or an opened card."""
    return bool(game.pending or game.hands[game.turn_seat] or game.wastes[game.turn_seat])


def to_foundation(action):
    return "move" in action and action["move"]["to"]["kind"] == FOUNDATION


# --- Placements ------------------------------------------------------------------------------------------------------


def fault_of_move(game, move):
    source, target = move.get("from", {}), move.get("to", {})
    card = source_card(game, game.turn_seat, source)
    if card is None:
        return "SOURCE_UNAVAILABLE"
    if move.get("count", 1) > 1:
        return "COUNT_TOO_HIGH"  # H5: one card at a time
    if not is_target(game, source, target):
        return "DESTINATION_UNAVAILABLE"
    if not piles.card_fits(game, card, target):
        return "CARD_DOES_NOT_FIT"  # H4, H5, H6
    return None


def source_card(game, seat, source):
    """H3: the card that a seat may take from there, or None. The opened card is the turn's seat's."""
    kind, own = source.get("kind"), source.get("seat", 0) == seat
    if kind == RESERVE and own:
        return outer_card(game.reserves[seat])
    if kind == HAND and own and seat == game.turn_seat:
        return game.pending
    if kind == HOUSE:
        return outer_card(piles.house_of(game, source))
    return None


def outer_card(pile):
    return pile[-1] if pile else None


def is_target(game, source, target):
    """H4-H6, H22: a foundation slot or none named, another house, the opponent's Tonj pile or waste."""
    kind = target.get("kind")
    if kind == FOUNDATION:
        return target.get("index", 0) < 8
    if kind == HOUSE:
        same = source["kind"] == HOUSE and source["index"] == target.get("index")
        return piles.house_of(game, target) is not None and not same
    if kind in (RESERVE, WASTE):
        return target.get("seat", 0) == 1 - game.turn_seat
    return False


# --- The duty --------------------------------------------------------------------------------------------------------


def sources(seat):
    """H3: the piles that a seat may take from, in the order of H18."""
    houses = [{"kind": HOUSE, "index": index} for index in range(8)]
    return [piles.pile_of(RESERVE, seat), piles.pile_of(HAND, seat), *houses]


def duties(game):
    """H8: the sources whose card fits a foundation."""
    seat = game.turn_seat
    cards = [(source, source_card(game, seat, source)) for source in sources(seat)]
    return [source for source, card in cards if card and piles.lowest_foundation(game, card) is not None]


# --- What there is to do ---------------------------------------------------------------------------------------------


def candidates(game):
    """Every attempt that could come into question for the seat on turn; most are not legal (H29)."""
    return [*placements(game), actions.DISCARD, actions.PASS]


def placements(game):
    return [actions.place(source, target) for source in sources(game.turn_seat) for target in piles.targets(game)]


def only_pass_left(game):
    """H13: nothing but a pass is legal."""
    return not cards_to_open(game) and not any(judge(game, action) == GOOD for action in placements(game))


def can_change_anything(game, seat):
    """H15: whether a seat, were it on turn, would have a legal move other than house to house."""
    there = game.copy()
    there.turn_seat = seat
    return any(judge(there, action) == GOOD and not from_house_to_house(action) for action in placements(there))


def from_house_to_house(action):
    move = action["move"]
    return move["from"]["kind"] == move["to"]["kind"] == HOUSE
