"""The five contracts: their order, what each counts against the taker, what may be doubled (X3, X4, X7)."""

KING, QUEENS, DIAMONDS, LTOOSH, TRIX = "KING_OF_HEARTS", "QUEENS", "DIAMONDS", "LTOOSH", "TRIX"

CONTRACTS = [KING, QUEENS, DIAMONDS, LTOOSH, TRIX]  # X3: the order in which a time-out takes them
SUMS = {KING: -75, QUEENS: -100, DIAMONDS: -130, LTOOSH: -195, TRIX: 500}  # X7

TRICK_COST = 15
PLACES = [200, 150, 100, 50]


def cost(contract, card):
    """X7: what a card costs its taker; 0 for one that the contract does not name."""
    if contract == KING and card == "KH":
        return 75
    if contract == QUEENS and card[0] == "Q":
        return 25
    if contract == DIAMONDS and card[1] == "D":
        return 10
    return 0


def how_many_cost(contract):
    """X7, X8: how many cards of the deck a contract names; None for those that name none."""
    return {KING: 1, QUEENS: 4, DIAMONDS: 13}.get(contract)


def may_be_doubled(contract, card):
    """X4: K♥ in its contract, any queen in theirs."""
    return contract in (KING, QUEENS) and cost(contract, card) > 0


def left(played):
    """X3: the contracts that a kingdom still has to play, in order."""
    return [contract for contract in CONTRACTS if contract not in played]
