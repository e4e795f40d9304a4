//! The catalogue of refusals: why a command changed nothing. The codes are public and final; a new game adds its own
//! and takes none away. Statuses, texts and languages are not here.

use std::fmt;

macro_rules! reasons {
    ($($(#[$doc:meta])* $variant:ident = $code:literal,)+) => {
        /// Why a command was refused.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Reason { $($(#[$doc])* $variant,)+ }

        impl Reason {
            /// Every reason, in catalogue order.
            pub const ALL: &'static [Reason] = &[$(Reason::$variant,)+];

            /// The public code.
            #[must_use]
            pub const fn code(self) -> &'static str {
                match self { $(Reason::$variant => $code,)+ }
            }
        }
    };
}

reasons! {
    /// No such seat at this table.
    NotSeated = "NOT_SEATED",
    /// The first hand has not been dealt.
    NotStarted = "NOT_STARTED",
    /// The first hand has been dealt already.
    AlreadyStarted = "ALREADY_STARTED",
    /// The match is over.
    MatchOver = "MATCH_OVER",
    /// The hand is over and no other was dealt.
    HandOver = "HAND_OVER",
    /// The other seat is on turn.
    NotYourTurn = "NOT_YOUR_TURN",
    /// The action says nothing that can be judged.
    MalformedAction = "MALFORMED_ACTION",
    /// That clock is not running.
    NoSuchClock = "NO_SUCH_CLOCK",
    /// A claim is open: play is frozen (T30).
    ClaimOpen = "CLAIM_OPEN",
    /// There is no claim to call (T30).
    NoClaim = "NO_CLAIM",
    /// The claim is against the caller himself (T30).
    OwnClaim = "OWN_CLAIM",
    /// A faulty attempt after the last claim that this turn allows (T33).
    ClaimsUsedUp = "CLAIMS_USED_UP",
    /// No pile of that kind, seat or index.
    NoSuchPile = "NO_SUCH_PILE",
    /// Nothing is ever taken from that pile (T8).
    NotASource = "NOT_A_SOURCE",
    /// Nothing is ever put there (T12).
    NotADestination = "NOT_A_DESTINATION",
    /// From a house to itself.
    SamePile = "SAME_PILE",
    /// That pile has no card to take.
    PileEmpty = "PILE_EMPTY",
    /// More cards than may be taken from that pile together.
    CountTooHigh = "COUNT_TOO_HIGH",
    /// The house-to-house transfers of this turn are used up (T22).
    TransfersUsedUp = "TRANSFERS_USED_UP",
    /// A card from the hand must be played first (T7), or thrown (H13).
    CardPending = "CARD_PENDING",
    /// No card from the hand waits to be played.
    NothingPending = "NOTHING_PENDING",
    /// There is no card in the hand to turn up.
    HandEmpty = "HAND_EMPTY",
    /// The card fits somewhere and must be played (T19).
    CardCanBePlayed = "CARD_CAN_BE_PLAYED",
    /// The turn cannot end while hand or waste hold cards (T21).
    CardsLeft = "CARDS_LEFT",
    /// Not what this phase of the deal asks for (X3, X4, X6).
    WrongPhase = "WRONG_PHASE",
    /// That names no contract (X3).
    NoSuchContract = "NO_SUCH_CONTRACT",
    /// This kingdom has had that contract (X3).
    ContractAlreadyPlayed = "CONTRACT_ALREADY_PLAYED",
    /// The caller holds no card that could be doubled now (X4).
    NotAsked = "NOT_ASKED",
    /// The caller has answered, and answers stand (X4).
    AlreadyAnswered = "ALREADY_ANSWERED",
    /// One card was named more than once (X16).
    CardNamedTwice = "CARD_NAMED_TWICE",
    /// That card is not doubled in this contract (X4).
    CardNotDoublable = "CARD_NOT_DOUBLABLE",
    /// The caller does not hold that card.
    CardNotInHand = "CARD_NOT_IN_HAND",
    /// The caller holds a card of the led suit (X6).
    MustFollowSuit = "MUST_FOLLOW_SUIT",
    /// The card does not fit there (X10; H4 to H6).
    CardDoesNotFit = "CARD_DOES_NOT_FIT",
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// A typed no: the reason, and the limit it names where it names one. Nothing was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Why.
    pub reason: Reason,
    /// The room's limit that was reached, for reasons that name one (claims, transfers, a pile's size).
    pub limit: Option<u32>,
}

impl Refusal {
    /// The same refusal with the limit that it names.
    #[must_use]
    pub const fn at_limit(reason: Reason, limit: u32) -> Refusal {
        Refusal { reason, limit: Some(limit) }
    }
}

impl From<Reason> for Refusal {
    fn from(reason: Reason) -> Refusal {
        Refusal { reason, limit: None }
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.reason.code())
    }
}

impl std::error::Error for Refusal {}
