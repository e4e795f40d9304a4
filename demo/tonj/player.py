"""One player: follows the match on a stream of his own, and acts when he may.

What he chooses is `policy`; what he does wrong on purpose is `incidents`.
"""

from demo import caller, player
from demo.crapette.policy import Policy
from demo.screen import Screen
from demo.tonj.incidents import Incidents
from majlis.v1 import match_pb2, tonj_pb2


class Player(player.Player):
    """A seat of Tonj, and whoever sits there."""

    GAME = "tonj"

    opponent: "Player"

    def __init__(
        self,
        seat: int,
        calls: caller.Caller,
        match: match_pb2.Match,
        policy: Policy,
        incidents: Incidents,
        screen: Screen,
    ) -> None:
        """Sits down.

        Args:
            seat: where.
            calls: made with the token of the one whose seat it is.
            match: which.
            policy: how he chooses.
            incidents: what else is to happen, shared with his opponent.
            screen: gives time to think.
        """
        super().__init__(seat, calls, match)
        self._policy = policy
        self._incidents = incidents
        self._screen = screen

    @property
    def view(self) -> tonj_pb2.TonjView:
        """The table; empty before the deal."""
        return self.seen.view.tonj if self.seen.view is not None else tonj_pb2.TonjView()

    def choose(self) -> tonj_pb2.TonjAction:
        """The action that he would take now."""
        return self._policy.choose(self.legal.tonj, self.view.turn_number)

    async def moved(self) -> None:
        """Acts, if he may.

        Raises:
            Failure: that was not answered as it must be.
        """
        if self._incidents.is_to_be_called_by(self):
            await self._incidents.call(self)
        elif self.legal.tonj:
            await self._screen.think()
            if not await self._incidents.happen_to(self):
                caller.accepted(await self.submit(self.choose()))
