"""The operator's tables as a file tells of them. What the games say to their options: tests/api/test_offers.py."""

import pathlib

import click.testing
import pytest

from majlis.cli import group
from majlis.ops.settings import Settings, WrongSetting
from majlis.ops.tables import Table

HIGH = """
[[tables]]
id = "high"
name = "High table"
name_ar = "الطاولة الكبرى"
game = "tonj_house"
options = { entry_fee_minor = 100, rake_bps = 500 }
visibility = "link"
"""
TRIX = """
[[tables]]
id = "trix"
name = "Trix"
game = "trix"
[tables.options]
play_seconds = 20
"""


def read(directory: pathlib.Path, text: str) -> tuple[Table, ...]:
    path = directory / "majlis.toml"
    path.write_text(text, encoding="utf-8")
    return Settings.read({}, path, {}).tables


def test_they_are_read_in_order(tmp_path: pathlib.Path) -> None:
    high, trix = read(tmp_path, HIGH + TRIX)
    assert high.model_dump() == {
        "id": "high",
        "name": "High table",
        "name_ar": "الطاولة الكبرى",
        "game": "tonj_house",
        "options": {"entry_fee_minor": 100, "rake_bps": 500},
        "visibility": "link",
    }
    assert (trix.id, trix.name_ar, trix.visibility, trix.options) == ("trix", None, "public", {"play_seconds": 20})


def test_without_any_there_is_a_free_one_a_game() -> None:
    tables = Settings.read({}, None, {}).tables
    assert [table.game for table in tables] == ["tonj", "tonj_house", "trix"]
    assert all(table.name and table.name_ar and not table.options for table in tables)
    assert len({table.id for table in tables}) == 3


def test_there_may_be_none_at_all(tmp_path: pathlib.Path) -> None:
    assert read(tmp_path, "tables = []") == ()


@pytest.mark.parametrize(
    ("text", "line"),
    [
        (HIGH + HIGH, "tables in {file}: the id 'high' stands twice"),
        (HIGH + TRIX.replace('"trix"\nname', '""\nname'), "tables[1].id in {file}: must have 1 to 64 bytes"),
        (HIGH.replace('"high"', f'"{"é" * 33}"'), "tables[0].id in {file}: must have 1 to 64 bytes"),
        (HIGH.replace('"الطاولة الكبرى"', '""'), "tables[0].name_ar in {file}: must have 1 to 64 bytes"),
        (HIGH.replace('name = "High table"', ""), "tables[0].name in {file}: Field required"),
        (HIGH.replace("tonj_house", "chess"), "tables[0].game in {file}: should be 'tonj', 'tonj_house' or 'trix'"),
        (HIGH.replace('"link"', '"all"'), "tables[0].visibility in {file}: should be 'public', 'link' or 'seated'"),
        (HIGH + "fee = 100", "tables[0].fee in {file}: there is no such setting"),
        (HIGH.replace("{ entry_fee_minor = 100, rake_bps = 500 }", "7"), "tables[0].options in {file}: should be a"),
        ("[tables]\nid = 'x'", "tables in {file}: should be a valid tuple"),
    ],
)
def test_a_fault_names_its_table(tmp_path: pathlib.Path, text: str, line: str) -> None:
    with pytest.raises(WrongSetting) as caught:
        read(tmp_path, text)
    told = str(caught.value)
    assert told.startswith(line.format(file=tmp_path / "majlis.toml"))
    assert "\n" not in told


def test_they_stand_in_the_file_or_nowhere() -> None:
    assert Settings.read({}, None, {"MAJLIS_TABLES": "[]"}).tables == Settings.read({}, None, {}).tables
    answer = click.testing.CliRunner().invoke(group, ["serve", "--tables", "[]"])
    assert answer.exit_code == 2
    assert "No such option '--tables'" in answer.output
