"""The room's settings: protobuf JSON of TonjHouseOptions, and what each means when it is absent or 0 (H28)."""

from tests.oracle import protojson

OWN_STOCK = "PENALTY_SOURCE_OWN_STOCK"
SOURCES = ["PENALTY_SOURCE_UNSPECIFIED", "PENALTY_SOURCE_OPPONENT_STOCK", OWN_STOCK]

MOST = {
    "turn_seconds": 604_800,
    "penalty_cards": 10,
    "max_moves_per_turn": 1_000,
    "max_turns": 10_000,
    "entry_fee_minor": 1_000_000_000,
    "rake_bps": 5_000,
}
"""The bounds of H28, and the server's own of a clock, of placements and of turns."""


class Options:
    """The options that bear on the rules, defaults filled in. The length of the clock does not: no time passes here."""

    def __init__(self, given):
        """Raises protojson.Malformed."""
        found = protojson.fields(given, *MOST, "penalty_source", "ranked", "show_legal_moves")
        numbers = {name: protojson.uint32(found.get(name, 0)) for name in MOST}
        for name, most in MOST.items():
            if numbers[name] > most:
                raise protojson.Malformed(f"{name}: {numbers[name]} is above {most}")
        source = protojson.enum(found.get("penalty_source", 0), SOURCES)
        if source not in SOURCES:
            raise protojson.Malformed(f"no such source of penalty cards: {source}")
        for name in ("ranked", "show_legal_moves"):
            protojson.boolean(found.get(name, False))
        self.penalty_cards = numbers["penalty_cards"] if "penalty_cards" in found else 3  # H10, H28: 0 is none
        self.own_stock = source == OWN_STOCK  # H10
        self.max_moves = numbers["max_moves_per_turn"] or 40  # H16
        self.max_turns = numbers["max_turns"] or 400  # H17
        self.entry_fee = numbers["entry_fee_minor"]  # H19
        self.rake_bps = numbers["rake_bps"]
