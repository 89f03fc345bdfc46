//! A database of values: one file with every position of a solved game, for `value --table`.
//!
//! It writes a solution to a file, and reads values of positions from it. A file belongs to one game: its
//! texts and parameters. It is a `redb` database, written in transactions of bounded size that hold only
//! final values. So an interrupted file opens, and its values are true. The file has another name until
//! its header is written. Every other damage is a problem: each value has a checksum with its position,
//! and panics of `redb` are caught.

use super::writing::{PendingFile, check_not_rules};
use super::{Failure, Session, SessionResult};
use alphorn_rules::rules::position::Position;
use alphorn_search::game::Score;
use alphorn_search::solve::retrograde::Solution;
use alphorn_search::solve::{SolvedValue, distance};
use alphorn_text::code::Code;
use alphorn_text::report::Problem;
use alphorn_text::source::{Origin, SourceId, why};
use redb::{
    DatabaseError, ReadOnlyDatabase, ReadableDatabase, ReadableTable, ReadableTableMetadata, TableDefinition,
    TableError,
};
use std::cell::Cell;
use std::io::ErrorKind;
use std::panic::{self, AssertUnwindSafe};
use std::path::{Path, PathBuf};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// The header table: `format`, `game`, `complete`.
const HEADER: TableDefinition<'static, &str, &str> = TableDefinition::new("header");

/// A kind of value, its number, and a checksum.
type Row = (u8, u64, u32);

/// The table of positions as terms with their values.
const VALUES: TableDefinition<'static, &str, Row> = TableDefinition::new("values");

/// The plies to the end and a checksum, for positions whose value is a number that a side can force.
const PLIES: TableDefinition<'static, &str, (u32, u32)> = TableDefinition::new("plies");

/// The version of the file format.
const FORMAT: &str = "2";

/// The number of positions in one transaction.
const BATCH: usize = 10_000;

/// The message for a file with changed contents.
const DAMAGED: &str = "it is damaged";

const LOSS: u8 = 0;
const NUMBER: u8 = 1;
const WIN: u8 = 2;

fn coded(position: &str, score: Score) -> Row {
    let (kind, number) = match score {
        Score::Loss { plies } => (LOSS, plies.into()),
        Score::Value(number) => (NUMBER, number.to_bits()),
        Score::Win { plies } => (WIN, plies.into()),
    };
    (kind, number, checksum(position, kind, number))
}

/// A checksum: FNV-1a of 32 bits; see [`Session::identity`].
fn checksum(position: &str, kind: u8, number: u64) -> u32 {
    let bytes = position.bytes().chain([kind]).chain(number.to_le_bytes());
    bytes.fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// The row for a distance that the value does not hold. A win or a loss holds its own distance.
fn coded_plies(position: &str, known: SolvedValue) -> Option<(u32, u32)> {
    let plies = known.plies.filter(|_| matches!(known.score, Score::Value(_)))?;
    Some((plies, checksum(position, NUMBER, plies.into())))
}

/// The score of a row; `None` for a wrong checksum or kind.
fn decoded(position: &str, (kind, number, sum): Row) -> Option<Score> {
    let plies = u32::try_from(number).ok();
    if sum != checksum(position, kind, number) {
        return None;
    }
    match kind {
        LOSS => Some(Score::Loss { plies: plies? }),
        WIN => Some(Score::Win { plies: plies? }),
        NUMBER => Some(f64::from_bits(number)).filter(|number| !number.is_nan()).map(Score::number),
        _ => None,
    }
}

/// An error of the database as a message of Alphorn.
fn reason(error: &redb::Error) -> String {
    match error {
        redb::Error::Io(error) if error.kind() == ErrorKind::InvalidData => "it is no file of values".to_string(),
        redb::Error::Io(error) => why(error, "there is no such file or folder"),
        redb::Error::TableDoesNotExist(_) => "it is no file of values".to_string(),
        redb::Error::DatabaseAlreadyOpen => "another program has it open".to_string(),
        redb::Error::UpgradeRequired(_) => "another version of alphorn has written it".to_string(),
        error => error.to_string(),
    }
}

/// A database open for reading.
pub struct Database {
    path: PathBuf,
    values: redb::ReadOnlyTable<&'static str, Row>,
    /// The distances; `None` in a file without them.
    plies: Option<redb::ReadOnlyTable<&'static str, (u32, u32)>>,
}

impl Database {
    /// Writes every value of a solution to the file at `path`, which may already hold values of this
    /// game. Returns the number of values.
    pub(super) fn save(
        session: &Session,
        path: &Path,
        solution: &Solution<Position>,
        stop: Option<&AtomicBool>,
    ) -> SessionResult<u64> {
        let values = &mut solution.values().map(|(state, known)| (state.clone(), known));
        Database::save_values(session, path, values, true, stop)
    }

    /// Writes values that were computed elsewhere to the file at `path`, as `solve --save` does. `whole`:
    /// these are the last values of the solution. Returns the number of values.
    ///
    /// # Errors
    ///
    /// The file cannot be written, or belongs to another game.
    pub fn save_values(
        session: &Session,
        path: &Path,
        values: &mut dyn Iterator<Item = (Position, SolvedValue)>,
        whole: bool,
        stop: Option<&AtomicBool>,
    ) -> SessionResult<u64> {
        check_not_rules(path, &session.files())?;
        session.guarded(path, || Database::save_all(session, path, values, whole, stop))
    }

    fn save_all(
        session: &Session,
        path: &Path,
        values: &mut dyn Iterator<Item = (Position, SolvedValue)>,
        whole: bool,
        stop: Option<&AtomicBool>,
    ) -> SessionResult<u64> {
        let told = |error: redb::Error| session.file_problem(path, &reason(&error));
        session.is_seekable(path)?;
        let database = if path.exists() {
            let database = redb::Database::open(path).map_err(|error| told(error.into()))?;
            session.owns(path, &database)?;
            database
        } else {
            session.created(path)?
        };
        let mut count = 0;
        let mut values = values.peekable();
        while values.peek().is_some() && !stop.is_some_and(|stop| stop.load(Ordering::Relaxed)) {
            let write = database.begin_write().map_err(|error| told(error.into()))?;
            {
                let mut table = write.open_table(VALUES).map_err(|error| told(error.into()))?;
                let mut distances = Vec::new();
                for (state, known) in values.by_ref().take(BATCH) {
                    let position = session.term_text(&state.0);
                    table.insert(&*position, coded(&position, known.score)).map_err(|error| told(error.into()))?;
                    if let Some(row) = coded_plies(&position, known) {
                        distances.push((position, row));
                    }
                    count += 1;
                }
                if !distances.is_empty() {
                    let mut table = write.open_table(PLIES).map_err(|error| told(error.into()))?;
                    for (position, row) in &distances {
                        table.insert(&**position, *row).map_err(|error| told(error.into()))?;
                    }
                }
                if whole && values.peek().is_none() {
                    let mut header = write.open_table(HEADER).map_err(|error| told(error.into()))?;
                    header.insert("complete", "yes").map_err(|error| told(error.into()))?;
                }
            }
            write.commit().map_err(|error| told(error.into()))?;
        }
        Ok(count)
    }

    /// Opens the database file of a game.
    pub fn open(session: &Session, path: &Path) -> SessionResult<Database> {
        session.guarded(path, || Database::open_any(session, path))
    }

    fn open_any(session: &Session, path: &Path) -> SessionResult<Database> {
        let told = |error: redb::Error| session.file_problem(path, &reason(&error));
        session.is_seekable(path)?;
        let opened = match ReadOnlyDatabase::open(path) {
            // An interrupted file must be opened for writing, which repairs it.
            Err(DatabaseError::RepairAborted) => {
                drop(redb::Database::open(path).map_err(|error| told(error.into()))?);
                ReadOnlyDatabase::open(path)
            }
            opened => opened,
        };
        let database = opened.map_err(|error| told(error.into()))?;
        session.owns(path, &database)?;
        let read = database.begin_read().map_err(|error| told(error.into()))?;
        let values = read.open_table(VALUES).map_err(|error| told(error.into()))?;
        let plies = match read.open_table(PLIES) {
            Ok(plies) => Some(plies),
            Err(TableError::TableDoesNotExist(_)) => None,
            Err(error) => return Err(told(error.into())),
        };
        Ok(Database { path: path.to_path_buf(), values, plies })
    }

    /// The number of values.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn count(&self, session: &Session) -> SessionResult<u64> {
        let told = |error: redb::StorageError| session.file_problem(&self.path, &reason(&error.into()));
        session.guarded(&self.path, || self.values.len().map_err(told))
    }

    /// Gives the text of every position to `each`, in a fixed order, until `each` returns false.
    pub(super) fn each(&self, session: &Session, each: &mut dyn FnMut(&str) -> bool) -> SessionResult<()> {
        let told = |error: redb::StorageError| session.file_problem(&self.path, &reason(&error.into()));
        session.guarded(&self.path, || {
            for row in self.values.iter().map_err(told)? {
                let (text, _) = row.map_err(told)?;
                if !each(text.value()) {
                    break;
                }
            }
            Ok(())
        })
    }

    /// The value of a position in the form of `Game::canonical`; `None` if the file lacks it.
    pub fn known(&self, session: &Session, canonical: &Position) -> SessionResult<Option<SolvedValue>> {
        let text = session.term_text(&canonical.0);
        let told = |error: redb::StorageError| session.file_problem(&self.path, &reason(&error.into()));
        session.guarded(&self.path, || {
            let row = self.values.get(&*text).map_err(told)?.map(|found| found.value());
            row.map(|row| self.solved(session, &text, row)).transpose()
        })
    }

    /// Gives every position as text with its value to `see`, in a fixed order.
    ///
    /// # Errors
    ///
    /// The file cannot be read or is damaged, or `see` errs.
    pub fn each_value(
        &self,
        session: &Session,
        see: &mut dyn FnMut(&str, SolvedValue) -> SessionResult<()>,
    ) -> SessionResult<()> {
        let told = |error: redb::StorageError| session.file_problem(&self.path, &reason(&error.into()));
        session.guarded(&self.path, || {
            for found in self.values.iter().map_err(told)? {
                let (text, row) = found.map_err(told)?;
                see(text.value(), self.solved(session, text.value(), row.value())?)?;
            }
            Ok(())
        })
    }

    /// The value in a row of the file.
    fn solved(&self, session: &Session, text: &str, row: Row) -> SessionResult<SolvedValue> {
        let told = |error: redb::StorageError| session.file_problem(&self.path, &reason(&error.into()));
        let damaged = || session.file_problem(&self.path, DAMAGED);
        let plies = match (&self.plies, row) {
            (Some(table), (NUMBER, ..)) => table.get(text).map_err(told)?.map(|found| found.value()),
            _ => None,
        };
        let score = decoded(text, row).ok_or_else(damaged)?;
        match plies {
            Some((plies, sum)) if sum != checksum(text, NUMBER, plies.into()) => Err(damaged()),
            Some((plies, _)) => Ok(SolvedValue { score, plies: Some(plies) }),
            None => Ok(SolvedValue { score, plies: distance(score) }),
        }
    }
}

thread_local! {
    /// Whether panics of this thread are caught, and must not be printed.
    static GUARDED: Cell<bool> = const { Cell::new(false) };
}

impl Session {
    /// Runs an operation on a file. A panic of `redb` becomes a problem.
    fn guarded<T>(&self, path: &Path, work: impl FnOnce() -> SessionResult<T>) -> SessionResult<T> {
        static HOOK: Once = Once::new();
        HOOK.call_once(|| {
            let told = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                if !GUARDED.get() {
                    told(panic);
                }
            }));
        });
        GUARDED.set(true);
        let done = panic::catch_unwind(AssertUnwindSafe(work));
        GUARDED.set(false);
        done.unwrap_or_else(|_| Err(self.file_problem(path, DAMAGED)))
    }

    /// Errs if a path is neither a file nor a folder, because opening a pipe may block for ever.
    fn is_seekable(&self, path: &Path) -> SessionResult<()> {
        match std::fs::metadata(path) {
            Ok(about) if !about.is_file() && !about.is_dir() => {
                Err(self.file_problem(path, "it is not a regular file"))
            }
            _ => Ok(()),
        }
    }

    fn file_problem(&self, path: &Path, what: &str) -> Failure {
        let problem = Problem::placeless(Code::UnusableValueFile, format!("cannot use {} for values: {what}", path.display()))
            .help("name a file that alphorn solve --save wrote for this game, or with --save a new file in a folder where you may write");
        Failure::Problem(Box::new(problem), self.rules.program.sources.clone())
    }

    /// A new database file with its header and no values.
    fn created(&self, path: &Path) -> SessionResult<redb::Database> {
        let told = |error: redb::Error| self.file_problem(path, &reason(&error));
        let pending = PendingFile::new(path, &self.files())?;
        let database = redb::Database::create(pending.path()).map_err(|error| told(error.into()))?;
        let write = database.begin_write().map_err(|error| told(error.into()))?;
        {
            let mut header = write.open_table(HEADER).map_err(|error| told(error.into()))?;
            header.insert("format", FORMAT).map_err(|error| told(error.into()))?;
            header.insert("game", &*self.identity()).map_err(|error| told(error.into()))?;
            write.open_table(VALUES).map_err(|error| told(error.into()))?;
        }
        write.commit().map_err(|error| told(error.into()))?;
        pending.finish().map_err(|error| told(redb::Error::Io(error)))?;
        Ok(database)
    }

    /// Errs if a file belongs to another game or version.
    fn owns(&self, path: &Path, database: &impl ReadableDatabase) -> SessionResult<()> {
        let told = |error: redb::Error| self.file_problem(path, &reason(&error));
        let read = database.begin_read().map_err(|error| told(error.into()))?;
        let header = read.open_table(HEADER).map_err(|error| told(error.into()))?;
        let field = |name: &str| {
            let found = header.get(name).map_err(|error| told(error.into()))?;
            Ok(found.map(|found| found.value().to_string()).unwrap_or_default())
        };
        if field("format")? != FORMAT {
            return Err(self.file_problem(path, "another version of alphorn has written the file"));
        }
        if field("game")? != self.identity() {
            return Err(
                self.file_problem(path, "the file belongs to another game, or to other parameters of this game")
            );
        }
        Ok(())
    }

    /// A hash that identifies this game: its texts and parameters, as 32 hexadecimal digits.
    pub fn identity(&self) -> String {
        let program = &self.rules.program;
        // The libraries that are read also depend on the request, so their texts do not count.
        let texts = (0..program.sources.len() as u16).map(|number| program.sources.get(SourceId(number)));
        let texts = texts.filter(|source| !matches!(source.origin, Origin::Library)).map(|source| &*source.text);
        let params = program.params.iter().flat_map(|param| [param.name.text(), &*param.value]);
        format!("{:032x}", hash_of_texts(texts.chain(params)))
    }
}

/// A hash of texts: FNV-1a of 128 bits, by Glenn Fowler, Landon Noll and Kiem-Phong Vo, 1991.
pub fn hash_of_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> u128 {
    let mut hash: u128 = 0x6c62_272e_07bb_0142_62b8_2175_6295_c58d;
    for byte in texts.into_iter().flat_map(|text| text.bytes().chain([0])) {
        hash = (hash ^ u128::from(byte)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b);
    }
    hash
}
