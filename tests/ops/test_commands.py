"""The command line beside `serve`: what each command prints, and how it ends."""

import json
import pathlib
import sqlite3
import subprocess
import sys

import click.testing
import jwt
import pytest
from google.protobuf import json_format

import majlis
from majlis.api.caller import Role
from majlis.cli import COMMANDS, group
from majlis.cli.deal import GAMES
from majlis.store.sqlite import schema
from majlis.v1 import event_pb2, match_service_pb2

SEED = "42" * 32


def run(*words: str, given: str | bytes | None = None) -> click.testing.Result:
    return click.testing.CliRunner().invoke(group, words, input=given, prog_name="majlis")


def position(number: int = 1) -> dict[str, object]:
    """The table after a deal, as a position to judge."""
    dealt: dict[str, object] = json.loads(run("deal", "--game", "tonj", "--seed", SEED, "--number", str(number)).output)
    return dealt


def test_it_tells_its_version() -> None:
    assert run("--version").output == f"majlis {majlis.__version__}\n"


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_what_it_is_for(command: str) -> None:
    told = run(command, "--help")
    assert told.exit_code == 0
    assert f"Usage: majlis {command}" in told.output
    assert f"  {command} " in run("--help").output


def test_an_unknown_command_is_misuse() -> None:
    assert run("cheat").exit_code == 2


class TestDeal:
    def test_its_help_names_the_games(self) -> None:
        told = run("deal", "--help").output
        for game in GAMES:
            assert game in told
            assert json.loads(run("deal", "--game", game, "--seed", SEED).output)["game"] == game

    def test_what_was_not_played_is_told(self) -> None:
        deals = [
            json.loads(run("deal", "--game", "trix", "--seed", SEED, "--number", number).output) for number in "17"
        ]
        assert [table["partial"] for table in deals] == [False, True]
        assert [table["played_contracts"] for table in deals] == [[], ["KING_OF_HEARTS"]]
        assert deals[1]["totals"] == [0, 0, 0, 0]

    def test_prints_a_whole_table_on_one_line(self) -> None:
        told = run("deal", "--game", "tonj", "--seed", SEED)
        assert told.exit_code == 0
        assert told.output.count("\n") == 1
        table = json.loads(told.output)
        assert table["game"] == "tonj"
        assert table["deal_seed"] == SEED
        assert len({card for pile in (*table["hands"], *table["reserves"], *table["houses"]) for card in pile}) == 104

    def test_follows_from_seed_entropy_and_number(self) -> None:
        entropies = ("--entropy", "01", "--entropy", "02")
        tables = [
            run("deal", "--game", "tonj", "--seed", SEED).output,
            run("deal", "--game", "tonj", "--seed", SEED, "--number", "2").output,
            run("deal", "--game", "tonj", "--seed", SEED, *entropies).output,
            run("deal", "--game", "tonj", "--seed", "43" * 32).output,
        ]
        assert len({str(json.loads(table)["hands"]) for table in tables}) == len(tables)
        assert tables[0] == run("deal", "--game", "tonj", "--seed", SEED, "--number", "1").output

    @pytest.mark.parametrize(
        "words",
        [
            ("--game", "chess", "--seed", SEED),
            ("--game", "tonj", "--seed", "42"),
            ("--game", "tonj", "--seed", "g" * 64),
            ("--game", "tonj", "--seed", SEED, "--entropy", "0"),
            ("--game", "tonj", "--seed", SEED, "--number", "0"),
            ("--game", "tonj", "--seed", SEED, "--number", str(2**32)),
            ("--game", "tonj"),
        ],
    )
    def test_what_cannot_be_dealt_is_misuse(self, words: tuple[str, ...]) -> None:
        told = run("deal", *words)
        assert told.exit_code == 2
        assert isinstance(told.exception, SystemExit)


class TestJudge:
    def line(self, name: str) -> str:
        return json.dumps({"id": name, "position": position(), "steps": []})

    def test_answers_each_line_in_order(self, tmp_path: pathlib.Path) -> None:
        told = run("judge", given=f"{self.line('a')}\n\n  \n{self.line('b')}")
        assert told.exit_code == 0
        answers = [json.loads(line) for line in told.output.splitlines()]
        assert [answer["id"] for answer in answers] == ["a", "b"]
        assert all(answer["results"] == [] and answer["outcome"] is None for answer in answers)
        files = [tmp_path / "one", tmp_path / "two"]
        for file, name in zip(files, "ab", strict=True):
            file.write_text(self.line(name))
        assert run("judge", *map(str, files)).output == told.output

    def test_a_line_at_fault_is_told_and_the_others_are_judged(self) -> None:
        bad: list[bytes] = [b"{", b'{"id": "x"}', b"\xff\xfe{}", b"[]", b'{"id": "n", "position": null}']
        given = b"\n".join([*bad, self.line("last").encode()])
        told = run("judge", given=given)
        assert told.exit_code == 1
        answers = [json.loads(line) for line in told.stdout.splitlines()]
        assert len(answers) == len(bad) + 1
        assert all(answer["error"] for answer in answers[:-1])
        assert answers[1]["id"] == "x"
        assert answers[-1]["id"] == "last"
        assert "error" not in answers[-1]
        told_of = [f"majlis: <stdin>:{number}: {answer['error']}" for number, answer in enumerate(answers[:-1], 1)]
        assert told.stderr.splitlines() == told_of

    def test_a_line_at_fault_is_found_in_its_file(self, tmp_path: pathlib.Path) -> None:
        """Empty lines count, as they do in an editor."""
        files = [tmp_path / "one", tmp_path / "two"]
        files[0].write_text(self.line("a"))
        files[1].write_text(f"\n{self.line('b')}\n\n{{\n")
        told = run("judge", *map(str, files))
        assert told.exit_code == 1
        assert told.stderr == f"majlis: {files[1]}:4: the line is no JSON object\n"
        assert [json.loads(line)["id"] for line in told.stdout.splitlines()] == ["a", "b", None]

    @pytest.mark.parametrize("game", GAMES)
    def test_what_deal_prints_is_judged_as_it_stands(self, game: str) -> None:
        dealt = run("deal", "--game", game, "--seed", SEED).stdout
        told = run("judge", given=dealt)
        assert (told.exit_code, told.stderr) == (0, "")
        answer = json.loads(told.stdout)
        assert answer == {"id": None, "results": [], "outcome": None, "position": json.loads(dealt)}

    def test_only_a_position_stands_alone(self) -> None:
        for line, fault in (
            ('{"id": "x", "game": "tonj"}', "no position"),
            ('{"game": "chess"}', "game names no game"),
            ('["game"]', "the line is no JSON object"),
            ("[" * 100_000, "the line is no JSON object"),
        ):
            told = run("judge", given=line)
            assert (told.exit_code, told.stderr) == (1, f"majlis: <stdin>:1: {fault}\n")

    def test_lines_are_answered_as_they_come(self) -> None:
        with subprocess.Popen(
            [sys.executable, "-m", "majlis", "judge"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdin is not None
            assert process.stdout is not None
            for name in "abc":
                process.stdin.write(self.line(name) + "\n")
                process.stdin.flush()
                assert json.loads(process.stdout.readline())["id"] == name
            process.stdin.close()
            assert process.wait(10) == 0

    def test_a_file_that_is_missing_is_told(self, tmp_path: pathlib.Path) -> None:
        told = run("judge", str(tmp_path / "missing"))
        assert told.exit_code == 2
        assert "missing" in told.output


class TestVerify:
    def test_what_is_no_replay_is_told(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "replay.json"
        for text in ("", "{", "1", "[1]", '{"events": 1}', '{"unknown": 1}', "{}", "[]", "\udcff", "[" * 100_000):
            path.write_bytes(text.encode(errors="surrogateescape"))
            told = run("verify", str(path))
            assert told.exit_code == 1, text
            assert told.output.startswith(f"majlis: {path}: "), text
            assert told.output.count("\n") == 1, text

    def test_a_replay_without_its_promise_is_not_believed(self, tmp_path: pathlib.Path) -> None:
        replay = match_service_pb2.GetReplayResponse(deal_seed=bytes(32), events=[event_pb2.Event(sequence=1)])
        path = tmp_path / "replay.json"
        path.write_text(json_format.MessageToJson(replay))
        assert run("verify", str(path)).exit_code == 1


class TestToken:
    def test_prints_a_token_for_a_player(self, tmp_path: pathlib.Path) -> None:
        told = run("token", "--data", str(tmp_path), "--player", "alice", "--role", "matchmaker", "--hours", "2")
        assert told.exit_code == 0
        assert "made a new key" in told.stderr
        claims = jwt.decode(told.stdout.strip(), options={"verify_signature": False})
        assert (claims["sub"], claims["role"], claims["aud"]) == ("alice", "matchmaker", "majlis")
        assert claims["exp"] - claims["iat"] == 7_200
        assert "name" not in claims
        assert run("token", "--data", str(tmp_path), "--player", "badr").stderr == ""

    def test_gives_the_name_that_others_are_shown(self, tmp_path: pathlib.Path) -> None:
        told = run("token", "--data", str(tmp_path), "--player", "alice", "--name", "عليّة")
        claims = jwt.decode(told.stdout.strip(), options={"verify_signature": False})
        assert (claims["sub"], claims["name"]) == ("alice", "عليّة")

    @pytest.mark.parametrize("role", list(Role))
    def test_signs_for_every_role(self, tmp_path: pathlib.Path, role: Role) -> None:
        told = run("token", "--data", str(tmp_path), "--player", "a", "--role", role.value)
        assert jwt.decode(told.stdout.strip(), options={"verify_signature": False})["role"] == role

    @pytest.mark.parametrize(
        "words",
        [
            ("--player", ""),
            ("--player", "é" * 33),
            ("--player", "a", "--role", "king"),
            ("--player", "\udcff"),
            ("--player", "a", "--name", "é" * 33),
            ("--player", "a", "--name", "\udcff"),
            ("--player", "a", "--hours", "0"),
            ("--player", "a", "--hours", "nan"),
        ],
    )
    def test_what_cannot_be_meant_is_misuse(self, tmp_path: pathlib.Path, words: tuple[str, ...]) -> None:
        assert run("token", "--data", str(tmp_path), *words).exit_code == 2
        assert not list(tmp_path.iterdir())

    def test_a_damaged_key_is_told(self, tmp_path: pathlib.Path) -> None:
        (tmp_path / "dev-identity.pem").write_text("?")
        told = run("token", "--data", str(tmp_path), "--player", "alice")
        assert told.exit_code == 1
        assert told.output.startswith("majlis: ")


class TestMigrate:
    def test_makes_or_opens_a_store_and_tells_its_schema(self, tmp_path: pathlib.Path) -> None:
        for _ in range(2):
            told = run("migrate", "--data", str(tmp_path))
            assert told.exit_code == 0
            assert told.output == f"{tmp_path / 'majlis.db'}: schema {len(schema.migrations())}\n"
        elsewhere = tmp_path / "other.db"
        assert run("migrate", "--data", str(tmp_path), "--store", f"sqlite:///{elsewhere}").exit_code == 0
        assert elsewhere.is_file()

    def test_leaves_a_foreign_file_alone(self, tmp_path: pathlib.Path) -> None:
        path = tmp_path / "majlis.db"
        connection = sqlite3.connect(path)
        connection.execute("CREATE TABLE recipes (name TEXT)")
        connection.close()
        before = path.read_bytes()
        told = run("migrate", "--data", str(tmp_path))
        assert told.exit_code == 1
        assert told.output.startswith("majlis: ")
        assert path.read_bytes() == before
