"""Where the database is. The URL may hold a password: it goes to the driver, and into no text."""

import dataclasses
import urllib.parse

SCHEMES = ("postgresql", "postgres")


@dataclasses.dataclass(frozen=True, slots=True)
class Address:
    """A URL, and what may be shown of it."""

    url: str = dataclasses.field(repr=False)
    shown: str
    """Without password and options."""

    @classmethod
    def parse(cls, url: str) -> "Address":
        """Of a URL such as `postgresql://user:password@host:5432/database`.

        Raises:
            ValueError: it is none; the text does not quote it.
        """
        try:
            parts = urllib.parse.urlsplit(url)
            port = parts.port
        except ValueError:
            raise ValueError("not a URL") from None
        if parts.scheme not in SCHEMES:
            raise ValueError("not a URL of PostgreSQL")
        user = f"{parts.username}@" if parts.username else ""
        where = parts.netloc.rpartition("@")[2] if port is None else f"{parts.hostname}:{port}"
        return cls(url, f"{parts.scheme}://{user}{where}{parts.path}")
