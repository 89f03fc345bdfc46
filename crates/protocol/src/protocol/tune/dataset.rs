//! Writes positions with the results of their games to a file, for other tools to fit on.

use super::data::DataRow;
use super::options::ParamOption;
use super::record::{TuneRecord, header};
use super::reply::DatasetReply;
use super::request::DatasetRequest;
use super::space::{Evaluations, Space};
use super::tally::Tally;
use super::{self_play, settings, tunables};
use crate::protocol::data::{Number, rounded};
use crate::protocol::host::{Host, Listen, refusal};
use alphorn_lab::tuning::logistic::Cases;
use alphorn_rules::rules::Expected;
use alphorn_session::session::writing::{self, FileFormat};
use alphorn_session::session::{Session, SessionResult};
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;

/// Plays games and writes their positions.
///
/// # Errors
///
/// The rules or the request contain an error, or the file cannot be written.
pub fn answer(request: &DatasetRequest, host: &Host<'_>, listen: Listen<'_>) -> SessionResult<DatasetReply> {
    let play = &request.play;
    let output = request
        .output
        .as_deref()
        .ok_or_else(|| refusal("dataset needs a file for the positions", "name it: --output positions.jsonl"))?;
    let format = DataFormat::of(output)?;
    let session = host.session(&play.form(), Expected::Game, &host.stop, listen)?;
    host.may_write(&session, output, Some(format.file_format()))?;
    let names_none = play.params.iter().all(|param| matches!(param, ParamOption::Set(..)));
    let params = match tunables(&session, play) {
        // Without parameters there are no features.
        Err(_) if names_none => Vec::new(),
        found => found?,
    };
    let header = header("dataset", &session, None, settings(request));
    let mut record = TuneRecord::open(play.record.as_deref(), &header, (&session, host))?;
    let mut reply = DatasetReply {
        output: None,
        seed: play.seed,
        games: 0,
        results: [0; 3],
        positions: 0,
        features: Vec::new(),
        stopped: false,
    };
    let found = match self_play(&session, (play, &play.start.place()), &mut record, listen) {
        Err(_) if host.stop.load(Relaxed) => None,
        found => found?,
    };
    let Some(tally) = found else { return Ok(DatasetReply { stopped: true, ..reply }) };
    (reply.games, reply.results, reply.positions) = (tally.games().into(), tally.results, tally.samples.len());
    let names: Vec<String> = params.iter().map(|param| param.name.clone()).collect();
    let space = Space::new(play, host, session.clone(), params);
    let positions = tally.positions();
    let mut evaluations = Evaluations::new(&space, &positions);
    let values = match session.rules.contract.static_eval {
        Some(_) => Some(evaluations.at(&space.start())?),
        None => None,
    };
    let features = if names.is_empty() { None } else { evaluations.features(play.seed)? };
    if features.is_some() {
        reply.features = names;
    }
    let rows =
        rows(&session, (play.seed, &tally), values.as_deref(), features.as_ref().map(|of| (of, &reply.features)));
    format.write(output, &rows, &session)?;
    reply.output = Some(output.to_path_buf());
    Ok(reply)
}

/// The rows of the positions.
fn rows(
    session: &Session,
    (seed, tally): (u64, &Tally<'_>),
    values: Option<&[f64]>,
    features: Option<(&Cases, &Vec<String>)>,
) -> Vec<DataRow> {
    let row = |(at, sample): (usize, &alphorn_session::session::tuning::samples::GameSample)| DataRow {
        game: sample.game,
        seed,
        ply: sample.ply,
        position: session.term(&sample.position),
        result: Number(sample.result),
        evaluation: values.map(|values| rounded(values[at])),
        params: features.map(|(_, names)| names.clone()).unwrap_or_default(),
        features: features
            .map(|(cases, _)| cases.features_of(at).iter().map(|x| rounded(*x)).collect())
            .unwrap_or_default(),
    };
    tally.samples.iter().enumerate().map(row).collect()
}

/// The format of a file of positions.
enum DataFormat {
    JsonLines,
    #[cfg(feature = "parquet")]
    Parquet,
}

impl DataFormat {
    /// The format that the end of a name says.
    fn of(path: &Path) -> SessionResult<DataFormat> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl" | "json" | "ndjson") => Ok(DataFormat::JsonLines),
            #[cfg(feature = "parquet")]
            Some("parquet") => Ok(DataFormat::Parquet),
            #[cfg(not(feature = "parquet"))]
            Some("parquet") => Err(refusal(
                "this program was built without Parquet",
                "write JSON lines: --output FILE.jsonl; or build it again: cargo build --release --features parquet",
            )),
            _ => Err(refusal(
                format!("{} ends with no known format", path.display()),
                "write --output FILE.jsonl for JSON lines, or --output FILE.parquet",
            )),
        }
    }

    fn file_format(&self) -> FileFormat {
        match self {
            DataFormat::JsonLines => FileFormat::Positions,
            #[cfg(feature = "parquet")]
            DataFormat::Parquet => FileFormat::Parquet,
        }
    }

    fn write(&self, path: &Path, rows: &[DataRow], session: &Session) -> SessionResult<()> {
        match self {
            DataFormat::JsonLines => {
                let lines: String = rows.iter().map(|row| row.line() + "\n").collect();
                writing::write(path, &lines, &session.files())
            }
            #[cfg(feature = "parquet")]
            DataFormat::Parquet => super::columns::write(path, rows, session),
        }
    }
}
