//! What a Trix table shows to one viewer (X13). An allow-list: what is not copied here is hidden.

use super::card_set::CardSet;
use super::contract::Contract;
use super::state::{Phase, State};
use crate::card::{Card, Rank, Suit};
use crate::seat::Seat;

/// The table as one viewer sees it. Nothing in it tells who was asked for a doubling answer, nor who has answered (X5).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrixView {
    /// From 1; 0 before the first deal.
    pub deal_number: u32,
    /// From 1; 0 before the first deal.
    pub kingdom: u32,
    /// Whose kingdom it is.
    pub owner: Seat,
    /// How far the match has come.
    pub phase: Phase,
    /// Of this deal; `None` while it is being chosen.
    pub contract: Option<Contract>,
    /// Those that this kingdom has had, in order of play.
    pub played: Vec<Contract>,
    /// Nobody while cards are doubled, and when the match is over.
    pub turn_seat: Option<Seat>,
    /// The viewer's own cards; none for a spectator.
    pub hand: CardSet,
    /// Cards in hand, by seat.
    pub hand_counts: [u32; 4],
    /// Doubled cards that were shown, by seat and then suit.
    pub doubled: Vec<(Seat, Card)>,
    /// The trick that is being played, in order of play.
    pub trick: Vec<(Seat, Card)>,
    /// The trick before it in this deal, in order of play.
    pub last_trick: Vec<(Seat, Card)>,
    /// Opened suits, C D H S, each with its low and its high end.
    pub rows: Vec<(Suit, Rank, Rank)>,
    /// Seats in the order in which they emptied their hands.
    pub finished: Vec<Seat>,
    /// Of this deal so far, by seat.
    pub deal_points: [i32; 4],
    /// Of the finished deals, one that has just ended included, by seat.
    pub totals: [i32; 4],
    /// In this deal, by seat.
    pub tricks_taken: [u32; 4],
    /// In this deal, by seat, trick after trick and each in order of play.
    pub taken: [Vec<Card>; 4],
}

impl State {
    /// The table as `viewer` sees it; `None` is a spectator.
    #[must_use]
    pub fn view(&self, viewer: Option<Seat>) -> TrixView {
        TrixView {
            deal_number: self.deal_number,
            kingdom: self.kingdom(),
            owner: self.owner,
            phase: self.phase,
            contract: self.contract,
            played: self.played.to_vec(),
            turn_seat: self.on_turn(),
            hand: viewer.map_or(CardSet::EMPTY, |seat| self.hands[seat]),
            hand_counts: self.hands.0.map(CardSet::len),
            doubled: self.doubled_cards().collect(),
            trick: self.trick.plays().collect(),
            last_trick: self.last_trick.plays().collect(),
            rows: self.rows().collect(),
            finished: self.finished.to_vec(),
            deal_points: self.points.0,
            totals: self.totals().0,
            tricks_taken: self.tricks_taken.0,
            taken: Seat::FOUR.map(|seat| self.taken.by(seat).collect()),
        }
    }

    /// Doubled cards that were shown, by seat and then suit.
    pub(super) fn doubled_cards(&self) -> impl Iterator<Item = (Seat, Card)> {
        Seat::FOUR.into_iter().flat_map(|seat| self.doubled[seat].iter().map(move |card| (seat, card)))
    }

    /// Opened suits with their low and high ends.
    pub(super) fn rows(&self) -> impl Iterator<Item = (Suit, Rank, Rank)> {
        Suit::ALL.into_iter().filter_map(|suit| self.laid.ends(suit).map(|(low, high)| (suit, low, high)))
    }
}
