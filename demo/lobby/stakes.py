"""A table with a fee: once the match is played and paid, once somebody cannot pay and everybody has his money back."""

from demo import match, proof
from demo.attempts import Attempts
from demo.caller import turned_down
from demo.crapette.policy import Policy
from demo.failure import must
from demo.lobby.guest import Guest
from demo.screen import Screen
from demo.server import Server
from demo.tonj_house import stakes
from demo.tonj_house.match import cards_left
from demo.tonj_house.player import Player
from demo.tonj_house.spectator import Spectator
from demo.wallet import Wallet
from majlis.api.caller import Role
from majlis.v1 import match_pb2

TABLE = "high"
SEED = 1
PURSES = {"alia": 20_000, "badr": 20_000, "dana": 50}


async def demo(server: Server, screen: Screen) -> None:
    """Shows both.

    Raises:
        Failure: something was not as it must be, with the matches or with the money.
    """
    alia, badr, dana = [Guest.of(server, name) for name in ("Alia", "Badr", "Dana")]
    wallet = Wallet.opened(server, PURSES, screen)
    await _played(server, [alia, badr], wallet, screen)
    has = wallet.purses["alia"]
    await _void([alia, dana], wallet, screen)
    must(wallet.purses["alia"] == has and wallet.purses["dana"] == PURSES["dana"], "a void match cost somebody money")
    purses = ", ".join(f"{name.capitalize()} {amount}" for name, amount in wallet.purses.items())
    must(sum(wallet.purses.values()) + wallet.platform == sum(PURSES.values()), "money was lost or made")
    screen.say(f"The wallet's accounts: {purses}, platform {wallet.platform}, together what there was at first.")


async def _played(server: Server, guests: list[Guest], wallet: Wallet, screen: Screen) -> None:
    """A match from the table to the payment."""
    made = await _seated(guests, screen)
    match.introduce(made, "Tonj, house edition", SEED, screen)
    stakes.introduce(made, screen)
    nothing: Attempts[Player] = Attempts(screen)
    players = [
        Player(seat, guest, made, Policy(SEED + seat), nothing, None, screen) for seat, guest in enumerate(guests)
    ]
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), made, screen)
    with screen:
        courses = [watcher.watch() for watcher in (spectator, *players)]
        await match.together([wallet.until_settled(made.match_id), *courses])
    ended = (await guests[0].get_match(made.match_id)).match
    match.tell_result(ended, cards_left(ended), screen)
    stakes.settle(ended, screen)
    second = wallet.calls.confirm_stake(made.match_id, guests[0].player_id, "another payment")
    refusal = await turned_down(second, "STAKE_PAID_TWICE")
    screen.say(f"         a second payment for one seat: {refusal.reason}, “{refusal.message}”")
    record = await proof.prove(guests[0], made, "lobby", screen)
    confirmed = [event.stake_confirmed.seat for event in record.events if event.HasField("stake_confirmed")]
    must(confirmed == [0, 1], "the record does not tell of each fee once")


async def _void(guests: list[Guest], wallet: Wallet, screen: Screen) -> None:
    """A match that does not come about, since a purse is empty."""
    made = await _seated(guests, screen)
    await match.together([wallet.until_settled(made.match_id)])
    void = (await guests[0].get_match(made.match_id)).match
    must(void.status == match_pb2.MATCH_STATUS_VOID, "a match started without all of its fees")
    settlement = void.outcome.settlement
    fee = void.options.tonj_house.entry_fee_minor
    must(list(settlement.payout_minor) == [fee, 0], "a void match gave back something else than was paid")
    must(not settlement.rake_minor, "the platform kept something of a void match")


async def _seated(guests: list[Guest], screen: Screen) -> match_pb2.Match:
    """Guests sit down at the table: it is full, and waits for their fees.

    Raises:
        Failure: it does not.
    """
    opponents = " and ".join(guest.name for guest in guests)
    seated = [await guest.join_table(TABLE, f"with {opponents}") for guest in guests]
    made = seated[-1]
    must({one.match_id for one in seated} == {made.match_id}, "two players at a table are not in one match")
    must(made.status == match_pb2.MATCH_STATUS_WAITING, "a match started before its fees were paid")
    clock = (await guests[0].get_match(made.match_id)).clock
    must(clock.kind == match_pb2.CLOCK_KIND_STAKES, "a full table with a fee does not wait for it")
    screen.say(f"{opponents} sit down at the {TABLE} table. Nothing is dealt before both fees are paid.")
    return made
