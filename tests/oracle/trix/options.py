"""The room's settings: protobuf JSON of TrixOptions, and what each means when it is absent or 0."""

from tests.oracle import protojson

LEADER_PAYS = "FORCED_CAPTURE_LEADER_PAYS"
CAPTURES = ["FORCED_CAPTURE_UNSPECIFIED", "FORCED_CAPTURE_BASE", LEADER_PAYS]

# The server's own bounds on each number; 0 stands for the default besides.
BOUNDS = {
    "choose_seconds": (1, 604_800),
    "double_seconds": (1, 604_800),
    "play_seconds": (1, 604_800),
    "away_delay_ms": (100, 60_000),
}
MOST_AUTO_PLAY_DELAY_MS = 60_000


class Options:
    """The options that bear on the rules, defaults filled in. No time passes here, so few of the lengths do."""

    def __init__(self, given):
        """Raises protojson.Malformed."""
        found = protojson.fields(given, *BOUNDS, "auto_play_delay_ms", "play_out", "forced_capture", "show_legal_moves")
        for name, (least, most) in BOUNDS.items():
            number = protojson.uint32(found.get(name, 0))
            if number and not least <= number <= most:
                raise protojson.Malformed(f"{name}: {number} is not within {least} to {most}")
        delay = protojson.uint32(found.get("auto_play_delay_ms", 1500))
        if delay > MOST_AUTO_PLAY_DELAY_MS:
            raise protojson.Malformed(f"auto_play_delay_ms: {delay} is above {MOST_AUTO_PLAY_DELAY_MS}")
        capture = protojson.enum(found.get("forced_capture", 0), CAPTURES)
        if capture not in CAPTURES:
            raise protojson.Malformed(f"no such reading of a forced capture: {capture}")
        protojson.boolean(found.get("show_legal_moves", True))
        self.play_out = protojson.boolean(found.get("play_out", False))  # X8
        self.leader_pays = capture == LEADER_PAYS  # X9
        self.plays_by_itself = delay > 0  # X11: 0 turns it off
