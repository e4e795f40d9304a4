"""Who is paid what: H20. Amounts in minor units, the platform's share in basis points; whole numbers only."""

BASIS_POINTS = 10_000


def settlement(fee, rake_bps, winners):
    """Protobuf JSON of a Settlement: noughts are left out, but for those in the list of payouts."""
    pot = 2 * fee
    if len(winners) == 1:
        rake = pot * rake_bps // BASIS_POINTS
        payout = [pot - rake if seat in winners else 0 for seat in range(2)]
    else:  # a draw gives both fees back
        rake, payout = 0, [fee, fee]
    amounts = {"entryFeeMinor": fee, "potMinor": pot, "rakeMinor": rake}
    return {name: amount for name, amount in amounts.items() if amount} | {"payoutMinor": payout}
