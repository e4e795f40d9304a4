//! Who sits where in a match: seats are taken, given back and paid for before the start, their players come, and they stand
//! still afterwards.

/// Somebody at the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Player {
    pub(crate) player_id: String,
    pub(crate) display_name: String,
}

impl Player {
    /// A player without a name to show is shown by his id.
    pub(crate) fn named(player_id: String, display_name: String) -> Self {
        let display_name = if display_name.is_empty() { player_id.clone() } else { display_name };
        Self { player_id, display_name }
    }
}

/// A seat that is taken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seated {
    pub(crate) player: Player,
    /// His fee is taken.
    pub(crate) stake_confirmed: bool,
    /// He was waited for, and has come.
    pub(crate) has_come: bool,
}

/// The seats of a match, by number; `None` is free.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Seats(Vec<Option<Seated>>);

impl Seats {
    /// All free.
    pub(crate) fn free(count: usize) -> Self {
        Self(vec![None; count])
    }

    /// How many there are, free or not.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// Who sits on a seat; `None` if nobody does, or there is no such seat.
    pub(crate) fn get(&self, seat: u32) -> Option<&Seated> {
        self.0.get(seat as usize)?.as_ref()
    }

    /// All of them, by number.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Option<&Seated>> {
        self.0.iter().map(Option::as_ref)
    }

    /// The player ids, by seat.
    pub(crate) fn player_ids(&self) -> Vec<Option<&str>> {
        self.iter().map(|seated| seated.map(|seated| seated.player.player_id.as_str())).collect()
    }

    /// The seat of a player.
    pub(crate) fn of(&self, player_id: &str) -> Option<u32> {
        let found = self.iter().position(|seated| seated.is_some_and(|seated| seated.player.player_id == player_id));
        found.map(|seat| seat as u32)
    }

    /// The first seat that nobody has.
    pub(crate) fn first_free(&self) -> Option<u32> {
        self.0.iter().position(Option::is_none).map(|seat| seat as u32)
    }

    /// Whether none is free.
    pub(crate) fn are_full(&self) -> bool {
        self.first_free().is_none()
    }

    /// Whether every fee is taken.
    pub(crate) fn are_paid(&self) -> bool {
        self.0.iter().flatten().all(|seated| seated.stake_confirmed)
    }

    /// Whether every player has come.
    pub(crate) fn have_come(&self) -> bool {
        self.0.iter().flatten().all(|seated| seated.has_come)
    }

    /// Seats a player; whether the seat was free and he had none.
    #[must_use]
    pub(crate) fn take(&mut self, seat: u32, player: Player) -> bool {
        if self.of(&player.player_id).is_some() {
            return false;
        }
        match self.0.get_mut(seat as usize) {
            Some(place @ None) => {
                *place = Some(Seated { player, stake_confirmed: false, has_come: false });
                true
            }
            _ => false,
        }
    }

    /// Frees a seat; whether somebody sat there.
    #[must_use]
    pub(crate) fn leave(&mut self, seat: u32) -> bool {
        self.0.get_mut(seat as usize).is_some_and(|place| place.take().is_some())
    }

    /// A seat's fee is taken; whether somebody sits there whose was not.
    #[must_use]
    pub(crate) fn confirm(&mut self, seat: u32) -> bool {
        match self.0.get_mut(seat as usize) {
            Some(Some(seated)) if !seated.stake_confirmed => {
                seated.stake_confirmed = true;
                true
            }
            _ => false,
        }
    }

    /// A seat's player comes; whether somebody sits there who had not.
    #[must_use]
    pub(crate) fn welcome(&mut self, seat: u32) -> bool {
        match self.0.get_mut(seat as usize) {
            Some(Some(seated)) if !seated.has_come => {
                seated.has_come = true;
                true
            }
            _ => false,
        }
    }
}
