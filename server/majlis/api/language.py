"""Which of our languages a caller reads, from `accept-language`. The sentences themselves stand in the catalogue."""

from typing import Literal

Language = Literal["en", "ar"]
LONGEST = 256


def preferred(accept: str | None) -> Language:
    """The best of English and Arabic for a header such as `ar-SA,ar;q=0.9,en;q=0.5`; English without a preference."""
    best: Language = "en"
    weight = 0.0
    for part in (accept or "")[:LONGEST].split(","):
        tag, _, parameters = part.partition(";")
        primary = tag.strip().lower().partition("-")[0]
        quality = _quality(parameters)
        if quality > weight and (primary == "en" or primary == "ar" or primary == "*"):
            best = "ar" if primary == "ar" else "en"
            weight = quality
    return best


def _quality(parameters: str) -> float:
    name, _, value = parameters.strip().partition("=")
    if name.strip().lower() != "q":
        return 1.0
    try:
        return float(value)
    except ValueError:
        return 0.0
