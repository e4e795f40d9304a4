"""One match of Tonj under everything that may happen to it; what that is, is told in `one_match`."""

import hypothesis.strategies as st
from hypothesis import stateful

from majlis.match.refusal import Refusal
from tests.runtime import claims, tonj
from tests.runtime.one_match import SETTINGS, OneMatch, founded
from tests.runtime.room import Action


class OneTonj(OneMatch):
    """Two players, who also try what is wrong, and call it."""

    FOUNDED = founded(tonj.asked_match("one", max_claims_per_turn=20))

    async def possible(self) -> list[tuple[str, Action]]:
        legal = await super().possible()
        awaited = [self.players[seat] for seat in (await self.match.state()).clock.awaited_seats]
        return legal or [(player, claims.CALL) for player in awaited]

    @stateful.rule(seat=st.integers(0, 1))
    def somebody_tries_what_is_wrong(self, seat: int) -> None:
        async def attempt() -> None:
            state = await self.match.state()
            action = claims.faulty_attempt(state, seat)
            if action is None:
                return
            end = await self.submit(self.players[seat], action, state.match.sequence)
            if isinstance(end, Refusal):
                assert await self.match.head() == state.match.sequence

        self.runner.run(attempt())


OneTonj.TestCase.settings = SETTINGS


TestOneTonj = OneTonj.TestCase
