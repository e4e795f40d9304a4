"""What the documentation shows works: its programs are run as they stand, each against a server of its own."""

import asyncio
import os
import pathlib
import re
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.api.process import running
from tests.clients.documents import ROOT, program

PAGES = (
    "README.md",
    "README.ar.md",
    "CONTRIBUTING.md",
    "docs/api.md",
    "docs/operations.md",
    "docs/positions.md",
    "bench/README.md",
    "soak/README.md",
)
PROGRAMS = ("README.md", "docs/api.md", "docs/positions.md")
# Each game's rules, the letter of their clauses and how many there are.
RULES = (("tonj", "T", 44), ("tonj-house", "H", 29), ("trix", "X", 21))
LINK = re.compile(r"\]\(([^)#\s]+)?(?:#([^)\s]+))?\)")
NAMED = re.compile(r"(?<![\w./-])(?:docs|seeds|tests|tools|demo|bench|proto|core_rs|server)/[\w./-]*\w(?![\w<{*-])")
"""A path from the project's root, up to what stands for several, such as a game's name in brackets."""


def run(program: pathlib.Path, address: str, data: pathlib.Path) -> "subprocess.CompletedProcess[str]":
    """Runs a program in the directory that it lies in, as a reader would who has started a server."""
    path = os.pathsep.join([str(ROOT / "server"), os.environ.get("PYTHONPATH", "")])
    given = {"MAJLIS_ADDRESS": address, "MAJLIS_DATA": str(data), "PYTHONPATH": path}
    return subprocess.run(
        [sys.executable, "-W", "error", program.name],
        cwd=program.parent,
        env={**os.environ, **given},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("page", PROGRAMS)
async def test_the_program_of_a_page_runs(page: str, tmp_path: pathlib.Path) -> None:
    script = tmp_path / "program.py"
    script.write_text(program(page), encoding="utf-8")
    assert script.read_text().strip(), "there is no program in it"
    async with running(tmp_path / "var") as server:
        done = await asyncio.to_thread(run, script, server.listen, tmp_path / "var")
    assert (done.returncode, done.stderr) == (0, "")
    replay = tmp_path / "replay.json"
    assert replay.exists() == (page == "docs/api.md")
    if replay.exists():
        verify = [sys.executable, "-m", "majlis", "verify", str(replay)]
        told = await asyncio.to_thread(subprocess.run, verify, capture_output=True, text=True, timeout=60, check=False)
        assert (told.returncode, told.stderr) == (0, "")


def test_both_readmes_show_the_same_program() -> None:
    english, arabic = (
        [line for line in program(page).splitlines() if line and not line.startswith("# ")]
        for page in ("README.md", "README.ar.md")
    )
    assert english == arabic


@pytest.mark.parametrize(
    "page", [*PAGES, *(f"docs/rules/{game}{language}.md" for game, _, _ in RULES for language in ("", ".ar"))]
)
def test_what_a_page_links_to_is_there(page: str) -> None:
    here = ROOT / page
    for path, anchor in LINK.findall(here.read_text(encoding="utf-8")):
        if path.startswith(("http:", "https:")):
            continue
        target = here.parent / path if path else here
        assert target.exists(), path
        if anchor:
            assert anchor in anchors(target), f"{path}#{anchor}"


def test_paths_that_code_and_pages_name_are_there() -> None:
    named: dict[str, str] = {}
    for source in sources():
        for path in NAMED.findall(source.read_text(encoding="utf-8")):
            named[path] = source.name
    assert len(named) > 50
    assert not {path: source for path, source in named.items() if not (ROOT / path).exists()}


def sources() -> Iterator[pathlib.Path]:
    """What people write here, generated code left out."""
    yield from (ROOT / name for name in ("Makefile", "pyproject.toml", "Cargo.toml"))
    yield from ROOT.glob("*.md")
    for top in ("docs", "seeds", "tests", "tools", "demo", "bench", "soak", "proto", "core_rs", "server"):
        for suffix in ("md", "py", "pyi", "rs", "proto", "toml", "sql"):
            yield from (path for path in (ROOT / top).rglob(f"*.{suffix}") if "_pb2" not in path.name)


def anchors(page: pathlib.Path) -> set[str]:
    """What one may link to in a page: its headings as forges name them, and marks of its own."""
    text = page.read_text(encoding="utf-8")
    headings = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    named = {re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}
    return named | set(re.findall(r'<a id="([^"]+)">', text))


@pytest.mark.parametrize("language", ["", ".ar"])
@pytest.mark.parametrize(("game", "letter", "clauses"), RULES)
def test_every_clause_that_the_code_cites_is_in_the_rules(game: str, letter: str, clauses: int, language: str) -> None:
    cited: set[str] = set()
    for suffix in ("rs", "py", "proto"):
        for source in sorted(
            path for top in ("core_rs", "server", "proto") for path in (ROOT / top).rglob(f"*.{suffix}")
        ):
            cited.update(re.findall(rf"\b{letter}(\d{{1,2}})\b", source.read_text(encoding="utf-8")))
    assert len(cited) > clauses / 2
    text = (ROOT / f"docs/rules/{game}{language}.md").read_text(encoding="utf-8")
    numbered = re.findall(rf'<a id="{letter.lower()}(\d+)"></a>\*\*{letter}(\d+)\.\*\*', text)
    assert numbered == [(str(number), str(number)) for number in range(1, clauses + 1)]
    assert cited <= {number for number, _ in numbered}
