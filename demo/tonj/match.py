"""One match of Tonj from its creation to the proof of its deal."""

from demo import match, proof
from demo.crapette.policy import Policy
from demo.failure import must
from demo.screen import Screen
from demo.server import Server
from demo.tonj.incidents import Incidents
from demo.tonj.player import Player
from demo.tonj.spectator import Spectator
from majlis.api.caller import Role
from majlis.v1 import match_pb2, match_service_pb2, tonj_pb2

NAMES = ("Alia", "Badr")
SEED = 1
"""Of the players' choices. The cards are another matter: the server draws them, and nobody can ask for some."""
HASTE = 120
"""From this turn on nothing optional is done with the houses' cards."""
OPTIONS = tonj_pb2.TonjOptions(turn_seconds=15, claim_window_ms=800, show_legal_moves=True)


async def demo(server: Server, screen: Screen) -> None:
    """Plays the match and checks all that can be checked of it.

    Raises:
        Failure: something was not as it must be.
    """
    made = await match.create(server, match_pb2.GAME_TONJ, match_pb2.GameOptions(tonj=OPTIONS), NAMES)
    match.introduce(made, "Tonj", SEED, screen)
    incidents = Incidents(screen)
    players = [
        Player(seat, server.caller(name.lower()), made, Policy(SEED + seat, HASTE), incidents, screen)
        for seat, name in enumerate(NAMES)
    ]
    players[0].opponent, players[1].opponent = players[1], players[0]
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), made, screen)
    with screen:
        await match.together(watcher.watch() for watcher in (spectator, *players))
    must(not incidents.left, f"the match ended with {incidents.left} incidents still to come")
    ended = (await players[0].calls.get_match(made.match_id)).match
    match.tell_result(ended, match.points(ended), screen)
    batches = await match.compare([spectator, *players])
    screen.say(f"Two players and a spectator kept the server's views by events alone: {batches} digests compared.")
    _check_claims(await proof.prove(players[0].calls, made, "tonj", screen))


def _check_claims(replay: match_service_pb2.GetReplayResponse) -> None:
    """One attempt was called and one was not, and the record tells what had been wrong with both."""
    closed = [event.tonj.claim_resolved for event in replay.events if event.tonj.HasField("claim_resolved")]
    must([claim.called for claim in closed] == [True, False], "the record does not tell of a claim called and one not")
    build = tonj_pb2.TonjEvent.FAULT_CLASS_BUILD
    must(all(claim.fault_class == build for claim in closed), "a claim closed with another fault than was made")
