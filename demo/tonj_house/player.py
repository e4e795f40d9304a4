"""One player: follows the match on a stream of his own, and acts when he may.

What he chooses is `crapette.policy`; what he tries in vain is `attempts`, and what he forgets `neglect`.
"""

from demo import player
from demo.attempts import Attempts
from demo.caller import Caller, accepted
from demo.cards import card as face
from demo.crapette.policy import Policy
from demo.failure import must
from demo.screen import Screen
from demo.tonj_house.neglect import Neglect
from majlis.v1 import match_pb2, tonj_house_pb2, tonj_pb2


class Player(player.Player):
    """A seat of the house edition, and whoever sits there."""

    GAME = "tonj_house"

    def __init__(
        self,
        seat: int,
        calls: Caller,
        match: match_pb2.Match,
        policy: Policy,
        attempts: "Attempts[Player]",
        neglect: Neglect | None,
        screen: Screen,
    ) -> None:
        """Sits down.

        Args:
            seat: where.
            calls: made with the token of the one whose seat it is.
            match: which.
            policy: how he chooses.
            attempts: what is to be refused.
            neglect: what is to be neglected, if anything is.
            screen: gives time to think.
        """
        super().__init__(seat, calls, match)
        self.options = match.options.tonj_house
        self._policy = policy
        self._attempts = attempts
        self._neglect = neglect
        self._screen = screen

    @property
    def view(self) -> tonj_house_pb2.TonjHouseView:
        """The table; empty before the deal."""
        return self.seen.view.tonj_house if self.seen.view is not None else tonj_house_pb2.TonjHouseView()

    @property
    def side(self) -> tonj_pb2.TonjView.Side:
        """His own piles."""
        return self.view.sides[self.seat]

    @property
    def owed(self) -> str:
        """A card that must go to a foundation before anything else is done (H8), in signs; empty without a duty."""
        if not self.legal.tonj_house:
            return ""
        move = self.legal.tonj_house[0].move
        if move.to.kind != tonj_pb2.PILE_KIND_FOUNDATION:
            return ""
        source = getattr(move, "from")  # a word of Python
        match source.kind:
            case tonj_pb2.PILE_KIND_RESERVE:
                return face(self.side.reserve_top)
            case tonj_pb2.PILE_KIND_HOUSE:
                return face(self.view.houses[source.index].cards[-1])
            case _:
                return face(self.view.opened)

    async def moved(self) -> None:
        """Acts, if he may.

        Raises:
            Failure: that was not answered as it must be, or he was shown what is another's to do.
        """
        if not self.legal.tonj_house:
            return
        must(self.view.turn_seat == self.seat, f"{self.name} was told what another may do")
        await self._screen.think()
        await self._attempts.by(self)
        if self._neglect is None or not await self._neglect.by(self):
            accepted(await self.submit(self._policy.choose(self.legal.tonj_house, self.view.turn_number)))
