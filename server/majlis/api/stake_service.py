"""`majlis.v1.StakeService`: a wallet says whose fee is taken. What follows from that is the runtime's."""

from majlis.api import requests, wire
from majlis.api.calls import Call, Calls, Handler
from majlis.api.methods import STAKE_SERVICE
from majlis.runtime.lobby import Lobby
from majlis.v1 import stake_service_pb2 as messages

_MATCH = messages.ConfirmStakeResponse.MATCH_FIELD_NUMBER


class StakeService:
    """What a wallet uses."""

    def __init__(self, lobby: Lobby) -> None:
        self._lobby = lobby

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""
        return {"ConfirmStake": calls.unary(f"/{STAKE_SERVICE}/ConfirmStake", self.confirm_stake)}

    async def confirm_stake(self, call: Call, request: bytes) -> bytes:
        """`ConfirmStakeRequest` to `ConfirmStakeResponse`."""
        asked = requests.read(messages.ConfirmStakeRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        player, payment = (requests.id_of(asked, field) for field in ("player_id", "payment_id"))
        match = await self._lobby.confirm_stake(asked.match_id, player, payment, call.received_ms)
        return wire.field(_MATCH, match)
