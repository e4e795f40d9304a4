"""One match of Trix from its creation to the proof of its deals."""

from demo import match, proof
from demo.failure import must
from demo.screen import Screen
from demo.server import Server
from demo.trix.attempts import forbidden
from demo.trix.doubling import Doubling
from demo.trix.player import Player
from demo.trix.policy import Policy
from demo.trix.spectator import Spectator
from demo.trix.unattended import Unattended
from majlis.api.caller import Role
from majlis.v1 import match_pb2, match_service_pb2, trix_pb2

NAMES = ("Alia", "Badr", "Jamil", "Dana")
SEED = 1
"""Of the players' choices. The cards are another matter: the server draws them, and nobody can ask for some."""
DEALS = 20
OPTIONS = trix_pb2.TrixOptions(
    choose_seconds=5, double_seconds=5, play_seconds=5, auto_play_delay_ms=250, away_delay_ms=200
)
"""Nobody lets a clock run out; what is left to the server is played after the two delays."""


async def demo(server: Server, screen: Screen) -> None:
    """Plays the match and checks all that can be checked of it.

    Raises:
        Failure: something was not as it must be.
    """
    made = await match.create(server, match_pb2.GAME_TRIX, match_pb2.GameOptions(trix=OPTIONS), NAMES)
    match.introduce(made, "Trix", SEED, screen)
    doubling, attempts, unattended = Doubling(screen), forbidden(screen), Unattended(screen)
    players = [
        Player(seat, server.caller(name.lower()), made, Policy(SEED + seat), doubling, attempts, unattended)
        for seat, name in enumerate(NAMES)
    ]
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), made, doubling, screen)
    with screen:
        await match.together(
            [doubling.lead(players, spectator), *(watcher.watch() for watcher in (spectator, *players))]
        )
    left = [*attempts.left, *unattended.left]
    must(not left, f"the match ended before there was an occasion for: {', '.join(left)}")
    ended = (await players[0].calls.get_match(made.match_id)).match
    must(not any(seat.away for seat in ended.seats), "somebody is away who had come back")
    match.tell_result(ended, match.points(ended), screen)
    batches = await match.compare([spectator, *players])
    screen.say(f"Four players and a spectator kept the server's views by events alone: {batches} digests compared.")
    _check_record(await proof.prove(players[0].calls, made, "trix", screen))


def _check_record(replay: match_service_pb2.GetReplayResponse) -> None:
    """The record holds all hands of all deals, and one player who left and came back."""
    dealt = [event.trix.dealt for event in replay.events if event.trix.HasField("dealt")]
    must(len(dealt) == DEALS, f"the record has {len(dealt)} deals")
    must(all(len(deal.hands) == len(NAMES) for deal in dealt), "the record does not show all hands")
    left = [event.resigned.seat for event in replay.events if event.HasField("resigned")]
    back = [event.returned.seat for event in replay.events if event.HasField("returned")]
    must(len(left) == 1 and left == back, "the record does not tell of one who left and came back")
