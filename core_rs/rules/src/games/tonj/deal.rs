//! Starting a match: the first hand and who starts it (T5). Later hands are `ends.rs`.

use super::event::Event;
use super::options::Options;
use super::play::Play;
use super::state::State;
use crate::card::Card;
use crate::crapette::slot::Slot;
use crate::crapette::table::{Table, ace_high};
use crate::deck::DealSource;
use crate::position::{Fault, Given};
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
    (ace_high(card), card.suit().index())
}

/// The table right after hand `number` was dealt: hands are started alternately (T28).
pub(super) fn after_deal(deal: DealSource, number: u32) -> Result<(State, Given), Fault> {
    if number == 0 {
        return Err(Fault("hands are counted from 1".into()));
    }
    let (first, drawn) = first_starter(&deal, &Table::dealt(&deal, 1));
    let starter = if number % 2 == 1 { first } else { first.opponent() };
    let given = Given::dealt(&deal);
    let mut state = State::new(Options::default(), Some(deal)).map_err(|fault| Fault(fault.to_string()))?;
    let mut play = Play::on(&mut state);
    play.emit(Event::Dealt { hand_number: number, starter, drawn: drawn && number == 1 });
    play.start_turn(starter, 1);
    Ok((state, given))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crapette::stack::Stack;

    /// A table whose face-up cards are those, reserve first, then the houses nearest first.
    fn showing(zero: [&str; 5], one: [&str; 5]) -> Table {
        let mut table = Table::empty();
        for (seat, cards) in [(Seat::ZERO, zero), (Seat::ONE, one)] {
            let mut cards = cards.into_iter().map(|card| Stack::of([card.parse::<Card>().unwrap()]));
            table.reserves[seat] = cards.next().unwrap();
            for (slot, house) in Slot::ALL.into_iter().skip(4 * seat.index()).zip(cards) {
                table.houses[slot] = house;
            }
        }
        table
    }

    fn deal(seed: u8) -> DealSource {
        DealSource::new([seed; 32], Vec::new()).unwrap()
    }

    #[test]
    fn the_higher_reserve_card_starts() {
        let houses = ["2C0", "3C0", "4C0", "5C0"];
        let with = |top: &'static str| {
            let [a, b, c, d] = houses;
            [top, a, b, c, d]
        };
        let order = ["AS0", "AH1", "AD0", "AC1", "KS0", "KC1", "QS0", "TD1", "3S0", "2S1", "2C1"];
        for (at, higher) in order.iter().enumerate() {
            for lower in order.iter().skip(at + 1) {
                let (first, second) = (with(higher), with(lower));
                assert_eq!(first_starter(&deal(0), &showing(first, second)), (Seat::ZERO, false));
                assert_eq!(first_starter(&deal(0), &showing(second, first)), (Seat::ONE, false));
            }
        }
    }

    #[test]
    fn houses_decide_between_twins_nearest_first() {
        let zero = ["7H0", "2C0", "9S0", "4D0", "JC0"];
        for at in 1..5 {
            let mut one = ["7H1", "2C1", "9S1", "4D1", "JC1"];
            one[at] = "AS1";
            if let Some(later) = one.get_mut(at + 1) {
                *later = "2C1";
            }
            assert_eq!(first_starter(&deal(0), &showing(zero, one)), (Seat::ONE, false));
        }
    }

    #[test]
    fn a_draw_decides_when_all_are_twins_and_both_may_win_it() {
        let table = showing(["7H0", "2C0", "9S0", "4D0", "JC0"], ["7H1", "2C1", "9S1", "4D1", "JC1"]);
        let drawn: Vec<Seat> = (0..40)
            .map(|seed| {
                let (seat, by_lot) = first_starter(&deal(seed), &table);
                assert!(by_lot);
                assert_eq!(seat == Seat::ONE, deal(seed).draw_of_two(1, 2));
                seat
            })
            .collect();
        assert!(drawn.contains(&Seat::ZERO) && drawn.contains(&Seat::ONE));
    }
}
