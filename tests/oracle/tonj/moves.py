"""What an attempt of the seat on turn is: unavailable, a build fault, a neglected priority, or good.

Judging only (T7-T13, T15, T18, T19, T21, T22, T29, T36-T38, T43): nothing here changes the game. Whether a claim opens
for a fault is decided in claims.py. Every function answers a judgement, or None when it has nothing against it.
"""

from dataclasses import dataclass

from tests.oracle.tonj_family import cards, piles
from tests.oracle.tonj_family.piles import (
    FOUNDATION,
    HAND,
    HOUSE,
    RESERVE,
    WASTE,
    card_fits,
    house_of,
    lowest_foundation,
)


@dataclass(frozen=True)
class Judgement:
    """`kind` is a class of T29: "U", "B", "P", or "good"."""

    kind: str
    reason: str = ""


GOOD = Judgement("good")


def unavailable(reason):
    return Judgement("U", reason)


BUILD_FAULT = Judgement("B", "CARD_DOES_NOT_FIT")
NEGLECTED = Judgement("P", "PRIORITY_NEGLECTED")


def judge(game, action):
    """T29: the class of an attempt by the seat on turn, in the order U, B, P."""
    if "move" in action:
        return judge_move(game, action["move"])
    if "reveal" in action:
        return judge_reveal(game)
    if "discard" in action:
        return judge_discard(game)
    if "endTurn" in action:
        return judge_end_turn(game)
    raise ValueError(f"not an attempt: {action}")


def judge_move(game, move):
    source, target, count = move.get("from", {}), move.get("to", {}), move.get("count", 1)
    return (
        source_unavailable(game, source, count)
        or target_malformed(game, source, target)
        or transfers_used_up(game, source, target)
        or build_fault(game, source, target, count)
        or neglects_priority(game, source, target)
        or GOOD
    )


def judge_reveal(game):
    """T18."""
    if game.pending:
        return unavailable("CARD_PENDING")
    if not game.hands[game.turn_seat]:
        return unavailable("HAND_EMPTY")
    return NEGLECTED if any_duty(game) else GOOD


def judge_discard(game):
    """T19, T36."""
    if not game.pending:
        return unavailable("NOTHING_PENDING")
    if lowest_foundation(game, game.pending) is not None:
        return NEGLECTED
    if pending_fits_elsewhere(game):
        return unavailable("CARD_CAN_BE_PLAYED")
    return GOOD


def judge_end_turn(game):
    """T21."""
    if game.pending:
        return unavailable("CARD_PENDING")
    if game.hands[game.turn_seat] or game.wastes[game.turn_seat]:
        return unavailable("HAND_NOT_EMPTY")
    return NEGLECTED if any_duty(game) else GOOD


# --- U: sources and destinations -------------------------------------------------------------------------------------


def source_cards(game, source):
    """The cards of a pile that the seat on turn may take from, outer card last; none when it is no source (T7, T8)."""
    kind, own = source.get("kind"), source.get("seat", 0) == game.turn_seat
    if game.pending:  # the only card that may move
        return [game.pending] if kind == HAND and own else []
    if kind == RESERVE and own:
        return game.reserves[game.turn_seat]
    if kind == HOUSE:
        return house_of(game, source) or []
    return []


def source_unavailable(game, source, count):
    """T7, T8, T37."""
    available = source_cards(game, source)
    if not available:
        return unavailable("SOURCE_UNAVAILABLE")
    if count > (len(available) if source["kind"] == HOUSE else 1):
        return unavailable("SOURCE_UNAVAILABLE")
    return None


def target_malformed(game, source, target):
    """T12, T37: own reserve and own waste, piles that are no destination, indexes missing or out of range."""
    kind = target.get("kind")
    if kind == HOUSE:
        possible = house_of(game, target) is not None
        same = source["kind"] == HOUSE and source["index"] == target.get("index")
        return None if possible and not same else unavailable("DESTINATION_UNAVAILABLE")
    if kind == FOUNDATION:
        return None if target.get("index", 0) < 8 else unavailable("DESTINATION_UNAVAILABLE")
    if kind in (RESERVE, WASTE):
        return None if target.get("seat", 0) == 1 - game.turn_seat else unavailable("DESTINATION_UNAVAILABLE")
    return unavailable("DESTINATION_UNAVAILABLE")


def transfers_used_up(game, source, target):
    """T22: the transfer beyond the cap is unavailable, whatever else is wrong with it."""
    if source["kind"] == target["kind"] == HOUSE and game.transfers >= game.limits.max_transfers:
        return unavailable("TRANSFER_LIMIT")
    return None


# --- B: build rules --------------------------------------------------------------------------------------------------


def build_fault(game, source, target, count):
    """T9, T10, T11, T13."""
    moving = source_cards(game, source)[-count:]
    fits = group_fits(game, moving, target) if count > 1 else card_fits(game, moving[0], target)
    return None if fits else BUILD_FAULT


def group_fits(game, moving, target):
    """T13, T37: onto a house only, a run whose innermost card fits, one card more than there are other empty houses."""
    if target["kind"] != HOUSE:
        return False
    empty = [index for index, house in enumerate(game.houses) if not house and index != target["index"]]
    return cards.is_run(moving) and card_fits(game, moving[0], target) and len(moving) <= len(empty) + 1


# --- P: priorities ---------------------------------------------------------------------------------------------------


def first_duty(game):
    """T15: "reserve" (P1), "foundation" (P2), "house" (P3) or None: the first duty that stands."""
    seat = game.turn_seat
    if game.pending:  # T38: P1 and P2 look at the pending card only
        if lowest_foundation(game, game.pending) is not None:
            return "foundation"
    else:
        reserve = game.reserves[seat]
        if reserve and lowest_foundation(game, reserve[-1]) is not None:
            return "reserve"
        if any(house and lowest_foundation(game, house[-1]) is not None for house in game.houses):
            return "foundation"
    if game.reserves[seat] and not all(game.houses):
        return "house"
    return None


def any_duty(game):
    return first_duty(game) is not None


def neglects_priority(game, source, target):
    """T15, for a move that the build rules allow."""
    duty = first_duty(game)
    if duty == "reserve":
        met = source["kind"] == RESERVE and target["kind"] == FOUNDATION
    elif duty == "foundation":
        met = target["kind"] == FOUNDATION
    elif duty == "house":  # forbids nothing but another card in an empty house
        met = source["kind"] == RESERVE or target["kind"] != HOUSE or bool(game.houses[target["index"]])
    else:
        met = True
    return None if met else NEGLECTED


# --- T19, T21: what is left to do ------------------------------------------------------------------------------------


def pending_targets(game):
    """Where the pending card may go, in the order of T34: houses from the lowest, opponent's reserve, his waste."""
    other = 1 - game.turn_seat
    targets = [{"kind": HOUSE, "index": index} for index in range(8)]
    targets += [{"kind": RESERVE, "seat": other}, {"kind": WASTE, "seat": other}]
    source = {"kind": HAND, "seat": game.turn_seat}
    return [target for target in targets if judge_move(game, {"from": source, "to": target}) == GOOD]


def pending_fits_elsewhere(game):
    return bool(pending_targets(game))


def candidate_moves(game):
    """Every move that could come into question, for whichever seat is on turn; most are not legal.

    The count is left out for one card, and foundations are named by their index (T44).
    """
    own = game.turn_seat
    sources = [(piles.pile_of(RESERVE, own), 1), (piles.pile_of(HAND, own), 1)]
    sources += [({"kind": HOUSE, "index": i}, n) for i in range(8) for n in range(1, len(game.houses[i]) + 1)]
    for source, count in sources:
        for target in piles.targets(game):
            move = {"from": source, "to": target}
            yield {"move": {**move, "count": count} if count > 1 else move}


def candidates(game):
    """Every attempt that could come into question, for whichever seat is on turn."""
    return [*candidate_moves(game), {"reveal": {}}, {"discard": {}}, {"endTurn": {}}]


def any_move_left(game):
    """T21: whether the seat on turn has a legal move."""
    return any(judge(game, action) == GOOD for action in candidate_moves(game))
