"""`majlis.v1.MatchmakingService`: makes matches for a matchmaking service. Idempotence is the runtime's."""

from majlis.api import wire
from majlis.api.calls import Call, Calls, Handler
from majlis.api.methods import MATCHMAKING_SERVICE
from majlis.runtime.runtime import Runtime
from majlis.v1 import matchmaking_service_pb2 as messages

_MATCH = messages.CreateMatchResponse.MATCH_FIELD_NUMBER


class MatchmakingService:
    """What a matchmaking service uses."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""
        return {"CreateMatch": calls.unary(f"/{MATCHMAKING_SERVICE}/CreateMatch", self.create_match)}

    async def create_match(self, call: Call, request: bytes) -> bytes:
        """`CreateMatchRequest` to `CreateMatchResponse`."""
        return wire.field(_MATCH, await self._runtime.create(request))
