"""Four friends meet in a private room for Trix, by a code that one of them reads to the others."""

from demo.caller import turned_down
from demo.failure import must
from demo.lobby.guest import Guest
from demo.screen import Screen
from demo.server import Server
from majlis.api.caller import Role
from majlis.v1 import match_pb2, trix_pb2

OPTIONS = match_pb2.GameOptions(trix=trix_pb2.TrixOptions(choose_seconds=60))
HAND = 13
WRONG = "222-222-222"
"""It may be somebody's, once in 35 million million times."""


async def demo(server: Server, screen: Screen) -> None:
    """Shows the room until its match starts.

    Raises:
        Failure: something was not as it must be.
    """
    alia, badr, jamil, dana, faris = [Guest.of(server, name) for name in ("Alia", "Badr", "Jamil", "Dana", "Faris")]
    room = await alia.create_room(OPTIONS, "room")
    must(await alia.create_room(OPTIONS, "room") == room, "one request opened two rooms")
    screen.say(f"{alia.name} opens a private room for Trix. Its code is {room.join_code}.")
    for guest, code, reason in ((badr, WRONG, "ROOM_NOT_FOUND"), (alia, room.join_code, "OWN_ROOM")):
        refusal = await turned_down(guest.join_room(code, "refused"), reason)
        screen.say(f"         {guest.name} types {code}: {reason}, “{refusal.message}”")
    await _look_up(badr, room.join_code.lower().replace("-", " "), screen)
    for guest in (badr, jamil):
        await guest.join_room(room.join_code, "join")
    await jamil.leave(room.match.match_id, "leave")
    must((await jamil.look_up_room(room.join_code)).free_seats == 2, "a seat that was given back is not free")
    screen.say(f"{badr.name} and {jamil.name} come in. {jamil.name} has to go, and his seat is free again.")
    await dana.join_room(room.join_code, "join")
    started = await faris.join_room(room.join_code, "join")
    await _check_start(started, [alia, badr, dana, faris], screen)
    salma = server.caller("salma", Role.SPECTATOR)
    await turned_down(salma.get_match(started.match_id), "MATCH_NOT_FOUND")
    await turned_down(jamil.look_up_room(room.join_code), "ROOM_NOT_FOUND")
    screen.say("To everybody else there is no such match, and the code leads nowhere any more.")


async def _look_up(guest: Guest, typed: str, screen: Screen) -> None:
    """Looks before sitting down.

    Raises:
        Failure: it is another room.
    """
    found = await guest.look_up_room(typed)
    must(found.match.game == match_pb2.GAME_TRIX and found.free_seats == 3, "the code leads to another room")
    must(found.match.status == match_pb2.MATCH_STATUS_WAITING, "a room has started without its guests")
    maker = found.match.seats[0].display_name
    screen.say(f"{guest.name} types it as he heard it, {typed!r}: Trix with {maker}, {found.free_seats} seats free.")


async def _check_start(started: match_pb2.Match, guests: list[Guest], screen: Screen) -> None:
    """All four sit where they sat down, and each sees his own hand.

    Raises:
        Failure: they do not.
    """
    must(started.status == match_pb2.MATCH_STATUS_ACTIVE, "a full room does not start")
    must([seat.display_name for seat in started.seats] == [guest.name for guest in guests], "they sit otherwise")
    for guest in guests:
        seen = await guest.get_match(started.match_id)
        must(len(seen.view.trix.hand) == HAND, f"{guest.name} has no hand")
    *_, third, last = guests
    screen.say(f"{third.name} takes it, and {last.name} the last one: match {started.match_id} starts.")
    screen.say("         Each of the four sees his own hand.")
