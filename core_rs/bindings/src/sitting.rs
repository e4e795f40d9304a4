//! One match as its log folds it: header, seats, table, clock, and where it stands. A new sitting is the old one and a
//! record; nothing else changes one. It holds what is hidden: its Debug shows what its parts show, which is nothing.

use std::sync::Arc;

use majlis_rules::{deck::DealSource, seat::Seat};

use crate::{
    audience::Viewer,
    clock::{Armed, Clock},
    errors::Fault,
    fact::Fact,
    game::{Event, Table},
    header::{Header, Player},
    wire::v1,
};

/// A match at one moment.
#[derive(Clone, Debug)]
pub(crate) struct Sitting {
    pub(crate) header: Arc<Header>,
    /// By seat; a seat that nobody took yet is missing at the end.
    pub(crate) seats: Arc<Vec<Player>>,
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
            header: Arc::new(header),
            seats: Arc::default(),
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

    /// Brings the clocks in step with the table, as of its last record.
    fn follow(&mut self) {
        self.clock.follow(self.table.clock(), self.instant_ms, self.record);
        let own = self.table.own_clock().map(|(_, clock)| clock);
        self.own_clock.follow(own, self.instant_ms, self.record);
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
            Fact::Created => {}
            Fact::SeatTaken { seat, player_id, display_name } => {
                if *seat as usize != self.seats.len() || self.seats.len() >= self.header.options.seats() {
                    return Err(Fault::damaged("a seat is taken out of turn"));
                }
                let player = Player { player_id: player_id.clone(), display_name: display_name.clone() };
                Arc::make_mut(&mut self.seats).push(player);
            }
            Fact::Started => self.status = v1::MatchStatus::Active,
            Fact::ClockExtended { by_ms } => {
                self.clock.extend(*by_ms, self.record);
                self.own_clock.extend(*by_ms, self.record);
            }
            Fact::Game(event) => {
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

    /// The seat of a player.
    pub(crate) fn players(&self) -> impl Iterator<Item = &str> {
        self.seats.iter().map(|player| player.player_id.as_str())
    }
}
