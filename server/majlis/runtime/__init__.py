"""Matches being played: one serial queue each, in which an action is decided, appended, and only then published.

Timers and the feeds to watchers live here. No gRPC and no protobuf (views are ready-made bytes from Rust), and no
particular store: `majlis.store.protocol` is all that is known of it.
"""
