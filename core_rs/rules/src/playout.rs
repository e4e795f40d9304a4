//! Whole matches played by choosing among legal actions. The choice is the caller's: rules draw no chance.

use crate::game::Rules;
use crate::seat::Seat;

/// Plays on from `state` until nobody is awaited any more, or until `most` decisions were made. `choose` names one of
/// that many legal actions; `watch` sees each before it is played. Answers how many decisions were made.
pub fn playout<R: Rules>(
    state: &mut R::State,
    most: u64,
    mut choose: impl FnMut(usize) -> usize,
    mut watch: impl FnMut(&R::State, Seat, &R::Action),
) -> u64 {
    let mut actions = Vec::new();
    for made in 0..most {
        let Some(seat) = R::to_act(state) else { return made };
        R::legal_actions(state, seat, &mut actions);
        let Some(action) = actions.get(choose(actions.len())) else { return made };
        watch(state, seat, action);
        if R::play(state, seat, action).is_err() {
            return made;
        }
    }
    most
}

/// A small generator (xorshift64*) for those who want the same playouts again.
#[derive(Clone, Debug)]
pub struct Xorshift(u64);

impl Xorshift {
    /// The generator of that number.
    #[must_use]
    pub const fn new(number: u64) -> Xorshift {
        // Zero is the one state it never leaves.
        Xorshift(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number below `sides`, or 0.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        let word = self.0.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 32;
        ((word * sides as u64) >> 32) as usize
    }

    /// Thirty-two bytes, for a seed.
    pub fn seed(&mut self) -> [u8; 32] {
        std::array::from_fn(|_| self.below(256) as u8)
    }
}
