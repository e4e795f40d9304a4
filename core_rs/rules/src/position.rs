//! Positions: a whole table as one JSON object, hidden cards included. What every game's position has is here; the
//! piles and counters of each are in its own folder, behind [`Positioned`].

use std::fmt;

use serde_json::{Map, Value};

use crate::card::Card;
use crate::census::Census;
use crate::deck::DealSource;
use crate::game::Rules;
use crate::refusal::Reason;
use crate::seat::Seat;

/// A JSON object, keys sorted.
pub type Object = Map<String, Value>;

/// Why a position cannot be read: malformed, or impossible. Names the place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(pub String);

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Fault {}

/// How an event list reads as a verdict.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The command was carried out.
    Accepted,
    /// It opened a claim of this class letter instead.
    ClaimOpened(&'static str),
    /// It was cancelled, and cost a penalty.
    Penalty,
}

/// A game whose tables can be written down.
pub trait Positioned: Rules {
    /// The keys that its positions may have besides those of [`Given`].
    const KEYS: &'static [&'static str];

    /// The state of a position.
    ///
    /// # Errors
    /// [`Fault`] naming what is malformed or impossible.
    fn read(given: &Given, keys: &Keys<'_>) -> Result<Self::State, Fault>;

    /// Every key of [`Positioned::KEYS`] that means anything in this game, with its value.
    fn write(state: &Self::State) -> Object;

    /// Everything that the state holds, in one text that differs if anything does.
    fn canonical_text(state: &Self::State) -> String;

    /// The table right after deal `number` of a match with default options, and what its position is printed with.
    ///
    /// # Errors
    /// [`Fault`] if there is no such deal.
    fn after_deal(deal: DealSource, number: u32) -> Result<(Self::State, Given), Fault>;

    /// An action from its protobuf JSON.
    ///
    /// # Errors
    /// The reason for which it is refused at any table: it is malformed, or names what this game does not have.
    fn read_action(action: &Value) -> Result<Self::Action, Reason>;

    /// An action as canonical protobuf JSON.
    fn write_action(action: &Self::Action) -> Value;

    /// What the events of an accepted command amount to.
    fn verdict(events: &[Self::Event]) -> Verdict;
}

/// What is printed again as it was given.
#[derive(Clone, PartialEq, Eq)]
pub struct Given {
    /// The room's settings, defaults left out.
    pub options: Value,
    /// Whether cards may be missing from the table.
    pub partial: bool,
    deal_seed: Option<Value>,
    entropies: Option<Value>,
    deal: Option<DealSource>,
}

impl Given {
    /// Its keys.
    pub const KEYS: [&'static str; 5] = ["game", "options", "partial", "deal_seed", "entropies"];

    /// A whole table that follows from a seed, default options.
    #[must_use]
    pub fn dealt(deal: &DealSource) -> Given {
        let entropies: Vec<Value> = deal.entropies().iter().map(|entropy| hex(entropy).into()).collect();
        Given {
            options: Value::Object(Map::new()),
            partial: false,
            deal_seed: Some(hex(deal.seed()).into()),
            entropies: (!entropies.is_empty()).then_some(entropies.into()),
            deal: Some(deal.clone()),
        }
    }

    fn read(keys: &Keys<'_>, seats: u32) -> Result<Given, Fault> {
        let options = keys.get("options").cloned().unwrap_or_else(|| Value::Object(Map::new()));
        let partial = match keys.get("partial") {
            None => false,
            Some(value) => value.as_bool().ok_or_else(|| Fault("partial is neither true nor false".into()))?,
        };
        let deal_seed = keys.get("deal_seed").filter(|value| value.as_str() != Some("")).cloned();
        let entropies =
            keys.get("entropies").filter(|value| value.as_array().is_none_or(|list| !list.is_empty())).cloned();
        let given = entropies.as_ref().map_or(Ok(Vec::new()), |list| read_entropies(list, seats))?;
        let deal = match &deal_seed {
            None => None,
            Some(seed) => {
                let seed = seed.as_str().and_then(unhex).and_then(|bytes| bytes.try_into().ok());
                let seed = seed.ok_or_else(|| Fault("deal_seed is not 64 hex digits".into()))?;
                let source = DealSource::new(seed, given);
                Some(source.map_err(|long| Fault(format!("entropies[{}] is longer than 255 bytes", long.seat)))?)
            }
        };
        Ok(Given { options, partial, deal_seed, entropies, deal })
    }

    /// What the next deal derives from: nothing in a partial position.
    #[must_use]
    pub fn next_deals(&self) -> Option<DealSource> {
        self.deal.clone().filter(|_| !self.partial)
    }
}

impl fmt::Debug for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Given").field("options", &self.options).field("partial", &self.partial).finish_non_exhaustive()
    }
}

/// Reads a position of `R`.
///
/// # Errors
/// [`Fault`] naming what is malformed or impossible.
pub fn read<R: Positioned>(position: &Object) -> Result<(R::State, Given), Fault> {
    let keys = Keys::of(position, &[&Given::KEYS, R::KEYS])?;
    let given = Given::read(&keys, R::SEATS)?;
    let state = R::read(&given, &keys)?;
    Ok((state, given))
}

/// Writes a state as a position in canonical form.
#[must_use]
pub fn write<R: Positioned>(state: &R::State, given: &Given) -> Object {
    let mut position = R::write(state);
    position.insert("game".into(), R::NAME.into());
    position.insert("options".into(), given.options.clone());
    position.insert("partial".into(), given.partial.into());
    let optional = [("deal_seed", &given.deal_seed), ("entropies", &given.entropies)];
    for (key, value) in optional {
        if let Some(value) = value {
            position.insert(key.into(), value.clone());
        }
    }
    position
}

/// A position's keys; one that is `null` counts as absent.
#[derive(Clone, Copy)]
pub struct Keys<'a>(&'a Object);

impl<'a> Keys<'a> {
    fn of(position: &'a Object, known: &[&[&str]]) -> Result<Keys<'a>, Fault> {
        match position.keys().find(|key| !known.iter().any(|keys| keys.contains(&key.as_str()))) {
            Some(unknown) => Err(Fault(format!("unknown key {unknown}"))),
            None => Ok(Keys(position)),
        }
    }

    /// The value of a key that is present.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&'a Value> {
        self.0.get(key).filter(|value| !value.is_null())
    }

    /// A whole number; `idle` when absent.
    ///
    /// # Errors
    /// [`Fault`] if it is something else.
    pub fn number(&self, key: &str, idle: u32) -> Result<u32, Fault> {
        self.get(key).map_or(Ok(idle), |value| whole(value).ok_or_else(|| Fault(format!("{key} is no number from 0"))))
    }

    /// A counter from 1; 1 when absent.
    ///
    /// # Errors
    /// [`Fault`] if it is something else.
    pub fn counter(&self, key: &str) -> Result<u32, Fault> {
        match self.number(key, 1)? {
            0 => Err(Fault(format!("{key} counts from 1"))),
            number => Ok(number),
        }
    }

    /// One number a seat; all 0 when absent.
    ///
    /// # Errors
    /// [`Fault`] if there are more or fewer, or something else.
    pub fn numbers<const N: usize>(&self, key: &str) -> Result<[u32; N], Fault> {
        let Some(list) = self.list::<N>(key)? else { return Ok([0; N]) };
        let numbers: Option<Vec<u32>> = list.iter().map(whole).collect();
        numbers
            .and_then(|numbers| numbers.try_into().ok())
            .ok_or_else(|| Fault(format!("{key} is no list of numbers from 0")))
    }

    /// One number a seat, below 0 or not; all 0 when absent.
    ///
    /// # Errors
    /// [`Fault`] if there are more or fewer, or something else.
    pub fn integers<const N: usize>(&self, key: &str) -> Result<[i32; N], Fault> {
        let Some(list) = self.list::<N>(key)? else { return Ok([0; N]) };
        let integer = |value: &Value| value.as_i64().and_then(|number| i32::try_from(number).ok());
        let numbers: Option<Vec<i32>> = list.iter().map(integer).collect();
        let numbers = numbers.and_then(|numbers| numbers.try_into().ok());
        numbers.ok_or_else(|| Fault(format!("{key} is no list of whole numbers")))
    }

    /// A seat of a table of `seats`.
    ///
    /// # Errors
    /// [`Fault`] if it is none.
    pub fn seat(&self, key: &str, seats: u32) -> Result<Option<Seat>, Fault> {
        self.get(key).map(|value| seat(value, seats).ok_or_else(|| Fault(format!("{key} is no seat")))).transpose()
    }

    /// A list of anything; empty when absent.
    ///
    /// # Errors
    /// [`Fault`] if it is no list.
    pub fn entries(&self, key: &str) -> Result<&'a [Value], Fault> {
        match self.get(key) {
            None => Ok(&[]),
            Some(value) => value.as_array().map(Vec::as_slice).ok_or_else(|| Fault(format!("{key} is no list"))),
        }
    }

    /// The members of an object; none when absent.
    ///
    /// # Errors
    /// [`Fault`] if it is no object.
    pub fn members(&self, key: &str) -> Result<impl Iterator<Item = (&'a String, &'a Value)>, Fault> {
        let members = match self.get(key) {
            None => None,
            Some(value) => Some(value.as_object().ok_or_else(|| Fault(format!("{key} is no object")))?),
        };
        Ok(members.into_iter().flatten())
    }

    /// `N` lists of cards, each counted in `census`; all empty when absent.
    ///
    /// # Errors
    /// [`Fault`] if there are more or fewer, what is no card, or one that stands elsewhere too.
    pub fn piles<const N: usize>(&self, key: &str, census: &mut Census) -> Result<[Vec<Card>; N], Fault> {
        let mut piles = [const { Vec::new() }; N];
        let list = self.list::<N>(key)?.unwrap_or_default();
        for (at, (pile, cards)) in piles.iter_mut().zip(list).enumerate() {
            let place = format!("{key}[{at}]");
            let cards = cards.as_array().ok_or_else(|| Fault(format!("{place} is no list of cards")))?;
            for card in cards {
                pile.push(census.card(card, &place)?);
            }
        }
        Ok(piles)
    }

    /// A list of `N`; `None` when absent or empty.
    fn list<const N: usize>(&self, key: &str) -> Result<Option<&'a [Value]>, Fault> {
        match self.get(key).map(Value::as_array) {
            None => Ok(None),
            Some(Some(list)) if list.is_empty() => Ok(None),
            Some(Some(list)) if list.len() == N => Ok(Some(list)),
            _ => Err(Fault(format!("{key} is no list of {N}"))),
        }
    }
}

/// The seat of that number at a table of `seats`.
#[must_use]
pub fn seat(number: &Value, seats: u32) -> Option<Seat> {
    whole(number).and_then(|number| Seat::at_table(number, seats))
}

/// Lower-case hex digits.
#[must_use]
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// The bytes of hex digits; `None` if there are other characters or an odd number of them.
#[must_use]
pub fn unhex(text: &str) -> Option<Vec<u8>> {
    let digits: Option<Vec<u8>> = text.chars().map(|digit| digit.to_digit(16).map(|value| value as u8)).collect();
    let digits = digits.filter(|digits| digits.len() % 2 == 0)?;
    Some(digits.chunks_exact(2).map(|pair| pair.iter().fold(0, |byte, digit| byte << 4 | digit)).collect())
}

fn read_entropies(list: &Value, seats: u32) -> Result<Vec<Vec<u8>>, Fault> {
    let entropies: Option<Vec<Vec<u8>>> =
        list.as_array().and_then(|list| list.iter().map(|entropy| entropy.as_str().and_then(unhex)).collect());
    let entropies = entropies.filter(|entropies| entropies.len() <= seats as usize);
    entropies.ok_or_else(|| Fault("entropies is no list of hex strings, one a seat".into()))
}

fn whole(value: &Value) -> Option<u32> {
    value.as_u64().and_then(|number| u32::try_from(number).ok())
}
