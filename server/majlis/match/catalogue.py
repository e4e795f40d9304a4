"""The catalogue of refusals: every reason for which the server says no, its status, and its sentence in each language.

Each reason of the rules (`majlis._core.RULE_REASONS`) and of the server stands here exactly once; a test compares.
Reasons are public and final: frontends branch on them. What a refusal knows about its match is in `refusal`, how it
travels is the api's affair, and docs/refusals.md is made from this file.
"""

import dataclasses
import enum
import types
from collections.abc import Iterable, Mapping


class Code(enum.StrEnum):
    """The statuses of gRPC that refusals map to, by name."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    NOT_FOUND = "NOT_FOUND"
    ALREADY_EXISTS = "ALREADY_EXISTS"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    RESOURCE_EXHAUSTED = "RESOURCE_EXHAUSTED"
    FAILED_PRECONDITION = "FAILED_PRECONDITION"
    ABORTED = "ABORTED"
    OUT_OF_RANGE = "OUT_OF_RANGE"
    INTERNAL = "INTERNAL"
    UNAVAILABLE = "UNAVAILABLE"
    DATA_LOSS = "DATA_LOSS"
    UNAUTHENTICATED = "UNAUTHENTICATED"


@dataclasses.dataclass(frozen=True, slots=True)
class Entry:
    """One reason."""

    reason: str
    code: Code
    english: str
    arabic: str
    retry: bool = False
    """The same call may succeed later without anything else being changed."""


# Tables: three lines a reason.
# fmt: off
BY_THE_RULES = (
    Entry(
        "NOT_SEATED", Code.PERMISSION_DENIED,
        "You have no seat in this match.",
        "ليس لك مقعد في هذه المباراة.",
    ),
    Entry(
        "NOT_STARTED", Code.FAILED_PRECONDITION,
        "The match has not started yet.",
        "لم تبدأ المباراة بعد.",
    ),
    Entry(
        "ALREADY_STARTED", Code.FAILED_PRECONDITION,
        "The match has started already.",
        "بدأت المباراة من قبل.",
    ),
    Entry(
        "MATCH_OVER", Code.FAILED_PRECONDITION,
        "The match is over.",
        "انتهت المباراة.",
    ),
    Entry(
        "HAND_OVER", Code.FAILED_PRECONDITION,
        "This hand is over.",
        "انتهت هذه الجولة.",
    ),
    Entry(
        "NOT_YOUR_TURN", Code.FAILED_PRECONDITION,
        "It is not your turn.",
        "ليس دورك الآن.",
    ),
    Entry(
        "MALFORMED_ACTION", Code.INVALID_ARGUMENT,
        "The action says nothing that can be judged.",
        "الحركة المرسلة ناقصة ولا يمكن الحكم عليها.",
    ),
    Entry(
        "NO_SUCH_CLOCK", Code.FAILED_PRECONDITION,
        "That clock is not running.",
        "هذا المؤقت لا يعمل الآن.",
    ),
    Entry(
        "CLAIM_OPEN", Code.FAILED_PRECONDITION,
        "Play is frozen while Tonj may be called.",
        "اللعب متوقف حتى تنتهي مهلة نداء طنج.",
    ),
    Entry(
        "NO_CLAIM", Code.FAILED_PRECONDITION,
        "There is no faulty attempt to call Tonj on.",
        "لا توجد محاولة خاطئة لتنادي عليها «طنج!».",
    ),
    Entry(
        "OWN_CLAIM", Code.FAILED_PRECONDITION,
        "You cannot call Tonj on your own attempt.",
        "لا يمكنك أن تنادي «طنج!» على محاولتك أنت.",
    ),
    Entry(
        "CLAIMS_USED_UP", Code.FAILED_PRECONDITION,
        "That move is not allowed, and no more attempts can be claimed in this turn.",
        "هذه الحركة غير مسموحة، وقد استُنفدت مطالبات هذا الدور.",
    ),
    Entry(
        "NO_SUCH_PILE", Code.INVALID_ARGUMENT,
        "There is no such pile.",
        "لا توجد كومة كهذه.",
    ),
    Entry(
        "NOT_A_SOURCE", Code.FAILED_PRECONDITION,
        "No card may be taken from there.",
        "لا يجوز أخذ ورقة من هناك.",
    ),
    Entry(
        "NOT_A_DESTINATION", Code.FAILED_PRECONDITION,
        "No card may be put there.",
        "لا يجوز وضع ورقة هناك.",
    ),
    Entry(
        "SAME_PILE", Code.FAILED_PRECONDITION,
        "A card cannot move to the pile that it lies on.",
        "لا تنتقل الورقة إلى الكومة التي هي عليها.",
    ),
    Entry(
        "PILE_EMPTY", Code.FAILED_PRECONDITION,
        "There is no card to take from there.",
        "لا توجد هناك ورقة تؤخذ.",
    ),
    Entry(
        "COUNT_TOO_HIGH", Code.FAILED_PRECONDITION,
        "That many cards cannot be taken from there together.",
        "لا يمكن أخذ هذا العدد من الأوراق معًا من هناك.",
    ),
    Entry(
        "TRANSFERS_USED_UP", Code.FAILED_PRECONDITION,
        "The transfers between houses of this turn are used up.",
        "استُنفدت النقلات بين البيوت في هذا الدور.",
    ),
    Entry(
        "CARD_PENDING", Code.FAILED_PRECONDITION,
        "Play the card that you revealed first.",
        "العب أولًا الورقة التي كشفتها.",
    ),
    Entry(
        "NOTHING_PENDING", Code.FAILED_PRECONDITION,
        "No revealed card waits to be played.",
        "لا توجد ورقة مكشوفة تنتظر اللعب.",
    ),
    Entry(
        "HAND_EMPTY", Code.FAILED_PRECONDITION,
        "Your hand has no card to reveal.",
        "ليس في يدك ورقة تُكشف.",
    ),
    Entry(
        "CARD_CAN_BE_PLAYED", Code.FAILED_PRECONDITION,
        "You have a card that fits somewhere, and one must be played.",
        "عندك ورقة لها مكان، فعليك أن تلعب.",
    ),
    Entry(
        "CARDS_LEFT", Code.FAILED_PRECONDITION,
        "The turn cannot end while you have cards to turn up.",
        "لا ينتهي الدور ما دامت لديك أوراق تُكشف.",
    ),
    Entry(
        "WRONG_PHASE", Code.FAILED_PRECONDITION,
        "This is not the time for that.",
        "ليس هذا وقت هذه الحركة.",
    ),
    Entry(
        "NO_SUCH_CONTRACT", Code.INVALID_ARGUMENT,
        "There is no such contract.",
        "لا يوجد عقد كهذا.",
    ),
    Entry(
        "CONTRACT_ALREADY_PLAYED", Code.FAILED_PRECONDITION,
        "This contract has been played in this kingdom already.",
        "لُعب هذا العقد من قبل في هذه المملكة.",
    ),
    Entry(
        "NOT_ASKED", Code.FAILED_PRECONDITION,
        "You hold no card that can be doubled.",
        "ليست في يدك ورقة قابلة للدبل.",
    ),
    Entry(
        "ALREADY_ANSWERED", Code.FAILED_PRECONDITION,
        "You have answered already, and the answer stands.",
        "أجبت من قبل، والجواب لا يتغيّر.",
    ),
    Entry(
        "CARD_NAMED_TWICE", Code.INVALID_ARGUMENT,
        "A card is named more than once.",
        "ذُكرت ورقة أكثر من مرة.",
    ),
    Entry(
        "CARD_NOT_DOUBLABLE", Code.FAILED_PRECONDITION,
        "This card cannot be doubled in this contract.",
        "هذه الورقة لا تُدبَّل في هذا العقد.",
    ),
    Entry(
        "CARD_NOT_IN_HAND", Code.FAILED_PRECONDITION,
        "You do not hold this card.",
        "هذه الورقة ليست في يدك.",
    ),
    Entry(
        "MUST_FOLLOW_SUIT", Code.FAILED_PRECONDITION,
        "You hold cards of the led suit and must play one of them.",
        "في يدك ورق من الشكل المطلوب، فعليك أن تلعب منه.",
    ),
    Entry(
        "CARD_DOES_NOT_FIT", Code.FAILED_PRECONDITION,
        "This card does not fit there.",
        "هذه الورقة لا تناسب هذا المكان.",
    ),
)

BY_THE_SERVER = (
    Entry(
        "MATCH_NOT_FOUND", Code.NOT_FOUND,
        "There is no such match, or you may not see it.",
        "لا توجد مباراة كهذه، أو لا يحق لك رؤيتها.",
    ),
    Entry(
        "STALE_SEQUENCE", Code.ABORTED,
        "The match has moved on since; look at it again.",
        "تغيّرت المباراة منذ ذلك الحين؛ انظر إليها من جديد.",
    ),
    Entry(
        "AHEAD_OF_HEAD", Code.OUT_OF_RANGE,
        "The match has not come that far yet.",
        "لم تبلغ المباراة هذا الحد بعد.",
    ),
    Entry(
        "CURSOR_AHEAD", Code.OUT_OF_RANGE,
        "No result has that place yet.",
        "لا توجد نتيجة في هذا الموضع بعد.",
    ),
    Entry(
        "MALFORMED_REQUEST", Code.INVALID_ARGUMENT,
        "The request is incomplete or cannot be read.",
        "الطلب ناقص أو لا يمكن قراءته.",
    ),
    Entry(
        "REQUEST_ID_REUSED", Code.INVALID_ARGUMENT,
        "This request id was used for something else.",
        "استُعمل معرّف الطلب هذا لشيء آخر.",
    ),
    Entry(
        "EXTERNAL_ID_REUSED", Code.ALREADY_EXISTS,
        "This external id was used for another match.",
        "استُعمل المعرّف الخارجي هذا لمباراة أخرى.",
    ),
    Entry(
        "MATCH_NOT_ENDED", Code.FAILED_PRECONDITION,
        "The match has not ended yet.",
        "لم تنته المباراة بعد.",
    ),
    Entry(
        "TABLE_NOT_FOUND", Code.NOT_FOUND,
        "There is no such table.",
        "لا توجد طاولة كهذه.",
    ),
    Entry(
        "ROOM_NOT_FOUND", Code.NOT_FOUND,
        "No room has this code, or its match has started.",
        "لا توجد غرفة بهذا الكود، أو بدأت مباراتها.",
    ),
    Entry(
        "ROOM_EXPIRED", Code.FAILED_PRECONDITION,
        "This room has closed.",
        "أُغلقت هذه الغرفة.",
    ),
    Entry(
        "ROOM_FULL", Code.FAILED_PRECONDITION,
        "All seats of this room are taken.",
        "كل مقاعد هذه الغرفة مشغولة.",
    ),
    Entry(
        "OWN_ROOM", Code.FAILED_PRECONDITION,
        "You sit in this room already.",
        "أنت جالس في هذه الغرفة من قبل.",
    ),
    Entry(
        "TOO_MANY_GUESSES", Code.RESOURCE_EXHAUSTED,
        "Too many wrong codes; try again in some minutes.",
        "أكواد خاطئة كثيرة؛ حاول بعد دقائق.",
        retry=True,
    ),
    Entry(
        "SEATS_TAKEN", Code.FAILED_PRECONDITION,
        "No seat of this match is free.",
        "لا مقعد شاغر في هذه المباراة.",
    ),
    Entry(
        "SEATS_FREE", Code.FAILED_PRECONDITION,
        "Fees are taken when all seats are taken, and some are still free.",
        "لا تُحصَّل الرسوم حتى تكتمل المقاعد، وما زال بعضها شاغرًا.",
    ),
    Entry(
        "MATCH_VOID", Code.FAILED_PRECONDITION,
        "The match ended without a result.",
        "أُلغيت المباراة بلا نتيجة.",
    ),
    Entry(
        "NO_STAKE", Code.FAILED_PRECONDITION,
        "This match takes no fees, or asks for no confirmation of them.",
        "هذه المباراة بلا رسوم، أو لا تتطلب تأكيدها.",
    ),
    Entry(
        "STAKE_PAID_TWICE", Code.ALREADY_EXISTS,
        "The fee of this seat was confirmed under another payment id.",
        "أُكّد رسم هذا المقعد من قبل بمعرّف دفع آخر.",
    ),
    Entry(
        "TOKEN_MISSING", Code.UNAUTHENTICATED,
        "Sign in first.",
        "سجّل الدخول أولًا.",
    ),
    Entry(
        "TOKEN_INVALID", Code.UNAUTHENTICATED,
        "The sign-in is not valid.",
        "بيانات الدخول غير صالحة.",
    ),
    Entry(
        "TOKEN_EXPIRED", Code.UNAUTHENTICATED,
        "The sign-in has expired; sign in again.",
        "انتهت صلاحية الدخول؛ سجّل الدخول من جديد.",
    ),
    Entry(
        "ROLE_REQUIRED", Code.PERMISSION_DENIED,
        "You are not allowed to do this.",
        "لا يحق لك فعل هذا.",
    ),
    Entry(
        "STORE_UNAVAILABLE", Code.UNAVAILABLE,
        "Nothing can be saved right now; try again shortly.",
        "لا يمكن الحفظ الآن؛ حاول بعد قليل.",
        retry=True,
    ),
    Entry(
        "OVERLOADED", Code.RESOURCE_EXHAUSTED,
        "The server is too busy; try again shortly.",
        "الخادم مشغول جدًا؛ حاول بعد قليل.",
        retry=True,
    ),
    Entry(
        "DRAINING", Code.UNAVAILABLE,
        "This server is about to stop; connect again.",
        "هذا الخادم على وشك التوقف؛ اتصل من جديد.",
        retry=True,
    ),
    Entry(
        "STREAM_STALLED", Code.UNAVAILABLE,
        "The stream was read too slowly; open it again.",
        "قُرئ البث ببطء شديد؛ افتحه من جديد.",
        retry=True,
    ),
    Entry(
        "STREAM_REPLACED", Code.ABORTED,
        "The match was opened again elsewhere.",
        "فُتحت المباراة من مكان آخر.",
    ),
    Entry(
        "STREAM_RESET", Code.UNAVAILABLE,
        "The stream was interrupted; open it again.",
        "انقطع البث؛ افتحه من جديد.",
        retry=True,
    ),
    Entry(
        "STREAM_MOVED", Code.UNAVAILABLE,
        "The stream has been open for long; open it again.",
        "البث مفتوح منذ مدة طويلة؛ افتحه من جديد.",
        retry=True,
    ),
    Entry(
        "MATCH_DAMAGED", Code.DATA_LOSS,
        "This match cannot be read any more.",
        "لم تعد قراءة هذه المباراة ممكنة.",
    ),
    Entry(
        "INTERNAL", Code.INTERNAL,
        "Something went wrong on the server.",
        "حدث خطأ في الخادم.",
        retry=True,
    ),
)
# fmt: on


def _by_reason(entries: Iterable[Entry]) -> Mapping[str, Entry]:
    """The entries by reason.

    Raises:
        ValueError: a reason stands there twice.
    """
    by_reason: dict[str, Entry] = {}
    for entry in entries:
        if entry.reason in by_reason:
            raise ValueError(f"{entry.reason} stands in the catalogue twice")
        by_reason[entry.reason] = entry
    return types.MappingProxyType(by_reason)


CATALOGUE: Mapping[str, Entry] = _by_reason((*BY_THE_RULES, *BY_THE_SERVER))
"""Every reason, the rules' first."""
