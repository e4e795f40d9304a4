//! Trix's part of the canonical text under a view digest.

use std::fmt::{self, Display, Write};

use crate::{
    card::Plain,
    wire::v1::{self, Contract, Rank},
};

/// Writes the table's lines.
pub(crate) fn write(to: &mut String, view: &v1::TrixView) -> fmt::Result {
    writeln!(to, "game trix")?;
    write!(to, "deal {} kingdom {} owner {}", view.deal_number, view.kingdom, view.owner)?;
    write!(to, " phase {} contract {}", view.phase().as_str_name(), view.contract().as_str_name())?;
    match view.turn_seat {
        None => writeln!(to, " turn -")?,
        Some(seat) => writeln!(to, " turn {seat}")?,
    }
    line(to, "played", view.played_contracts.iter().map(|&played| contract(played)))?;
    line(to, "hand", view.hand.iter().map(|card| Plain(Some(card))))?;
    line(to, "counts", &view.hand_counts)?;
    line(to, "doubled", view.doubled.iter().map(|doubled| Of(doubled.seat, doubled.card.as_ref())))?;
    line(to, "trick", view.trick.iter().map(|play| Of(play.seat, play.card.as_ref())))?;
    line(to, "last_trick", view.last_trick.iter().map(|play| Of(play.seat, play.card.as_ref())))?;
    line(to, "rows", view.rows.iter().map(Ends))?;
    line(to, "finished", &view.finished)?;
    line(to, "points", &view.deal_points)?;
    line(to, "totals", &view.totals)?;
    line(to, "tricks", &view.tricks_taken)?;
    for (seat, taken) in view.taken.iter().enumerate() {
        write!(to, "taken {seat}")?;
        line(to, "", taken.cards.iter().map(|card| Plain(Some(card))))?;
    }
    Ok(())
}

/// A word and what it lists, on a line of its own.
fn line(to: &mut String, word: &str, items: impl IntoIterator<Item = impl Display>) -> fmt::Result {
    write!(to, "{word}")?;
    for item in items {
        write!(to, " {item}")?;
    }
    writeln!(to)
}

fn contract(number: i32) -> &'static str {
    Contract::try_from(number).unwrap_or(Contract::Unspecified).as_str_name()
}

/// A seat and its card.
struct Of<'a>(u32, Option<&'a v1::Card>);

impl Display for Of<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.0, Plain(self.1))
    }
}

/// A row: its suit, its low end and its high end.
struct Ends<'a>(&'a v1::trix_view::Row);

impl Display for Ends<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rank = |rank: Rank| crate::card::rank_letter(rank as i32);
        write!(f, "{} {} {}", crate::card::suit_letter(self.0.suit), rank(self.0.low()), rank(self.0.high()))
    }
}
