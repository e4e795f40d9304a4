//! What a match is made of and keeps to its end: ids, options, the commitment, who may look.

use majlis_rules::deck::DealSource;

use crate::{
    errors::Fault,
    game::Options,
    seal::{self, Keys, Seed},
    seats::Player,
    terms::Terms,
    wire::{log, v1},
};

/// The version of the rules that new matches pin.
pub(crate) const RULES_VERSION: &str = "1";

/// The longest ids, in bytes.
const MAX_ID: usize = 64;

/// The longest that a match waits for its players, in seconds.
const MAX_CONNECT_SECONDS: u32 = 3_600;

/// More than any game seats; of a longer list of players only so many are looked at.
const MAX_PLAYERS: usize = 8;

/// What never changes in a match. The seed is not here: it lives in the table, behind an opaque type.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Header {
    pub(crate) match_id: String,
    pub(crate) external_id: String,
    pub(crate) options: Options,
    pub(crate) rules_version: String,
    pub(crate) commitment: [u8; 32],
    pub(crate) visibility: v1::Visibility,
    pub(crate) terms: Terms,
    pub(crate) created_ms: i64,
    /// The seed as the store keeps it.
    pub(crate) sealed_seed: Vec<u8>,
}

/// What a creator asked for, checked.
pub(crate) struct Wanted {
    pub(crate) external_id: String,
    pub(crate) options: Options,
    pub(crate) visibility: v1::Visibility,
    /// Those who are seated at once, with their seats.
    pub(crate) players: Vec<(u32, Player)>,
    pub(crate) terms: Terms,
}

impl Wanted {
    /// Checks a `CreateMatchRequest`; the wallet has so long to confirm its fees, if it has any.
    ///
    /// # Errors
    /// [`Fault::Malformed`] with every field that is wrong.
    pub(crate) fn read(request: v1::CreateMatchRequest, stakes_ms: u32) -> Result<Self, Fault> {
        let mut faults = Vec::new();
        check_id(&mut faults, "external_id", &request.external_id);
        let options = match Options::read(request.game, request.options.as_ref()) {
            Ok(options) => Some(options),
            Err(Fault::Malformed(fields)) => {
                faults.extend(fields);
                None
            }
            Err(other) => return Err(other),
        };
        let visibility = match visibility(request.visibility, v1::Visibility::Link) {
            Ok(visibility) => Some(visibility),
            Err(Fault::Malformed(fields)) => {
                faults.extend(fields);
                None
            }
            Err(other) => return Err(other),
        };
        if let Some(options) = &options
            && request.players.len() != options.seats()
        {
            faults.push((
                "players".into(),
                format!("has {} player(s), the game takes {}", request.players.len(), options.seats()),
            ));
        }
        check_players(&mut faults, &request.players);
        if request.connect_seconds > MAX_CONNECT_SECONDS {
            faults.push(("connect_seconds".into(), format!("is more than {MAX_CONNECT_SECONDS}")));
        }
        match (options, visibility) {
            (Some(options), Some(visibility)) if faults.is_empty() => Ok(Self {
                external_id: request.external_id,
                options,
                visibility,
                players: (0..).zip(request.players.into_iter().map(seated)).collect(),
                terms: Terms { stakes_ms, connect_ms: request.connect_seconds * 1_000, ..Terms::default() },
            }),
            _ => Err(Fault::Malformed(faults)),
        }
    }
}

/// A visibility that was asked for, or the one to take when none was.
///
/// # Errors
/// [`Fault::Malformed`]: there is no such visibility.
pub(crate) fn visibility(asked: i32, default: v1::Visibility) -> Result<v1::Visibility, Fault> {
    match v1::Visibility::try_from(asked) {
        Ok(v1::Visibility::Unspecified) => Ok(default),
        Ok(visibility) => Ok(visibility),
        Err(_) => Err(Fault::field("visibility", "is none that this server knows")),
    }
}

fn check_players(faults: &mut Vec<(String, String)>, players: &[v1::Player]) {
    for (seat, player) in players.iter().take(MAX_PLAYERS).enumerate() {
        check_id(faults, &format!("players[{seat}].player_id"), &player.player_id);
        if player.display_name.len() > MAX_ID {
            let wrong = format!("has {} bytes, at most {MAX_ID} are taken", player.display_name.len());
            faults.push((format!("players[{seat}].display_name"), wrong));
        }
        if players.iter().take(seat).any(|other| other.player_id == player.player_id) {
            faults.push((format!("players[{seat}].player_id"), "is seated already".into()));
        }
    }
}

fn check_id(faults: &mut Vec<(String, String)>, path: &str, id: &str) {
    if id.is_empty() || id.len() > MAX_ID {
        faults.push((path.to_owned(), format!("has {} bytes, must have 1 to {MAX_ID}", id.len())));
    }
}

fn seated(player: v1::Player) -> Player {
    Player::named(player.player_id, player.display_name)
}

impl Header {
    /// A new match's header with a fresh seed, and the deals that follow from it.
    ///
    /// # Errors
    /// [`Fault::Failed`] when there is no randomness to be had.
    pub(crate) fn found(
        wanted: &Wanted,
        match_id: String,
        now_ms: i64,
        keys: &Keys,
    ) -> Result<(Self, DealSource), Fault> {
        let seed = seal::draw()?;
        let deals = deals(seed, wanted.options.seats())?;
        let header = Self {
            external_id: wanted.external_id.clone(),
            options: wanted.options.clone(),
            rules_version: RULES_VERSION.to_owned(),
            commitment: deals.commitment(),
            visibility: wanted.visibility,
            terms: match wanted.options.entry_fee_minor() {
                Some(fee) if fee > 0 => wanted.terms.clone(),
                _ => Terms { stakes_ms: 0, ..wanted.terms.clone() },
            },
            created_ms: now_ms,
            sealed_seed: keys.seal(&seed, &match_id)?,
            match_id,
        };
        Ok((header, deals))
    }

    /// A header read back from the first record of a log, and the deals that follow from its opened seed.
    ///
    /// # Errors
    /// [`Fault::Damaged`].
    pub(crate) fn read(record: &log::Record, keys: &Keys) -> Result<(Self, DealSource), Fault> {
        let founding = record.founding.as_ref().ok_or_else(|| Fault::damaged("the first record founds no match"))?;
        let Some(v1::event::Kind::MatchCreated(created)) = record.events.first().and_then(|event| event.kind.as_ref())
        else {
            return Err(Fault::damaged("the first event of the log is not the match's creation"));
        };
        let options = Options::read(created.game, created.options.as_ref())
            .map_err(|_| Fault::damaged("the match's game or options are unknown here"))?;
        if created.rules_version != RULES_VERSION {
            return Err(Fault::damaged(format!("rules version {:?} is unknown here", created.rules_version)));
        }
        let unopened = |_| Fault::damaged("its seed cannot be opened");
        let seed = keys.open(&founding.sealed_seed, &founding.match_id)?;
        let deals = deals(seed.try_into().map_err(unopened)?, options.seats())?;
        if created.deal_commitment != deals.commitment() {
            return Err(Fault::damaged("its seed is not the one that was committed to"));
        }
        let header = Self {
            match_id: founding.match_id.clone(),
            external_id: founding.external_id.clone(),
            options,
            rules_version: created.rules_version.clone(),
            commitment: deals.commitment(),
            visibility: founding.visibility(),
            terms: terms(created),
            created_ms: record.instant_ms,
            sealed_seed: founding.sealed_seed.clone(),
        };
        Ok((header, deals))
    }

    /// Whether the match waits until the wallet has confirmed every fee.
    pub(crate) fn asks_for_stakes(&self) -> bool {
        self.terms.stakes_ms > 0
    }

    /// Whether the match waits until every player has come.
    pub(crate) fn waits_for_players(&self) -> bool {
        self.terms.connect_ms > 0
    }

    /// The fact of the match's creation.
    pub(crate) fn creation(&self) -> v1::MatchCreated {
        let Terms { seats_ms, stakes_ms, connect_ms, table_id, rematch_of, reserved } = self.terms.clone();
        v1::MatchCreated {
            game: self.options.game() as i32,
            options: Some(self.options.write()),
            rules_version: self.rules_version.clone(),
            deal_commitment: self.commitment.to_vec(),
            seats_ms,
            stakes_ms,
            table_id,
            rematch_of,
            reserved,
            connect_ms,
        }
    }

    /// As the first record keeps it.
    pub(crate) fn founding(&self) -> log::Founding {
        log::Founding {
            match_id: self.match_id.clone(),
            external_id: self.external_id.clone(),
            visibility: self.visibility as i32,
            sealed_seed: self.sealed_seed.clone(),
        }
    }
}

/// The terms that a match was created on.
pub(crate) fn terms(created: &v1::MatchCreated) -> Terms {
    Terms {
        seats_ms: created.seats_ms,
        stakes_ms: created.stakes_ms,
        connect_ms: created.connect_ms,
        table_id: created.table_id.clone(),
        rematch_of: created.rematch_of.clone(),
        reserved: created.reserved.clone(),
    }
}

/// Deals of a match in which nobody has added entropy.
fn deals(seed: Seed, seats: usize) -> Result<DealSource, Fault> {
    DealSource::new(seed, vec![Vec::new(); seats]).map_err(|_| Fault::Failed("an entropy is too long"))
}
