"""One player: follows the match on a stream of his own, and acts when he may.

What he chooses is `policy`; what he does wrong on purpose is `attempts`, and what he leaves to the server `unattended`.
In a doubling window he says what he is asked to by `doubling`.
"""

from demo import player
from demo.attempts import Attempts
from demo.caller import Caller, accepted
from demo.failure import must
from demo.trix.doubling import Doubling
from demo.trix.policy import Policy
from demo.trix.unattended import Unattended
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, trix_pb2


class Player(player.Player):
    """A seat of Trix, and whoever sits there."""

    GAME = "trix"

    def __init__(
        self,
        seat: int,
        calls: Caller,
        match: match_pb2.Match,
        policy: Policy,
        doubling: Doubling,
        attempts: "Attempts[Player]",
        unattended: Unattended,
    ) -> None:
        """Sits down.

        Args:
            seat: where.
            calls: made with the token of the one whose seat it is.
            match: which.
            policy: how he chooses.
            doubling: leads the doubling windows.
            attempts: what is to be refused.
            unattended: which plays are left to the server.
        """
        super().__init__(seat, calls, match)
        self._policy = policy
        self._doubling = doubling
        self._attempts = attempts
        self._unattended = unattended

    @property
    def view(self) -> trix_pb2.TrixView:
        """The table; empty before the deal."""
        return self.seen.view.trix if self.seen.view is not None else trix_pb2.TrixView()

    @property
    def is_on_turn(self) -> bool:
        """Whether the table waits for him alone."""
        return self.view.HasField("turn_seat") and self.view.turn_seat == self.seat

    def choose(self) -> trix_pb2.TrixAction:
        """The action that he would take now."""
        return self._policy.choose(self.legal.trix, self.view)

    def saw(self, event: event_pb2.Event) -> None:
        """Looks whether the server plays as it must for those who left it to it.

        Raises:
            Failure: it does not, or the event shows other hands than his own.
        """
        must(not event.trix.dealt.hands, f"{self.name} was shown all hands")
        self._unattended.saw(self, event)

    async def moved(self) -> None:
        """Acts, if he may.

        Raises:
            Failure: that was not answered as it must be, or he was told what is another's.
        """
        self._check()
        if self.view.phase == trix_pb2.TrixView.PHASE_DOUBLING:
            self._doubling.arrived(self)
        elif self.is_on_turn:
            await self._attempts.by(self)
            if not await self._unattended.has(self):
                await self._act()

    async def _act(self) -> None:
        answer = await self.submit(self.choose())
        if isinstance(answer, match_service_pb2.Refusal) and answer.reason == "STALE_SEQUENCE":
            return  # the server was sooner, and what it did is on its way here
        self._unattended.acted(self, accepted(answer))

    def _check(self) -> None:
        """What is told to one seat only is told to that seat."""
        view = self.view
        must(len(view.hand) == view.hand_counts[self.seat], f"{self.name} does not see his own hand")
        must(
            self.is_on_turn or self.private.may_double or not self.legal.trix,
            f"{self.name} was told what another may do",
        )
        if self.private.HasField("auto_play_time"):
            is_his = self.is_on_turn and (self.is_away or view.phase == trix_pb2.TrixView.PHASE_LAYOUT)
            must(is_his, f"{self.name} was told when the server plays for another")
