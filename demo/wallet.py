"""The wallet: a service of its own that takes fees and pays settlements. Here is money; the server only counts it.

It is told by results what happens, and may be told twice: a debit is known again by match and player, a payment by its
match. Whatever it does, no unit may be lost or made.
"""

from collections.abc import Mapping
from typing import Self

import grpc

from demo.caller import PATIENCE, Caller
from demo.failure import Failure, must
from demo.screen import Screen
from demo.server import Server
from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2, stake_service_pb2, stake_service_pb2_grpc
from majlis.v1 import matchmaking_service_pb2_grpc as matchmaking

CONSUMER = "wallet"
"""Under this name the server remembers how far it has come."""


class Wallet:
    """Everybody's purse, what is held until matches end, and what the platform was paid."""

    def __init__(self, calls: "Calls", purses: Mapping[str, int], screen: Screen) -> None:
        """Opens the accounts.

        Args:
            calls: made with a token of the wallet's role.
            purses: what each player has, by id, in minor units.
            screen: told of every payment.
        """
        self.purses = dict(purses)
        self.platform = 0
        self.calls = calls
        self._screen = screen
        self._all = sum(purses.values())
        self._taken: dict[tuple[str, str], int] = {}
        """Fees by match and player, for ever: what was taken once is not taken again."""
        self._held: dict[str, int] = {}
        """What was taken for matches that are not settled."""
        self._settled: set[str] = set()

    @classmethod
    def opened(cls, server: Server, purses: Mapping[str, int], screen: Screen) -> Self:
        """One at this server."""
        calls = Calls(server.channel, "wallet", server.token("wallet", Role.WALLET))
        return cls(calls, purses, screen)

    async def until_settled(self, match_id: str) -> None:
        """Does what results ask for, from where it had stopped, until a match has ended or is void.

        Raises:
            Failure: something is not as it must be with the money.
        """
        results = self.calls.watch_results()
        async for result in results:
            if result.match.options.tonj_house.entry_fee_minor:
                await self._hear(result)
            await self.calls.ack_results(result.cursor)
            if match_id in self._settled:
                results.cancel()
                return
        raise Failure("the results ended before the match did")

    async def _hear(self, result: matchmaking_service_pb2.WatchResultsResponse) -> None:
        match result.kind:
            case matchmaking_service_pb2.RESULT_KIND_SEATED:
                self._screen.say("The wallet hears that all seats are taken, and that fees are due.")
                for seat in result.match.seats:
                    await self._take(result.match, seat)
            case matchmaking_service_pb2.RESULT_KIND_ENDED | matchmaking_service_pb2.RESULT_KIND_VOID:
                self._settle(result.match)

    async def _take(self, match: match_pb2.Match, seat: match_pb2.Seat) -> None:
        """Takes a fee, if there is enough for it, and says so: twice, as one does who has not heard the answer."""
        fee, has = match.options.tonj_house.entry_fee_minor, self.purses[seat.player_id]
        if (match.match_id, seat.player_id) not in self._taken:
            if has < fee:
                self._screen.say(f"         {seat.display_name} has {has} and cannot pay {fee}: nothing is confirmed.")
                return
            self.purses[seat.player_id] -= fee
            self._taken[match.match_id, seat.player_id] = fee
            self._held[match.match_id] = self._held.get(match.match_id, 0) + fee
        was_last = all((match.match_id, other.player_id) in self._taken for other in match.seats)
        then = "and the match starts" if was_last else "and the other is waited for"
        # Said first: once the last fee is confirmed, the players are quicker than the wallet.
        self._screen.say(f"         {seat.display_name} has paid {fee}. It is confirmed, twice to be sure, {then}.")
        first, second = [await self.calls.confirm_stake(match.match_id, seat.player_id) for _ in range(2)]
        must(first.seats[seat.seat].stake_confirmed, "a confirmed fee is not shown")
        has_started = first.status == match_pb2.MATCH_STATUS_ACTIVE  # and perhaps somebody has played in between
        must(has_started == was_last, "a match has not started with its last fee, or has before")
        must(has_started or first == second, "a fee that was confirmed twice changed something")

    def _settle(self, match: match_pb2.Match) -> None:
        """Pays what the settlement says, once.

        Raises:
            Failure: that is not what was taken.
        """
        if match.match_id in self._settled:
            return
        settlement, held = match.outcome.settlement, self._held.pop(match.match_id, 0)
        must(settlement.pot_minor == held, "the settlement counts on other fees than were taken")
        self._settled.add(match.match_id)
        self.platform += settlement.rake_minor
        paid = []
        for seat in match.seats:
            amount = settlement.payout_minor[seat.seat]
            self.purses[seat.player_id] += amount
            paid.extend([f"{amount} to {seat.display_name}"] if amount else [])
        kept = sum(self.purses.values()) + sum(self._held.values()) + self.platform
        must(kept == self._all, "money was lost or made")
        void = "The match is void, and the" if match.status == match_pb2.MATCH_STATUS_VOID else "The"
        rake = f", {settlement.rake_minor} to the platform" if settlement.rake_minor else ""
        self._screen.say(f"{void} wallet pays {', '.join(paid)}{rake}: {held} came in, and all of it went out.")


class Calls(Caller):
    """A caller in the wallet's role."""

    def __init__(self, channel: grpc.aio.Channel, name: str, token: str) -> None:
        super().__init__(channel, name, token)
        self._stakes = stake_service_pb2_grpc.StakeServiceStub(channel)
        self._results = matchmaking.MatchmakingServiceStub(channel)

    async def confirm_stake(self, match_id: str, player_id: str, payment_id: str = "") -> match_pb2.Match:
        """Says that a player's fee is taken, under the payment id of this match and player unless another is given."""
        request = stake_service_pb2.ConfirmStakeRequest(
            match_id=match_id, player_id=player_id, payment_id=payment_id or f"{match_id}-{player_id}"
        )
        return (await self._stakes.ConfirmStake(request, metadata=self.metadata, timeout=PATIENCE)).match

    def watch_results(
        self,
    ) -> (
        "grpc.aio.UnaryStreamCall[matchmaking_service_pb2.WatchResultsRequest,"
        " matchmaking_service_pb2.WatchResultsResponse]"
    ):
        """Results after the last that was acknowledged; without an end."""
        request = matchmaking_service_pb2.WatchResultsRequest(consumer=CONSUMER)
        return self._results.WatchResults(request, metadata=self.metadata)

    async def ack_results(self, cursor: str) -> None:
        """Needs nothing up to here any more."""
        request = matchmaking_service_pb2.AckResultsRequest(consumer=CONSUMER, cursor=cursor)
        await self._results.AckResults(request, metadata=self.metadata, timeout=PATIENCE)
