"""The room's settings: protobuf JSON of TonjOptions, and what each means when it is absent or 0 (T42)."""

from tests.oracle import protojson

FINISH_TURN = "TIMEOUT_POLICY_FINISH_TURN"
ONE_ACTION = "TIMEOUT_POLICY_ONE_ACTION"
POLICIES = ["TIMEOUT_POLICY_UNSPECIFIED", FINISH_TURN, ONE_ACTION]

# The server's own bounds on each number; 0 stands for the default besides.
BOUNDS = {
    "target_points": (0, 10_000),
    "turn_seconds": (1, 604_800),
    "claim_window_ms": (100, 60_000),
    "max_claims_per_turn": (1, 20),
    "max_transfers_per_turn": (1, 200),
}


class Options:
    """The options that bear on the rules, defaults filled in. The lengths of clocks do not: no time passes here."""

    def __init__(self, given):
        """Raises protojson.Malformed."""
        found = protojson.fields(given, *BOUNDS, "timeout_policy", "show_legal_moves")
        numbers = {name: protojson.uint32(found.get(name, 0)) for name in BOUNDS}
        for name, (least, most) in BOUNDS.items():
            if numbers[name] and not least <= numbers[name] <= most:
                raise protojson.Malformed(f"{name}: {numbers[name]} is not within {least} to {most}")
        protojson.boolean(found.get("show_legal_moves", False))
        policy = protojson.enum(found.get("timeout_policy", 0), POLICIES)
        if policy not in POLICIES:
            raise protojson.Malformed(f"no such timeout policy: {policy}")
        self.target_points = numbers["target_points"]  # 0: one hand (T28)
        self.max_claims = numbers["max_claims_per_turn"] or 3  # T33
        self.max_transfers = numbers["max_transfers_per_turn"] or 30  # T22
        self.timeout_policy = ONE_ACTION if policy == ONE_ACTION else FINISH_TURN  # T34
