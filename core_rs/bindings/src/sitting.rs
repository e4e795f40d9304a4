//! One match as its log folds it: header, seats, table, clock, and where it stands. A new sitting is the old one and a
//! record; nothing else changes one. It holds what is hidden: its Debug shows what its parts show, which is nothing.

use std::sync::Arc;

use majlis_rules::{deck::DealSource, seat::Seat, settlement::Settlement};

use crate::{
    audience::Viewer,
    clock::{Armed, Clock, Due, Waits},
    errors::Fault,
    fact::Fact,
    game::{Event, Table},
    header::Header,
    outcome,
    seats::Seats,
    wire::v1,
};

/// A match at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Sitting {
    pub(crate) header: Arc<Header>,
    pub(crate) seats: Arc<Seats>,
    pub(crate) table: Table,
    pub(crate) clock: Clock,
    /// A clock within that one, after which the server acts for the seat on turn: nobody else may know of it.
    pub(crate) own_clock: Clock,
    pub(crate) status: v1::MatchStatus,
    pub(crate) record: u32,
    pub(crate) sequence: u32,
    /// The sequence of the last event that was more than time given back.
    pub(crate) acted_sequence: u32,
    /// When its last record happened.
    pub(crate) instant_ms: i64,
    /// When its last event with a number happened.
    pub(crate) public_ms: i64,
    pub(crate) outcome: Option<Arc<v1::Outcome>>,
    pub(crate) end_ms: Option<i64>,
}

impl Sitting {
    /// A match of which nothing is in the log yet.
    ///
    /// # Errors
    /// Its options are out of bounds.
    pub(crate) fn new(header: Header, deals: DealSource) -> Result<Self, Fault> {
        Ok(Self {
            table: header.options.table(deals)?,
            instant_ms: header.created_ms,
            public_ms: header.created_ms,
            seats: Arc::new(Seats::free(header.options.seats())),
            header: Arc::new(header),
            clock: Clock::default(),
            own_clock: Clock::default(),
            status: v1::MatchStatus::Waiting,
            record: 0,
            sequence: 0,
            acted_sequence: 0,
            outcome: None,
            end_ms: None,
        })
    }

    /// Folds one record in.
    ///
    /// # Errors
    /// [`Fault::Damaged`]: an event cannot follow. The sitting is of no more use then.
    pub(crate) fn advance(&mut self, instant_ms: i64, facts: &[Fact]) -> Result<(), Fault> {
        self.record += 1;
        for fact in facts {
            self.fold(fact, instant_ms)?;
            if fact.is_public() {
                self.sequence += 1;
                self.public_ms = instant_ms;
                if !matches!(fact, Fact::ClockExtended { .. }) {
                    self.acted_sequence = self.sequence;
                }
            }
        }
        self.instant_ms = instant_ms;
        self.follow();
        Ok(())
    }

    /// Brings the clocks in step with what is waited for, as of its last record.
    fn follow(&mut self) {
        let (public, own) = match self.status {
            v1::MatchStatus::Waiting => (self.lobby_clock(), None),
            v1::MatchStatus::Void => (None, None),
            _ => (self.table.clock().map(Due::from), self.table.own_clock().map(|(_, clock)| clock.into())),
        };
        self.clock.follow(public, self.instant_ms, self.record);
        self.own_clock.follow(own, self.instant_ms, self.record);
    }

    /// The clock before the start: for seats while some are free, then for fees, then for players who have not come.
    fn lobby_clock(&self) -> Option<Due> {
        let terms = &self.header.terms;
        let (kind, length_ms) = if !self.seats.are_full() {
            (Waits::Seats, terms.seats_ms)
        } else if self.owes_stakes() {
            (Waits::Stakes, terms.stakes_ms)
        } else {
            (Waits::Connect, terms.connect_ms)
        };
        (length_ms > 0).then_some(Due { kind, start: 0, length_ms })
    }

    /// Whether nothing is waited for any more after these facts.
    ///
    /// # Errors
    /// They cannot follow.
    pub(crate) fn would_start(&self, facts: &[Fact]) -> Result<bool, Fault> {
        let mut after = self.clone();
        facts.iter().try_for_each(|fact| after.fold(fact, self.instant_ms))?;
        Ok(after.status == v1::MatchStatus::Waiting && after.may_start())
    }

    fn may_start(&self) -> bool {
        self.seats.are_full() && !self.owes_stakes() && (self.seats.have_come() || !self.header.waits_for_players())
    }

    fn owes_stakes(&self) -> bool {
        self.header.asks_for_stakes() && !self.seats.are_paid()
    }

    /// Whether it is the clock for players who have not come that runs.
    pub(crate) fn awaits_players(&self) -> bool {
        self.clock.running().is_some_and(|running| running.kind == Waits::Connect)
    }

    /// The outcome if the match is void now.
    pub(crate) fn voided(&self, reason: v1::EndReason) -> v1::Outcome {
        let settlement = self.header.options.entry_fee_minor().map(|fee| {
            let taken = [0, 1].map(|seat| self.seats.get(seat).is_some_and(|seated| seated.stake_confirmed));
            outcome::write_settlement(&Settlement::void(fee, taken))
        });
        outcome::write_void(reason, settlement)
    }

    /// The clock that runs out first; of two that do so together the public one.
    pub(crate) fn due(&self) -> Option<Armed> {
        let public = self.clock.running()?;
        Some(self.own_clock.running().filter(|own| own.deadline_ms < public.deadline_ms).unwrap_or(public))
    }

    /// When the server acts for a seat, if that is before the deadline that everybody knows.
    pub(crate) fn auto_play_ms(&self, seat: Seat) -> Option<i64> {
        let (of, _) = self.table.own_clock()?;
        let due = self.due()?;
        (of == seat && self.clock.running() != Some(due)).then_some(due.deadline_ms)
    }

    /// The same match with everything that a viewer cannot see put elsewhere; `None` if its game has no way to do that.
    pub(crate) fn otherwise(&self, viewer: Viewer, choose: &mut dyn FnMut(usize) -> usize) -> Option<Self> {
        let mut other = Self { table: self.table.otherwise(viewer, choose)?, ..self.clone() };
        other.follow();
        Some(other)
    }

    fn fold(&mut self, fact: &Fact, instant_ms: i64) -> Result<(), Fault> {
        match fact {
            Fact::Created => follows(self.sequence == 0, "the match is made twice")?,
            Fact::SeatTaken { seat, player } => {
                let kept = self.header.terms.keeps(*seat, &player.player_id);
                let taken = self.waits() && kept && Arc::make_mut(&mut self.seats).take(*seat, player.clone());
                follows(taken, "a seat is taken that is not free")?;
            }
            Fact::SeatLeft { seat } => {
                let left = self.waits() && !self.seats.are_full() && Arc::make_mut(&mut self.seats).leave(*seat);
                follows(left, "a seat is left that is not taken")?;
            }
            Fact::StakeConfirmed { seat } => {
                let due = self.waits() && self.seats.are_full() && self.header.asks_for_stakes();
                follows(due && Arc::make_mut(&mut self.seats).confirm(*seat), "a fee is confirmed that is not due")?;
            }
            Fact::PlayerConnected { seat } => {
                let awaited = self.waits() && self.header.waits_for_players();
                let came = awaited && Arc::make_mut(&mut self.seats).welcome(*seat);
                follows(came, "a player comes who is not waited for")?;
            }
            Fact::Started => {
                follows(self.waits() && self.may_start(), "the match starts too soon")?;
                self.status = v1::MatchStatus::Active;
            }
            Fact::Voided { reason } => {
                follows(self.waits(), "a match is void that has started")?;
                let no_show = *reason == v1::EndReason::NoShow;
                follows(!no_show || self.awaits_players(), "players did not come who are not waited for")?;
                self.status = v1::MatchStatus::Void;
                self.outcome = Some(Arc::new(self.voided(*reason)));
                self.end_ms = Some(instant_ms);
            }
            Fact::ClockExtended { by_ms } => {
                follows(self.clock.running().is_some(), "time is given back where no clock runs")?;
                self.clock.extend(*by_ms, self.record);
                self.own_clock.extend(*by_ms, self.record);
            }
            Fact::Game(event) => {
                follows(self.status == v1::MatchStatus::Active, "something happens at a table that is not played at")?;
                self.table.evolve(event).map_err(|unfoldable| Fault::damaged(unfoldable.to_string()))?;
                self.conclude(event, instant_ms);
            }
        }
        Ok(())
    }

    /// Takes the match's end from the event that brings it.
    fn conclude(&mut self, event: &Event, instant_ms: i64) {
        if let Some(outcome) = event.outcome() {
            self.status = v1::MatchStatus::Ended;
            self.outcome = Some(Arc::new(outcome));
            self.end_ms = Some(instant_ms);
        }
    }

    fn waits(&self) -> bool {
        self.status == v1::MatchStatus::Waiting
    }
}

/// # Errors
/// [`Fault::Damaged`] with this sentence, when it does not hold.
fn follows(holds: bool, otherwise: &str) -> Result<(), Fault> {
    if holds { Ok(()) } else { Err(Fault::damaged(otherwise)) }
}
