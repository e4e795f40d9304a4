"""What Prometheus is told after a few calls: by the usual names, and without naming anybody."""

import asyncio
import urllib.request

from prometheus_client.parser import text_string_to_metric_families

import majlis
from majlis.v1 import match_service_pb2, trix_pb2
from tests.api import trix
from tests.api.clients import Play, Watcher, two_players
from tests.api.refused import refused
from tests.api.serving import Served

Sample = tuple[str, frozenset[tuple[str, str]]]


async def scrape(served: Served) -> dict[Sample, float]:
    def fetch() -> str:
        with urllib.request.urlopen(f"http://{served.metrics}/metrics", timeout=10) as answer:
            return str(answer.read().decode())

    text = await asyncio.to_thread(fetch)
    return {
        (sample.name, frozenset(sample.labels.items())): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def value(samples: dict[Sample, float], name: str, **labels: str) -> float:
    """The sum over the samples that have these labels."""
    return sum(number for (other, had), number in samples.items() if other == name and labels.items() <= had)


async def test_actions_calls_and_watchers_are_counted(served: Served) -> None:
    match = await served.matchmaker.create_match(**two_players())
    watchers = [Watcher(served.player(name), match.match_id) for name in ("alice", "badr")]
    async with watchers[0].watching(), watchers[1].watching():
        play = Play(watchers, 1)
        for _ in range(10):
            assert await play.step()
        with refused("STALE_SEQUENCE"):
            await served.player("alice").submit(match.match_id, expected_sequence=0, resign={})
        client, asked, _ = play.acknowledged[0]
        await client.submit(match.match_id, **asked)
        samples = await scrape(served)
    assert value(samples, "majlis_actions_total", game="tonj", result="accepted") == 10
    assert value(samples, "majlis_actions_total", game="tonj", kind="resign", result="STALE_SEQUENCE") == 1
    assert value(samples, "majlis_actions_total", game="tonj", result="repeated") == 1
    for stage in ("queue", "decide", "commit", "publish"):
        assert value(samples, "majlis_action_stage_seconds_count", stage=stage) == 10
    assert value(samples, "majlis_matches_founded_total", game="tonj") == 1
    assert value(samples, "majlis_matches_loaded", game="tonj") == 1
    assert value(samples, "majlis_feeds_open") == 2
    assert value(samples, "majlis_build_info", version=majlis.__version__) == 1

    submit = {"grpc_type": "unary", "grpc_service": "majlis.v1.MatchService", "grpc_method": "SubmitAction"}
    assert value(samples, "grpc_server_started_total", **submit) == 12
    assert value(samples, "grpc_server_handled_total", **submit, grpc_code="OK") == 11
    assert value(samples, "grpc_server_handled_total", **submit, grpc_code="ABORTED") == 1
    assert value(samples, "grpc_server_handling_seconds_count", **submit) == 12
    assert value(samples, "process_resident_memory_bytes") > 0


async def test_no_label_names_a_match_or_a_player(served: Served) -> None:
    names = [f"player{number}" for number in range(6)]
    made = [
        await served.matchmaker.create_match(**two_players(one, other))
        for one, other in zip(names[::2], names[1::2], strict=True)
    ]
    for match, name in zip(made, names[::2], strict=True):
        await served.player(name).submit(match.match_id, resign={})
    samples = await scrape(served)
    told = {word for (_, labels) in samples for _, word in labels}
    assert not told & {*names, *(match.match_id for match in made)}
    assert value(samples, "majlis_matches_over_total", game="tonj") == 3
    # Bounded however many matches there are.
    assert len(samples) < 1_000


async def test_hidden_answers_are_counted_by_game_kind_and_result_alone(served: Served) -> None:
    match = await served.matchmaker.create_match(**trix.four_players())

    async def seen(seat: int) -> match_service_pb2.GetMatchResponse:
        return await served.player(trix.NAMES[seat]).get_match(match.match_id)

    owner = (await seen(0)).view.trix.owner
    queens = trix.choose(trix_pb2.CONTRACT_QUEENS)
    await served.player(trix.NAMES[owner]).submit(match.match_id, **queens)
    asked = [seat for seat in range(4) if (await seen(seat)).private_state.may_double]
    with refused("CARD_NAMED_TWICE"):
        twice = trix.queens((await seen(asked[0])).view.trix.hand)[:1] * 2
        await served.player(trix.NAMES[asked[0]]).submit(match.match_id, **trix.double(*twice))
    for seat in asked:
        await served.player(trix.NAMES[seat]).submit(match.match_id, **trix.double())
    samples = await scrape(served)
    counted = {labels: number for (name, labels), number in samples.items() if name == "majlis_actions_total"}
    assert counted == {
        frozenset({("game", "trix"), ("kind", kind), ("result", result)}): number
        for kind, result, number in (
            ("choose_contract", "accepted", 1),
            ("answer_double", "CARD_NAMED_TWICE", 1),
            ("answer_double", "accepted", len(asked)),
        )
    }
    told = {word for (_, labels) in samples for _, word in labels}
    assert not told & {*trix.NAMES, match.match_id}
