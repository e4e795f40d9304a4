"""How long each wait may last; nothing here waits for ever."""

import dataclasses


@dataclasses.dataclass(frozen=True, slots=True)
class Patience:
    """Seconds."""

    connect: float = 3.0
    """Until a connection stands."""
    turn: float = 2.0
    """For one of the connections, while all are in use."""
    lock: float = 2.0
    """For what another transaction holds."""
    statement: float = 5.0
    """Until the server gives a statement up, and says so."""
    answer: float = 7.0
    """For an answer of any kind; after it the connection counts as broken."""
    retry: float = 1.0
    """Longest pause between attempts to reach a server that is away."""
