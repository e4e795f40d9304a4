//! Matches that are played for their own sake, by those who study the rules: one call a decision, whole matches from a
//! number, without log, clock or wire. No match that people play can be reached from here.

use majlis_rules::{
    deck::DealSource,
    playout::Xorshift,
    position::{self, Given, Positioned},
    seat::Seat,
};
use pyo3::{exceptions::PyValueError, prelude::*};

use crate::{
    errors::{Fault, guarded},
    game::{self, Options, Table},
};

/// A simulated match.
#[pyclass(module = "majlis._core")]
pub(crate) struct Simulation {
    run: Box<dyn Simulated>,
}

#[pymethods]
impl Simulation {
    #[new]
    fn new(game: &str, number: u64) -> PyResult<Self> {
        let options = Options::named(game).ok_or_else(|| PyValueError::new_err(format!("no game is called {game}")))?;
        let run = guarded(|| {
            let deals = DealSource::new(Xorshift::new(number).seed(), Vec::new());
            let deals = deals.map_err(|_| Fault::Failed("an entropy is too long"))?;
            Ok(match options.table(deals.clone())? {
                Table::Tonj(state) => begun::<game::Tonj>(state, &deals)?,
                Table::TonjHouse(state) => begun::<game::TonjHouse>(state, &deals)?,
                Table::Trix(state) => begun::<game::Trix>(state, &deals)?,
            })
        })?;
        Ok(Self { run })
    }

    #[getter]
    fn choices(&self) -> usize {
        self.run.choices()
    }

    #[getter]
    fn seat(&self) -> Option<u8> {
        self.run.seat()
    }

    fn play(&mut self, word: usize) -> PyResult<usize> {
        guarded(|| self.run.play(word))
    }

    fn legal_actions(&self) -> PyResult<Vec<String>> {
        guarded(|| Ok(self.run.legal_actions()))
    }

    fn position(&self) -> PyResult<String> {
        guarded(|| Ok(self.run.position()))
    }
}

/// A run of any game.
trait Simulated: Send + Sync {
    fn choices(&self) -> usize;
    fn seat(&self) -> Option<u8>;
    fn play(&mut self, word: usize) -> Result<usize, Fault>;
    fn legal_actions(&self) -> Vec<String>;
    fn position(&self) -> String;
}

struct Run<R: Positioned> {
    state: R::State,
    given: Given,
    actions: Vec<R::Action>,
}

fn begun<R>(mut state: R::State, deals: &DealSource) -> Result<Box<dyn Simulated>, Fault>
where
    R: Positioned + 'static,
    R::State: Send + Sync,
    R::Action: Send + Sync,
{
    for event in &R::start(&state)? {
        R::evolve(&mut state, event).map_err(|unfoldable| Fault::damaged(unfoldable.to_string()))?;
    }
    let mut run = Run::<R> { state, given: Given::dealt(deals), actions: Vec::new() };
    run.look();
    Ok(Box::new(run))
}

impl<R: Positioned> Run<R> {
    /// Lists what the seat whose turn it is may do.
    fn look(&mut self) {
        match R::to_act(&self.state) {
            Some(seat) => R::legal_actions(&self.state, seat, &mut self.actions),
            None => self.actions.clear(),
        }
    }
}

impl<R> Simulated for Run<R>
where
    R: Positioned,
    R::State: Send + Sync,
    R::Action: Send + Sync,
{
    fn choices(&self) -> usize {
        self.actions.len()
    }

    fn seat(&self) -> Option<u8> {
        R::to_act(&self.state).map(Seat::number)
    }

    fn play(&mut self, word: usize) -> Result<usize, Fault> {
        let choice = word.checked_rem(self.actions.len()).and_then(|at| self.actions.get(at));
        if let (Some(seat), Some(action)) = (R::to_act(&self.state), choice) {
            R::play(&mut self.state, seat, action)?;
            self.look();
        }
        Ok(self.actions.len())
    }

    fn legal_actions(&self) -> Vec<String> {
        self.actions.iter().map(|action| R::write_action(action).to_string()).collect()
    }

    fn position(&self) -> String {
        serde_json::Value::Object(position::write::<R>(&self.state, &self.given)).to_string()
    }
}
