//! `lab`: prints experiments as tables, pictures and JSON.

pub mod args;
mod known;
mod means;

use crate::cli::output::Out;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::{lab, many};
use args::{Experiment, LabArgs};

pub(super) fn lab(args: &LabArgs, host: &Host<'_>, out: &Out) -> CommandResult {
    let stopped = match &args.experiment {
        Experiment::Pi => known::pi(&lab::pi(), out),
        Experiment::Bratko => known::bratko(&lab::bratko(), out),
        Experiment::Critical(request) => known::critical(&lab::critical(request, host)?, out),
        Experiment::Tree(args) => known::tree(args, out)?,
        Experiment::Random(request) => means::random(&many::random(request, host)?, out),
        Experiment::Dependent(request) => means::dependent(&many::dependent(request, host)?, out),
        Experiment::Perfect(request) => means::perfect(&many::perfect(request, host)?, out),
        Experiment::Ties(request) => means::ties(&many::ties(request, host)?, out),
    };
    if stopped && !out.json {
        out.tell("stopped: the counts are not complete\n");
    }
    Ok(if stopped { INTERRUPTED } else { YES })
}
