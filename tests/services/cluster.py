"""A throw-away PostgreSQL: made in a temporary directory, served on a free port and a socket, gone when it is stopped.

python -m tests.services.cluster      serves one until Ctrl-C, and prints the URL of a migrated database
"""

import contextlib
import os
import pathlib
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time

from majlis.store import open as opening

HOMES = "/usr/lib/postgresql/*/bin"
USER = "majlis"
TEMPLATE = "majlis_template"
"""Migrated, and copied for each test."""


class Missing(Exception):
    """PostgreSQL is not installed."""


def programs() -> pathlib.Path:
    """The directory of the newest PostgreSQL that is installed.

    Raises:
        Missing: there is none.
    """
    found = sorted(pathlib.Path("/").glob(f"{HOMES[1:]}/postgres"), key=lambda path: float(path.parts[-3]))
    if found:
        return found[-1].parent
    if (path := shutil.which("postgres")) is not None:
        return pathlib.Path(path).parent
    raise Missing("PostgreSQL is not installed (Debian: postgresql); `make check-services` installs it")


class Cluster:
    """A running server, and the databases in it."""

    def __init__(self, *, durable: bool = False) -> None:
        """Makes and starts it.

        Args:
            durable: whether it syncs: only for measuring, since a killed server's writes survive in the system.
        """
        self._programs = programs()
        self._home = pathlib.Path(tempfile.mkdtemp(prefix="majlis-postgres-"))
        self._owner: dict[str, object] = {}
        if os.geteuid() == 0:  # which PostgreSQL refuses
            entry = next(pwd.getpwnam(name) for name in ("postgres", "nobody") if _exists(name))
            self._owner = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            os.chown(self._home, entry.pw_uid, entry.pw_gid)
        self._run("initdb", "-D", f"{self._home}/data", "-U", USER, "-A", "trust", "-E", "UTF8", "--locale=C", "-N")
        self.port = _free_port()
        self._flags = {"fsync": "on" if durable else "off", "shared_buffers": "128MB", "max_connections": "150"}
        self._server: subprocess.Popen[bytes] | None = None
        self._numbers = 0
        try:
            self.start()
            self.sql(f"CREATE DATABASE {TEMPLATE}")
            opening.migrate(self.url(TEMPLATE))
        except BaseException:
            self.remove()
            raise

    def url(self, database: str, port: int | None = None) -> str:
        """Of a database, by the port of this server or of what stands before it."""
        return f"postgresql://{USER}@127.0.0.1:{port or self.port}/{database}"

    def database(self, template: str = TEMPLATE) -> str:
        """A new database; its name."""
        self._numbers += 1
        name = f"t{self._numbers}"
        self.sql(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def drop(self, database: str) -> None:
        """Drops a database, whoever uses it."""
        self.sql(f"DROP DATABASE IF EXISTS {database} WITH (FORCE)")

    def sql(self, text: str, database: str = "postgres") -> str:
        """What psql says to a statement: rows with | between their values."""
        where = ("-h", str(self._home), "-p", str(self.port), "-U", USER, "-d", database)
        return self._run("psql", *where, "-XAtq", "-v", "ON_ERROR_STOP=1", "-c", text).strip()

    def start(self) -> None:
        """Starts it, and returns when it answers."""
        flags = [f"-c{name}={value}" for name, value in self._flags.items()]
        log = (self._home / "log").open("ab")
        with log:
            self._server = subprocess.Popen(
                [
                    *(str(self._programs / "postgres"), "-D", f"{self._home}/data", "-p", str(self.port)),
                    *("-h", "127.0.0.1", "-k", str(self._home), *flags),
                ],
                stdout=log,
                stderr=log,
                cwd="/",
                start_new_session=True,
                **self._owner,  # type: ignore[call-overload]
            )
        self._wait()

    def stop(self, how: int = signal.SIGINT) -> None:
        """Stops it: SIGINT rolls back what is under way, SIGQUIT leaves it to the log, as a crash does."""
        if self._server is not None:
            self._server.send_signal(how)
            self._server.wait(timeout=60)
            self._server = None

    def restart(self, how: int = signal.SIGINT) -> None:
        """Stops and starts it."""
        self.stop(how)
        self.start()

    def signal_all(self, number: int) -> None:
        """Sends a signal to every process of it: SIGSTOP lets it hang, with all its connections open."""
        assert self._server is not None
        parent = self._server.pid
        children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
        for pid in (parent, *map(int, children)):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def remove(self) -> None:
        """Stops it and leaves nothing."""
        self.stop(signal.SIGQUIT)
        shutil.rmtree(self._home)

    def _wait(self) -> None:
        while self._server is not None and self._server.poll() is None:
            try:
                self._run("pg_isready", "-q", "-h", "127.0.0.1", "-p", str(self.port))
                return
            except subprocess.CalledProcessError:
                time.sleep(0.02)
        raise RuntimeError((self._home / "log").read_text())

    def _run(self, program: str, *args: str) -> str:
        done = subprocess.run(
            [str(self._programs / program), *args],
            check=True,
            capture_output=True,
            text=True,
            cwd="/",
            **self._owner,  # type: ignore[call-overload]
        )
        return str(done.stdout)


def _exists(name: str) -> bool:
    try:
        pwd.getpwnam(name)
    except KeyError:
        return False
    return True


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _main() -> None:
    cluster = Cluster(durable=True)
    try:
        print(cluster.url(cluster.database()), flush=True)
        signal.sigwait({signal.SIGINT, signal.SIGTERM})
    finally:
        cluster.remove()


if __name__ == "__main__":
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
    _main()
