"""Crash tests: the real server as a process, several matches played on it at once, and everything that may go wrong.

`server` starts it through `launcher`, which wraps the program from outside: `points` where it dies, a `disk` that fails
or loses what was not synced, and `sabotage`, deliberate faults by which the checks are shown to see something. `player`
keeps what a client knows; `table` has matches played that are made for it, `guest`s come to theirs by a `lounge`,
through tables, rooms and rematches, and a `wallet` takes and pays their fees. `storm` breaks things, `judge` holds the
clients' records against the log, `audit` seats, results and fees against the file, and `run` puts them together. The
program itself knows nothing of all this.

`python -m tests.crash --minutes N` runs for long; a short run is among the tests.
"""
