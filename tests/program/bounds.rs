//! Tests that no output controls the terminal, that no run exceeds its budget plus a constant, and that no
//! input or output is unlimited.
//!
//! The programs in `tests/bounds` each failed in an earlier version. On Linux a run has an address space of
//! its budget plus [`CONSTANT`] MiB. Without limits each program took 600 MB to 6 GB, so none passes by
//! chance.

use serde_json::Value;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

/// The memory that a run may take besides its budget, in MiB: the program, its stacks, mapped but unused
/// memory, and the texts that it prints.
pub(crate) const CONSTANT: u64 = 448;

pub(crate) fn data(name: &str) -> String {
    format!("{}/tests/bounds/{name}.pl", env!("CARGO_MANIFEST_DIR"))
}

pub(crate) fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("bounds_{name}"));
    std::fs::write(&path, text).expect("the folder is there");
    path.to_str().expect("names are UTF-8").to_string()
}

/// Runs Alphorn with `input` in an address space of this many MiB, if the system supports such a limit.
pub(crate) fn run_in(mebibytes: u64, args: &[&str], input: &str) -> Output {
    let binary = env!("CARGO_BIN_EXE_alphorn");
    let mut command = match cfg!(target_os = "linux") {
        true => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("ulimit -v {}; exec \"$0\" \"$@\"", mebibytes << 10), binary]);
            shell
        }
        false => Command::new(binary),
    };
    let child = command
        .args(args)
        .env("LC_ALL", "C.UTF-8")
        .env("NO_COLOR", "1")
        .env("ALPHORN_HISTORY", "")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary is built");
    finished(child, input)
}

/// Writes `input` to a child process and reads its output at the same time.
pub(crate) fn finished(mut child: Child, input: &str) -> Output {
    let mut typed = child.stdin.take().expect("it is a pipe");
    std::thread::scope(|scope| {
        // A child that ended early has printed the reason.
        scope.spawn(move || drop(typed.write_all(input.as_bytes())));
        child.wait_with_output().expect("a child can be waited for")
    })
}

fn run(args: &[&str]) -> Output {
    run_in(4096, args, "")
}

/// Both outputs as text.
pub(crate) fn said(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("all output is UTF-8");
    text(&output.stdout) + &text(&output.stderr)
}

fn status(output: &Output) -> i32 {
    output.status.code().unwrap_or_else(|| panic!("killed: {}", said(output)))
}

/// Characters that control a terminal, or that reverse or hide the text around them. Line breaks are checked
/// where they matter.
fn hidden(text: &str) -> Vec<char> {
    let hides = |c: &char| {
        c.is_control() && *c != '\n'
            || matches!(*c, '\u{ad}' | '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
    };
    text.chars().filter(hides).collect()
}

#[track_caller]
fn shows_nothing_hidden(args: &[&str], input: &str) -> String {
    let text = said(&run_in(4096, args, input));
    assert_eq!(hidden(&text), Vec::<char>::new(), "{args:?} {input:?}: {text:?}");
    text
}

#[test]
fn a_label_cannot_forge_a_line_of_the_answer() {
    let text = shows_nothing_hidden(&["value", &data("forge")], "");
    assert_eq!(text.lines().filter(|line| line.starts_with("value")).count(), 1, "{text}");
    assert!(text.contains("a\\nvalue  999999 (MAX wins), exact, 1 ply\\n\\e[2K\\e]0;title\\a"), "{text}");
    let text = shows_nothing_hidden(&["moves", &data("forge")], "");
    assert_eq!(text.lines().count(), 2, "{text}");
}

#[test]
fn no_control_character_of_rules_reaches_a_terminal() {
    let rules = data("esc");
    for command in ["moves", "value", "tree", "solve", "test", "check", "match"] {
        let args: &[&str] = match command {
            "match" => &[command, &rules, "--games", "2"],
            _ => &[command, &rules],
        };
        shows_nothing_hidden(args, "");
        let json: Vec<&str> = args.iter().copied().chain(["--json"]).collect();
        let text = shows_nothing_hidden(&json, "");
        for line in text.lines() {
            assert!(serde_json::from_str::<Value>(line).is_ok(), "{line}");
        }
    }
    shows_nothing_hidden(&["check", &data("e2")], "");
    shows_nothing_hidden(&["value", &rules, "--moves", "\u{1b}[2J\u{202e}"], "");
    shows_nothing_hidden(&["check", "no\u{1b}[31m\nfile\u{202e}.pl"], "");
    shows_nothing_hidden(&["explain", "\u{1b}[2J"], "");
    let goals = "write('\\e]0;t\\a\\x202e\\'), nl.\nlabel(L).\nthrow('\\e[2J').\natom_length(\u{1b}[2J, X).\n:\u{1b}[2J\n:moves\n:show\n";
    shows_nothing_hidden(&["repl", &rules], goals);
}

#[test]
fn what_a_goal_writes_keeps_its_lines_and_tabs() {
    let out = run(&["query", &data("esc"), "write('a\\tb\\nc\\ed\\re'), nl"]);
    assert_eq!(String::from_utf8_lossy(&out.stdout), "a\tb\nc\\ed\\re\ntrue\n");
    let out = run(&["query", &data("esc"), "write('a\\tb\\nc\\ed')", "--json"]);
    let object: Value = serde_json::from_slice(&out.stdout).expect("it is JSON");
    assert_eq!(object["output"], "a\tb\nc\u{1b}d", "JSON keeps what was written");
}

#[test]
fn quoted_terms_with_control_characters_read_back() {
    let goal = "X = 'a\\eb\\x202e\\\\x9b\\c\\x200b\\', X == 'a\\eb\\x202e\\\\x9b\\c\\x200b\\'";
    let out = run(&["query", &data("esc"), goal]);
    let shown = String::from_utf8_lossy(&out.stdout).into_owned();
    assert_eq!(shown, "X = 'a\\eb\\x202e\\\\x9b\\c\\x200b\\'\n");
    let again = format!("{}, atom_length(X, N)", shown.trim());
    assert!(String::from_utf8_lossy(&run(&["query", &data("esc"), &again]).stdout).ends_with("N = 7\n"));
}

#[test]
fn marks_stay_under_what_they_mark() {
    let rules = file("marks.pl", "p('\u{1b}[31m\u{202e}'), q.\n");
    let text = shows_nothing_hidden(&["check", &rules], "");
    let line = text.lines().find(|line| line.contains("p('?[31m???')")).unwrap_or_else(|| panic!("{text}"));
    let mark = text.lines().skip_while(|other| *other != line).nth(1).expect("a mark is under it");
    let column = |line: &str, of: char| line.chars().position(|c| c == of);
    let begins = mark.chars().position(|c| matches!(c, '┬' | '─' | '╰')).expect("the mark is drawn");
    assert!(begins >= column(line, 'p').expect("it is there"), "{text}");
}

#[test]
fn pictures_of_trees_are_documents_whatever_labels_hold() {
    for form in ["svg", "dot"] {
        let path = file(&format!("tree.{form}"), "");
        let ran = run(&["tree", &data("esc"), "--format", form, "--output", &path]);
        assert_eq!(status(&ran), 0, "{}", said(&ran));
        let text = std::fs::read_to_string(&path).expect("it was written");
        assert_eq!(hidden(&text), Vec::<char>::new(), "{form}");
        assert!(text.contains("\\e"), "{form}: {text}");
        assert!(form == "dot" || !text.contains("<script>"), "{text}");
    }
}

/// Runs a command with this budget in MiB. One line of the output must contain one of these words: the
/// answer, or the reason why there is none.
#[track_caller]
pub(crate) fn stays_within(budget: u64, args: &[&str], words: &[&str]) {
    let memory = format!("{budget}M");
    let args: Vec<&str> = args.iter().copied().chain(["--memory", &memory]).collect();
    for json in [false, true] {
        let args: Vec<&str> = args.iter().copied().chain(json.then_some("--json")).collect();
        let ran = run_in(budget + CONSTANT, &args, "");
        let text = said(&ran);
        let short: String = text.chars().take(2000).collect();
        assert!((0..=2).contains(&status(&ran)), "{args:?} crashed: {short}");
        assert!(text.len() < 64 << 10, "{args:?} printed {} bytes: {short}", text.len());
        assert!(words.iter().any(|word| text.contains(word)), "{args:?}: {short}");
    }
}

/// Regression test: a new long atom in every position, which is needed only for a moment, took 5.9 GB.
#[test]
fn atoms_that_a_game_makes_are_forgotten() {
    stays_within(64, &["value", &data("leak"), "--depth", "9"], &["exact", "depth", "\"value\""]);
    // The same atoms in many small positions, all of which are kept.
    let text = std::fs::read_to_string(data("leak")).expect("it is there").replace("100000|", "3000|");
    stays_within(64, &["solve", "--method", "retrograde", &file("leak.pl", &text)], &["A0630"]);
    stays_within(64, &["solve", &file("leak.pl", &text)], &["method"]);
}

/// Regression test: an atom that was parsed as a number, without success, was kept for ever.
#[test]
fn atoms_that_are_read_as_numbers_are_forgotten() {
    stays_within(8, &["value", &data("leak_number"), "--depth", "7"], &["exact", "depth", "\"value\""]);
    let rules = data("leak_number");
    let goals = (0..200).map(|number| format!("\\+ reads_number({number}).\n")).collect::<String>();
    let ran = run_in(8 + CONSTANT, &["repl", &rules, "--memory", "8M"], &(goals + "X = last.\n"));
    let text = said(&ran);
    assert!(text.contains("X = last.") && !text.contains("A0602"), "{}", text.chars().take(2000).collect::<String>());
}

/// Atoms in positions are kept as long as the positions, and their memory counts for the game.
#[test]
fn atoms_that_positions_keep_are_charged_to_the_game() {
    let rules = file(
        "kept.pl",
        "initial(p(0, a)).\nmax_to_move(p(N, _)) :- N mod 2 =:= 0.\n\
         move(p(N, _), K, p(M, A)) :- N < 1000000, member(K, [1, 2]), M is 2*N + K, format(atom(A), \"~w~`xt~100000|\", [M]).\n\
         static_eval(p(N, _), V) :- V is N mod 7.\nacyclic.\n",
    );
    stays_within(64, &["value", &rules, "--depth", "14"], &["depth"]);
    let told = ["atoms made by the rules take much memory", "A0630"];
    stays_within(64, &["solve", "--method", "retrograde", &rules], &told);
    // Alpha-beta search keeps one line.
    stays_within(64, &["solve", &rules], &["method  alphabeta", "\"method\":\"alphabeta\""]);
}

/// A prompt runs many goals in one process: what a goal makes is freed before the next goal.
#[test]
fn a_prompt_does_not_grow_with_the_goals_asked() {
    let goals = "manylong(1).\n".to_string()
        + &"numlist(1, 300, L), forall(member(X, L), (format(atom(A), \"~w~`xt~100000|\", [X]), atom_length(A, _))).\n"
            .repeat(40);
    let ran = run_in(64 + CONSTANT, &["repl", &data("grow"), "--memory", "64M"], &goals);
    let text = said(&ran);
    assert_eq!(text.matches("A0602").count(), 1, "{text}");
    assert_eq!(text.matches("L = [1").count(), 40, "{text}");
}

/// Regression test: growing texts took up to 3 GB, and a message had 48 MB.
#[test]
fn texts_that_grow_end_within_the_budget() {
    let rules = data("grow");
    for goal in [
        "atoms(a)",
        "lin(a)",
        "fmt(a)",
        "strs(\"a\")",
        "alc(ab)",
        "up(ab)",
        "t2a(a)",
        "many(1)",
        "manylong(1)",
        "keep(1, [])",
        "keepstr(1, [])",
        "deep(a)",
        "wide(1000)",
        "bigs(1, [])",
        "fa(1000)",
        "big(7)",
        "tab(1000)",
    ] {
        stays_within(64, &["query", &rules, goal], &["A0601", "A0602", "A0603"]);
    }
}

#[test]
fn what_goals_write_counts_with_its_copies() {
    let (rules, goal) = (data("grow"), "repeat, write(abcdefghijklmnopqrstuvwxyz), fail");
    for json in [&[][..], &["--json"]] {
        let args: Vec<&str> =
            ["query", &rules, goal, "--memory", "64M"].into_iter().chain(json.iter().copied()).collect();
        let ran = run_in(64 + CONSTANT, &args, "");
        assert_eq!(status(&ran), 2);
        let text = said(&ran);
        assert!(text.contains("A0602") && text.len() < 16 << 20, "{} bytes", text.len());
    }
}

#[test]
fn answers_that_are_kept_as_json_count() {
    let ran = run_in(64 + CONSTANT, &["query", &data("grow"), "between(1, inf, X)", "--json", "--memory", "64M"], "");
    assert_eq!(status(&ran), 2);
    let object: Value = serde_json::from_slice(&ran.stdout).expect("it is JSON");
    assert_eq!(object["error"]["code"], "A0602");
    assert_eq!(object["complete"], false);
}

/// Regression test: a message had 100 MB.
#[test]
fn messages_have_an_end() {
    let rules = file(
        "long.pl",
        "grown(A, A) :- atom_length(A, N), N > 30000000, !.\ngrown(A, B) :- atom_concat(A, A, C), grown(C, B).\n\
         add(A) :- X is A + 1, X > 0.\nname(A) :- functor(T, A, 2), call(T).\n",
    );
    for goal in [
        "grown(abc, A), add(A)",
        "grown(abc, A), throw(A)",
        "grown(abc, A), name(A)",
        "grown(abc, A), atom_length(f(A), _)",
    ] {
        stays_within(1024, &["query", &rules, goal], &["A0603", "A0604"]);
    }
}

#[test]
fn labels_and_pictures_have_an_end() {
    let rules = file(
        "wide.pl",
        "initial(s).\nmax_to_move(s).\nmove(s, go, t).\nterminal(t).\noutcome(t, draw).\n\
         long(A) :- format(atom(A), \"~`xt~500000|\", []).\nshown_move(_, _, A) :- long(A).\n\
         write_position(_, A) :- long(A).\nshow(_, L) :- long(A), findall(A, between(1, 3, _), L).\n",
    );
    let ran = run(&["moves", &rules]);
    let text = said(&ran);
    assert!(text.len() < 200_000 && text.contains("bytes more)"), "{} bytes", text.len());
    let text = said(&run(&["value", &rules]));
    assert!(text.len() < 10_000 && text.contains("(498976 bytes more)"), "{} bytes", text.len());
}

/// Regression test: these walks kept a list that no budget counted, of 6.27 GB under a budget of 64 MB, or ended only
/// after 100,000,000 steps.
#[test]
fn a_walk_over_a_cyclic_term_had_no_bound() {
    let rules = file("cyclic_walk.pl", "q.\n");
    for goal in [
        "X = f(X), ground(X)",
        "X = f(X, X, X), ground(X)",
        "X = f(X, X, X, X, X, X), ground(X)",
        "X = f(X, X, X), term_variables(X, L)",
        "X = f(X, X, X), numbervars(X, 0, E)",
        "X = f(X, X, X), subsumes_term(_, X)",
        "X = f(X, X, X), bagof(Y, member(Y, [X]), L)",
        "X = f(X), Y = f(Y), X = Y",
        "X = f(X), Y = f(Y), X \\= Y",
        "X = f(X), Y = f(Y), X == Y",
        "X = f(X), Y = f(Y), X @< Y",
        "X = f(X), Y = f(Y), unify_with_occurs_check(X, Y)",
        "X = f(X), write(X)",
        "X = f(X), print(X)",
        "X = f(X), format(\"~w\", [X])",
        "X = f(X), term_to_atom(X, A)",
    ] {
        stays_within(64, &["query", &rules, goal], &["A0626"]);
    }
    // A large finite term with shared parts is walked to its end.
    let shared = "numlist(1, 100000, L), X = f(L, L, L), ground(X), term_variables(g(X, Y), [Z]), Y == Z";
    let ran = run(&["query", &rules, shared]);
    assert_eq!(status(&ran), 0, "{}", said(&ran));
}

/// Regression test: a cyclic term filled 1 GiB and then ended in A0602.
#[test]
fn a_term_that_contains_itself_is_told_at_once() {
    let rules = file(
        "cyclic.pl",
        "initial(s).\nmax_to_move(_).\nmove(s, go, P) :- P = f(P, a).\nterminal(_) :- fail.\nstatic_eval(_, 0).\nq.\n\
         :- table t/1.\nt(_).\n",
    );
    for goal in ["X = f(X)", "X = [a|X]", "X = f(Y), Y = g(X, Z)", "numlist(1, 100000, _L), append(_L, T, U), T = U"] {
        stays_within(16, &["query", &rules, goal], &["A0626"]);
    }
    for goal in
        ["t(X)", "copy_term(X, _)", "X =@= f(a)", "f(a) =@= X", "write(X)", "format(\"~q\", [X])", "distinct(X, q)"]
    {
        for shape in ["X = f(X)", "X = [a|X]", "X = [X, a]"] {
            let goal = format!("{shape}, {goal}");
            stays_within(16, &["query", &rules, &goal], &["A0626"]);
            stays_within(16, &["why", &rules, &goal], &["A0626"]);
        }
    }
    stays_within(16, &["query", &rules, "X = f(X), findall(X, q, L)"], &["A0626", "A0602"]);
    // Regression test: a copy of such a term filled the budget of 1 GiB before it was given up.
    let ran = run_in(CONSTANT, &["query", &rules, "X = f(X), findall(X, member(_, [1]), L)"], "");
    assert!(said(&ran).contains("A0626"), "{}", said(&ran));
    stays_within(16, &["query", &rules, "X = f(X), throw(X)"], &["A0626"]);
    stays_within(16, &["value", &rules], &["A0626"]);
    // Regression test: the comparison of two cyclic terms used memory that did not count for the budget.
    for goal in [
        "X = f(X, X), Y = f(Y, Y), X = Y",
        "X = f(X, X), Y = f(Y, Y), X @< Y",
        "X = [X, X], Y = [Y, Y], unify_with_occurs_check(X, Y)",
        "X = (a, X), call(X)",
        "X = (X, X), call(X)",
        "X = X + 1, Y is X",
        "X = 1 + X, 1 =:= X",
    ] {
        stays_within(64, &["query", &rules, goal], &["A0626", "A0601", "A0602", "A0603"]);
    }
    // A term with shared parts is not cyclic, however many parts it shares.
    let ran = run(&["query", &rules, "X = f(a), Y = [X, X, X]"]);
    assert_eq!(String::from_utf8_lossy(&ran.stdout), "X = f(a), Y = [f(a),f(a),f(a)]\n");
}

#[test]
#[cfg(unix)]
fn devices_are_not_read() {
    let rules = data("leak");
    for device in ["/dev/zero", "/dev/full", "/dev/random"] {
        for args in [
            vec!["verify", &rules, device],
            vec!["check", device],
            vec!["value", &rules, "--with", device],
            vec!["value", &rules, "--table", device],
            vec!["value", &rules, "--backup", &format!("risk=table:{device}")],
        ] {
            let ran = run_in(64 + CONSTANT, &args, "");
            assert_eq!(status(&ran), 2, "{args:?}: {}", said(&ran));
        }
        let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bounds_device");
        std::fs::create_dir_all(&folder).expect("the folder is there");
        let link = folder.join("device.pl");
        let _ = std::fs::remove_file(&link);
        std::os::unix::fs::symlink(device, &link).expect("the folder can be written to");
        let linked = link.to_str().expect("names are UTF-8").to_string();
        let ran = run_in(64 + CONSTANT, &["check", &linked], "");
        assert!(said(&ran).contains("device, not a file"), "{}", said(&ran));
        let include = file("include.pl", ":- include('bounds_device/device.pl').\np.\n");
        let ran = run_in(64 + CONSTANT, &["check", &include], "");
        assert!(status(&ran) > 0 && said(&ran).contains("A0208"), "{}", said(&ran));
        let typed = format!(":verify {device}\nX = 1.\n");
        let ran = run_in(64 + CONSTANT, &["repl", &rules], &typed);
        assert!(said(&ran).contains("device") && said(&ran).contains("X = 1."), "{}", said(&ran));
    }
    let empty = run(&["check", "/dev/null"]);
    assert!(said(&empty).contains("A0") || status(&empty) == 0, "{}", said(&empty));
}

/// Regression test: a proof of 18 MB took 665 MB, with a budget of 16 MB.
#[test]
fn a_proof_is_read_within_the_budget() {
    let rules = data("leak");
    let long: String =
        (0..1_000_000).map(|number| format!("{}\t{number}\t{}\n", 1_000_000 - number, number + 1)).collect();
    let proof = file("long.proof", &format!("alphorn proof 1\nposition 0\nmax wins\n{long}"));
    stays_within(16, &["verify", &rules, &proof], &["A0602"]);
    let line = file("line.proof", &format!("alphorn proof 1\nposition 0{}\n", "0".repeat(20 << 20)));
    stays_within(16, &["verify", &rules, &line], &["A0602"]);
}

/// Only `source::open` and its module read files, with a limit. Only `cli::output` prints text, and escapes
/// it.
#[test]
fn one_place_reads_files_and_one_prints() {
    fn visit(folder: &std::path::Path, files: &mut Vec<PathBuf>) {
        for entry in std::fs::read_dir(folder).expect("the folder is there") {
            let path = entry.expect("it can be listed").path();
            if path.is_dir() { visit(&path, files) } else { files.push(path) }
        }
    }
    let root = PathBuf::from(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    visit(&root.join("src"), &mut files);
    visit(&root.join("crates"), &mut files);
    assert!(files.len() > 300, "only {} files were found", files.len());
    let reads = ["File::open(", "read_to_string(", "fs::read(", "read_to_end("];
    let prints = [" println!(", " print!(", "stdout().write", "stdout(),"];
    let mut bad = Vec::new();
    // Tests and build scripts run without a user.
    let is_ours = |path: &&PathBuf| {
        path.extension().is_some_and(|end| end == "rs") && path.components().any(|part| part.as_os_str() == "src")
    };
    for path in files.iter().filter(is_ours) {
        let text = std::fs::read_to_string(path).expect("sources are UTF-8");
        let text = text.split("#[cfg(test)]").next().unwrap_or_default();
        let name = path.strip_prefix(&root).expect("it lies there").display().to_string();
        for line in text.lines().filter(|line| !line.trim_start().starts_with("//")) {
            let reads = name != "crates/text/src/source.rs"
                && reads.iter().any(|word| line.contains(word))
                && !line.contains(".take(");
            let prints = name != "src/cli/output.rs" && prints.iter().any(|word| line.contains(word));
            if reads || prints {
                bad.push(format!("{name}: {}", line.trim()));
            }
        }
    }
    // The prompt itself shows pasted lines, and escapes them there.
    bad.retain(|line| !line.starts_with("src/cli/repl/lines.rs: let _ = writeln!(std::io::stdout()"));
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// Regression test: a few positions with large atoms filled the memory, and `solve` ended in A0602 where
/// alpha-beta search, which keeps one line of them, needs little.
#[test]
fn solve_gave_up_where_alpha_beta_search_fits() {
    let rules = file(
        "large_positions.pl",
        "initial(p(0, x)).\nmax_to_move(p(N, _)) :- N mod 2 =:= 0.\n\
         move(p(N, _), K, p(M, A)) :- N < 63, member(K, [1, 2]), M is 2*N + K, format(atom(A), \"~w~`xt~60000|\", [M]).\n\
         static_eval(p(N, _), V) :- V is N mod 7.\nacyclic.\n",
    );
    stays_within(4, &["solve", &rules], &["method  alphabeta", "\"method\":\"alphabeta\""]);
    stays_within(4, &["solve", "--method", "retrograde", &rules], &["atoms made by the rules take much memory"]);
}

/// Regression test: the positions of random play filled the memory, and A0602 blamed a rule.
#[test]
fn random_play_kept_every_position_until_the_memory_was_full() {
    let text = "initial(s(0, L)) :- numlist(1, 400, L).\nmax_to_move(s(N, _)) :- N mod 2 =:= 0.\n\
                move(s(N, [X|L]), K, s(M, T)) :- N < 300, member(K, [1, 2, 3]), M is N + 1, Y is X + K, append(L, [Y], T).\n\
                static_eval(s(_, [X|_]), X).\n";
    stays_within(16, &["check", "--playouts", "5", &file("long_play.pl", text)], &["no problems", "\"problems\":[]"]);
    // One game alone is too large. Its rules are right.
    let rules = file("longer_play.pl", &text.replace("N < 300", "N < 900").replace("400", "1000"));
    let ran = run_in(8 + CONSTANT, &["check", "--playouts", "1", "--memory", "8M", &rules], "");
    let text = said(&ran);
    assert!(text.contains("the positions and answers that are kept take more than 8 MiB"), "{text}");
    assert!(!text.contains("a term may grow without end"), "{text}");
}
