"""A match of any game, from its creation to its result. The proof of its deals stands in `proof`."""

import asyncio
import uuid
from collections.abc import Coroutine, Iterable, Sequence

from demo.failure import Failure, must
from demo.screen import Screen
from demo.server import Server
from demo.watcher import Watcher
from majlis.api.caller import Role
from majlis.v1 import match_pb2, matchmaking_service_pb2

LONGEST = 100.0
"""Seconds after which a match is taken not to end."""
ENDS = {
    match_pb2.END_REASON_PLAYED_OUT: "played out",
    match_pb2.END_REASON_STALEMATE: "stalemate",
    match_pb2.END_REASON_TURN_LIMIT: "all turns taken",
    match_pb2.END_REASON_RESIGNED: "resigned",
}


async def create(
    server: Server,
    game: match_pb2.Game.ValueType,
    options: match_pb2.GameOptions,
    names: Sequence[str],
) -> match_pb2.Match:
    """Has a match made, and asks for it twice, as one does who is not sure that the first request arrived.

    Args:
        server: where.
        game: which.
        options: the game's own.
        names: of the players, by seat; each one's id is his name in small letters.

    Raises:
        Failure: the second request made another one.
    """
    lobby = server.caller("lobby", Role.MATCHMAKER)
    request = matchmaking_service_pb2.CreateMatchRequest(
        external_id=uuid.uuid4().hex,
        game=game,
        options=options,
        players=[matchmaking_service_pb2.Player(player_id=name.lower(), display_name=name) for name in names],
        visibility=match_pb2.VISIBILITY_LINK,
    )
    match = await lobby.create_match(request)
    again = await lobby.create_match(request)
    must(again.match_id == match.match_id, "one external id made two matches")
    return match


def introduce(match: match_pb2.Match, title: str, seed: int, screen: Screen) -> None:
    """Tells who plays what, and what is known of the cards before the first of them is seen."""
    *others, last = [seat.display_name for seat in match.seats]
    players = f"{', '.join(others)} {'against' if len(others) == 1 else 'and'} {last}"
    screen.say(f"{title}: {players}, match {match.match_id}.")
    screen.say(f"The server has committed to its cards: {match.deal_commitment.hex()}")
    screen.say(f"The players choose by chance with the seed {seed}; which cards they get, nobody could choose.")


async def together(courses: Iterable[Coroutine[None, None, None]]) -> None:
    """Runs all of them until all have ended.

    Raises:
        Failure: one of them failed, or it took too long.
    """
    try:
        async with asyncio.timeout(LONGEST), asyncio.TaskGroup() as tasks:
            for course in courses:
                tasks.create_task(course)
    except TimeoutError:
        raise Failure(f"the match did not end within {LONGEST:.0f} s") from None
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from None


async def compare(watchers: Sequence[Watcher]) -> int:
    """Holds what each has kept by events against what the server shows him if he asks anew.

    Returns:
        How many digests had been compared on the way.

    Raises:
        Failure: it is something else.
    """
    for watcher in watchers:
        shown = await watcher.calls.get_match(watcher.match_id)
        must(shown.view == watcher.seen.view, f"{watcher.name} has another table before him than the server's")
        must(shown.match.outcome == watcher.seen.match.outcome, f"{watcher.name} saw the match end otherwise")
    return sum(watcher.batches for watcher in watchers)


def points(match: match_pb2.Match) -> list[str]:
    """What each seat had in the end, in a game that is won by points.

    Raises:
        Failure: others won than those with the highest total.
    """
    totals = match.outcome.totals
    best = [seat for seat, total in enumerate(totals) if total == max(totals)]
    must(list(match.outcome.winner_seats) == best, "others won than those with the highest total")
    return [str(total) for total in totals]


def tell_result(match: match_pb2.Match, standings: Sequence[str], screen: Screen) -> None:
    """Says how it ended; the standings are by seat.

    Raises:
        Failure: it did not.
    """
    must(match.status == match_pb2.MATCH_STATUS_ENDED, "the streams ended before the match did")
    names, outcome = [seat.display_name for seat in match.seats], match.outcome
    winners = " and ".join(names[seat] for seat in outcome.winner_seats)
    told = ", ".join(f"{name} {standing}" for name, standing in zip(names, standings, strict=True))
    result = f"drawn between {winners}" if len(outcome.winner_seats) > 1 else f"won by {winners}"
    screen.say(f"Result: {result}, {ENDS[outcome.reason]} ({told}); {match.sequence} events.")
