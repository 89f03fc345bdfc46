//! The space of parameters: sessions with given values, and evaluations at points of the space.

use super::request::SelfPlay;
use crate::protocol::form::Form;
use crate::protocol::host::Host;
use alphorn_lab::tuning::Range;
use alphorn_lab::tuning::affine::{linear, probes};
use alphorn_lab::tuning::logistic::Cases;
use alphorn_rules::rules::Expected;
use alphorn_rules::rules::position::Position;
use alphorn_session::session::tuning::tunable::Tunable;
use alphorn_session::session::{Session, SessionResult};
use std::collections::HashMap;

/// The parameters of a game, and its sessions.
pub(super) struct Space<'a> {
    form: Form,
    host: &'a Host<'a>,
    /// The session with the values at the start.
    pub(super) base: Session,
    /// The parameters to tune.
    pub(super) params: Vec<Tunable>,
}

impl<'a> Space<'a> {
    pub(super) fn new(options: &SelfPlay, host: &'a Host<'a>, base: Session, params: Vec<Tunable>) -> Space<'a> {
        Space { form: options.form(), host, base, params }
    }

    /// The values at the start.
    pub(super) fn start(&self) -> Vec<i64> {
        self.params.iter().map(|param| param.value).collect()
    }

    /// The ranges.
    pub(super) fn ranges(&self) -> Vec<Range> {
        self.params.iter().map(|param| (param.low, param.high)).collect()
    }

    /// A session with these values.
    ///
    /// # Errors
    ///
    /// The rules cannot be loaded with these values.
    pub(super) fn session(&self, point: &[i64]) -> SessionResult<Session> {
        if point == self.start() {
            return Ok(self.base.clone());
        }
        let mut form = self.form.clone();
        form.params.extend(self.params.iter().zip(point).map(|(param, value)| (param.name.clone(), value.to_string())));
        self.host.session(&form, Expected::Game, &self.host.stop, &|_| {})
    }
}

/// The evaluations of certain positions at points of a space. Those of earlier points are kept.
pub(super) struct Evaluations<'a> {
    space: &'a Space<'a>,
    positions: &'a [Position],
    known: HashMap<Vec<i64>, Vec<f64>>,
}

/// The number of points whose evaluations are kept.
const KEPT: usize = 64;

impl<'a> Evaluations<'a> {
    pub(super) fn new(space: &'a Space<'a>, positions: &'a [Position]) -> Evaluations<'a> {
        Evaluations { space, positions, known: HashMap::new() }
    }

    /// The evaluations of all positions at a point.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub(super) fn at(&mut self, point: &[i64]) -> SessionResult<Vec<f64>> {
        if let Some(known) = self.known.get(point) {
            return Ok(known.clone());
        }
        let found = self.space.session(point)?.evaluations(self.positions)?;
        if self.known.len() < KEPT {
            self.known.insert(point.to_vec(), found.clone());
        }
        Ok(found)
    }

    /// The features of all positions; `None` if the evaluation is not linear in the parameters.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub(super) fn features(&mut self, seed: u64) -> SessionResult<Option<Cases>> {
        let points = probes(&self.space.start(), &self.space.ranges(), seed);
        let values = points.iter().map(|point| self.at(point)).collect::<SessionResult<Vec<_>>>()?;
        Ok(linear(&points, &values))
    }

    /// For each parameter, whether an evaluation differs between both ends of its range, near a point.
    ///
    /// # Errors
    ///
    /// The rules fail.
    pub(super) fn differ(&mut self, point: &[i64]) -> SessionResult<Vec<bool>> {
        (0..point.len())
            .map(|at| {
                let [low, high] = ends(self.space, point, at);
                Ok(self.at(&low)? != self.at(&high)?)
            })
            .collect()
    }
}

/// The points with a parameter at both ends of its range.
pub(super) fn ends(space: &Space<'_>, point: &[i64], at: usize) -> [Vec<i64>; 2] {
    [space.params[at].low, space.params[at].high].map(|value| {
        let mut end = point.to_vec();
        end[at] = value;
        end
    })
}
