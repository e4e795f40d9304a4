"""Two players meet at a table of the operator's, play some turns of Tonj, and want to play again."""

from demo import match, player
from demo.caller import accepted, turned_down
from demo.crapette.policy import Policy
from demo.failure import must
from demo.lobby.guest import Guest
from demo.screen import Screen
from demo.server import Server
from demo.tonj.spectator import Spectator
from majlis.api.caller import Role
from majlis.v1 import match_pb2, match_service_pb2, tonj_pb2

TABLE = "corner"
SEED = 1
"""Of the players' choices."""
TURNS = 4
"""Those that are played; in the next the first player has had enough."""


class Sitter(player.Player):
    """A seat at the table, and whoever sits there."""

    GAME = "tonj"

    def __init__(self, seat: int, calls: Guest, made: match_pb2.Match, screen: Screen) -> None:
        super().__init__(seat, calls, made)
        self._policy = Policy(SEED + seat)
        self._screen = screen

    async def moved(self) -> None:
        """Acts, if he may, and gives up when it is time.

        Raises:
            Failure: that was refused.
        """
        view = self.seen.view.tonj if self.seen.view is not None else tonj_pb2.TonjView()
        if not self.legal.tonj:
            return
        await self._screen.think()
        if view.turn_number <= TURNS:
            accepted(await self.submit(self._policy.choose(self.legal.tonj, view.turn_number)))
        else:
            accepted(await self.calls.submit(self.request(None, resign=match_service_pb2.Resign())))


async def demo(server: Server, screen: Screen) -> None:
    """Shows the table and the rematch.

    Raises:
        Failure: something was not as it must be.
    """
    alia, badr = guests = [Guest.of(server, name) for name in ("Alia", "Badr")]
    await _read_the_offers(alia, screen)
    made = await _meet(alia, badr, screen)
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), made, screen)
    spectator.awaits_rematch = True
    players = [Sitter(seat, guest, made, screen) for seat, guest in enumerate(guests)]

    async def play_and_ask() -> None:
        await match.together(one.watch() for one in players)
        ended = (await alia.get_match(made.match_id)).match
        [winner] = ended.outcome.winner_seats
        must(ended.outcome.reason == match_pb2.END_REASON_RESIGNED, "the match ended otherwise than by giving up")
        screen.say(f"{ended.seats[1 - winner].display_name} gives up, and both want to play again.")
        await _again(ended, alia, badr, Guest.of(server, "Jamil"), screen)

    with screen:
        await match.together([spectator.watch(), play_and_ask()])
    rematch = (await spectator.calls.get_match(spectator.rematch_id)).match
    must(rematch.rematch_of == made.match_id, "the spectator was told of another match")
    screen.say("The spectator of the old match was told where it goes on, and may look on there.")


async def _read_the_offers(guest: Guest, screen: Screen) -> None:
    """The tables in both languages: other names, and the same terms."""
    english, arabic = [await guest.tables(language) for language in ("en", "ar")]
    must([table.table_id for table in english] == [TABLE, "high"], "there are other tables than the operator's")
    for table, same in zip(english, arabic, strict=True):
        must(table.options == same.options and table.display_name != same.display_name, "a table has lost a name")
        fee = table.options.tonj_house.entry_fee_minor
        screen.say(f"         {table.display_name} ({same.display_name}), {f'a fee of {fee}' if fee else 'free'}")


async def _meet(alia: Guest, badr: Guest, screen: Screen) -> match_pb2.Match:
    """Both sit down; the first one twice, as one does who has not heard the answer.

    Raises:
        Failure: they do not sit together.
    """
    first = await alia.join_table(TABLE, "tap")
    must(await alia.join_table(TABLE, "tap") == first, "one request took two seats")
    must(first.status == match_pb2.MATCH_STATUS_WAITING and first.table_id == TABLE, "nobody waits at the table")
    screen.say(f"{alia.name} sits down at the {TABLE} table, asks again under the same request id, and waits once.")
    again = await alia.join_table(TABLE, "another tap")
    must(again == first, "she sits at a table twice")
    made = await badr.join_table(TABLE, "tap")
    must(made.match_id == first.match_id, "two players at a table are not in one match")
    must(made.status == match_pb2.MATCH_STATUS_ACTIVE, "a full table does not play")
    must([seat.display_name for seat in made.seats] == [alia.name, badr.name], "they have other names")
    screen.say(f"{badr.name} comes to the same table: the seats are full, and match {made.match_id} starts.")
    return made


async def _again(ended: match_pb2.Match, alia: Guest, badr: Guest, stranger: Guest, screen: Screen) -> None:
    """Both ask, and get one match with their seats swapped.

    Raises:
        Failure: they do not.
    """
    await turned_down(stranger.rematch(ended.match_id, "again"), "NOT_SEATED")
    first = await alia.rematch(ended.match_id, "again")
    must(first.status == match_pb2.MATCH_STATUS_WAITING, "a rematch starts without the other")
    both = await badr.rematch(ended.match_id, "again")
    must(both.match_id == first.match_id, "two players who asked for a rematch got two")
    must(both.status == match_pb2.MATCH_STATUS_ACTIVE, "a rematch that both asked for does not start")
    must([seat.display_name for seat in both.seats] == [badr.name, alia.name], "the seats are not swapped")
    screen.say(f"Both ask for a rematch: one match, {both.match_id}, and this time {badr.name} has the first seat.")
