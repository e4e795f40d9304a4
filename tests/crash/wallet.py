"""A wallet that lives through the server's crashes: it takes fees, confirms them, and pays what settlements say.

What it keeps here it would keep in a database of its own. It counts every result by its place, takes nothing twice and
pays nothing twice, and so must come out even.
"""

import asyncio
import collections
import random
from collections.abc import Sequence

import grpc

from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2, matchmaking_service_pb2_grpc
from tests.api.clients import Client
from tests.api.refused import reason
from tests.crash.asking import BREAKS, PASSING, Broken, answered, connected
from tests.crash.judge import must
from tests.crash.player import DOUBLE_TAPS
from tests.crash.server import Server

NAME = "wallet"
PLATFORM = "the platform"
ACKNOWLEDGES = 0.2
"""How often it acknowledges a result."""
Result = matchmaking_service_pb2.WatchResultsResponse


class Wallet:
    """Of one server."""

    def __init__(self, server: Server, chance: random.Random) -> None:
        self.seen: list[Result] = []
        """Every result once, by place."""
        self.purses = collections.Counter[str]()
        """What everybody has won or lost: in all nothing, once every fee is settled."""
        self.taken: dict[tuple[str, str], int] = {}
        """Fees by match and player."""
        self.confirmed: set[tuple[str, str]] = set()
        """Those of which the server has said that it has them."""
        self.settled: set[str] = set()
        self._server = server
        self._chance = chance
        self._place: dict[str, int] = {}
        self._players: dict[str, dict[int, str]] = {}
        self._acknowledged = 0
        self._tried = 0

    async def live(self) -> None:
        """Follows the results until it is cancelled.

        Raises:
            Broken: the server is at fault.
        """
        while True:
            try:
                async with connected(self._server, NAME, Role.WALLET) as client:
                    await self._follow(client)
            except BREAKS as error:
                why = reason(error)
                self._server.told[why] += 1
                if why not in PASSING:
                    raise Broken(f"the wallet was told {why} after {len(self.seen)} results") from error
            await asyncio.sleep(self._chance.uniform(0.01, 0.05))

    async def _follow(self, client: Client) -> None:
        """Goes on after a result that it has, or after the last that the server knows it to have."""
        after, may_follow = "", range(self._acknowledged, self._tried + 1)
        if self.seen and self._chance.random() < 0.5:
            place = self._chance.randrange(len(self.seen))
            after, may_follow = self.seen[place].cursor, range(place + 1, place + 2)
        stub = matchmaking_service_pb2_grpc.MatchmakingServiceStub(client.channel)
        request = matchmaking_service_pb2.WatchResultsRequest(consumer=NAME, after_cursor=after)
        async for result in stub.WatchResults(request, metadata=client.metadata):
            place = self._kept(result, may_follow)
            may_follow = range(place + 1, place + 2)
            await self._serve(result)
            if self._chance.random() < ACKNOWLEDGES:
                await self._acknowledge(client, place)

    def _kept(self, result: Result, may_follow: range) -> int:
        """The place of a result, from 0.

        Raises:
            Broken: it is not the next one, or another than it was.
        """
        place = self._place.setdefault(result.cursor, len(self.seen))
        must(place in may_follow, f"result {place} came where {may_follow} was to come")
        if place == len(self.seen):
            self.seen.append(result)
        must(self.seen[place] == result, f"result {place} was {self.seen[place]} and is {result}")
        return place

    async def _acknowledge(self, client: Client, place: int) -> None:
        stub = matchmaking_service_pb2_grpc.MatchmakingServiceStub(client.channel)
        request = matchmaking_service_pb2.AckResultsRequest(consumer=NAME, cursor=self.seen[place].cursor)
        self._tried = max(self._tried, place + 1)
        await stub.AckResults(request, metadata=client.metadata, timeout=5)
        self._acknowledged = max(self._acknowledged, place + 1)

    async def _serve(self, result: Result) -> None:
        match result.kind:
            case matchmaking_service_pb2.RESULT_KIND_SEATED:
                await self._take(result.match)
            case matchmaking_service_pb2.RESULT_KIND_ENDED | matchmaking_service_pb2.RESULT_KIND_VOID:
                self._settle(result.match)

    async def _take(self, match: match_pb2.Match) -> None:
        """Takes the fees of a full match and confirms them, until it hears that it is too late."""
        fee = match.options.tonj_house.entry_fee_minor
        self._players[match.match_id] = {seat.seat: seat.player_id for seat in match.seats}
        for seat in match.seats if fee else ():
            key = (match.match_id, seat.player_id)
            if key in self.taken and key not in self.confirmed:
                return  # it was too late before
            if key not in self.taken:
                self.taken[key] = fee
                self.purses[seat.player_id] -= fee
            if not await self._confirm(*key):
                must(key not in self.confirmed, f"the fee of {key} was confirmed, and is not any more")
                self.purses[seat.player_id] += fee
                return
            self.confirmed.add(key)

    async def _confirm(self, match_id: str, player_id: str) -> bool:
        """Whether the fee was still in time."""
        taps = 2 if self._chance.random() < DOUBLE_TAPS else 1

        async def confirm(client: Client) -> bool:
            try:
                await asyncio.gather(
                    *(
                        client.confirm_stake(match_id, player_id, f"{player_id} for {match_id}"[:64])
                        for _ in range(taps)
                    )
                )
            except grpc.aio.AioRpcError as error:
                if reason(error) == "MATCH_VOID":
                    return False
                raise
            return True

        return await answered(self._server, NAME, confirm, Role.WALLET)

    def _settle(self, match: match_pb2.Match) -> None:
        """Pays what a settlement says, once, and sees that it is what came in."""
        fee = match.options.tonj_house.entry_fee_minor
        if not fee or match.match_id in self.settled:
            return
        self.settled.add(match.match_id)
        settlement = match.outcome.settlement
        came_in = fee * sum(match_id == match.match_id for match_id, _ in self.confirmed)
        paid = sum(settlement.payout_minor) + settlement.rake_minor
        must(
            settlement.pot_minor == came_in == paid,
            f"{match.match_id} took {came_in}, tells of {settlement.pot_minor} and pays {paid}",
        )
        self._pay(self._players.get(match.match_id, {}), settlement.payout_minor)
        self.purses[PLATFORM] += settlement.rake_minor

    def _pay(self, players: dict[int, str], payouts: Sequence[int]) -> None:
        for seat, payout in enumerate(payouts):
            if payout:
                self.purses[players[seat]] += payout
