//! Runs `alphorn` for tests that compare its output.

use serde_json::Value;
use std::process::{Command, Output, Stdio};

/// The result of a run.
pub(crate) struct Ran {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
}

/// The program with these arguments, without colours and input, in the folder of the repository.
pub(crate) fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_alphorn"));
    command.current_dir(env!("CARGO_MANIFEST_DIR")).env("LC_ALL", "C").env("NO_COLOR", "1");
    command.args(args).stdin(Stdio::null());
    command
}

pub(crate) fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("alphorn writes UTF-8")
}

pub(crate) fn run(args: &[&str]) -> Ran {
    let Output { status, stdout, stderr } = command(args).output().expect("the binary starts");
    Ran { status: status.code(), out: text(stdout), err: text(stderr) }
}

/// The object that a command prints with `--json`. The command must succeed.
pub(crate) fn json(args: &[&str]) -> Value {
    let ran = run(&[args, &["--json"]].concat());
    assert_eq!(ran.status, Some(0), "{args:?}: {}{}", ran.out, ran.err);
    serde_json::from_str(&ran.out).expect("one object")
}
