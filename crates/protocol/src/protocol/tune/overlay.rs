//! The text of an overlay that holds only new defaults of parameters.

use super::reply::Reply;
use super::request::Request;
use alphorn_session::session::tuning::tunable::Tunable;

/// The overlay: comments that say how the values were found, and a directive for each parameter.
pub(super) fn text(request: &Request, reply: &Reply, params: &[Tunable], point: &[i64]) -> String {
    let mut text = format!("{}\n", alphorn_session::session::writing::TUNED);
    let play = &request.play;
    let mut settings = vec![format!("method {}", reply.method.name()), format!("seed {}", play.seed)];
    if reply.games > 0 {
        settings.push(format!("{} games", reply.games));
    }
    settings.extend(play.depth.map(|depth| format!("depth {depth}")));
    settings.extend(play.nodes.map(|nodes| format!("{} positions a move", nodes.get())));
    text.push_str(&format!("% {}\n", settings.join(", ")));
    if let Some(fit) = &reply.fit {
        text.push_str(&format!("% loss {} at the start, {} now, on {} cases\n", fit.start, fit.end, fit.positions));
        if let (Some(start), Some(end)) = (fit.held_out_start, fit.held_out_end) {
            text.push_str(&format!("% loss {start} at the start, {end} now, on {} cases held out\n", fit.held_out));
        }
    }
    let starts: Vec<String> = params.iter().map(|param| format!("{} {}", param.name, param.value)).collect();
    text.push_str(&format!("% start: {}\n", starts.join(", ").replace('\n', " ")));
    for (param, value) in params.iter().zip(point) {
        text.push_str(&param.directive(*value));
        text.push('\n');
    }
    text
}
