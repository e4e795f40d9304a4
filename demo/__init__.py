"""The demo: every game played once, in the open, against a server of its own. `python -m demo` runs all of them.

`server` starts and ends that server, `caller` talks to it, `watcher` follows a match there, `match` and `proof` lead it
from its creation to the proof of its deals, `screen` shows lines or a live picture, and each game has a package of its
own (`tonj`, `trix`). Nothing here is imported by the server, and nothing here knows more than any client.
"""
