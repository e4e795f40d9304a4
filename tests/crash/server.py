"""The server under test: started by a plan, killed, stopped, and given a bad disk."""

import asyncio
import collections
import contextlib
import pathlib
import resource
import signal
import time

from tests.api.process import Process
from tests.crash.disk import TROUBLE
from tests.crash.plan import Plan

FLAGS = (
    *("--max-gap", "100000", "--idle-seconds", "2", "--rematch-seconds", "3"),
    *("--rooms-guesses", "1000", "--rooms-guesses-address", "0"),
)
FREE, HIGH, ROUND = "free", "high", "round"
"""Ids of the operator's tables: without a fee, with one, and for four."""
CONFIG = """
[[tables]]
id = "free"
name = "Free"
game = "tonj_house"
options = { turn_seconds = 600, show_legal_moves = true }

[[tables]]
id = "high"
name = "High"
game = "tonj_house"
options = { turn_seconds = 600, show_legal_moves = true, entry_fee_minor = 5050, rake_bps = 333 }

[[tables]]
id = "round"
name = "Round"
game = "trix"
options = { choose_seconds = 600, double_seconds = 600, play_seconds = 600 }
"""


class Server(Process):
    """Has a new address after every start."""

    def __init__(self, data: pathlib.Path, sabotage: str = "") -> None:
        config = data / "majlis.toml"
        config.write_text(CONFIG)
        super().__init__(data, *FLAGS, "--config", str(config))
        self.sabotage = sabotage
        self.frozen: list[tuple[int, int]] = []
        """From when until when it was stopped, in milliseconds since 1970."""
        self.told = collections.Counter[str]()
        """Refusals by reason that its callers got, and connections that broke under the empty one."""
        self.answering = asyncio.Event()
        """Set while there is somebody to connect to, as far as is known."""

    async def start_by(self, plan: Plan) -> bool:
        """Starts it; whether it came to answering, which it does not when it dies on the way."""
        self.program = ("-m", "tests.crash.launcher", plan.text())
        try:
            await self.start()
        except EOFError:
            await self.ended()
            return False
        self.answering.set()
        return True

    async def kill(self) -> None:
        """Ends it, unless it has ended."""
        self.answering.clear()
        if self.runs:
            await super().kill()
        else:
            await self.ended()

    @property
    def runs(self) -> bool:
        return self.process.returncode is None

    async def freeze(self, seconds: float) -> None:
        """Stops it for a while, as a host does that is out of breath."""
        since = time.time_ns() // 1_000_000
        self.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        until = time.time_ns() // 1_000_000
        self.process.send_signal(signal.SIGCONT)
        self.frozen.append((since, until))

    def trouble(self, kind: str) -> None:
        """`full` or `sync` from its own file system; `wall` from the kernel, which lets no file grow."""
        if kind == "wall":
            self._let_files_grow_to(1)
        else:
            (self.data / TROUBLE).write_text(kind)

    def heal(self) -> None:
        (self.data / TROUBLE).unlink(missing_ok=True)
        with contextlib.suppress(ProcessLookupError):  # it may have died of it
            self._let_files_grow_to(None)

    def _let_files_grow_to(self, size: int | None) -> None:
        _, most = resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(self.process.pid, resource.RLIMIT_FSIZE, (most if size is None else size, most))
