//! Tests that files written at the prompt are correct, and that no work is lost.

use super::{Folder, game, piped};
use std::fs;
#[cfg(unix)]
use std::os::unix::fs::{PermissionsExt, symlink};

const HERD: &str = "man(max, 1).\nman(moritz, 2).\nlady(x).\n";

/// Runs a script. Returns the file that its commands write, and the output on both streams.
fn left(folder: &Folder, arguments: &[&str], script: &str, name: &str) -> (String, String) {
    let (out, err, _) = piped(folder, arguments, script);
    (fs::read_to_string(folder.0.join(name)).expect("the file is there"), format!("{out}{err}"))
}

#[test]
#[cfg(unix)]
fn rules_in_use_are_never_written_over() {
    let folder = Folder::new("over");
    let text = format!(":- include('more.pl').\n{}", game(3));
    folder.file("game.pl", &text);
    folder.file("more.pl", "more(1).\n");
    symlink("game.pl", folder.0.join("link.pl")).expect("a link");
    let rule = ":rule more(2).\n";
    for order in [
        ":save game.pl",
        ":save game.pl --force",
        ":save link.pl --force",
        ":save ./more.pl --force",
        ":tree 1 --output game.pl",
        ":tree 1 --format svg --output link.pl",
        ":stats --games 2 --svg game.pl",
        ":advise --svg game.pl",
        ":lab tree --svg more.pl",
        ":solve --proof game.pl",
        ":solve --save more.pl",
    ] {
        let (kept, said) = left(&folder, &["game.pl"], &format!("{rule}{order}\n"), "game.pl");
        assert_eq!(kept, text, "{order}: {said}");
        assert_eq!(fs::read_to_string(folder.0.join("more.pl")).expect("it is there"), "more(1).\n", "{order}: {said}");
        // Without advice there is no picture to write.
        assert!(said.contains("A0623") || order.starts_with(":advise"), "{order}: {said}");
    }
    let (_, err, status) = piped(&folder, &["tree", "game.pl", "--depth", "1", "--output", "link.pl"], "");
    assert!(err.contains("A0623") && status == Some(2), "{err}");
    assert_eq!(fs::read_to_string(folder.0.join("game.pl")).expect("it is there"), text);
}

#[test]
fn what_save_has_not_written_stays_unless_it_is_forced() {
    let folder = Folder::new("force");
    folder.file("herd.pl", HERD);
    folder.file("other.pl", "precious(1).\n");
    let (kept, said) = left(&folder, &["herd.pl"], ":rule man(a, b).\n:save other.pl\n", "other.pl");
    assert_eq!(kept, "precious(1).\n", "{said}");
    assert!(said.contains("--force"), "{said}");
    let (written, said) = left(&folder, &["herd.pl"], ":rule man(a, b).\n:save other.pl --force\n", "other.pl");
    assert!(written.ends_with("man(a, b).\n") && !written.contains("precious"), "{said}");
    // The prompt may overwrite a file that it wrote itself.
    let (written, said) = left(&folder, &["herd.pl"], ":rule man(c, d).\n:save other.pl\n", "other.pl");
    assert!(written.ends_with("man(c, d).\n") && !written.contains("man(a, b)"), "{said}");
    // The user has changed the file since then.
    let changed = format!("{written}mine(1).\n");
    folder.file("other.pl", &changed);
    let (kept, said) = left(&folder, &["herd.pl"], ":rule man(e, f).\n:save other.pl\n", "other.pl");
    assert_eq!(kept, changed, "{said}");
}

#[test]
fn an_overlay_in_use_keeps_its_clauses() {
    let folder = Folder::new("overlay");
    folder.file("herd.pl", HERD);
    folder.file("ideas.pl", "% My ideas.\nlady(y). % she\nman(old, 1).\nman(older, 2).");
    let script = ":rule man(new, 1).\n:save ideas.pl\n:save ideas.pl\n";
    let (written, said) = left(&folder, &["herd.pl", "--with", "ideas.pl"], script, "ideas.pl");
    assert_eq!(written, "% My ideas.\nlady(y). % she\nman(new, 1).\n", "{said}");
    folder.file("ideas.pl", "lady(y).\n");
    fs::write(folder.0.join("script"), "").expect("a file");
    let (out, err, _) =
        piped(&folder, &["herd.pl", "--with", "ideas.pl"], "?- lady(X).\n:rule man(new, 1).\n:save ideas.pl\n");
    assert!(out.contains("which is loaded"), "{out}{err}");
}

#[test]
#[cfg(unix)]
fn permissions_links_and_blanks_are_kept() {
    let folder = Folder::new("kept");
    folder.file("herd.pl", HERD);
    folder.file("my ideas.pl", "");
    let path = folder.0.join("my ideas.pl");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).expect("they can be set");
    symlink("my ideas.pl", folder.0.join("link.pl")).expect("a link");
    let (written, said) =
        left(&folder, &["herd.pl"], ":rule man(a, b).\n:save link.pl\n:save \"my ideas.pl\"\n", "my ideas.pl");
    assert!(written.ends_with("man(a, b).\n"), "{said}");
    assert!(said.contains("--with 'my ideas.pl'"), "{said}");
    assert_eq!(fs::metadata(&path).expect("it is there").permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.0.join("link.pl")).expect("it is there").is_symlink());
    let names = fs::read_dir(&folder.0).expect("a folder").count();
    assert!(names <= 4, "nothing is left beside them");
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_told() {
    let folder = Folder::new("full");
    folder.file("herd.pl", HERD);
    let (_, err, status) = piped(&folder, &["herd.pl"], ":rule man(a, b).\n:save /dev/full\n");
    assert!(err.contains("cannot write /dev/full: the disk is full") && status == Some(2), "{err}");
    for asked in ["--version", "--help"] {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("it is there");
        let status = super::command(&folder, &[asked]).stdout(full).stderr(std::process::Stdio::null()).status();
        assert_eq!(status.expect("it ends").code(), Some(2), "{asked}");
    }
}
