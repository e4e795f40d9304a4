"""Folding logs without holding up everybody else: long ones in a thread, since the core lets go of the interpreter."""

import asyncio
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

INLINE = 64
"""Records that are folded at once; a thread costs about as much."""


async def folded(records: int, fold: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
    """What the core makes of a log of so many records; raises what it raises."""
    if records <= INLINE:
        return fold(*args, **kwargs)
    return await asyncio.to_thread(fold, *args, **kwargs)
