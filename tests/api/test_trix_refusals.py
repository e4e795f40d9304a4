"""Every no that the rules of Trix have for a well-formed action, over the wire, in both languages (X20).

MATCH_OVER is provoked at the end of the match in `recording`. NO_SUCH_CLOCK and MALFORMED_ACTION cannot be: no client
lets a clock run out, and what is malformed is told by its fields.
"""

from collections.abc import Awaitable, Callable
from typing import Any

from majlis.match import catalogue
from majlis.v1 import cards_pb2, match_service_pb2, trix_pb2
from tests.api.clients import submitted
from tests.api.refused import refused
from tests.api.serving import Served
from tests.api.trix import NAMES, Card, choose, double, four_players, passed, play, queens

TWO_OF_CLUBS = Card(rank=cards_pb2.RANK_TWO, suit=cards_pb2.SUIT_CLUBS)


class Room:
    """A match at a server, and who is where."""

    def __init__(self, served: Served, match_id: str) -> None:
        self.served = served
        self.match_id = match_id
        self.told: set[str] = set()

    async def seen(self, seat: int) -> match_service_pb2.GetMatchResponse:
        return await self.served.player(NAMES[seat]).get_match(self.match_id)

    async def table(self) -> trix_pb2.TrixView:
        return (await self.seen(0)).view.trix

    async def hand(self, seat: int) -> list[Card]:
        return list((await self.seen(seat)).view.trix.hand)

    async def act(self, seat: int, fields: dict[str, Any]) -> match_service_pb2.SubmitActionResponse:
        return await self.served.player(NAMES[seat]).submit(self.match_id, **fields)

    async def go_on(self, until: Callable[[trix_pb2.TrixView], Awaitable[bool]]) -> int:
        """Plays first legal actions until something is true of the table; the seat on turn then."""
        while True:
            table = await self.table()
            seat = table.turn_seat
            if await until(table):
                return seat
            (first, *_) = (await self.seen(seat)).legal_actions.trix
            await self.act(seat, submitted(first))

    async def refuses(self, reason: str, name: str, fields: dict[str, Any]) -> None:
        """It is refused in each language with all details, and nothing has changed."""
        before = await self.seen(0)
        entry = catalogue.CATALOGUE[reason]
        for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
            client = self.served.player(name).with_metadata(("accept-language", language))
            with refused(reason) as told:
                await client.submit(self.match_id, **fields)
            assert told.code.name == entry.code
            assert (told.localized.locale, told.localized.message) == (language, sentence)
            assert told.english == entry.english
            assert told.refusal.sequence == before.match.sequence
            assert told.info.metadata["retryable"] == "false"
            assert not told.fields
        assert (await self.seen(0)).view_digest == before.view_digest
        self.told.add(reason)


async def room_with_queens_at(served: Served, seats: tuple[int, ...]) -> Room:
    """A match whose first deal has queens at so many seats."""
    while True:
        match = await served.matchmaker.create_match(**four_players())
        room = Room(served, match.match_id)
        if sum([bool(queens(await room.hand(seat))) for seat in range(4)]) in seats:
            return room


async def test_the_rules_say_no_with_their_reason_in_the_callers_language(served: Served) -> None:
    room = await room_with_queens_at(served, (2, 3))
    owner = (await room.table()).owner
    other = (owner + 1) % 4
    await room.refuses("NOT_SEATED", "zahra", choose(trix_pb2.CONTRACT_QUEENS))
    await room.refuses("WRONG_PHASE", NAMES[owner], double())
    await room.refuses("WRONG_PHASE", NAMES[owner], play((await room.hand(owner))[0]))
    await room.refuses("NOT_YOUR_TURN", NAMES[other], choose(trix_pb2.CONTRACT_QUEENS))
    await room.refuses("NO_SUCH_CONTRACT", NAMES[owner], choose(9))
    await room.act(owner, choose(trix_pb2.CONTRACT_QUEENS))
    await _no_to_answers(room)
    await _no_in_tricks(room)
    await _no_in_the_layout(room)
    assert room.told == {
        "NOT_SEATED",
        "WRONG_PHASE",
        "NOT_YOUR_TURN",
        "NO_SUCH_CONTRACT",
        "NOT_ASKED",
        "CARD_NAMED_TWICE",
        "CARD_NOT_DOUBLABLE",
        "CARD_NOT_IN_HAND",
        "ALREADY_ANSWERED",
        "MUST_FOLLOW_SUIT",
        "CONTRACT_ALREADY_PLAYED",
        "CARD_DOES_NOT_FIT",
        "CARD_CAN_BE_PLAYED",
    }


async def _no_to_answers(room: Room) -> None:
    held = {seat: queens(await room.hand(seat)) for seat in range(4)}
    holder, last = [seat for seat in range(4) if held[seat]][:2]
    rest = [seat for seat in range(4) if held[seat] and seat != holder]
    idle = next(seat for seat in range(4) if not held[seat])
    # Whatever he names: the reason tells no more than his own hand does (X20).
    for cards in ([], held[holder], [TWO_OF_CLUBS], [TWO_OF_CLUBS, TWO_OF_CLUBS]):
        await room.refuses("NOT_ASKED", NAMES[idle], double(*cards))
    await room.refuses("CARD_NAMED_TWICE", NAMES[holder], double(held[holder][0], held[holder][0]))
    await room.refuses("CARD_NOT_DOUBLABLE", NAMES[holder], double(TWO_OF_CLUBS))
    await room.refuses("CARD_NOT_IN_HAND", NAMES[holder], double(held[last][0]))
    answer = await room.act(holder, double(*held[holder]))
    assert not answer.events
    await room.refuses("ALREADY_ANSWERED", NAMES[holder], double())
    await room.refuses("NOT_ASKED", NAMES[idle], double())
    for seat in rest:
        answer = await room.act(seat, double())
    assert answer.events[0].trix.HasField("doubles_shown")


async def _no_in_tricks(room: Room) -> None:
    async def must_follow(table: trix_pb2.TrixView) -> bool:
        hand = await room.hand(table.turn_seat)
        led = [card for card in hand if table.trick and card.suit == table.trick[0].card.suit]
        return 0 < len(led) < len(hand)

    seat = await room.go_on(must_follow)
    suit = (await room.table()).trick[0].card.suit
    hand, others = await room.hand(seat), await room.hand((seat + 1) % 4)
    await room.refuses("MUST_FOLLOW_SUIT", NAMES[seat], play(next(card for card in hand if card.suit != suit)))
    await room.refuses("CARD_NOT_IN_HAND", NAMES[seat], play(others[0]))
    await room.refuses("NOT_YOUR_TURN", NAMES[(seat + 1) % 4], play(others[0]))
    await room.refuses("WRONG_PHASE", NAMES[seat], passed())


async def _no_in_the_layout(room: Room) -> None:
    async def is_next_deal(table: trix_pb2.TrixView) -> bool:
        return table.deal_number == 2

    async def has_a_choice(table: trix_pb2.TrixView) -> bool:
        legal = (await room.seen(table.turn_seat)).legal_actions.trix
        return legal[0].HasField("play_card") and len(legal) < len(await room.hand(table.turn_seat))

    owner = await room.go_on(is_next_deal)
    await room.refuses("CONTRACT_ALREADY_PLAYED", NAMES[owner], choose(trix_pb2.CONTRACT_QUEENS))
    await room.act(owner, choose(trix_pb2.CONTRACT_TRIX))
    seat = await room.go_on(has_a_choice)
    fitting = [action.play_card.card for action in (await room.seen(seat)).legal_actions.trix]
    misfit = next(card for card in await room.hand(seat) if card not in fitting)
    await room.refuses("CARD_DOES_NOT_FIT", NAMES[seat], play(misfit))
    await room.refuses("CARD_CAN_BE_PLAYED", NAMES[seat], passed())
    await room.refuses("WRONG_PHASE", NAMES[seat], double())
