"""What ends the demo with status 1: something that must hold did not."""


class Failure(Exception):
    """What did not hold, in one line."""


def must(holds: object, otherwise: str) -> None:
    """Ends the demo unless something holds.

    Raises:
        Failure: it does not.
    """
    if not holds:
        raise Failure(otherwise)
