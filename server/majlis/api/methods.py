"""Which roles may call which method. A method without a row here cannot be served; nothing is open by default."""

from collections.abc import Mapping

from majlis.api.caller import Role

MATCH_SERVICE = "majlis.v1.MatchService"
MATCHMAKING_SERVICE = "majlis.v1.MatchmakingService"

OPEN = None
"""For a method that needs no token."""

_PLAYERS = frozenset({Role.PLAYER})
_WATCHERS = frozenset({Role.PLAYER, Role.SPECTATOR})
_MATCHMAKERS = frozenset({Role.MATCHMAKER})

ROLES: Mapping[str, frozenset[Role] | None] = {
    f"/{MATCH_SERVICE}/GetMatch": _WATCHERS,
    f"/{MATCH_SERVICE}/ListMyMatches": _PLAYERS,
    f"/{MATCH_SERVICE}/GetServerInfo": OPEN,
    f"/{MATCH_SERVICE}/SubmitAction": _PLAYERS,
    f"/{MATCH_SERVICE}/WatchMatch": _WATCHERS,
    f"/{MATCH_SERVICE}/GetReplay": _WATCHERS,
    f"/{MATCHMAKING_SERVICE}/CreateMatch": _MATCHMAKERS,
}
"""By the path that travels, `/package.Service/Method`."""
