//! What taking costs and what emptying a hand earns (X7, X9, X10).

use super::contract::Contract;
use super::four::Four;
use super::options::ForcedCapture;
use super::state::State;
use crate::card::Card;
use crate::seat::Seat;

/// X7.
const LTOOSH: i32 = 15;
/// For the first to the fourth hand that is emptied (X10).
const REWARDS: [i32; 4] = [200, 150, 100, 50];

impl State {
    /// Counts tricks against their taker, where tricks count (X7).
    pub(super) fn count_tricks(&mut self, taker: Seat, tricks: u32) {
        if self.contract == Some(Contract::Ltoosh) {
            self.points[taker] -= LTOOSH * tricks as i32;
        }
    }

    /// Counts the cards of a trick, in order of play, against its taker (X7).
    pub(super) fn count_cards(&mut self, taker: Seat, cards: &[Card]) {
        for (place, &card) in (0..).zip(cards) {
            self.count_card(taker, card, place);
        }
    }

    /// Counts a card against its taker; it was the card at that place of its trick, from 0.
    fn count_card(&mut self, taker: Seat, card: Card, place: u8) {
        let Some(contract) = self.contract.filter(|contract| contract.penalty_cards().contains(card)) else { return };
        let value = contract.penalty();
        match Seat::FOUR.into_iter().find(|&seat| self.doubled[seat].contains(card)) {
            None => self.points[taker] -= value,
            Some(doubler) if doubler != taker => {
                self.points[taker] -= 2 * value;
                self.points[doubler] += value;
            }
            Some(doubler) => {
                let forced = place > 0 && self.options.forced_capture == ForcedCapture::LeaderPays;
                if forced {
                    let leader = doubler.back_of_four(place);
                    self.points[doubler] -= 2 * value;
                    self.points[leader] += value;
                } else {
                    self.points[doubler] -= value;
                }
            }
        }
    }

    /// Rewards the seat whose hand has just been emptied (X10).
    pub(super) fn count_finish(&mut self, seat: Seat) {
        if let Some(reward) = REWARDS.get(self.finished.len()) {
            self.points[seat] += reward;
        }
        self.finished.push(seat);
    }

    /// Of a deal that has been played out: in the layout the last player has his reward, too.
    pub(super) fn final_points(&self) -> Four<i32> {
        let mut points = self.points;
        if self.finished.len() == 3 {
            let [.., reward] = REWARDS;
            let last = Seat::FOUR.into_iter().filter(|seat| !self.finished.contains(seat));
            last.for_each(|seat| points[seat] += reward);
        }
        points
    }
}
