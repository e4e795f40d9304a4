//! What every game is to those who run one: commands in, events or a refusal out, a state that is the fold of its
//! events. [`Rules`] is the whole surface; perft, playouts, the judge and the bindings are written against it alone.

use std::fmt;

use arrayvec::ArrayVec;
use smallvec::SmallVec;

use crate::refusal::Refusal;
use crate::seat::Seat;
use crate::settlement::Settlement;

/// The most seats a table has.
pub const MAX_SEATS: usize = 4;

/// What a command caused, in order.
pub type Events<E> = SmallVec<[E; 4]>;

/// One number a seat.
pub type BySeat<T> = ArrayVec<T, MAX_SEATS>;

/// Which clock runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ClockKind {
    /// The turn of a Tonj game.
    Turn,
    /// The window in which a claim may be called.
    Claim,
    /// The choice of a contract (X3).
    Choose,
    /// The window in which cards may be doubled (X4).
    Double,
    /// A card, or the pass, that a seat owes (X14).
    Play,
    /// The delay after which the server makes the only play that there is (X11).
    Auto,
    /// The delay after which the server plays for a seat that was given up (X17).
    Away,
}

impl ClockKind {
    /// All of them.
    pub const ALL: [ClockKind; 7] = [
        ClockKind::Turn,
        ClockKind::Claim,
        ClockKind::Choose,
        ClockKind::Double,
        ClockKind::Play,
        ClockKind::Auto,
        ClockKind::Away,
    ];

    /// The name by which positions and the judge know it.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ClockKind::Turn => "turn",
            ClockKind::Claim => "claim",
            ClockKind::Choose => "choose",
            ClockKind::Double => "double",
            ClockKind::Play => "play",
            ClockKind::Auto => "auto",
            ClockKind::Away => "away",
        }
    }

    /// The clock of that name.
    #[must_use]
    pub fn named(name: &str) -> Option<ClockKind> {
        ClockKind::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// The clock that a state waits on. Rules measure no time: whoever runs the match does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RunningClock {
    /// Which.
    pub kind: ClockKind,
    /// Its full length in milliseconds.
    pub length_ms: u32,
    /// Another number for every clock that starts afresh, and the former one again for a clock that stood still: a
    /// turn clock that a claim interrupted goes on with what was left of it.
    pub armed: u32,
}

/// Why a hand or a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EndReason {
    /// Somebody got rid of all his cards, or the last deal was played.
    PlayedOut,
    /// Nobody can make progress.
    Stalemate,
    /// The last turn was played (H17).
    TurnLimit,
    /// A seat resigned.
    Resigned,
}

impl EndReason {
    /// Its name in the API.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            EndReason::PlayedOut => "END_REASON_PLAYED_OUT",
            EndReason::Stalemate => "END_REASON_STALEMATE",
            EndReason::TurnLimit => "END_REASON_TURN_LIMIT",
            EndReason::Resigned => "END_REASON_RESIGNED",
        }
    }
}

/// How a hand, and perhaps the match, ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Why.
    pub reason: EndReason,
    /// What was left on each seat, in games that count it.
    pub burdens: Option<BySeat<u32>>,
    /// Points of this hand, by seat.
    pub points: BySeat<i32>,
    /// Totals after it, by seat.
    pub totals: BySeat<i32>,
    /// Whether the match ended with it.
    pub match_over: bool,
    /// Winners of the match once it is over, of the hand before that; all who share a draw.
    pub winners: BySeat<Seat>,
    /// Who is paid what, in games that are played for stakes.
    pub settlement: Option<Settlement>,
}

/// An event that cannot have followed the state it was folded into: the log is damaged. The state is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unfoldable(
    /// What does not fit, without naming a card.
    pub &'static str,
);

impl fmt::Display for Unfoldable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the event does not follow: {}", self.0)
    }
}

impl std::error::Error for Unfoldable {}

/// The rules of one game.
///
/// All functions are pure. `decide`, `expire`, `resign` and `start` leave the state alone and answer the events that
/// follow; folding those with `evolve` gives the state after them.
pub trait Rules {
    /// A full table, hidden cards included.
    type State: Clone + PartialEq + fmt::Debug;
    /// A player's command.
    type Action: Clone + PartialEq + fmt::Debug;
    /// A fact that changed the table.
    type Event: Clone + PartialEq + fmt::Debug;

    /// The name by which positions know the game.
    const NAME: &'static str;
    /// How many sit at the table.
    const SEATS: u32;

    /// Deals the first hand.
    ///
    /// # Errors
    /// A refusal if it was dealt already, or nothing is there to deal from.
    fn start(state: &Self::State) -> Result<Events<Self::Event>, Refusal>;

    /// Judges one command of `seat`.
    ///
    /// # Errors
    /// A refusal; nothing happened.
    fn decide(state: &Self::State, seat: Seat, action: &Self::Action) -> Result<Events<Self::Event>, Refusal>;

    /// Lets a clock run out.
    ///
    /// # Errors
    /// A refusal if that clock is not running.
    fn expire(state: &Self::State, clock: ClockKind) -> Result<Events<Self::Event>, Refusal>;

    /// `seat` gives up.
    ///
    /// # Errors
    /// A refusal if there is nothing left to give up.
    fn resign(state: &Self::State, seat: Seat) -> Result<Events<Self::Event>, Refusal>;

    /// Folds one event into the state.
    ///
    /// # Errors
    /// [`Unfoldable`] if the event cannot follow; the state is unchanged then.
    fn evolve(state: &mut Self::State, event: &Self::Event) -> Result<(), Unfoldable>;

    /// How many of the events that came next one command brought about, as the rules judge it again: what a verifier
    /// asks besides folding them. A game that cannot tell answers 1.
    ///
    /// # Errors
    /// [`Unfoldable`] if the rules would have brought about something else.
    fn retrace(_: &Self::State, _: &[Self::Event]) -> Result<usize, Unfoldable> {
        Ok(1)
    }

    /// `decide` and `evolve` in one, for those who keep no log.
    ///
    /// # Errors
    /// A refusal; nothing happened.
    fn play(state: &mut Self::State, seat: Seat, action: &Self::Action) -> Result<Events<Self::Event>, Refusal>;

    /// The seat whose command is awaited, if one is; the lowest where several are asked at once.
    fn to_act(state: &Self::State) -> Option<Seat>;

    /// The seat on turn, as everybody knows it: nobody while several may be asked and it is hidden who.
    fn on_turn(state: &Self::State) -> Option<Seat> {
        Self::to_act(state)
    }

    /// Writes every action that would be accepted from `seat` over what `actions` held.
    fn legal_actions(state: &Self::State, seat: Seat, actions: &mut Vec<Self::Action>);

    /// Every state that a faulty attempt of `seat` can lead to, each attempt in each way in which it can come out:
    /// what perft counts beside legal actions.
    fn after_faults(state: &Self::State, seat: Seat, found: &mut dyn FnMut(Self::State));

    /// The clock that runs, if one does. It tells nothing that is not public.
    fn clock(state: &Self::State) -> Option<RunningClock>;

    /// A clock within that one, after which the server acts for the seat on turn: only that seat may know of it.
    fn own_clock(_: &Self::State) -> Option<RunningClock> {
        None
    }

    /// How the hand or the match ended; `None` while it goes on.
    fn outcome(state: &Self::State) -> Option<Outcome>;
}
