"""The demo: every game played once, in the open, against a server of its own. `python -m demo` shows all of it.

`server` starts and ends that server, `caller` talks to it, `watcher` follows a match there and `player` acts in it,
`match` and `proof` lead it from its creation to the proof of its deals, `attempts` tries what is forbidden, `screen`
shows lines or a live picture, and each game has a package of its own (`tonj`, `tonj_house`, `trix`; what the first two
share is `crapette`). In `lobby` players find their own way to a match, and `wallet` takes and pays their money. Nothing
here is imported by the server, and nothing here knows more than any client.
"""
