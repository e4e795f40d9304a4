"""The verdict cases of seeds/verdicts, through the server's rules and the oracle; and lines that are at fault."""

import itertools
import json
import pathlib
from typing import Any

import pytest

from tests.oracle.games import GAMES
from tests.rules import judges
from tests.rules.judges import Json

FOLDER = pathlib.Path(__file__).parents[2] / "seeds" / "verdicts"
CASES = {
    game: [
        json.loads(line) for path in sorted((FOLDER / game).glob("*.jsonl")) for line in path.read_text().splitlines()
    ]
    for game in GAMES
}
CLAUSES = {"tonj": ("t", 44), "tonj_house": ("h", 29), "trix": ("x", 21)}
TOLD_ELSEWHERE: dict[str, set[int]] = {"tonj": {2, 3, 4, 5, 32, 35, 42}, "tonj_house": set(), "trix": {13, 21}}
"""Deals, views and words of the specification."""

JUDGES = pytest.mark.parametrize("judge", [judges.rust, judges.oracle], ids=["rules", "oracle"])

KINGS = [[king] for king in ("KC0", "KD0", "KH0", "KS0", "KC1", "KD1", "KH1", "KS1")]
TABLE: Json = {
    "game": "tonj",
    "partial": True,
    "turn_seat": 0,
    "houses": KINGS,
    "hands": [["8C0", "9C0"], ["8D1"]],
    "reserves": [["5C0"], ["5D1"]],
}
REVEAL: Json = {"seat": 0, "action": {"reveal": {}}}


def part(expected: Any, found: Any, where: str) -> str | None:
    """Where an answer parts from what is expected of it; keys that are not expected are not compared."""
    if isinstance(expected, dict) and isinstance(found, dict):
        parts = (part(value, found.get(key), f"{where}.{key}") for key, value in expected.items())
        return next(filter(None, parts), None)
    return None if expected == found else f"{where}: {found} instead of {expected}"


@pytest.mark.parametrize("game", GAMES)
def test_there_are_cases_of_every_clause(game: str) -> None:
    names = [case["id"] for case in CASES[game]]
    assert len(set(names)) == len(names)
    letter, last = CLAUSES[game]
    wanted = {f"{letter}{number:02}" for number in range(1, last + 1) if number not in TOLD_ELSEWHERE[game]}
    assert {name.split("-")[0] for name in names} >= wanted


@JUDGES
@pytest.mark.parametrize("case", [*itertools.chain(*CASES.values())], ids=lambda case: case["id"])
def test_verdicts(case: Json, judge: judges.Judge) -> None:
    expected = case["expect"]
    answer = judge(json.dumps(case))
    assert answer["id"] == case["id"]
    if expected.get("error"):
        assert "error" in answer
        return
    assert "error" not in answer, answer
    assert len(answer["results"]) == len(expected.get("results", answer["results"]))
    for number, result in enumerate(expected.get("results", [])):
        if judge is judges.oracle:  # which has words of its own for reasons
            result = {key: value for key, value in result.items() if key != "reason"}
        assert part(result, answer["results"][number], f"results[{number}]") is None
    for key in ("position", "outcome", "legal"):
        if key in expected:
            assert part(expected[key], answer.get(key), key) is None


# --- Lines at fault ---


def at(**changed: Any) -> str:
    """A line with a position that is changed so."""
    return json.dumps({"id": "x", "position": {**TABLE, **changed}, "steps": []})


@JUDGES
def test_the_table_that_the_faults_are_made_from_stands(judge: judges.Judge) -> None:
    answer = judge(json.dumps({"id": 7, "position": TABLE, "steps": [REVEAL], "legal": True}))
    assert answer["id"] == 7
    assert answer["results"] == [{"verdict": "accepted"}]
    assert answer["position"]["pending"] == "8C0"


@JUDGES
@pytest.mark.parametrize(
    "line",
    [
        *("", "{", "1", "null", "[]", '"x"', "{}", '{"id": "x"}', '{"id": "x", "position": null}', "NaN", "{'id': 1}"),
        *(f'{{"id": "x", "position": {position}}}' for position in ("[]", "1", '"7H0"', "{}", '{"turn_seat": 0}')),
        *(f'{{"id": "x", "position": {json.dumps(TABLE)}, "steps": {steps}}}' for steps in ("{}", '"reveal"', "1")),
    ],
)
def test_a_line_that_is_no_case_is_an_error(line: str, judge: judges.Judge) -> None:
    assert judge(line)["error"]


@JUDGES
@pytest.mark.parametrize(
    "line",
    [
        at(colour="green"),
        at(deal_number=1),
        at(game="bridge"),
        at(game=None),
        at(turn_seat=None),
        at(turn_seat=2),
        at(turn_seat="0"),
        at(starter=2),
        at(hand_number=0),
        at(turn_number=-1),
        at(turn_number=1.5),
        at(partial="yes"),
        at(partial=False),  # cards are missing
        at(houses=KINGS[:7]),
        at(hands=[["8C0"]]),
        at(hands=[["8C0"], "8D1"]),
        at(hands=[["8C0"], ["1D1"]]),
        at(hands=[["8C0"], ["8D2"]]),
        at(hands=[["8C0"], ["8d1"]]),
        at(hands=[["8C0"], [8]]),
        at(hands=[["8C0", "5C0"], []]),  # stands in a reserve too
        at(pending="8D1"),  # stands in a hand too
        at(pending=["TD0"]),
        at(foundations=[["2D0"], [], [], [], [], [], [], []]),
        at(foundations=[["AD0", "3D0"], [], [], [], [], [], [], []]),
        at(foundations=[["AD0", "2H0"], [], [], [], [], [], [], []]),
        at(hands=[[], []], wastes=[["TD0"], []]),  # would have been turned over (T20)
        at(transfers=31),
        at(claims=4),
        at(options={"maxClaimsPerTurn": 1}, claims=2),
        at(options={"colour": 1}),
        at(options={"maxClaimsPerTurn": "many"}),
        at(options={"timeoutPolicy": "NEVER"}),
        at(options={"max_claims_per_turn": 1, "maxClaimsPerTurn": 1}),
        at(options=[1]),
        at(quiet=[0]),
        at(quiet=[0, -1]),
        at(totals="0"),
        at(deal_seed="00"),
        at(deal_seed="zz" * 32),
        at(deal_seed="00" * 32, entropies=["0"]),
        at(deal_seed="00" * 32, entropies=["", "", ""]),
        at(deal_seed="00" * 32, entropies=["00" * 256]),
        at(claim="open", claims=1),
        at(claim={"offender": 0, "class": "B"}, claims=1),
        at(claim={"offender": 0, "class": "X", "attempt": {"reveal": {}}}, claims=1),
        at(claim={"offender": 0, "class": "B", "attempt": {"reveal": {}}}, claims=1),  # a good attempt
        at(claim={"offender": 0, "class": "P", "attempt": {"callTonj": {}}}, claims=1),
        at(claim={"offender": 1, "class": "P", "attempt": {"reveal": {}}}, claims=1, houses=[[], *KINGS[1:]]),
        at(claim={"offender": 0, "class": "P", "attempt": {"reveal": {}}}, houses=[[], *KINGS[1:]]),  # claims is 0
    ],
)
def test_a_position_that_is_malformed_or_impossible_is_an_error(line: str, judge: judges.Judge) -> None:
    answer = judge(line)
    assert answer["id"] == "x"
    assert answer["error"]
    assert "position" not in answer


def test_a_card_that_stands_twice_is_named_with_both_places() -> None:
    assert judges.rust(at(houses=[["7H0"], *KINGS[1:]], hands=[["7H0"], []]))["error"] == (
        "7H0 stands twice: houses[0], hands[0]"
    )


@JUDGES
@pytest.mark.parametrize(
    "action",
    [
        *({}, {"reveal": {}, "discard": {}}, {"reveal": {"card": "8C0"}}, {"shuffle": {}}),
        *({"move": {"from": {"kind": "HOUSE"}}}, {"move": {"count": -1}}, {"move": {"count": "two"}}, {"move": 1}),
        *([], "reveal", 1, None),
    ],
)
def test_a_malformed_action_is_a_refused_step(action: Any, judge: judges.Judge) -> None:
    answer = judge(json.dumps({"id": "x", "position": TABLE, "steps": [{"seat": 0, "action": action}, REVEAL]}))
    assert [result["verdict"] for result in answer["results"]] == ["refused", "accepted"]
    assert answer["results"][0]["reason"] == "MALFORMED_ACTION"


@JUDGES
@pytest.mark.parametrize(
    ("key", "value"),
    [
        *(
            (key, None)
            for key in ("options", "wastes", "foundations", "pending", "claim", "totals", "quiet", "transfers")
        ),
        *((key, []) for key in ("wastes", "foundations", "totals", "quiet", "entropies")),
        *(("deal_seed", value) for value in (None, "")),
    ],
)
def test_null_and_empty_values_count_as_absent(key: str, value: Any, judge: judges.Judge) -> None:
    assert judge(at(**{key: value})) == judge(at())
