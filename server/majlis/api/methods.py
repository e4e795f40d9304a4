"""Which roles may call which method. A method without a row here cannot be served; nothing is open by default."""

from collections.abc import Mapping

from majlis.api.caller import Role

MATCH_SERVICE = "majlis.v1.MatchService"
MATCHMAKING_SERVICE = "majlis.v1.MatchmakingService"
LOBBY_SERVICE = "majlis.v1.LobbyService"
STAKE_SERVICE = "majlis.v1.StakeService"

OPEN = None
"""For a method that needs no token."""

_PLAYERS = frozenset({Role.PLAYER})
_WATCHERS = frozenset({Role.PLAYER, Role.SPECTATOR})
_MATCHMAKERS = frozenset({Role.MATCHMAKER})
_WALLETS = frozenset({Role.WALLET})
_SERVICES = frozenset({Role.MATCHMAKER, Role.WALLET})

ROLES: Mapping[str, frozenset[Role] | None] = {
    f"/{MATCH_SERVICE}/GetMatch": _WATCHERS,
    f"/{MATCH_SERVICE}/ListMyMatches": _PLAYERS,
    f"/{MATCH_SERVICE}/GetServerInfo": OPEN,
    f"/{MATCH_SERVICE}/SubmitAction": _PLAYERS,
    f"/{MATCH_SERVICE}/WatchMatch": _WATCHERS,
    f"/{MATCH_SERVICE}/PlaySession": _WATCHERS,
    f"/{MATCH_SERVICE}/GetReplay": _WATCHERS,
    f"/{LOBBY_SERVICE}/ListTables": _WATCHERS,
    f"/{LOBBY_SERVICE}/JoinTable": _PLAYERS,
    f"/{LOBBY_SERVICE}/CreateRoom": _PLAYERS,
    f"/{LOBBY_SERVICE}/LookUpRoom": _PLAYERS,
    f"/{LOBBY_SERVICE}/JoinRoom": _PLAYERS,
    f"/{LOBBY_SERVICE}/LeaveMatch": _PLAYERS,
    f"/{LOBBY_SERVICE}/Rematch": _PLAYERS,
    f"/{MATCHMAKING_SERVICE}/CreateMatch": _MATCHMAKERS,
    f"/{MATCHMAKING_SERVICE}/WatchResults": _SERVICES,
    f"/{MATCHMAKING_SERVICE}/AckResults": _SERVICES,
    f"/{STAKE_SERVICE}/ConfirmStake": _WALLETS,
}
"""By the path that travels, `/package.Service/Method`."""
