"""What nobody may read out of what is sent or stored: the class of an open claim, and a sealed seed."""

import random

import pytest

from majlis import _core
from majlis.client import digest
from majlis.v1 import event_pb2, match_service_pb2, tonj_pb2
from tests.rules import golden, matches
from tests.rules.matches import START_MS, Command, Match, Update
from tests.rules.tonj_play import Chance, asked

Answer = match_service_pb2.SubmitActionResponse
State = match_service_pb2.GetMatchResponse
BUILD, PRIORITY = tonj_pb2.TonjEvent.FAULT_CLASS_BUILD, tonj_pb2.TonjEvent.FAULT_CLASS_PRIORITY
KEY = bytes(range(32))


# --- The class of an open claim (T32) ---


def class_of(match: Match, draft: _core.Draft) -> int:
    """What a claim turns out to have been about, once it closes."""
    twin = _core.Table.load([*match.payloads, draft.payload], match.sealer)
    told = Answer.FromString(twin.expire(draft.instant_ms + 10_000).answer(0))
    [resolved] = [event.tonj.claim_resolved for event in told.events if event.tonj.HasField("claim_resolved")]
    return resolved.fault_class


def claims_of_both_classes(match: Match) -> tuple[_core.Draft, _core.Draft] | None:
    """Two attempts of one shape at one moment, a build fault and a neglected priority; None if there are none."""
    chance, found = Chance(random.Random(1)), dict[tuple[int, int], _core.Draft]()
    seat = match.state().clock.awaited_seats[0]
    for _ in range(150):
        attempt = chance.attempt(match, seat)
        try:
            draft = match.draft(Command(match.now_ms, seat, attempt))
        except _core.Refused:
            continue
        if draft.verdict == "claim_opened":
            shape = attempt.ByteSize()
            found.setdefault((shape, class_of(match, draft)), draft)
            if (shape, BUILD) in found and (shape, PRIORITY) in found:
                return found[shape, BUILD], found[shape, PRIORITY]
    return None


def without_attempt(message: Answer | Update | State) -> bytes:
    """The bytes of a message with the attempt taken out, and the digest, which the attempt goes into."""
    events: list[event_pb2.Event] = []
    if isinstance(message, Answer):
        events = list(message.events)
    elif isinstance(message, State):
        assert message.view_digest == digest.view_digest(message.match, message.view)
        message.ClearField("view_digest")
        message.view.tonj.claim.ClearField("attempt")
    elif message.HasField("snapshot"):
        snapshot = message.snapshot
        assert snapshot.view_digest == digest.view_digest(snapshot.match, snapshot.view)
        snapshot.ClearField("view_digest")
        snapshot.view.tonj.claim.ClearField("attempt")
    else:
        events = list(message.events.events)
        message.events.ClearField("view_digest")
    for event in events:
        assert event.tonj.claim_opened.fault_class == tonj_pb2.TonjEvent.FAULT_CLASS_UNSPECIFIED
        event.tonj.claim_opened.ClearField("attempt")
    return message.SerializeToString()


def sent(match: Match, draft: _core.Draft, viewer: int) -> list[bytes]:
    """All that a viewer can get while the claim is open, live and after a resumption, the attempt taken out."""
    payloads = [*match.payloads, draft.payload]
    table, now_ms = _core.Table.load(payloads, match.sealer), draft.instant_ms + 1
    [missed] = _core.missed(payloads, match.sealer, viewer, draft.first_sequence - 1, now_ms)
    return [
        without_attempt(Answer.FromString(draft.answer(viewer))),
        without_attempt(Answer.FromString(_core.answer(payloads, match.sealer, viewer))),
        without_attempt(matches.batch(draft, viewer, now_ms)),
        without_attempt(Update.FromString(missed)),
        without_attempt(Update.FromString(table.snapshot(viewer, now_ms))),
        without_attempt(State.FromString(table.get_match(viewer, now_ms))),
        *(table.match(), table.heartbeat(now_ms), table.presence(0, True, now_ms), table.drain(100, now_ms)),
    ]


def test_an_open_claim_tells_nobody_its_class() -> None:
    """A build fault and a neglected priority look the same to everybody, byte for byte, until the claim closes."""
    compared = 0
    for seed in range(40):
        match, chance = Match(asked()), Chance(random.Random(seed), faulty=0, clock=0)
        for _ in range(60):
            pair = claims_of_both_classes(match) if match.table.clock == "turn" else None
            if pair:
                build, priority = pair
                assert (build.kinds, build.deadline_ms) == (priority.kinds, priority.deadline_ms)
                for viewer in match.viewers:
                    assert sent(match, build, viewer) == sent(match, priority, viewer), match.log()
                compared += 1
                break
            match.play(chance.command(match))
        if compared == 5:
            return
    raise AssertionError(f"only {compared} pairs came up")


def test_a_closed_claim_tells_its_class_to_everybody() -> None:
    match, chance = Match(asked()), Chance(random.Random(2), faulty=1, clock=0)
    while True:
        _, draft = chance.turn(match)
        if draft.verdict == "claim_opened":
            break
    expected = class_of(match, draft)
    match.commit(draft)
    closed = match.table.expire(START_MS + 10_000)
    for viewer in match.viewers:
        events = matches.batch(closed, viewer).events.events
        assert events[0].tonj.claim_resolved.fault_class == expected
        assert not events[0].tonj.claim_resolved.called


# --- Sealed seeds ---


def ended(sealer: _core.Sealer) -> tuple[Match, bytes]:
    """A match that was given up, and its seed as the replay tells it."""
    match = Match(asked(), sealer=sealer)
    match.play(Command(START_MS, 0, match_service_pb2.Resign()))
    page, _ = _core.replay(match.payloads, sealer, 0, 1)
    return match, match_service_pb2.GetReplayResponse.FromString(page).deal_seed


def test_a_sealed_seed_is_nowhere_in_the_log_and_a_plain_one_is() -> None:
    for sealer, stands in (
        (_core.Sealer({"k": KEY}, "k"), False),
        (_core.Sealer(), True),
        (_core.Sealer({"k": KEY}), True),
    ):
        match, seed = ended(sealer)
        assert len(seed) == 32
        assert (seed in b"".join(match.payloads)) == stands


def test_a_log_does_not_hold_the_cards_that_nobody_has_seen() -> None:
    """The first record deals a hand, and holds no card of it: decks follow from the seed alone."""
    _, draft = _core.Table.found(asked().SerializeToString(), "m-1", START_MS, _core.Sealer({"k": KEY}, "k"))
    told = matches.batch(draft, 0).events.events
    assert any(event.tonj.dealt.houses for event in told)
    sizes = {len(Match(asked(), sealer=_core.Sealer({"k": KEY}, "k")).payloads[0]) for _ in range(20)}
    assert max(sizes) - min(sizes) <= 4  # whose turn it is, and a zero that is left out


def test_a_log_of_trix_holds_no_hand() -> None:
    """Deals follow from the seed, and answers are sealed: what a log shows of cards, everybody has seen (X13)."""
    for payload in golden.read("trix-leader-pays").payloads:
        events = [event_pb2.Event.FromString(content) for field, content in golden.open_part(payload) if field == 2]
        for dealt in (event.trix.dealt for event in events if event.trix.HasField("dealt")):
            assert dealt.deal_number
            assert not dealt.hand
            assert not dealt.hands


def test_a_seed_opens_with_its_key_only() -> None:
    match = Match(asked(), sealer=_core.Sealer({"old": KEY}, "old"))
    _core.Table.load(match.payloads, _core.Sealer({"new": bytes(32), "old": KEY}, "new"))
    for sealer in (_core.Sealer(), _core.Sealer({"new": KEY}, "new"), _core.Sealer({"old": bytes(32)}, "old")):
        with pytest.raises(_core.Damaged) as fault:
            _core.Table.load(match.payloads, sealer)
        assert KEY.hex() not in str(fault.value)


def test_a_seed_that_is_moved_to_another_match_does_not_open() -> None:
    match = Match(asked(), match_id="m-1", sealer=_core.Sealer({"k": KEY}, "k"))
    moved = match.payloads[0].replace(b"m-1", b"m-2")
    assert moved != match.payloads[0]
    with pytest.raises(_core.Damaged, match="cannot be opened"):
        _core.Table.load([moved], match.sealer)


@pytest.mark.parametrize(
    ("keys", "current"),
    [({"k": b"short"}, "k"), ({"": KEY}, ""), ({"k" * 17: KEY}, None), ({"k": KEY}, "other"), (None, "k")],
)
def test_keys_that_cannot_seal(keys: dict[str, bytes] | None, current: str | None) -> None:
    with pytest.raises(ValueError, match=r"key|k") as fault:
        _core.Sealer(keys, current)
    assert "short" not in str(fault.value)


def test_objects_of_the_core_tell_nothing_by_their_names() -> None:
    match = Match(asked())
    draft = match.table.expire(START_MS)
    for thing in (match.table, draft, match.sealer):
        assert repr(thing) == object.__repr__(thing)
