"""One match of Tonj from its creation to the proof of its deal."""

import asyncio
import hashlib
import pathlib
import sys
import uuid

from google.protobuf import json_format

from demo.caller import Caller
from demo.failure import Failure, must
from demo.screen import Screen
from demo.server import Server
from demo.tonj import words
from demo.tonj.incidents import Incidents
from demo.tonj.player import Player
from demo.tonj.policy import Policy
from demo.tonj.spectator import Spectator
from majlis.api.caller import Role
from majlis.v1 import match_pb2, match_service_pb2, matchmaking_service_pb2, tonj_pb2

NAMES = ("Alia", "Badr")
SEED = 1
"""Of the players' choices. The cards are another matter: the server draws them, and nobody can ask for some."""
REPLAY = pathlib.Path("var/demo/tonj.json")
LONGEST = 40.0
"""Seconds after which a match is taken not to end."""
OPTIONS = tonj_pb2.TonjOptions(turn_seconds=15, claim_window_ms=800, show_legal_moves=True)


async def demo(server: Server, screen: Screen) -> None:
    """Plays the match and checks all that can be checked of it.

    Raises:
        Failure: something was not as it must be.
    """
    match = await _create(server.caller("lobby", Role.MATCHMAKER))
    screen.say(f"Tonj: {' against '.join(NAMES)}, match {match.match_id}.")
    screen.say(f"The server has committed to its cards: {match.deal_commitment.hex()}")
    screen.say(f"The players choose by chance with the seed {SEED}; which cards they get, nobody could choose.")
    incidents = Incidents(screen)
    players = [
        Player(name, server.caller(name.lower()), match, Policy(SEED + seat), incidents, screen)
        for seat, name in enumerate(NAMES)
    ]
    players[0].opponent, players[1].opponent = players[1], players[0]
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), match.match_id, NAMES, screen)
    with screen:
        await _together(spectator, players)
    must(not incidents.left, f"the match ended with {incidents.left} incidents still to come")
    ended = (await players[0].calls.get_match(match.match_id)).match
    _tell_result(ended, screen)
    screen.say(f"A spectator kept the same view as the server by events alone: {spectator.batches} digests compared.")
    await _prove(players[0].calls, match, screen)


async def _create(matchmaker: Caller) -> match_pb2.Match:
    request = matchmaking_service_pb2.CreateMatchRequest(
        external_id=uuid.uuid4().hex,
        game=match_pb2.GAME_TONJ,
        options=match_pb2.GameOptions(tonj=OPTIONS),
        players=[matchmaking_service_pb2.Player(player_id=name.lower(), display_name=name) for name in NAMES],
        visibility=match_pb2.VISIBILITY_LINK,
    )
    match = await matchmaker.create_match(request)
    again = await matchmaker.create_match(request)
    must(again.match_id == match.match_id, "one external id made two matches")
    return match


async def _together(spectator: Spectator, players: list[Player]) -> None:
    try:
        async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as tasks:
            tasks.create_task(spectator.watch())
            for player in players:
                tasks.create_task(player.play())
    except TimeoutError:
        raise Failure(f"the match did not end within {LONGEST:.0f} s") from None
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None


def _tell_result(match: match_pb2.Match, screen: Screen) -> None:
    must(match.status == match_pb2.MATCH_STATUS_ENDED, "the streams ended before the match did")
    winners = " and ".join(NAMES[seat] for seat in match.outcome.winner_seats)
    totals = ", ".join(f"{name} {total}" for name, total in zip(NAMES, match.outcome.totals, strict=True))
    draw = len(match.outcome.winner_seats) != 1
    result = f"drawn between {winners}" if draw else f"won by {winners}"
    screen.say(f"Result: {result}, {words.ENDS[match.outcome.reason]} ({totals}); {match.sequence} events.")


async def _prove(calls: Caller, match: match_pb2.Match, screen: Screen) -> None:
    """Fetches the replay, and holds its seed and its cards against what was committed to before the deal."""
    replay = await calls.replay(match.match_id)
    _check_claims(replay)
    seed = replay.deal_seed
    must(
        hashlib.sha256(b"majlis-commit-v1\0" + seed).digest() == match.deal_commitment,
        "the seed is not the one that the server had committed to",
    )
    _keep(replay)
    verify = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "majlis", "verify", str(REPLAY)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said = (await verify.communicate())[0].decode().strip()
    must(verify.returncode == 0, f"majlis verify: {said}")
    screen.say(f"The seed {seed.hex()} fits the commitment.")
    screen.say(f"majlis verify: {said}")


def _keep(replay: match_service_pb2.GetReplayResponse) -> None:
    REPLAY.parent.mkdir(parents=True, exist_ok=True)
    REPLAY.write_text(json_format.MessageToJson(replay))


def _check_claims(replay: match_service_pb2.GetReplayResponse) -> None:
    """One attempt was called and one was not, and the record tells what had been wrong with both."""
    closed = [event.tonj.claim_resolved for event in replay.events if event.tonj.HasField("claim_resolved")]
    must([claim.called for claim in closed] == [True, False], "the record does not tell of a claim called and one not")
    build = tonj_pb2.TonjEvent.FAULT_CLASS_BUILD
    must(all(claim.fault_class == build for claim in closed), "a claim closed with another fault than was made")
