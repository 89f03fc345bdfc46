//! `dataset`: writes positions with the results of their games to a file.

use crate::cli::output::Out;
use crate::cli::watch::EventPrinter;
use crate::cli::{CommandResult, INTERRUPTED, YES};
use alphorn_protocol::protocol::host::Host;
use alphorn_protocol::protocol::tune::dataset;
use alphorn_protocol::protocol::tune::reply::DatasetReply;
use alphorn_protocol::protocol::tune::request::DatasetRequest;
use alphorn_text::report::{grouped, plural};

pub(in crate::cli) fn dataset(request: &DatasetRequest, host: &Host<'_>, out: &Out) -> CommandResult {
    let watch = EventPrinter::new(out, false);
    let found = dataset::answer(request, host, &|event| watch.print_event(event))?;
    drop(watch);
    out.reply(&found, || text(&found));
    if found.stopped && !out.json && request.play.record.is_some() {
        out.tell("type the same command again, and it goes on\n");
    }
    Ok(if found.stopped { INTERRUPTED } else { YES })
}

fn text(found: &DatasetReply) -> String {
    let Some(output) = &found.output else { return "stopped: no file was written\n".to_string() };
    let [wins, draws, losses] = found.results.map(grouped);
    let positions = plural(found.positions as u64, "position", "positions");
    let features = match found.features.as_slice() {
        [] => "none: no parameter, or an evaluation that is not linear".to_string(),
        names => names.join(", "),
    };
    format!(
        "positions {positions} in {}\ngames     {}: MAX won {wins}, drew {draws}, lost {losses}\nfeatures  {features}\n",
        output.display(),
        grouped(found.games),
    )
}
