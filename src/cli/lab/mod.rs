//! `lab`: the experiments of the laboratory, as tables, pictures and JSON.

pub mod args;
mod known;
mod many;

use crate::cli::output::Out;
use crate::cli::{Ended, INTERRUPTED, YES};
use alphorn_lab::lab::uniform::{NoShape, Shape};
use alphorn_session::session::Failure;
use alphorn_text::report::Problem;
use alphorn_text::source::Sources;
use args::{Experiment, LabArgs};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

pub(super) fn lab(args: &LabArgs, out: &mut Out, stop: &Arc<AtomicBool>) -> Ended {
    match &args.experiment {
        Experiment::Pi => known::pi(out, stop),
        Experiment::Bratko => known::bratko(out, stop),
        Experiment::Critical { branching, depth } => known::critical(*branching, *depth, out, stop),
        Experiment::Tree(args) => known::tree(args, out),
        Experiment::Random(args) => many::random(args, out, stop),
        Experiment::Dependent(args) => many::dependent(args, out, stop),
        Experiment::Perfect(args) => many::perfect(args, out, stop),
        Experiment::Ties(args) => many::ties(args, out, stop),
    }
}

/// What to do about a tree that is too large.
const SMALLER: &str = "give a smaller depth, or a smaller branching factor";

/// A shape of at most `most` leaves, or what is wrong with it.
fn shape(branching: u32, depth: u32, most: u64) -> Result<Shape, Failure> {
    Shape::with_at_most(branching, depth, most).map_err(|wrong| {
        let help = match wrong {
            NoShape::NoBranch => "give a branching factor of 1 or more",
            NoShape::TooHigh | NoShape::TooManyLeaves(_) => SMALLER,
        };
        cannot(Problem::placeless("A0621", wrong.to_string()).help(help))
    })
}

/// Why an experiment could not be made.
fn cannot(problem: Problem) -> Failure {
    Failure::Problem(Box::new(problem), Arc::new(Sources::default()))
}

/// How an experiment ends that was stopped or was not.
fn status(stopped: bool, out: &Out) -> Ended {
    if stopped && !out.json {
        out.tell("stopped: the counts are not complete\n");
    }
    Ok(if stopped { INTERRUPTED } else { YES })
}
