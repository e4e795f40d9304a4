"""Majlis: the authoritative match server for Arabic card games.

Here is the version, and nothing else. The layers, each using those named after it only:

    cli, app   wire everything together
    api        gRPC servicers, and who may call them (runtime, v1)
    runtime    one serial queue per match           (match, store.protocol, _core)
    store      the logs                             (match)
    match      seats, status, refusals              (_core)
    ops        settings, logs, metrics, health      (nothing of the above)
    client     what a Python client keeps           (v1)
    v1         generated from proto/                (nothing of the above)
    _core      the Rust rules behind one door
"""

__version__ = "0.1.0"
