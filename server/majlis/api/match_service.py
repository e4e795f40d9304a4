"""`majlis.v1.MatchService`: reads each request, names the match, and hands over to the runtime, which answers in bytes.

No rules, no order, no durability here; and no message that holds cards is read or built in Python.
"""

import majlis
from majlis import _core
from majlis.api import requests, wire
from majlis.api.calls import Call, Calls, Handler, Updates
from majlis.api.line import Line
from majlis.api.methods import MATCH_SERVICE
from majlis.api.session import Session
from majlis.runtime.runtime import Runtime
from majlis.v1 import match_service_pb2 as messages

OLDEST_SUPPORTED_CLIENT = "0.1.0"
MATCHES_A_PAGE, MOST_MATCHES_A_PAGE = 50, 200
EVENTS_A_PAGE, MOST_EVENTS_A_PAGE = 1_000, 5_000

_MATCHES = messages.ListMyMatchesResponse.MATCHES_FIELD_NUMBER
_NEXT_MATCHES = messages.ListMyMatchesResponse.NEXT_PAGE_TOKEN_FIELD_NUMBER
_NEXT_EVENTS = messages.GetReplayResponse.NEXT_PAGE_TOKEN_FIELD_NUMBER


class MatchService:
    """What players' and spectators' frontends use."""

    def __init__(self, runtime: Runtime) -> None:
        self._runtime = runtime

    def handlers(self, calls: Calls) -> dict[str, Handler]:
        """Handlers by method name."""
        unary = {
            "GetMatch": self.get_match,
            "ListMyMatches": self.list_my_matches,
            "GetServerInfo": self.get_server_info,
            "SubmitAction": self.submit_action,
            "GetReplay": self.get_replay,
        }
        handlers = {name: calls.unary(f"/{MATCH_SERVICE}/{name}", answer) for name, answer in unary.items()}
        handlers["WatchMatch"] = calls.stream(f"/{MATCH_SERVICE}/WatchMatch", self.watch_match)
        handlers["PlaySession"] = calls.session(f"/{MATCH_SERVICE}/PlaySession", self.play_session)
        return handlers

    async def get_match(self, call: Call, request: bytes) -> bytes:
        """`GetMatchRequest` to `GetMatchResponse`."""
        asked = requests.read(messages.GetMatchRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        return await self._runtime.get_match(call.caller.player_id, asked.match_id)

    async def list_my_matches(self, call: Call, request: bytes) -> bytes:
        """`ListMyMatchesRequest` to `ListMyMatchesResponse`."""
        asked = requests.read(messages.ListMyMatchesRequest, request)
        size = requests.page_size(asked.page_size, MATCHES_A_PAGE, MOST_MATCHES_A_PAGE)
        matches, token = await self._runtime.matches_of(call.caller.player_id, size, asked.page_token)
        return b"".join(wire.field(_MATCHES, match) for match in matches) + wire.text(_NEXT_MATCHES, token)

    async def get_server_info(self, call: Call, request: bytes) -> bytes:
        """`GetServerInfoRequest` to `GetServerInfoResponse`."""
        requests.read(messages.GetServerInfoRequest, request)
        info = messages.GetServerInfoResponse(
            version=majlis.__version__,
            rules_versions=_core.RULES_VERSIONS,
            oldest_supported_client=OLDEST_SUPPORTED_CLIENT,
        )
        info.server_time.FromMilliseconds(call.received_ms)
        return info.SerializeToString()

    async def submit_action(self, call: Call, request: bytes) -> bytes:
        """`SubmitActionRequest` to `SubmitActionResponse`."""
        submit = requests.submit(request)
        call.about.match = submit.match_id
        call.about.request = submit.request_id
        return await self._runtime.submit(call.caller.player_id, submit, call.received_ms)

    async def watch_match(self, call: Call, request: bytes) -> Updates:
        """`WatchMatchRequest` to `WatchMatchResponse`s."""
        asked = requests.read(messages.WatchMatchRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        device = requests.device(call.header("device-id"))
        after = asked.after_sequence if asked.HasField("after_sequence") else None
        return await self._runtime.watch(
            call.caller.player_id,
            asked.match_id,
            after,
            device,
            spectator_id=call.caller.spectator_id,
            await_rematch=asked.await_rematch,
        )

    async def play_session(self, call: Call, line: Line) -> None:
        """`PlaySessionRequest`s to `PlaySessionResponse`s."""
        await Session(self._runtime, call, line).run()

    async def get_replay(self, call: Call, request: bytes) -> bytes:
        """`GetReplayRequest` to `GetReplayResponse`."""
        asked = requests.read(messages.GetReplayRequest, request)
        call.about.match = requests.match_id(asked.match_id)
        size = requests.page_size(asked.page_size, EVENTS_A_PAGE, MOST_EVENTS_A_PAGE)
        page, token = await self._runtime.replay(call.caller.player_id, asked.match_id, size, asked.page_token)
        return page + wire.text(_NEXT_EVENTS, token)
