//! Starting a match: the first hand and who starts it (T5). Later hands are `ends.rs`.

use super::event::Event;
use super::options::Options;
use super::play::Play;
use super::slot::Slot;
use super::state::State;
use super::table::Table;
use crate::card::{Card, Rank};
use crate::deck::DealSource;
use crate::position::Fault;
use crate::seat::Seat;

/// Who starts the first hand, and whether by lot: the higher reserve card, else the higher house card, nearest to the
/// reserve first, else a draw (T5).
pub(super) fn first_starter(deal: &DealSource, table: &Table) -> (Seat, bool) {
    let shown = |seat: Seat| {
        let houses = Slot::ALL.into_iter().skip(4 * seat.index()).take(4);
        let cards = houses.filter_map(|slot| table.houses[slot].top());
        table.reserves[seat].top().into_iter().chain(cards).map(standing)
    };
    match shown(Seat::ZERO).cmp(shown(Seat::ONE)) {
        std::cmp::Ordering::Greater => (Seat::ZERO, false),
        std::cmp::Ordering::Less => (Seat::ONE, false),
        std::cmp::Ordering::Equal => (if deal.draw_of_two(1, 2) { Seat::ONE } else { Seat::ZERO }, true),
    }
}

/// Rank with the ace above the king, then suit: ♠ ♥ ♦ ♣, which is the order of the suits.
fn standing(card: Card) -> (u8, u8) {
    let rank = if card.rank() == Rank::ACE { Rank::KING.number() + 1 } else { card.rank().number() };
    (rank, card.suit().index())
}

/// The table right after hand `number` was dealt: hands are started alternately (T28).
pub(super) fn after_deal(deal: DealSource, number: u32) -> Result<State, Fault> {
    if number == 0 {
        return Err(Fault("hands are counted from 1".into()));
    }
    let (first, drawn) = first_starter(&deal, &Table::dealt(&deal, 1));
    let starter = if number % 2 == 1 { first } else { first.opponent() };
    let mut state = State::new(Options::default(), Some(deal)).map_err(|fault| Fault(fault.to_string()))?;
    let mut play = Play::on(&mut state);
    play.emit(Event::Dealt { hand_number: number, starter, drawn: drawn && number == 1 });
    play.start_turn(starter, 1);
    Ok(state)
}
