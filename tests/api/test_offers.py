"""Tables as the lobby offers them: options whole, and each fault one line with its table and option."""

from collections.abc import Mapping
from typing import Any

import pytest

from majlis.api.offers import BadTable, offers
from majlis.ops.settings import Settings, WrongSetting
from majlis.ops.tables import FREE, Table
from majlis.v1 import match_pb2
from tests.api.serving import Serve


def table(game: Any = "tonj_house", table_id: str = "high", **more: Any) -> Table:
    return Table(id=table_id, name="High table", game=game, **more)


def options(given: Mapping[str, Any], game: Any = "tonj_house") -> match_pb2.GameOptions:
    (offer,) = offers([table(game, options=given)]).values()
    return match_pb2.GameOptions.FromString(offer.options)


def test_the_free_tables_have_every_default() -> None:
    made = offers(FREE)
    assert [*made] == [one.id for one in FREE]
    assert [offer.game for offer in made.values()] == [
        match_pb2.GAME_TONJ,
        match_pb2.GAME_TONJ_HOUSE,
        match_pb2.GAME_TRIX,
    ]
    tonj, house, trix = (match_pb2.GameOptions.FromString(offer.options) for offer in made.values())
    assert tonj.tonj.turn_seconds > 0
    assert house.tonj_house.turn_seconds > 0
    assert house.tonj_house.entry_fee_minor == 0
    assert trix.trix.play_seconds > 0


def test_options_are_taken_by_the_names_of_the_contract() -> None:
    house = options({"entry_fee_minor": 100, "rake_bps": 500, "penalty_cards": 0, "ranked": True}).tonj_house
    assert (house.entry_fee_minor, house.rake_bps, house.penalty_cards, house.ranked) == (100, 500, 0, True)
    assert house.HasField("penalty_cards")
    trix = options({"forced_capture": "FORCED_CAPTURE_LEADER_PAYS", "show_legal_moves": False}, "trix").trix
    assert (trix.forced_capture, trix.show_legal_moves) == (2, False)


def test_names_and_visibility_are_the_operators() -> None:
    made = offers(
        [table(table_id="b", name_ar="الطاولة", visibility="link"), table("trix", "a"), table(visibility="seated")]
    )
    assert [*made] == ["b", "a", "high"]
    assert [(offer.name, offer.name_ar) for offer in made.values()] == [
        ("High table", "الطاولة"),
        ("High table", "High table"),
        ("High table", "High table"),
    ]
    assert [offer.visibility for offer in made.values()] == [
        match_pb2.VISIBILITY_LINK,
        match_pb2.VISIBILITY_PUBLIC,
        match_pb2.VISIBILITY_SEATED,
    ]
    assert all(offer.table_id == table_id for table_id, offer in made.items())


def test_they_cannot_be_changed() -> None:
    made: Any = offers(FREE)
    with pytest.raises(TypeError):
        made["x"] = made["tonj"]


def test_there_may_be_none() -> None:
    assert not offers([])


NUMBER, BOOL = "must be a whole number that is not negative", "must be true or false"


@pytest.mark.parametrize(
    ("game", "given", "line"),
    [
        ("tonj_house", {"fee": 100}, "fee: there is no such option; there are turn_seconds, penalty_cards,"),
        ("tonj_house", {"entryFeeMinor": 100}, "entryFeeMinor: there is no such option"),
        ("tonj_house", {"tonj_house": {}}, "tonj_house: there is no such option"),
        ("tonj", {"entry_fee_minor": 100}, "entry_fee_minor: there is no such option; there are target_points,"),
        ("tonj_house", {"entry_fee_minor": "many"}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"entry_fee_minor": -1}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"entry_fee_minor": 0.5}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"entry_fee_minor": True}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"entry_fee_minor": [1]}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"entry_fee_minor": {"a": 1}}, f"entry_fee_minor: {NUMBER}"),
        ("tonj_house", {"ranked": "yes"}, f"ranked: {BOOL}"),
        ("tonj_house", {"penalty_source": "THEIRS"}, "penalty_source: must be one of PENALTY_SOURCE_UNSPECIFIED, "),
        ("tonj_house", {"entry_fee_minor": 1_000_000_001}, "entry_fee_minor: is 1000000001, must be 0 to 1000000000"),
        ("tonj_house", {"rake_bps": 5_001}, "rake_bps: is 5001, must be 0 to 5000"),
        *(
            ("tonj_house", {"penalty_source": wrong}, "penalty_source: must be one of PENALTY_SOURCE_UNSPECIFIED, ")
            for wrong in (9, 1.5, True, float("inf"), float("nan"), "1")
        ),
        ("trix", {"play_seconds": 1_000_000}, "play_seconds: is 1000000, must be "),
        ("tonj", {"claim_window_ms": 1}, "claim_window_ms: is 1, must be "),
    ],
)
def test_a_fault_is_one_line_with_table_and_option(game: str, given: dict[str, Any], line: str) -> None:
    with pytest.raises(BadTable) as caught:
        offers([*FREE, table(game, options=given)])
    told = str(caught.value)
    assert told.startswith(f"table 'high': options.{line}")
    assert "\n" not in told


async def test_a_table_that_cannot_be_offered_keeps_the_server_from_starting(serve: Serve) -> None:
    asked = Settings.model_validate({"tables": [table(options={"rake_bps": 9_999})]})
    with pytest.raises(WrongSetting, match=r"^table 'high': options\.rake_bps: is 9999, "):
        async with serve(tables=asked.tables):
            pass
