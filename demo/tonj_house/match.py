"""One match of the house edition from its creation to the proof of its deal."""

from collections.abc import Sequence

from demo import match, proof
from demo.cards import SUITS
from demo.crapette.policy import Policy
from demo.failure import must
from demo.screen import Screen
from demo.server import Server
from demo.tonj_house import stakes
from demo.tonj_house.attempts import forbidden
from demo.tonj_house.neglect import Neglect
from demo.tonj_house.player import Player
from demo.tonj_house.spectator import Spectator
from demo.wallet import Wallet
from majlis.api.caller import Role
from majlis.v1 import cards_pb2, match_pb2, match_service_pb2, tonj_house_pb2, tonj_pb2

NAMES = ("Alia", "Badr")
SEED = 1
"""Of the players' choices. The cards are another matter: the server draws them, and nobody can ask for some."""
OPTIONS = tonj_house_pb2.TonjHouseOptions(
    turn_seconds=15, max_turns=100, entry_fee_minor=5_050, rake_bps=250, show_legal_moves=True
)
"""Few matches between these players last for so many turns; after them the cards are counted (H17)."""
PURSE = 20_000
"""What each player has in the wallet."""
LOADS = (tonj_pb2.PILE_KIND_RESERVE, tonj_pb2.PILE_KIND_WASTE)


async def demo(server: Server, screen: Screen) -> None:
    """Plays the match and checks all that can be checked of it.

    Raises:
        Failure: something was not as it must be.
    """
    made = await match.create(server, match_pb2.GAME_TONJ_HOUSE, match_pb2.GameOptions(tonj_house=OPTIONS), NAMES)
    match.introduce(made, "Tonj, house edition", SEED, screen)
    stakes.introduce(made, screen)
    attempts, neglect = forbidden(screen), Neglect(screen)
    players = [
        Player(seat, server.caller(name.lower()), made, Policy(SEED + seat), attempts, neglect, screen)
        for seat, name in enumerate(NAMES)
    ]
    spectator = Spectator(server.caller("salma", Role.SPECTATOR), made, screen)
    wallet = Wallet.opened(server, dict.fromkeys((name.lower() for name in NAMES), PURSE), screen)
    with screen:
        courses = (watcher.watch() for watcher in (spectator, *players))
        await match.together([wallet.until_settled(made.match_id), *courses])
    left = [*attempts.left, *neglect.left]
    must(not left, f"the match ended before there was an occasion for: {', '.join(left)}")
    ended = (await players[0].calls.get_match(made.match_id)).match
    match.tell_result(ended, cards_left(ended), screen)
    stakes.settle(ended, screen)
    batches = await match.compare([spectator, *players])
    screen.say(f"Two players and a spectator kept the server's views by events alone: {batches} digests compared.")
    record = await proof.prove(players[0].calls, made, "tonj_house", screen)
    must(record.match.outcome == ended.outcome, "the record tells of another end or of another settlement")
    _check_record(record, spectator.view.retired, screen)


def cards_left(ended: match_pb2.Match) -> list[str]:
    """What each seat had left of its own cards.

    Raises:
        Failure: somebody else won than who had to (H14, H15, H17).
    """
    outcome = ended.outcome
    fewest = [seat for seat, count in enumerate(outcome.cards_left) if count == min(outcome.cards_left)]
    if outcome.reason == match_pb2.END_REASON_STALEMATE:
        fewest = list(range(len(NAMES)))
    must(list(outcome.winner_seats) == fewest, "somebody else won than who had the fewest cards left")
    is_rid_of_all = min(outcome.cards_left) == 0
    must(is_rid_of_all == (outcome.reason == match_pb2.END_REASON_PLAYED_OUT), "a player without cards had not won")
    return [f"{count} card{'' if count == 1 else 's'} left" if count else "none left" for count in outcome.cards_left]


def _check_record(
    record: match_service_pb2.GetReplayResponse, retired: Sequence[cards_pb2.Suit.ValueType], screen: Screen
) -> None:
    """Every kind of action is in the record, the penalty once, and each foundation that the table has no more."""
    facts = [event.tonj_house for event in record.events if event.HasField("tonj_house")]
    must(sum(fact.HasField("penalised") for fact in facts) == 1, "the record does not tell of one penalty")
    discards = sum(fact.HasField("card_discarded") for fact in facts)
    loads = sum(fact.card_moved.to.kind in LOADS for fact in facts)
    must(discards and loads, "nobody threw a card, or nobody loaded one on his opponent")
    left = [fact.foundation_retired.suit for fact in facts if fact.HasField("foundation_retired")]
    must(sorted(left) == list(retired), "other foundations left the table than the record tells")
    suits = f" ({' '.join(SUITS[suit] for suit in left)})" if left else ""
    screen.say(f"{loads} loads, {discards} discards, {len(left)} foundations that were complete and left{suits}.")
