"""The project's own bookkeeping: one version everywhere, and a Makefile that tells what it can do."""

import pathlib
import re
import subprocess
import tomllib
from typing import Any

import pytest

import majlis

ROOT = pathlib.Path(__file__).resolve().parents[2]

PROMISED = [
    "setup",
    "build",
    "run",
    "test",
    "check",
    "demo",
    "perft",
    "bench",
    "soak",
    "protos",
    "refusals",
    "fmt",
    "clean",
]
"""Targets that the documentation sends people to."""


def toml(path: pathlib.Path) -> dict[str, Any]:
    return tomllib.loads(path.read_text(encoding="utf-8"))


def make_help() -> dict[str, str]:
    """What `make help` prints: each target with its line."""
    command = ["make", "--no-print-directory", "help"]
    printed = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return dict(line.split(maxsplit=1) for line in printed.splitlines())


def test_one_version_in_python_and_rust() -> None:
    assert toml(ROOT / "pyproject.toml")["project"]["version"] == majlis.__version__
    assert toml(ROOT / "Cargo.toml")["workspace"]["package"]["version"] == majlis.__version__
    crates = sorted((ROOT / "core_rs").glob("*/Cargo.toml"))
    assert crates
    for crate in crates:
        assert toml(crate)["package"]["version"] == {"workspace": True}, crate


def test_lock_files_have_that_version() -> None:
    locked = {package["name"]: package.get("version") for package in toml(ROOT / "Cargo.lock")["package"]}
    assert locked["majlis-bindings"] == majlis.__version__
    assert locked["majlis-rules"] == majlis.__version__
    ours = [package for package in toml(ROOT / "uv.lock")["package"] if package["name"] == "majlis"]
    assert [package["version"] for package in ours] == [majlis.__version__]


def test_changelog_names_the_version() -> None:
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert "## [Unreleased]" in changelog
    assert re.search(rf"(?<![\d.]){re.escape(majlis.__version__)}(?![\d.]*\d)", changelog)


@pytest.mark.parametrize("target", PROMISED)
def test_make_help_tells_of(target: str) -> None:
    assert make_help().get(target)


def test_make_help_tells_of_every_public_target() -> None:
    phony = set(re.findall(r"^\.PHONY: ([\w-]+)$", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert make_help().keys() == phony
