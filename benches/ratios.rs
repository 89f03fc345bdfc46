//! How fast alphorn is beside SWI-Prolog, GNU Prolog and Rust by hand, on the same rules.
//!
//! In: the folder of the other systems' programs, whichever of the systems are installed. Out: a
//! table in Markdown for docs/speed.md, then memory, loading and start-up. User time of whole
//! processes, medians; within a repetition the systems run one after another on one workload, so
//! that the ratios survive a machine whose speed drifts. Every system must give the same values
//! and counts: if not, or if alphorn fails, the exit status is 1.
//!
//! `cargo bench --bench ratios -- [-n REPS] [-w TEXT]...`; how to read it: docs/speed.md.

#[path = "ratios/workloads.rs"]
mod workloads;

use clap::Parser;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::{env, fs, io};
use workloads::{WORKLOADS, Workload, line};

const ALPHORN: &str = env!("CARGO_BIN_EXE_alphorn");
const ROOT: &str = env!("CARGO_MANIFEST_DIR");
/// For generated programs and the build of the Rust by hand.
const ROOM: &str = concat!(env!("CARGO_TARGET_TMPDIR"), "/ratios");

/// What may be typed.
#[derive(Parser)]
#[command(about = "Times alphorn beside SWI-Prolog, GNU Prolog and Rust by hand")]
struct Options {
    /// How often each workload is run
    #[arg(short = 'n', default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    reps: u32,
    /// Only workloads whose name has this in it; may be given several times
    #[arg(short = 'w', value_name = "TEXT")]
    only: Vec<String>,
    /// CPU seconds after which a process is ended
    #[arg(long, value_name = "SECONDS", default_value_t = 150)]
    limit: u32,
    /// Given by `cargo bench`; without it, as under `cargo test`, nothing is measured
    #[arg(long, hide = true)]
    bench: bool,
}

/// Who is timed, in the order of the columns.
#[derive(Clone, Copy, PartialEq)]
enum System {
    Swi,
    Gnu,
    Rust,
    Alphorn,
}

impl System {
    const ALL: [System; 4] = [System::Swi, System::Gnu, System::Rust, System::Alphorn];

    fn name(self) -> &'static str {
        ["SWI -O", "GNU native", "Rust", "alphorn"][self as usize]
    }
}

/// The systems at hand; what is missing has been told.
struct Bench {
    options: Options,
    peers: PathBuf,
    swi: bool,
    gnu: bool,
    /// The program by hand.
    rust: Option<PathBuf>,
    /// Everything that must not pass unnoticed: wrong counts, and failures of alphorn.
    wrong: Vec<String>,
}

/// Medians in user seconds, by [`System::ALL`].
struct Row {
    name: String,
    is_game: bool,
    is_natural: bool,
    seconds: [Option<f64>; 4],
}

/// Times alphorn beside the others.
fn main() -> ExitCode {
    let options = Options::parse();
    if !options.bench {
        println!("nothing measured: type cargo bench --bench ratios");
        return ExitCode::SUCCESS;
    }
    fs::create_dir_all(ROOM).expect("the target folder can be written");
    let peers = env::var_os("ALPHORN_PEERS").map_or_else(|| Path::new(ROOT).join("../shared/peers"), PathBuf::from);
    let mut bench = Bench { options, peers, swi: false, gnu: false, rust: None, wrong: Vec::new() };
    if bench.peers.join("search.pl").is_file() {
        println!("{}\n", bench.find_systems());
        println!("{}", bench.table());
    } else {
        println!(
            "No programs to compare: there is no search.pl in {}. Set ALPHORN_PEERS to their folder.\n",
            bench.peers.display()
        );
        bench.swi = version("swipl").is_some();
    }
    bench.memory();
    bench.loading();
    bench.start_up();
    for wrong in &bench.wrong {
        println!("\n*** WRONG: {wrong}");
        eprintln!("*** WRONG: {wrong}");
    }
    if bench.wrong.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

impl Bench {
    /// Looks for the systems; gives a line that names them and says what is missing.
    fn find_systems(&mut self) -> String {
        let (swi, gnu) = (version("swipl"), version("gplc"));
        (self.swi, self.gnu) = (swi.is_some(), gnu.is_some());
        let rust = match build_rust(&self.peers.join("native")) {
            Ok(path) => {
                self.rust = Some(path);
                "Rust by hand".to_string()
            }
            Err(message) => format!("Rust by hand: MISSING ({message})"),
        };
        let missing = |name: &str| format!("{name}: MISSING (not installed)");
        let [swi, gnu] = [swi.unwrap_or_else(|| missing("swipl")), gnu.unwrap_or_else(|| missing("gplc"))];
        let alphorn = version(ALPHORN).unwrap_or_else(|| missing("alphorn"));
        format!("{swi}; {gnu}; {rust}; {alphorn}. Medians of {} in user seconds.", self.options.reps)
    }

    /// Runs the workloads that are asked for; gives the table and what varied much.
    fn table(&mut self) -> String {
        let only = &self.options.only;
        let asked =
            |workload: &&Workload| only.is_empty() || only.iter().any(|text| workload.name().contains(text.as_str()));
        let workloads: Vec<&Workload> = WORKLOADS.iter().filter(asked).collect();
        if workloads.is_empty() {
            self.wrong.push(format!("no workload has {} in its name", only.join(" or ")));
        }
        let rows: Vec<Row> = workloads.into_iter().map(|workload| self.compare(workload)).collect();
        let mut table = "| workload | SWI -O s | GNU native s | Rust s | alphorn s | × SWI | × GNU | ÷ Rust |\n\
                         |---|---:|---:|---:|---:|---:|---:|---:|\n"
            .to_string();
        for row in &rows {
            let seconds = |system: System, digits: usize| {
                row.seconds[system as usize].map_or(String::new(), |seconds| format!("{seconds:.digits$}"))
            };
            let (swi, gnu) = (seconds(System::Swi, 2), seconds(System::Gnu, 2));
            let (rust, alphorn) = (seconds(System::Rust, 4), seconds(System::Alphorn, 3));
            let _ = writeln!(table, "| {} | {swi} | {gnu} | {rust} | {alphorn} | {} |", row.name, ratios(&[row]));
        }
        let games: Vec<&Row> = rows.iter().filter(|row| row.is_game).collect();
        let natural: Vec<&Row> = rows.iter().filter(|row| row.is_natural).collect();
        let tuned: Vec<&Row> = rows.iter().filter(|row| !row.is_natural).collect();
        let means = [("games", games), ("all above `natural`", tuned), ("natural", natural)];
        for (what, rows) in means.into_iter().filter(|(_, rows)| !rows.is_empty()) {
            let _ = writeln!(table, "| **geometric mean, {what}** | | | | | {} |", ratios(&rows));
        }
        table
    }

    /// Times one workload in all systems, and compares what they found.
    fn compare(&mut self, workload: &Workload) -> Row {
        let name = workload.name();
        let calls = System::ALL.map(|system| self.call(system, workload));
        let mut times: [Vec<f64>; 4] = Default::default();
        let mut found: Vec<(System, String)> = Vec::new();
        for rep in 1..=self.options.reps {
            for (system, call) in System::ALL.into_iter().zip(&calls) {
                let Some(call) = call else { continue };
                eprintln!("{name}, {}, {rep} of {}", system.name(), self.options.reps);
                match self.time(call) {
                    Err(message) if system == System::Alphorn => self.wrong.push(format!("{name}: {message}")),
                    Err(message) => println!("{name}, {}: failed: {message}\n", system.name()),
                    Ok((seconds, printed)) => {
                        let repeats = if system == System::Rust { workload.rust_repeats } else { 1 };
                        times[system as usize].push(seconds / f64::from(repeats));
                        let text = if system == System::Alphorn { workload.found(&printed) } else { Some(printed) };
                        found.push((system, text.unwrap_or_else(|| "nothing that can be read".to_string())));
                    }
                }
            }
        }
        if let Some((first, expected)) = found.first() {
            let mut others: Vec<_> = found.iter().filter(|(_, text)| text.trim() != expected.trim()).collect();
            others.dedup();
            for (system, text) in others {
                let (first, system) = (first.name(), system.name());
                self.wrong.push(format!("{name}: {first} found {}, {system} {}", expected.trim(), text.trim()));
            }
        }
        for (system, times) in System::ALL.into_iter().zip(&times) {
            let (least, most) = times.iter().fold((f64::MAX, 0.0_f64), |(a, b), &t| (a.min(t), b.max(t)));
            if times.len() > 1 && most > 1.3 * least {
                println!("Unsteady: {name}, {}: {least:.4} to {most:.4} s.\n", system.name());
            }
        }
        Row { name, is_game: workload.is_game(), is_natural: workload.is_natural(), seconds: times.map(median) }
    }

    /// The command line of a system for a workload, its program written; `None` where there is none.
    fn call(&self, system: System, workload: &Workload) -> Option<Vec<String>> {
        let stem = workload.name().replace(' ', "-");
        let path = Path::new(ROOM).join(format!("{stem}.{}.pl", system.name().replace(' ', "-")));
        let program = workload.program(&self.peers).expect("the folder of programs is whole");
        let runs_itself = format!("{program}:- initialization(({}, halt)).\n", workload.goal());
        match system {
            System::Alphorn => {
                write(&path, &program);
                Some([line(&[&ALPHORN]), workload.alphorn(&self.peers, &path)].concat())
            }
            System::Swi => {
                write(&path, &runs_itself);
                let library = format!("library={ROOT}/lib");
                self.swi.then(|| line(&[&"swipl", &"-O", &"-q", &"-p", &library, &path.display()]))
            }
            System::Gnu if workload.is_natural() => None,
            System::Gnu => {
                write(&path, &runs_itself);
                self.gnu.then(|| compile_gnu(&path)).flatten().map(|path| line(&[&path.display()]))
            }
            System::Rust if workload.rust().is_empty() => None,
            System::Rust => self.rust.as_ref().map(|path| [line(&[&path.display()]), workload.rust()].concat()),
        }
    }

    /// User seconds of one process and what it prints. The kernel tells short times badly, so a
    /// short process is run again and again, and the times are divided.
    fn time(&self, call: &[String]) -> Result<(f64, String), String> {
        const ENOUGH: f64 = 0.1;
        let (seconds, printed) = self.processes(call, 1)?;
        if seconds >= ENOUGH {
            return Ok((seconds, printed));
        }
        let count = (2.0 * ENOUGH / seconds.max(0.002)).ceil() as u32;
        let (seconds, _) = self.processes(call, count)?;
        Ok((seconds / f64::from(count), printed))
    }

    /// User seconds of `count` processes one after another, to the millisecond as bash has it, and
    /// what they print.
    fn processes(&self, call: &[String], count: u32) -> Result<(f64, String), String> {
        let script = "ulimit -t $0; TIMEFORMAT=%3U; n=$1; shift
            time for ((i = 0; i < n; i++)); do \"$@\" < /dev/null || exit; done";
        let mut bash = Command::new("bash");
        bash.args(["-c", script, &self.options.limit.to_string(), &count.to_string()]).args(call);
        let (printed, told) = run(&mut bash).map_err(|message| format!("{}: {message}", call.join(" ")))?;
        let user = last_numbers(&told).and_then(|numbers| numbers.first().copied());
        Ok((user.expect("bash ends with the time"), printed))
    }

    /// Prints the greatest memory of searches of growing depth, until one takes ten times as long
    /// as the first.
    fn memory(&mut self) {
        const FIRST: u32 = 7;
        const LAST: u32 = 14;
        println!("Memory of `alphorn value games/connect_four.pl --algorithm alphabeta --depth N`:\n");
        println!("| depth | user s | peak KiB |\n|---:|---:|---:|");
        let limit = self.options.limit.to_string();
        let game = Path::new(ROOT).join("games/connect_four.pl").display().to_string();
        let mut first = None;
        for depth in FIRST..=LAST {
            eprintln!("memory, depth {depth}");
            let script = "ulimit -t $0; exec /usr/bin/time -f '%U %M' \"$@\"";
            let call = line(&[
                &"-c",
                &script,
                &limit,
                &ALPHORN,
                &"value",
                &game,
                &"--algorithm",
                &"alphabeta",
                &"--depth",
                &depth,
            ]);
            let told = run(Command::new("bash").args(call)).map(|(_, told)| told);
            let (seconds, kib) = match told.as_deref().map(last_numbers) {
                Ok(Some(numbers)) if numbers.len() == 2 => (numbers[0], numbers[1]),
                _ if !Path::new("/usr/bin/time").exists() => {
                    println!("\n/usr/bin/time is MISSING: memory is not measured.");
                    break;
                }
                Ok(_) => panic!("/usr/bin/time prints two numbers"),
                Err(message) => {
                    self.wrong.push(format!("memory, depth {depth}: {message}"));
                    break;
                }
            };
            println!("| {depth} | {seconds:.2} | {kib} |");
            if seconds >= 10.0 * *first.get_or_insert(seconds.max(0.01)) {
                break;
            }
        }
        println!();
    }

    /// Prints the time to load 10,000 clauses and answer a goal.
    fn loading(&mut self) {
        let path = Path::new(ROOM).join("clauses.pl");
        let mut text = String::new();
        for n in 1..=9000 {
            let _ = writeln!(text, "link(a{n}, {n}, [x, y(Z, Z), {n}]).");
        }
        for n in 1..=1000 {
            let _ = writeln!(text, "rule_{n}(A, N) :- link(A, M, _), ( M > {n} -> N is M - {n} ; N = 0 ).");
        }
        write(&path, &text);
        let path = path.display();
        self.print_time(
            "load 10,000 clauses and answer a goal",
            &line(&[&ALPHORN, &"query", &path, &"rule_1000(a9000, 8000)"]),
        );
        if self.swi {
            let call = line(&[&"swipl", &"-O", &"-q", &"-g", &"rule_1000(a9000, 8000)", &"-t", &"halt", &path]);
            self.print_time("the same, swipl -O", &call);
        }
    }

    /// Prints the time of the shortest commands.
    fn start_up(&mut self) {
        let game = Path::new(ROOT).join("games/tictactoe.pl");
        self.print_time("start-up (`alphorn query true`)", &line(&[&ALPHORN, &"query", &"true"]));
        self.print_time("`alphorn value games/tictactoe.pl`", &line(&[&ALPHORN, &"value", &game.display()]));
    }

    fn print_time(&mut self, what: &str, call: &[String]) {
        let times: Result<Vec<f64>, String> =
            (0..self.options.reps).map(|_| self.time(call).map(|(seconds, _)| seconds)).collect();
        match times.map(median) {
            Ok(seconds) => println!("* {what}: {:.3} s", seconds.expect("there is a repetition at least")),
            Err(message) => self.wrong.push(format!("{what}: {message}")),
        }
    }
}

/// The cells of the last three columns: how many times faster than the Prologs and slower than the
/// Rust alphorn is, in the geometric mean of those rows that have both.
fn ratios(rows: &[&Row]) -> String {
    let mean = |ratio: fn(f64, f64) -> f64, other: System| {
        let both = |row: &&Row| Some(ratio(row.seconds[other as usize]?, row.seconds[System::Alphorn as usize]?).ln());
        let logarithms: Vec<f64> = rows.iter().filter_map(both).collect();
        match logarithms.len() {
            0 => String::new(),
            count => significant((logarithms.iter().sum::<f64>() / count as f64).exp()),
        }
    };
    let faster = |other, alphorn| other / alphorn;
    let slower = |other, alphorn| alphorn / other;
    [mean(faster, System::Swi), mean(faster, System::Gnu), mean(slower, System::Rust)].join(" | ")
}

/// Two digits or a little more.
fn significant(number: f64) -> String {
    let digits = [0.1, 10.0].iter().filter(|&&bound| number < bound).count() + usize::from(number < 1.0);
    format!("{number:.digits$}")
}

fn median(mut times: Vec<f64>) -> Option<f64> {
    times.sort_by(f64::total_cmp);
    let middle = times.len() / 2;
    match times.len() {
        0 => None,
        odd if odd % 2 == 1 => Some(times[middle]),
        _ => Some((times[middle - 1] + times[middle]) / 2.0),
    }
}

/// The numbers in the last line of `text`, if it is made of nothing else.
fn last_numbers(text: &str) -> Option<Vec<f64>> {
    text.lines().last()?.split_whitespace().map(|word| word.parse().ok()).collect()
}

/// Runs a command to its end; gives both its outputs, or what went wrong.
fn run(command: &mut Command) -> Result<(String, String), String> {
    // GNU Prolog's stacks, in KiB: what it has by default is too little.
    let stacks = [("GLOBALSZ", "1000000"), ("LOCALSZ", "65536"), ("TRAILSZ", "65536"), ("CSTRSZ", "32768")];
    let output = command.env("LC_ALL", "C.UTF-8").envs(stacks).output();
    let output = output.map_err(|error| format!("{}: {error}", command.get_program().display()))?;
    let [printed, told] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    match output.status.success() {
        true => Ok((printed, told)),
        false => Err(format!(
            "{}; {}",
            output.status,
            told.chars().take(500).collect::<String>().trim().replace('\n', " / ")
        )),
    }
}

/// The first line of what `program --version` says; `None` where there is no such program.
fn version(program: &str) -> Option<String> {
    let (printed, told) = run(Command::new(program).arg("--version")).ok()?;
    let text = if printed.trim().is_empty() { told } else { printed };
    Some(text.lines().next()?.trim().to_string())
}

/// Compiles a program to machine code; tells where that fails.
fn compile_gnu(program: &Path) -> Option<PathBuf> {
    let native = program.with_extension("exe");
    match run(Command::new("gplc").arg("--no-top-level").arg("-o").arg(&native).arg(program)) {
        Ok(_) => Some(native),
        Err(message) => {
            println!("gplc does not compile {}: {message}\n", program.display());
            None
        }
    }
}

/// Builds the Rust by hand, in a copy, for the folder may be read-only; gives its path.
fn build_rust(from: &Path) -> Result<PathBuf, String> {
    let to = Path::new(ROOM).join("native");
    copy(from, &to).map_err(|error| format!("{}: {error}", from.display()))?;
    let cargo = env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = to.join("target");
    run(Command::new(cargo).args(["build", "--release"]).current_dir(&to).env("CARGO_TARGET_DIR", &target))?;
    Ok(target.join("release/native"))
}

fn copy(from: &Path, to: &Path) -> io::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        let (path, to) = (entry.path(), to.join(entry.file_name()));
        match path.is_dir() {
            true if entry.file_name() == "target" => {}
            true => copy(&path, &to)?,
            false => write(&to, &fs::read_to_string(&path)?),
        }
    }
    Ok(())
}

/// Writes a file that does not hold the text yet, so that nothing is built twice.
fn write(path: &Path, text: &str) {
    if fs::read_to_string(path).is_ok_and(|old| old == text) {
        return;
    }
    fs::write(path, text).expect("the target folder can be written");
}
