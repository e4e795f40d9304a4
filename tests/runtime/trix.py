"""Who plays Trix in these tests, what they ask for, and tables that stand where a test begins."""

import itertools
from collections.abc import Callable, Iterable, Sequence

from majlis.runtime.runtime import Runtime
from majlis.store import memory, protocol
from majlis.v1 import cards_pb2, event_pb2, match_pb2, matchmaking_service_pb2, trix_pb2
from tests.runtime import room
from tests.runtime.room import Answer, Clock, Match

PLAYERS = ("amal", "basim", "dalal", "faris")
VIEWERS = (*PLAYERS, "celine")
PASS = trix_pb2.TrixAction()
getattr(PASS, "pass").SetInParent()
KING, QUEENS, DIAMONDS, LTOOSH, TRIX = (
    trix_pb2.CONTRACT_KING_OF_HEARTS,
    trix_pb2.CONTRACT_QUEENS,
    trix_pb2.CONTRACT_DIAMONDS,
    trix_pb2.CONTRACT_LTOOSH,
    trix_pb2.CONTRACT_TRIX,
)
CHOOSING, DOUBLING, TRICKS, LAYOUT = (
    trix_pb2.TrixView.PHASE_CHOOSING,
    trix_pb2.TrixView.PHASE_DOUBLING,
    trix_pb2.TrixView.PHASE_TRICKS,
    trix_pb2.TrixView.PHASE_LAYOUT,
)

Card = cards_pb2.Card
Hands = list[list[Card]]
"""By seat."""


def asked_match(external_id: str, **options: int | bool) -> matchmaking_service_pb2.CreateMatchRequest:
    return matchmaking_service_pb2.CreateMatchRequest(
        external_id=external_id,
        game=match_pb2.GAME_TRIX,
        options=match_pb2.GameOptions(trix=trix_pb2.TrixOptions(**options)),  # type: ignore[arg-type]
        players=[matchmaking_service_pb2.Player(player_id=player) for player in PLAYERS],
    )


def choose(contract: trix_pb2.Contract.ValueType) -> trix_pb2.TrixAction:
    return trix_pb2.TrixAction(choose_contract=trix_pb2.TrixAction.ChooseContract(contract=contract))


def double(*cards: Card) -> trix_pb2.TrixAction:
    return trix_pb2.TrixAction(answer_double=trix_pb2.TrixAction.AnswerDouble(cards=cards))


def play(card: Card) -> trix_pb2.TrixAction:
    return trix_pb2.TrixAction(play_card=trix_pb2.TrixAction.PlayCard(card=card))


def queens(hand: Sequence[Card]) -> list[Card]:
    return [card for card in hand if card.rank == cards_pb2.RANK_QUEEN]


def doublable(hand: Sequence[Card], contract: trix_pb2.Contract.ValueType) -> list[Card]:
    """Of a hand, what may be doubled in a contract: all queens, or the king of hearts (X4)."""
    if contract == QUEENS:
        return queens(hand)
    return [card for card in hand if (card.suit, card.rank) == (cards_pb2.SUIT_HEARTS, cards_pb2.RANK_KING)]


def queens_at(seats: int) -> Callable[[Hands], bool]:
    """Whether so many seats hold queens."""
    return lambda hands: sum(bool(queens(hand)) for hand in hands) == seats


def anyhow(_: Hands) -> bool:
    """Any deal will do."""
    return True


async def hands_of(match: Match) -> Hands:
    return [list((await match.state(player)).view.trix.hand) for player in PLAYERS]


async def dealt(is_wanted: Callable[[Hands], bool] = anyhow, **options: int | bool) -> protocol.Append:
    """The first record of a match whose first deal is as wanted, for as many stores as a test likes."""
    logs, clock = memory.Logs(), Clock()
    async with room.running(memory.MemoryStore(logs), clock) as runtime:
        for number in itertools.count():
            match = await room.seated(runtime, clock, asked_match(f"deal {number}", **options))
            if is_wanted(await hands_of(match)):
                return logs.matches[match.match_id].log[0]
    raise AssertionError("unreachable")


async def begun(
    store: protocol.Store,
    runtime: Runtime,
    clock: Clock,
    contract: trix_pb2.Contract.ValueType,
    founded: protocol.Append,
) -> Match:
    """A match that was founded so, and whose owner has picked a contract."""
    match = await seated(store, runtime, clock, founded)
    await match.submit(await match.mover(), choose(contract))
    return match


async def seated(store: protocol.Store, runtime: Runtime, clock: Clock, founded: protocol.Append) -> Match:
    """A match that somebody has founded."""
    assert isinstance(await store.append(founded), protocol.Appended)
    return Match(runtime, clock, founded.match_id, PLAYERS)


async def asked(match: Match) -> list[str]:
    """Who may answer the doubling question still, by seat; nobody but they themselves can ask this."""
    return [player for player in PLAYERS if (await match.state(player)).private_state.may_double]


async def answer_all(match: Match) -> Answer:
    """Everybody who is asked doubles all he can; the last answer."""
    answers = [
        await match.submit(player, double(*queens((await match.state(player)).view.trix.hand)))
        for player in await asked(match)
    ]
    return answers[-1]


def kinds(events: Iterable[event_pb2.Event]) -> list[str | None]:
    """What events tell, those of the game by their own names."""
    return [event.trix.WhichOneof("kind") or event.WhichOneof("kind") for event in events]


async def since(match: Match, sequence: int) -> list[event_pb2.Event]:
    """What has happened after an event, as everybody may know it."""
    feed = await match.watch(VIEWERS[-1], sequence)
    told = [event for update in await room.waiting(feed) for event in update.events.events]
    await feed.aclose()
    return told


async def own_ms(match: Match, player: str) -> int | None:
    """When the server acts for a player, as he alone is told."""
    private = (await match.state(player)).private_state
    return private.auto_play_time.ToMilliseconds() if private.HasField("auto_play_time") else None


async def with_one_play(match: Match) -> None:
    """Plays the layout on until whoever is on turn has one play only."""
    while await own_ms(match, await match.mover()) is None:
        await match.move()
