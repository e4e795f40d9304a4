"""Moves a second with two watchers: the server with a durable store, against the bare relay, in turns.

By unary calls and streams, or on play sessions, which the relay has as barely as it has the others. Both stay up, and
slices of one and the other alternate, so that whatever else the machine does falls upon both.
"""

import contextlib
import dataclasses
import pathlib
import statistics
from collections.abc import Iterator, Sequence

from bench import figures, programs
from bench.programs import Program
from bench.report import Line, Report, Target

MATCHES = (1, 16, 64)
RECORDED = 4
"""Matches that are written down for the relay."""
LEAST = Target(0.75, at_least=True, text="≥ 0.75")
LEAST_ON_SESSIONS = Target(0.60, at_least=True, text="≥ 0.60")


@dataclasses.dataclass(frozen=True, slots=True)
class Rival:
    """One of the two that take turns."""

    name: str
    program: Program
    address: str


@dataclasses.dataclass(frozen=True, slots=True)
class Slice:
    """What one turn came to."""

    rate: float
    """Moves a second."""
    cost: float
    """The server's processor time for a move, in microseconds."""
    clients_busy: float
    """Cores that the clients used."""


@dataclasses.dataclass(frozen=True, slots=True)
class Ring:
    """Everything that runs for this measurement."""

    data: pathlib.Path
    server: Rival
    relay: Rival
    clients: Sequence[Program]
    on_sessions: bool
    """Else players make calls and watch streams."""

    def players(self, matches: int) -> Sequence[Program]:
        """The clients that share so many matches."""
        return self.clients[: min(len(self.clients), matches)]

    def sit_down(self, rival: Rival, matches: int) -> None:
        """Opens so many matches there."""
        playing = self.players(matches)
        for number, client in enumerate(playing):
            client.tell(
                do="sit_down",
                target=rival.name,
                address=rival.address,
                data=str(self.data),
                group=f"c{number}",
                matches=matches // len(playing),
                on_sessions=self.on_sessions,
            )
        for client in playing:
            client.hear()


@contextlib.contextmanager
def ring(data: pathlib.Path, clients: int, *, on_sessions: bool = False) -> Iterator[Ring]:
    """A server, a relay that sends what that server had sent in recorded matches, and clients."""
    scripts = data / "scripts"
    with (
        programs.server(data) as (server, address),
        programs.clients(clients) as players,
    ):
        first = players[0]
        first.ask(do="sit_down", target="record", address=address, data=str(data), group="record", matches=RECORDED)
        first.ask(do="record", target="record", path=str(scripts))
        with programs.relay(scripts) as (relay, relay_address):
            rivals = Rival("server", server, address), Rival("relay", relay, relay_address)
            yield Ring(data, *rivals, players, on_sessions)


def measure(report: Report, ring: Ring, rounds: int, seconds: float) -> float:
    """Slices of both in turns, for each number of matches.

    Returns:
        The server's moves a second with the most matches.
    """
    peak = 0.0
    for matches in MATCHES:
        playing = ring.players(matches)
        for rival in (ring.server, ring.relay):
            ring.sit_down(rival, matches)
            _slice(rival, playing, seconds / 2)
        pairs = [(_slice(ring.server, playing, seconds), _slice(ring.relay, playing, seconds)) for _ in range(rounds)]
        _tell(report, matches, pairs, LEAST_ON_SESSIONS if ring.on_sessions else LEAST)
        peak = statistics.median(ours.rate for ours, _ in pairs)
    return peak


def _slice(rival: Rival, playing: Sequence[Program], seconds: float) -> Slice:
    spent, clients_spent = rival.program.cpu_seconds(), sum(client.cpu_seconds() for client in playing)
    found = programs.ask_all(playing, do="flat_out", target=rival.name, seconds=seconds)
    spent = rival.program.cpu_seconds() - spent
    clients_spent = sum(client.cpu_seconds() for client in playing) - clients_spent
    played = sum(pace["played"] for pace in found)
    return Slice(
        rate=sum(pace["counted"] for pace in found) / seconds,
        cost=spent / max(1, played) * 1e6,
        clients_busy=clients_spent / seconds,
    )


def _tell(report: Report, matches: int, pairs: Sequence[tuple[Slice, Slice]], least: Target) -> None:
    ours, theirs = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    rates = [ours.rate / theirs.rate for ours, theirs in pairs]
    costs = [theirs.cost / ours.cost for ours, theirs in pairs]
    name = f"{matches} match{'es' if matches > 1 else ''}"
    report.add(
        Line(
            f"{name}: moves/s, server : relay",
            figures.spread(rates),
            statistics.median(rates),
            least,
            {
                "matches": matches,
                "server": [dataclasses.asdict(one) for one in ours],
                "relay": [dataclasses.asdict(one) for one in theirs],
            },
        )
    )
    report.add(Line(f"{name}: processor time a move, relay : server", figures.spread(costs), statistics.median(costs)))
    for rival, slices in (("server", ours), ("relay", theirs)):
        rate, cost, busy = (
            statistics.median(getattr(one, field) for one in slices) for field in ("rate", "cost", "clients_busy")
        )
        report.add(Line(f"{name}: {rival}", f"{rate:,.0f} moves/s, {cost:,.0f} µs a move, clients {busy:.2f} cores"))
