"""Opening a feed: a snapshot, or exactly what was missed, and from there on the live flow, without a gap or a double.

A player who is waited for has come with it: that is durable first. The feed then joins the live flow, at a known head;
what was missed up to that head is read while new updates wait.
"""

from majlis import _core
from majlis.match import status
from majlis.match.refusal import Refusal
from majlis.runtime.feed import Feed
from majlis.runtime.folding import folded
from majlis.runtime.ledger import Gone, House
from majlis.runtime.sitting import Sitting


async def opened(
    house: House,
    sitting: Sitting,
    player_id: str,
    after_sequence: int | None,
    device: str,
    spectator_id: str,
    await_rematch: bool,
    now_ms: int,
) -> Feed:
    """A feed for a player who came at this instant, and has seen the match up to a sequence, or nothing of it.

    One that awaits a rematch is told which there is, and stays for a while after the end.

    Raises:
        Refusal: MATCH_NOT_FOUND, AHEAD_OF_HEAD, OVERLOADED or MATCH_DAMAGED.
        Unavailable: what was missed cannot be read, or that he came not be kept.
        Gone: nothing was done here.
    """
    viewer = sitting.viewer(player_id)
    if after_sequence is not None and after_sequence > sitting.sequence:
        raise Refusal("AHEAD_OF_HEAD", sequence=sitting.sequence)
    if sitting.table.awaits(player_id):
        await sitting.welcome(player_id, now_ms)
    if sitting.gone:
        raise Gone  # dropped while that was written: nobody would ever tell its watchers anything, nor let them go
    head = sitting.sequence
    if after_sequence is None or head - after_sequence > house.limits.max_gap:
        how = "snapshot"
    else:
        how = "gap" if after_sequence < head else "head"
    feed = sitting.audience.admit(player_id, viewer, device, how, spectator_id)
    feed.awaits_rematch = await_rematch
    try:
        # As of now: while what was missed is read, the seat may become another's.
        notices = sitting.audience.notices(viewer)
        if how == "gap" and after_sequence is not None:
            opening = await _missed(house, sitting, viewer, after_sequence)
        elif how == "head":
            opening = [sitting.told(sitting.table.heartbeat, house.now())]
        else:
            opening = [sitting.snapshot(viewer)]
        if await_rematch:
            await _tell_rematch(house, sitting, feed)
        feed.begin([*opening, *notices])
    except BaseException:
        sitting.audience.leave(feed, "failed")
        raise
    if status.is_over(sitting.status) and not (await_rematch and sitting.may_be_rematched):
        feed.finish()
    return feed


async def _tell_rematch(house: House, sitting: Sitting, feed: Feed) -> None:
    """Tells of a rematch, unless everybody is told of it meanwhile, this feed included."""
    told = sitting.rematch_id
    held = await house.store.find_name("rematch", sitting.match_id, house.now())
    if held is None or sitting.rematch_id != told:
        return
    if held.match_id == told:
        feed.keep(sitting.told(sitting.table.rematch_made, told, house.now()))
    else:
        sitting.tell_rematch(held.match_id)  # it was made elsewhere, and nobody here had heard of it


async def _missed(house: House, sitting: Sitting, viewer: int, after_sequence: int) -> list[bytes]:
    payloads = await house.store.payloads(sitting.match_id, 0, sitting.table.record)
    try:
        return await folded(len(payloads), _core.missed, payloads, house.sealer, viewer, after_sequence, house.now())
    except _core.Damaged as error:
        house.observer.failed("missed", error)
        raise Refusal("MATCH_DAMAGED") from error
