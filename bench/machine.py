"""What the figures were taken on: a number without its machine says nothing."""

import os
import pathlib
import platform

import psutil

QUIET = 0.5
"""Load average up to which a machine counts as idle."""


def described() -> dict[str, object]:
    """The processor's name, cores, load average of the last minute, and what runs here."""
    return {
        "cpu": _cpu_name(),
        "cores": psutil.cpu_count(),
        "memory_gib": round(psutil.virtual_memory().total / 2**30, 1),
        "load": round(os.getloadavg()[0], 2),
        "python": platform.python_version(),
        "system": f"{platform.system()} {platform.release()}",
    }


def is_noisy(machine: dict[str, object]) -> bool:
    """Whether something else was using the processor."""
    load = machine["load"]
    return isinstance(load, float) and load > QUIET


def _cpu_name() -> str:
    try:
        lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.processor() or "unknown"
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "unknown")
