"""The doubling windows (X4, X5): led by one who knows all four players, to show what each of them does not learn.

While a window is open, no sequence moves and nobody hears of another's answer; then all doubled cards are shown.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.text import Text

from demo.caller import accepted, refused
from demo.failure import must
from demo.screen import Screen
from demo.trix import actions
from demo.trix.ranks import may_be_doubled
from majlis.v1 import cards_pb2, match_pb2, trix_pb2

if TYPE_CHECKING:
    from demo.trix.player import Player
    from demo.trix.spectator import Spectator

WINDOWS = 8
"""In a match: two contracts in each of four kingdoms."""
QUIET = 0.03
"""Seconds in which anything that was sent on would have come."""
NONE = actions.answer([])


class Doubling:
    """Waits until everybody sees the window open, and has the players answer in it."""

    def __init__(self, screen: Screen) -> None:
        self._screen = screen
        self._opened = asyncio.Event()
        self._deal = 0
        self._arrived: set[str] = set()
        self._told: set[str] = set()
        self._most = 0

    async def lead(self, players: Sequence[Player], spectator: Spectator) -> None:
        """Leads all windows of a match.

        Raises:
            Failure: one was not as it must be, or all had but one seat to answer.
        """
        for _ in range(WINDOWS):
            await self._opened.wait()
            self._opened.clear()
            await self._window(players, spectator)
        must(self._most > 1, "in no doubling window were several seats asked")

    def arrived(self, watcher: Player | Spectator) -> None:
        """Somebody sees that the window of a deal is open."""
        deal = watcher.view.deal_number
        if deal == self._deal:
            return
        self._arrived.add(watcher.name)
        if len(self._arrived) == len(watcher.seen.match.seats) + 1:
            self._deal = deal
            self._arrived.clear()
            self._opened.set()

    async def _window(self, players: Sequence[Player], spectator: Spectator) -> None:
        everybody = (*players, spectator)
        asked = [player for player in players if player.private.may_double]
        _check_opening(players, spectator, asked)
        heard = {watcher.name: watcher.messages for watcher in everybody}
        for player in players:
            if player not in asked:
                await self._answers_unasked(player)
        *early, last = asked
        doubled = [one for player in early for one in await self._answers_twice(player)]

        await asyncio.sleep(QUIET)
        must(not any(player.private.may_double for player in early), "who has answered was not told that he has")
        talk = [
            watcher.name for watcher in everybody if watcher not in early and watcher.messages > heard[watcher.name]
        ]
        must(not talk, f"an answer was told to {', '.join(talk)} before all had answered")
        head = (await spectator.calls.get_match(spectator.match_id)).match.sequence
        must(head == spectator.sequence, "an answer moved the match on before all had answered")
        if early:
            count = f"of {len(asked)} seats that are asked all but one have answered"
            self._tell("early", f"{count}: for everybody the match stands at {head}, and the others heard nothing")
        self._most = max(self._most, len(asked))

        action = last.choose()
        answer = accepted(await last.submit(action))
        must(answer.events, "the last answer did not close the window")
        shown = [(one.seat, one.card) for one in answer.events[0].trix.doubles_shown.doubled]
        must(shown == [*doubled, *_cards(last, action)], "other cards were shown than were doubled")

    async def _answers_unasked(self, player: Player) -> None:
        refusal = refused(await player.submit(NONE), "NOT_ASKED")
        self._tell("unasked", f"{player.name} answers without a card to double: NOT_ASKED, “{refusal.message}”")

    async def _answers_twice(self, player: Player) -> list[tuple[int, cards_pb2.Card]]:
        """Answers and would like to change that; the cards that he doubles."""
        action = player.choose()
        answer = accepted(await player.submit(action))
        must(answer.sequence == player.sequence and not answer.events, "a doubling answer got a number of its own")
        refusal = refused(await player.submit(NONE), "ALREADY_ANSWERED")
        self._tell("twice", f"{player.name} answers a second time: ALREADY_ANSWERED, “{refusal.message}”")
        return _cards(player, action)

    def _tell(self, what: str, line: str) -> None:
        """Says it, unless it was said of an earlier window."""
        if what not in self._told:
            self._told.add(what)
            self._screen.say(Text(f"         {line}", style="yellow"))


def _cards(player: Player, action: trix_pb2.TrixAction) -> list[tuple[int, cards_pb2.Card]]:
    return [(player.seat, card) for card in action.answer_double.cards]


def _check_opening(players: Sequence[Player], spectator: Spectator, asked: Sequence[Player]) -> None:
    """Exactly those are asked who must be, and nobody learns who they are."""
    contract = spectator.view.contract
    holders = [player for player in players if any(may_be_doubled(card, contract) for card in player.view.hand)]
    must(asked == holders, "others were asked than those who hold a card that may be doubled")
    for watcher in (*players, spectator):
        is_anonymous = watcher.clock.kind == match_pb2.CLOCK_KIND_DOUBLE and not watcher.clock.awaited_seats
        must(is_anonymous, f"the clock of a doubling window told {watcher.name} more than until when it is open")
