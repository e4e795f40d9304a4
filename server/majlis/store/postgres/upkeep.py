"""What is written beside appends: signs of life, single names, places of results, consumers' places.

Each is one call, and one transaction. The SQL is in `migrations/0003_upkeep.sql`.
"""

from majlis.store import protocol
from majlis.store.postgres.link import Connection

_ACKNOWLEDGE = """
    INSERT INTO consumers AS c (consumer, position) VALUES ($1, greatest($2, 0))
    ON CONFLICT (consumer) DO UPDATE SET position = excluded.position WHERE excluded.position > c.position
"""


async def beat(connection: Connection, server: str, now_ms: int, longest_ms: int) -> list[protocol.Outage]:
    """Keeps a server's sign of life, and the outage that it ends if there is one; the outages that are remembered."""
    rows = await connection.fetch(
        "SELECT since_ms, until_ms FROM beat_1($1, $2, $3, $4, $5)",
        *(server, now_ms, longest_ms, protocol.OUTAGES_KEPT, protocol.NAMES_FORGOTTEN),
    )
    return [protocol.Outage(*row) for row in rows]


async def claim(connection: Connection, match_id: str, claim: protocol.Claim, now_ms: int) -> protocol.Held:
    """Gives a match a name unless somebody has it; who has it then."""
    (row,) = await connection.fetch(
        "SELECT kind, name, match_id, body_hash FROM claim_1($1, $2, $3, $4, $5, $6)",
        *(match_id, claim.kind, claim.name, claim.body_hash, claim.expires_ms, now_ms),
    )
    return protocol.Held(*row)


async def publish(connection: Connection, limit: int) -> int:
    """Gives the next places to results that have none; how many got one."""
    placed: int = await connection.fetchval("SELECT publish_1($1)", limit)
    return placed


async def acknowledge(connection: Connection, consumer: str, position: int) -> None:
    """Moves a consumer to this place, unless it is there or beyond."""
    await connection.execute(_ACKNOWLEDGE, consumer, position)
