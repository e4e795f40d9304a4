"""One match of Trix under everything that may happen to it; what that is, is told in `one_match`.

Besides: hidden answers that were acknowledged are what is shown in the end, whatever came between; and the number of an
answer that nobody else may know of is the number that everybody had.
"""

import asyncio
import dataclasses

import hypothesis
import hypothesis.strategies as st
from hypothesis import stateful

from majlis.match.refusal import Refusal
from majlis.v1 import cards_pb2, trix_pb2
from tests.runtime import trix
from tests.runtime.one_match import SETTINGS, OneMatch
from tests.runtime.room import RESIGN, Action, Answer


@dataclasses.dataclass(frozen=True)
class Hidden:
    """An answer that was acknowledged."""

    deal_number: int
    seat: int
    cards: list[cards_pb2.Card]


class OneTrix(OneMatch):
    """Four players, who answer in secret, give up and come back."""

    FOUNDED = asyncio.run(trix.dealt(trix.queens_at(4), double_seconds=60))

    def __init__(self) -> None:
        super().__init__()
        self.hidden: list[Hidden] = []

    @stateful.initialize(contract=st.sampled_from([trix.QUEENS, trix.QUEENS, trix.QUEENS, trix.KING, trix.TRIX, None]))
    def it_begins(self, contract: trix_pb2.Contract.ValueType | None) -> None:
        async def choose() -> None:
            if contract is not None:
                await self.submit(await self.match.mover(), trix.choose(contract), None)

        self.runner.run(choose())

    async def submit(self, player: str, action: Action, expected: int | None) -> Answer | Refusal:
        state = await self.match.state(player)
        end = await super().submit(player, action, expected)
        if isinstance(end, Answer) and isinstance(action, trix_pb2.TrixAction) and action.HasField("answer_double"):
            assert not end.events or trix.kinds(end.events)[0] == "doubles_shown"
            cards = sorted(action.answer_double.cards, key=lambda card: card.suit)
            self.hidden.append(Hidden(state.view.trix.deal_number, self.players.index(player), cards))
        return end

    @stateful.rule(seat=st.integers(0, 3), some=st.integers(0, 15), at_head=st.booleans())
    def somebody_answers_the_question(self, seat: int, some: int, at_head: bool) -> None:
        async def answer() -> None:
            state, player = await self.match.state(self.players[seat]), self.players[seat]
            head, may = state.match.sequence, state.private_state.may_double
            held = [card for card in trix.queens(state.view.trix.hand) if some >> card.suit & 1]
            mine = held if state.view.trix.contract == trix.QUEENS else []
            end = await self.submit(player, trix.double(*mine), head if at_head else None)
            if isinstance(end, Answer):
                assert may
                assert end.sequence == head + len(end.events)
            else:
                reasons = (
                    {"STORE_UNAVAILABLE"} if may else {"WRONG_PHASE", "NOT_ASKED", "ALREADY_ANSWERED", "MATCH_OVER"}
                )
                assert end.reason in reasons
            if isinstance(end, Answer) or not may:
                assert not (await self.match.state(player)).private_state.may_double

        self.runner.run(answer())

    @stateful.rule(seat=st.integers(0, 3))
    def somebody_gives_up(self, seat: int) -> None:
        async def give_up() -> None:
            was_away = (await self.match.state()).match.seats[seat].away
            requests = self.answered()
            end = await self.submit(self.players[seat], RESIGN, None)
            if isinstance(end, Answer):
                assert trix.kinds(end.events) == ([] if was_away else ["resigned"])
                assert self.answered() == requests + (not was_away)
                assert (await self.match.state()).match.seats[seat].away

        self.runner.run(give_up())

    @stateful.invariant()
    def what_is_shown_is_what_was_answered(self) -> None:
        async def look() -> None:
            table = (await self.match.state()).view.trix
            for answer in self.hidden:
                if answer.deal_number == table.deal_number and table.phase == trix.TRICKS:
                    assert [one.card for one in table.doubled if one.seat == answer.seat] == answer.cards

        self.runner.run(look())


OneTrix.TestCase.settings = hypothesis.settings(SETTINGS, max_examples=60)


TestOneTrix = OneTrix.TestCase
