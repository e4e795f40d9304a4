//! The same table with all that a viewer cannot see put elsewhere: for tests of secrecy.

use super::card_set::CardSet;
use super::deal::SEVEN_OF_HEARTS;
use super::state::{Phase, State};
use crate::card::Card;
use crate::seat::Seat;

impl State {
    /// A table that `viewer` (`None`: a spectator) cannot tell from this one: the other hands dealt otherwise, the
    /// other doubling answers made anew. `choose` names one of that many, from 0.
    ///
    /// What everybody knows of those hands stays: their sizes, who holds a doubled card and, in the first deal, who
    /// holds 7♥ (X3). That a seat could not follow a suit, or had to pass, is not kept to.
    #[must_use]
    pub fn otherwise(&self, viewer: Option<Seat>, mut choose: impl FnMut(usize) -> usize) -> State {
        let mut other = self.clone();
        let others = || Seat::FOUR.into_iter().filter(|&seat| Some(seat) != viewer);
        let mut unseen: Vec<Card> =
            others().flat_map(|seat| self.hands[seat].difference(self.known(seat)).iter()).collect();
        for seat in others() {
            let known = self.hands[seat].intersection(self.known(seat));
            other.hands[seat] = known;
            for _ in known.len()..self.hands[seat].len() {
                let at = choose(unseen.len()) % unseen.len().max(1);
                other.hands[seat].insert(unseen.swap_remove(at));
            }
        }
        if self.phase == Phase::Doubling {
            others().for_each(|seat| other.answers[seat] = other.some_answer(seat, &mut choose));
            if other.first_asked().is_none() {
                // The window is open: somebody has not answered.
                let asked: Vec<Seat> = others().filter(|&seat| !other.doublable(seat).is_empty()).collect();
                if let Some(&seat) = asked.get(choose(asked.len())) {
                    other.answers[seat] = None;
                }
            }
        }
        other
    }

    /// The cards that everybody knows a seat to hold, if it holds them.
    fn known(&self, seat: Seat) -> CardSet {
        let first_owner = self.deal_number == 1 && seat == self.owner;
        let seven = if first_owner { CardSet::of_card(SEVEN_OF_HEARTS) } else { CardSet::EMPTY };
        self.doubled[seat].union(seven)
    }

    fn some_answer(&self, seat: Seat, choose: &mut impl FnMut(usize) -> usize) -> Option<CardSet> {
        let doublable = self.doublable(seat);
        if doublable.is_empty() || choose(2) == 0 {
            return None;
        }
        Some(doublable.iter().filter(|_| choose(2) == 0).collect())
    }
}
