"""What docs/operations.md lists is all that there is: settings, metrics, kinds of failures; and its tests exist."""

import ast
import pathlib
import re
import urllib.request
from collections.abc import Iterator

from prometheus_client.parser import text_string_to_metric_families

from majlis.ops.settings import Settings
from tests.api.serving import serving
from tests.clients.documents import ROOT

PAGE = ROOT / "docs/operations.md"
NAMED_TEST = re.compile(r"`(tests/[\w/]+\.py)::([\w:]+)`")
TOLD_OF_FAILURE = re.compile(r'\.failed\("(\w+)"|background\.begin\(.+, "(\w+)"\)')


def section(heading: str) -> str:
    """The text under a heading of the second rank."""
    return re.split(r"^## ", PAGE.read_text(encoding="utf-8"), flags=re.MULTILINE)[headings().index(heading) + 1]


def headings() -> list[str]:
    return re.findall(r"^## (.+)$", PAGE.read_text(encoding="utf-8"), re.MULTILINE)


def rows(heading: str) -> Iterator[list[str]]:
    """The cells of the table in a section, row by row, without its head."""
    lines = [line for line in section(heading).splitlines() if line.startswith("|")]
    for line in lines[2:]:
        yield [cell.strip() for cell in line.strip("|").split("|")]


def written(default: object) -> str:
    """A default as the page has it."""
    if isinstance(default, bool):
        return "on" if default else "off"
    if isinstance(default, int | float):
        return f"{default:,g}"
    if isinstance(default, tuple):
        return "a free one a game"
    if default in (None, {}):
        return "none"
    return str(default) or "empty"


def test_every_setting_stands_there_with_its_default() -> None:
    told = {name.strip("`"): default for name, default, _ in rows("Settings")}
    assert told == {name: written(field.default) for name, field in Settings.model_fields.items()}


async def test_every_metric_stands_there(tmp_path: pathlib.Path) -> None:
    told = {name for names, *_ in rows("Metrics") for name in re.findall(r"`(\w+)`", names)}
    async with serving(tmp_path) as served:
        with urllib.request.urlopen(f"http://{served.metrics}/metrics", timeout=10) as answer:  # noqa: ASYNC210 -- it has threads of its own
            text = answer.read().decode()
    found = set()
    for family in text_string_to_metric_families(text):
        found.add(f"{family.name}_total" if family.type == "counter" else family.name)
    assert told == found


def test_every_kind_of_failure_stands_there() -> None:
    kinds: set[str] = set()
    for source in (ROOT / "server/majlis/runtime").glob("*.py"):
        kinds.update("".join(found) for found in TOLD_OF_FAILURE.findall(source.read_text(encoding="utf-8")))
    assert {"append", "beats", "timer"} <= kinds
    assert kinds <= set(re.findall(r"`(\w+)`", section("Metrics")))


def test_every_test_that_it_names_is_there() -> None:
    named = NAMED_TEST.findall(PAGE.read_text(encoding="utf-8"))
    assert len(named) > 50
    assert not [f"{path}::{name}" for path, name in named if name not in in_file(ROOT / path)]


def in_file(path: pathlib.Path) -> set[str]:
    """The tests of a file, those in classes with their class."""
    found: set[str] = set()
    for node in ast.parse(path.read_text(encoding="utf-8")).body if path.exists() else []:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            found.add(node.name)
        elif isinstance(node, ast.ClassDef):
            inside = (one for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef))
            found.update(f"{node.name}::{one.name}" for one in inside)
    return {name for name in found if name.rpartition("::")[2].startswith("test_")}
