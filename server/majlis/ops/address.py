"""Addresses to listen on, `host:port`, read and written one way everywhere. Nothing is opened here."""

import dataclasses
import ipaddress
from typing import Self

LARGEST_PORT = 65_535


@dataclasses.dataclass(frozen=True, slots=True)
class Address:
    """Where to listen. Port 0 lets the system choose one."""

    host: str
    port: int

    @classmethod
    def parse(cls, text: str) -> Self:
        """Reads `host:port`; an IPv6 host stands in brackets, as in `[::1]:50051`.

        Raises:
            ValueError: it is not of that form. Nobody listens on all interfaces by leaving the host out.
        """
        host, colon, port = text.rpartition(":")
        bare = host[1:-1] if host.startswith("[") and host.endswith("]") else host
        if not colon or not bare or (":" in bare) != (bare != host):
            raise ValueError("must be host:port, such as 127.0.0.1:50051 or [::1]:50051")
        if not (port.isascii() and port.isdigit() and int(port) <= LARGEST_PORT):
            raise ValueError(f"the port must be a number from 0 to {LARGEST_PORT}")
        return cls(bare, int(port))

    @property
    def is_loopback(self) -> bool:
        """Whether only this machine gets there. A name counts as elsewhere, unless it is `localhost`."""
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return self.host == "localhost"

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{host}:{self.port}"
