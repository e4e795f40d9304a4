"""`python -m bench`: every measurement in one run, in about five minutes; a line each, and all of it as JSON."""

import argparse
import pathlib
import tempfile
import time

from bench import cold, core, latency, machine, memory, rules, server, wire
from bench.report import DIRECTORY, Report

MEASUREMENTS = ("rules", "core", "server", "sessions", "memory")


def main() -> None:
    """Measures; exits with 0 whatever the figures are, and otherwise only when something broke."""
    arguments = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    arguments.add_argument("only", nargs="*", metavar="WHAT", help=f"of {', '.join(MEASUREMENTS)}; all without any")
    arguments.add_argument("--quick", action="store_true", help="short slices: whether it works, not how fast it is")
    arguments.add_argument("--clients", type=int, default=2, help="processes that play; 2 without it")
    asked = arguments.parse_args()
    if wrong := set(asked.only) - set(MEASUREMENTS):
        arguments.error(f"there is no {', '.join(sorted(wrong))}")
    begin = time.monotonic()
    report = Report(here := machine.described())
    print(", ".join(f"{name} {value}" for name, value in here.items()))
    if machine.is_noisy(here):
        print("something else uses the processor: these figures are noisy")
    DIRECTORY.mkdir(parents=True, exist_ok=True)
    for what in asked.only or MEASUREMENTS:
        # On the disk of the tree, and not in a /tmp that may be memory.
        with tempfile.TemporaryDirectory(dir=DIRECTORY) as scratch:
            _measure(what, report, pathlib.Path(scratch), asked.quick, asked.clients)
    print(f"\n{report.write()}, {time.monotonic() - begin:.0f} s")


def _measure(what: str, report: Report, data: pathlib.Path, quick: bool, clients: int) -> None:
    match what:
        case "rules":
            report.section("Rules")
            rules.measure(report, decisions=200_000 if quick else 10_000_000, stories=3 if quick else 20)
        case "core":
            report.section("The Rust core's calls, for one move")
            core.measure(report, matches=1 if quick else 10)
            report.section("Bytes on the wire")
            wire.measure(report, matches=1 if quick else 10)
            report.section("Cold loads")
            cold.measure(report, data, loads=5 if quick else 50)
        case "server":
            report.section("The server: SubmitAction with two watchers, SQLite with full sync")
            with server.ring(data, clients) as ring:
                peak = server.measure(report, ring, rounds=2 if quick else 12, seconds=0.3 if quick else 1.0)
                latency.measure(report, ring, peak, seconds=2.0 if quick else 15.0)
        case "sessions":
            report.section("The server: PlaySession, two players of a match on one each, SQLite with full sync")
            with server.ring(data, clients, on_sessions=True) as ring:
                server.measure(report, ring, rounds=2 if quick else 12, seconds=0.3 if quick else 1.0)
        case "memory":
            report.section("Memory of the server")
            memory.measure(report, data)


if __name__ == "__main__":
    main()
