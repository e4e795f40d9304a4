"""A server with a match of Trix, killed while cards may be doubled; and what its log tells of the answers."""

import json
import pathlib
import re

from majlis import _core
from majlis.v1 import cards_pb2, match_pb2, trix_pb2
from tests.api.clients import Client
from tests.api.process import Process, running
from tests.api.refused import refused
from tests.api.trix import NAMES, Card, choose, double, four_players, play, queens

FACES = re.compile(r"SUIT_|RANK_|\b(10|[A2-9TJQK])[CDHS]\b|[♣♦♥♠]")
"""A card, in whatever way it might be written."""
LOGGED = {
    *("event", "level", "logger", "timestamp", "method", "player", "match", "request"),
    *("reason", "game", "records", "seconds", "listen", "metrics", "version", "grace_seconds"),
}
"""Every key that a line may have; none holds a kind of action."""


async def window(process: Process, clients: list[Client], holders: int) -> match_pb2.Match:
    """A match in which so many seats, at least, are asked whether they double queens."""
    async with process.matchmaker() as matchmaker:
        while True:
            match = await matchmaker.create_match(**four_players())
            owner = (await clients[0].get_match(match.match_id)).view.trix.owner
            await clients[owner].submit(match.match_id, **choose(trix_pb2.CONTRACT_QUEENS))
            if len(await asked(clients, match)) >= holders:
                return match


async def asked(clients: list[Client], match: match_pb2.Match) -> list[int]:
    """The seats that may answer still."""
    seen = [await client.get_match(match.match_id) for client in clients]
    return [seat for seat, one in enumerate(seen) if one.private_state.may_double]


async def held(client: Client, match: match_pb2.Match) -> list[Card]:
    return queens((await client.get_match(match.match_id)).view.trix.hand)


async def test_answers_that_were_acknowledged_before_a_kill_count_after_it(tmp_path: pathlib.Path) -> None:
    async with running(tmp_path) as process, process.clients(*NAMES) as clients:
        match = await window(process, clients, 3)
        first, second, *rest = await asked(clients, match)
        head = (await clients[0].get_match(match.match_id)).match.sequence
        mine = await held(clients[first], match)
        requests = {
            first: {"request_id": "of the first", "expected_sequence": head, **double(*mine)},
            second: {"request_id": "of the second", "expected_sequence": head, **double()},
        }
        answers = {seat: await clients[seat].submit(match.match_id, **asked) for seat, asked in requests.items()}
        assert [(answer.sequence, len(answer.events)) for answer in answers.values()] == [(head, 0)] * 2
        await process.kill()
    async with running(tmp_path) as process, process.clients(*NAMES) as clients:
        assert await asked(clients, match) == rest
        for seat, request in requests.items():
            assert await clients[seat].submit(match.match_id, **request) == answers[seat]
            with refused("ALREADY_ANSWERED"):
                await clients[seat].submit(match.match_id, **double())
            with refused("REQUEST_ID_REUSED"):
                await clients[seat].submit(match.match_id, request_id=request["request_id"], resign={})
        others = {seat: await held(clients[seat], match) for seat in rest}
        ends = [await clients[seat].submit(match.match_id, **double(*cards)) for seat, cards in others.items()]
        (shown,) = ends[-1].events
        doubled = shown.trix.doubles_shown.doubled
        assert [one.card for one in doubled if one.seat == first] == mine
        assert {one.seat for one in doubled} == {first, *rest}
        table = (await clients[0].get_match(match.match_id)).view.trix
        assert table.phase == trix_pb2.TrixView.PHASE_TRICKS
        assert list(table.doubled) == list(doubled)


async def test_the_log_tells_neither_cards_nor_who_has_answered(tmp_path: pathlib.Path) -> None:
    """At its most talkative, and while the players try everything that may be refused."""
    async with running(tmp_path, "--log-level", "debug") as process, process.clients(*NAMES) as clients:
        match = await window(process, clients, 2)
        seats = await asked(clients, match)
        answering, hand = clients[seats[0]], await held(clients[seats[0]], match)
        two = Card(rank=cards_pb2.RANK_TWO, suit=cards_pb2.SUIT_CLUBS)
        for client in clients:
            for fields in (double(two), double(*hand, *hand), play(hand[0])):
                with refused():
                    await client.submit(match.match_id, **fields)
        await answering.submit(match.match_id, request_id="mine", **double(*hand))
        await answering.submit(match.match_id, request_id="mine", **double(*hand))
        with refused("ALREADY_ANSWERED"):
            await answering.submit(match.match_id, **double())
        with refused("STALE_SEQUENCE"):
            await answering.submit(match.match_id, expected_sequence=1, **double())
        for seat in seats[1:]:
            await clients[seat].submit(match.match_id, **double())
        await process.kill()
    told = [event for event in process.log if event["event"].startswith("refused")]
    assert len(told) == 14
    # Of what the rules refuse, the reason is not told: with a name beside it, it would tell what is in a hand.
    assert [event["reason"] for event in told if "reason" in event] == ["STALE_SEQUENCE"]
    assert {event["player"] for event in told} == set(NAMES)
    for event in process.log:
        line = json.dumps(event, ensure_ascii=False)
        assert event.keys() <= LOGGED, line
        assert not FACES.search(line.replace(match.match_id, "")), line
        assert "double" not in line, line
        assert not set(_core.RULE_REASONS) & set(re.findall(r"[A-Z_]{4,}", line)), line
