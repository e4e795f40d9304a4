//! How a deck becomes four hands (X2), who owns the first kingdom (X3), and tables right after a deal.

use super::card_set::CardSet;
use super::contract::Contract;
use super::four::Four;
use super::options::Options;
use super::play::Play;
use super::state::{KINGDOM, LAST_DEAL, State};
use crate::card::{Card, Rank, Suit};
use crate::deck::DealSource;
use crate::position::{Fault, Given};
use crate::seat::Seat;

/// Its holder in the first deal owns the first kingdom (X3).
pub(super) const SEVEN_OF_HEARTS: Card = Card::new(Suit::Hearts, Rank::SEVEN, 0);

/// Card i of the deck goes to seat i mod 4.
pub(super) fn dealt_hands(deal: &DealSource, deal_number: u32) -> Four<CardSet> {
    let mut hands = [CardSet::EMPTY; 4];
    for round in deal.deck(deal_number, 0, 4).chunks_exact(4) {
        hands.iter_mut().zip(round).for_each(|(hand, &card)| hand.insert(card));
    }
    Four(hands)
}

/// X3.
pub(super) fn first_owner(deal: &DealSource) -> Seat {
    let hands = dealt_hands(deal, 1);
    Seat::FOUR.into_iter().find(|&seat| hands[seat].contains(SEVEN_OF_HEARTS)).unwrap_or(Seat::ZERO)
}

/// The table right after deal `number`, contracts taken in the order of X3 and nobody having any points. Later deals
/// than the first are partial positions: what was scored before them is not known.
pub(super) fn after_deal(deal: DealSource, number: u32) -> Result<(State, Given), Fault> {
    if number == 0 || number > LAST_DEAL {
        return Err(Fault(format!("deals are counted from 1 to {LAST_DEAL}")));
    }
    let (kingdom, played) = ((number - 1) / KINGDOM, (number - 1) % KINGDOM);
    let owner = (0..kingdom).fold(first_owner(&deal), |owner, _| owner.next_of_four());
    let mut given = Given::dealt(&deal);
    given.partial = number > 1;
    let mut state = State::new(Options::default(), Some(deal)).map_err(|fault| Fault(fault.to_string()))?;
    state.played = Contract::ALL.into_iter().take(played as usize).collect();
    Play::on(&mut state).deal(number, owner);
    Ok((state, given))
}

impl State {
    /// The hands of deal `deal_number` as they were dealt; `None` if there is nothing to deal from.
    #[must_use]
    pub fn dealt_hands(&self, deal_number: u32) -> Option<[CardSet; 4]> {
        self.deal().map(|deal| dealt_hands(deal, deal_number).0)
    }
}
