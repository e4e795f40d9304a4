"""A server whose tables are wrong does not start: one line says which table, and what of it."""

import pathlib

import pytest

from tests.api.test_process import one_line, start_in_vain

TABLE = """
[[tables]]
id = "high"
name = "High"
game = "{game}"
options = {{ {options} }}
"""


@pytest.mark.parametrize(
    ("game", "options", "told"),
    [
        (
            "tonj_house",
            "entry_fee_minor = 1_000_000_001",
            "options.entry_fee_minor: is 1000000001, must be 0 to 1000000000",
        ),
        ("tonj_house", "rake_bps = 5001", "options.rake_bps: is 5001, must be 0 to 5000"),
        ("tonj_house", "fee = 5", "options.fee: there is no such option"),
        ("tonj", "entry_fee_minor = 5", "options.entry_fee_minor: there is no such option"),
        ("chess", "", "game"),
    ],
)
def test_a_wrong_table_is_told(tmp_path: pathlib.Path, game: str, options: str, told: str) -> None:
    config = tmp_path / "majlis.toml"
    config.write_text(TABLE.format(game=game, options=options))
    data = tmp_path / "var"
    status, line = start_in_vain("--config", str(config), data=data)
    assert status == 2
    assert told in one_line(line)
    assert not (data / "majlis.db").exists()
