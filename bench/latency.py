"""From a player's tap to the other player's screen, at half of the rate that the server was just seen to reach."""

from bench import figures, programs
from bench.report import Line, Report, Target
from bench.server import MATCHES, Ring

MOST_MS = Target(15.0, text="p99 ≤ 15 ms")


def measure(report: Report, ring: Ring, peak: float, seconds: float) -> None:
    """An open loop on the server alone; `peak` is in moves a second."""
    rate = peak / 2
    playing = ring.players(MATCHES[-1])
    ring.sit_down(ring.server, MATCHES[-1])
    half = rate / len(playing)
    programs.ask_all(playing, do="by_timetable", target=ring.server.name, rate=half, seconds=seconds / 4)
    found = programs.ask_all(playing, do="by_timetable", target=ring.server.name, rate=half, seconds=seconds)
    late = [1000 * lateness for part in found for lateness in part["late"]]
    middle, most, worst = figures.percentile(late, 0.5), figures.percentile(late, 0.99), max(late)
    report.add(
        Line(
            f"{MATCHES[-1]} matches, {rate:,.0f} moves/s: tap to the opponent's read",
            f"p50 {middle:.1f} ms, p99 {most:.1f} ms, worst {worst:.1f} ms",
            most,
            MOST_MS,
            {"rate": rate, "moves": len(late), "p50_ms": middle, "p99_ms": most, "worst_ms": worst},
        )
    )
