//! What a staked match pays (H20): whole minor units and basis points, never a fraction. Who owes or holds money, and
//! in which currency, is not the rules' matter.

use crate::seat::Seat;

/// Basis points in the whole.
const WHOLE: u64 = 10_000;

/// How the fees of both seats were shared out, in minor units: payouts and rake together are the pot, to the unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Settlement {
    /// The fee of a seat.
    pub entry_fee_minor: u32,
    /// The fees that were taken: both, once the match has started.
    pub pot_minor: u64,
    /// What the platform keeps.
    pub rake_minor: u64,
    /// What each seat is paid.
    pub payout_minor: [u64; 2],
}

impl Settlement {
    /// The winner gets the pot but for the platform's share, rounded down: pot − floor(pot × rate / 10,000).
    #[must_use]
    pub fn won(entry_fee_minor: u32, rake_bps: u32, winner: Seat) -> Settlement {
        let pot_minor = 2 * u64::from(entry_fee_minor);
        // No rate above the whole can be set; the platform would take the pot, and no more.
        let rake_minor = pot_minor * u64::from(rake_bps).min(WHOLE) / WHOLE;
        let won = pot_minor - rake_minor;
        let payout_minor = if winner == Seat::ZERO { [won, 0] } else { [0, won] };
        Settlement { entry_fee_minor, pot_minor, rake_minor, payout_minor }
    }

    /// A match that never started gives back in full what was taken, which is perhaps one fee or none (H28).
    #[must_use]
    pub fn void(entry_fee_minor: u32, taken: [bool; 2]) -> Settlement {
        let payout_minor = taken.map(|taken| if taken { u64::from(entry_fee_minor) } else { 0 });
        Settlement { entry_fee_minor, pot_minor: payout_minor.iter().sum(), rake_minor: 0, payout_minor }
    }

    /// A draw gives both fees back in full.
    #[must_use]
    pub fn refunded(entry_fee_minor: u32) -> Settlement {
        let fee = u64::from(entry_fee_minor);
        Settlement { entry_fee_minor, pot_minor: 2 * fee, rake_minor: 0, payout_minor: [fee, fee] }
    }
}
