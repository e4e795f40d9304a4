"""Matches of the house edition over the wire: played whole with neglected duties, each penalised, and settled."""

import hashlib
import itertools
import json
import pathlib

import click.testing
import grpc
import pytest
from google.protobuf import json_format

from majlis import _core
from majlis.api.caller import Role
from majlis.cli import group
from majlis.match import catalogue
from majlis.v1 import event_pb2, match_pb2, match_service_pb2, tonj_house_pb2
from tests.api import lobby
from tests.api.clients import Action, Client, Play, Watcher, submitted
from tests.api.follower import Follower
from tests.api.refused import refused
from tests.api.serving import Serve, Served
from tests.api.tonj_house import DISCARD, FOUNDATION, HAND, HOUSE, PASS, RESERVE, WASTE, pile, place, staked

FEE, RATE = 5_050, 333
NAMES = ("alice", "badr")

Penalised = tonj_house_pb2.TonjHouseEvent.Penalised


class Neglectful(Play):
    """Throws the opened card now and then while a card is due to a foundation (H8), and likes to place the others."""

    def __init__(self, followers: list[Follower], seed: int) -> None:
        super().__init__(followers, seed)
        self.views: dict[int, tonj_house_pb2.TonjHouseView] = {}
        """Of each neglect what the table was before it, by its place in `acknowledged`."""

    def chosen(self, watcher: Watcher) -> Action:
        assert isinstance(watcher, Follower)
        assert watcher.picture.view is not None
        table = watcher.picture.view.tonj_house
        due = all(action.move.to.kind == FOUNDATION for action in watcher.legal)  # type: ignore[union-attr]
        if due and table.HasField("opened") and self._chance.random() < 0.3:
            before = tonj_house_pb2.TonjHouseView.FromString(table.SerializeToString())
            self.views[len(self.acknowledged)] = before
            return DISCARD
        gains = [action for action in watcher.legal if action.WhichOneof("kind") == "move" and not is_shift(action)]
        return self._chance.choice(gains or watcher.legal)


def is_shift(action: Action) -> bool:
    """From house to house."""
    return bool(getattr(action.move, "from").kind == HOUSE == action.move.to.kind)  # type: ignore[union-attr]


async def followed(served: Served, match_id: str) -> list[Follower]:
    """Both players, and one who only looks on."""
    callers = [*((name, Role.PLAYER) for name in NAMES), ("zahra", Role.SPECTATOR)]
    return [Follower(served.player(name, role), match_id) for name, role in callers]


@pytest.mark.parametrize("seed", range(2))
async def test_a_staked_match_is_played_to_its_end(serve: Serve, seed: int) -> None:
    async with serve(max_gap=100_000) as served:
        asked = staked(entry_fee_minor=FEE, rake_bps=RATE, max_turns=120)
        match = await lobby.pay(served, await served.matchmaker.create_match(**asked))
        followers = await followed(served, match.match_id)
        play = Neglectful(followers, seed)
        async with followers[0].watching(0), followers[1].watching(0), followers[2].watching(0):
            await play.all_at(match.sequence)
            assert await play.to_the_end() > 60
            for follower in followers:
                await follower.until(lambda follower=follower: isinstance(follower.ended, EOFError))  # type: ignore[misc]
        everybody_followed(followers, await followers[0].client.get_match(match.match_id))
        for number, before in play.views.items():
            penalty_is_told(play.acknowledged[number], before, followers)
        assert play.views, "no duty was neglected"
        await is_settled(match, followers)
        await is_proved(served, match, followers[1].client)


def everybody_followed(followers: list[Follower], ended: match_service_pb2.GetMatchResponse) -> None:
    """By events alone: each batch's digest was that of the picture, and the pictures are what is shown."""
    for follower in followers:
        assert follower.batches > 60
        assert sorted(follower.events) == list(range(1, ended.match.sequence + 1))
        assert follower.events == followers[0].events
        assert follower.picture.view == ended.view
        assert follower.picture.digest() == ended.view_digest
    assert not followers[2].legal


def penalty_is_told(
    done: tuple[Client, dict[str, object], match_service_pb2.SubmitActionResponse],
    before: tonj_house_pb2.TonjHouseView,
    followers: list[Follower],
) -> None:
    """H9, H10: to him who neglected his duty and to everybody, with the attempt and what it cost."""
    client, asked, answer = done
    seat = NAMES.index(client.name)
    first, then = (event.tonj_house for event in answer.events[:2])
    told = first.penalised
    assert first.WhichOneof("kind") == "penalised"
    assert (told.seat, told.source, told.attempt) == (seat, 1 - seat, asked["tonj_house"])
    assert told.returned == before.opened
    opponent = before.sides[1 - seat]
    personal = opponent.reserve_count + opponent.hand_count + opponent.waste_count
    assert told.from_stock == min(3, personal - 1, opponent.hand_count)
    assert told.from_waste == min(min(3, personal - 1) - told.from_stock, opponent.waste_count)
    assert then.turn_ended.by == tonj_house_pb2.TonjHouseEvent.TURN_END_PENALTY
    for follower in followers:
        for event in answer.events:
            assert follower.events[event.sequence] == event.SerializeToString(deterministic=True)


async def is_settled(match: match_pb2.Match, followers: list[Follower]) -> None:
    """H20: the same for all, once, and to the unit; and nothing comes after it."""
    outcomes = [(await follower.client.get_match(match.match_id)).match.outcome for follower in followers]
    outcomes += [follower.picture.match.outcome for follower in followers]
    assert all(outcome == outcomes[0] for outcome in outcomes)
    outcome, rake = outcomes[0], 2 * FEE * RATE // 10_000
    paid = [FEE, FEE] if len(outcome.winner_seats) == 2 else [0, 0]
    if len(outcome.winner_seats) == 1:
        paid[outcome.winner_seats[0]] = 2 * FEE - rake
    assert outcome.settlement == match_pb2.Settlement(
        entry_fee_minor=FEE, pot_minor=2 * FEE, rake_minor=2 * FEE - sum(paid), payout_minor=paid
    )
    for follower in followers[:2]:
        with refused("MATCH_OVER"):
            await follower.client.submit(match.match_id, resign={})


async def is_proved(served: Served, match: match_pb2.Match, client: Client) -> None:
    """The record has every event, the promised seed, and is found out when the money was changed."""
    replay = await client.get_replay(match.match_id, page_size=5_000)
    assert hashlib.sha256(b"majlis-commit-v1\0" + replay.deal_seed).digest() == match.deal_commitment
    assert _core.verify([replay.SerializeToString()]) == ""
    assert verified(served.data / "replay.json", replay) == 0
    [ended] = [event.match_ended.outcome for event in replay.events if event.HasField("match_ended")]
    assert ended == replay.match.outcome
    for told in (ended, replay.match.outcome):
        told.settlement.payout_minor[0] += 1
    assert verified(served.data / "replay.json", replay) == 1


def verified(path: pathlib.Path, replay: match_service_pb2.GetReplayResponse) -> int:
    """How `majlis verify` ends on it."""
    path.write_text(json.dumps([json_format.MessageToDict(replay)]))
    return click.testing.CliRunner().invoke(group, ["verify", str(path)]).exit_code


async def test_a_match_is_made_with_options_and_tells_them_with_their_defaults(served: Served) -> None:
    match = await served.matchmaker.create_match(**staked(entry_fee_minor=FEE, rake_bps=RATE, penalty_cards=0))
    given = match.options.tonj_house
    assert (given.entry_fee_minor, given.rake_bps, given.penalty_cards) == (FEE, RATE, 0)
    assert (given.max_moves_per_turn, given.max_turns, given.turn_seconds) == (40, 400, 600)
    assert given.penalty_source == tonj_house_pb2.TonjHouseOptions.PENALTY_SOURCE_OPPONENT_STOCK
    assert (await served.player("alice").get_match(match.match_id)).match.options == match.options


@pytest.mark.parametrize(
    ("option", "value"),
    [("entry_fee_minor", 10**9 + 1), ("rake_bps", 5_001), ("penalty_cards", 11), ("max_turns", 10_001)],
)
async def test_stakes_out_of_bounds_make_no_match(served: Served, option: str, value: int) -> None:
    with refused() as told:
        await served.matchmaker.create_match(**staked(**{option: value}))
    assert told.code is grpc.StatusCode.INVALID_ARGUMENT
    assert f"options.tonj_house.{option}" in told.fields


async def test_who_resigns_loses_the_pot(served: Served) -> None:
    match = await lobby.pay(served, await served.matchmaker.create_match(**staked(entry_fee_minor=FEE, rake_bps=RATE)))
    answer = await served.player("badr").submit(match.match_id, resign={})
    outcome = answer.events[-1].match_ended.outcome
    assert outcome.reason == match_pb2.END_REASON_RESIGNED
    assert list(outcome.settlement.payout_minor) == [2 * FEE - 2 * FEE * RATE // 10_000, 0]


async def test_what_is_illegal_is_refused_in_both_languages_and_costs_nothing(served: Served) -> None:
    """H11, H22: every no that a fresh table can give."""
    match = await served.matchmaker.create_match(**staked())
    seen = await served.player("alice").get_match(match.match_id)
    seat = seen.view.tonj_house.turn_seat
    hand, own, theirs = pile(HAND, seat), pile(RESERVE, seat), pile(RESERVE, 1 - seat)
    for reason, who, action in (
        ("CARD_PENDING", seat, PASS),
        ("NOT_A_SOURCE", seat, place(theirs, pile(HOUSE, index=0))),
        ("COUNT_TOO_HIGH", seat, place(own, pile(HOUSE, index=0), count=2)),
        ("NO_SUCH_PILE", seat, place(hand, pile(HOUSE, index=8))),
        ("NOT_A_DESTINATION", seat, place(hand, own)),
        ("SAME_PILE", seat, place(pile(HOUSE, index=0), pile(HOUSE, index=0))),
        ("CARD_DOES_NOT_FIT", seat, place(hand, pile(WASTE, 1 - seat))),
        ("NOT_YOUR_TURN", 1 - seat, DISCARD),
    ):
        entry = catalogue.CATALOGUE[reason]
        for language, sentence in (("en", entry.english), ("ar", entry.arabic)):
            client = served.player(NAMES[who]).with_metadata(("accept-language", language))
            with refused(reason) as told:
                await client.submit(match.match_id, **submitted(action))
            assert (told.localized.locale, told.localized.message) == (language, sentence)
    after = await served.player("alice").get_match(match.match_id)
    assert (after.view, after.match.sequence) == (seen.view, seen.match.sequence)


async def test_whoever_comes_back_is_sent_what_he_missed(served: Served) -> None:
    match = await served.matchmaker.create_match(**staked())
    followers = await followed(served, match.match_id)
    async with followers[0].watching(0), followers[1].watching(0), followers[2].watching(0):
        await followers[0].until(lambda: followers[0].sequence == match.sequence)
        play = Neglectful(followers, 3)
        for _ in range(30):
            assert await play.step()
    head = followers[0].sequence
    for follower, after in itertools.product(followers, (0, match.sequence, head - 1)):
        other = Watcher(follower.client, match.match_id)
        other.sequence = after
        async with other.watching(after):
            await other.until(lambda other=other: other.sequence >= head)  # type: ignore[misc]
        assert other.events == {number: event for number, event in follower.events.items() if number > after}
        assert all(event_pb2.Event.FromString(event).sequence > after for event in other.events.values())
