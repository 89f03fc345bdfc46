//! Converts paths of files to URIs and back.

use lsp_types::Uri;
use percent_encoding::{AsciiSet, CONTROLS, percent_decode_str, utf8_percent_encode};
use std::path::{Component, Path, PathBuf};
use std::str::FromStr;

/// The characters of a path that a URI cannot contain.
const ESCAPED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b'\\')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

/// The path of a `file:` URI; `None` for other URIs, such as that of a text that was never saved.
pub fn path_of(uri: &Uri) -> Option<PathBuf> {
    let rest = uri.as_str().strip_prefix("file://")?;
    let path = &rest[rest.find('/')?..];
    let path = percent_decode_str(path).decode_utf8().ok()?;
    // A drive of Windows: `/c:/games` is `c:/games`.
    let mut letters = path.chars().skip(1);
    let drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':');
    let path = if drive { &path[1..] } else { &path[..] };
    Some(normal(Path::new(path)))
}

/// The URI of a path; `None` if the path is not UTF-8 text.
pub fn uri_of(path: &Path) -> Option<Uri> {
    let text = path.to_str()?.replace('\\', "/");
    let slash = if text.starts_with('/') { "" } else { "/" };
    Uri::from_str(&format!("file://{slash}{}", utf8_percent_encode(&text, ESCAPED))).ok()
}

/// A path without `.` and `..`.
pub(super) fn normal(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                out.pop();
            }
            part => out.push(part),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_convert_there_and_back() {
        for path in ["/games/nim.pl", "/my games/é 漢 🎲.pl", "/a%20b/[x]#?.pl"] {
            let uri = uri_of(Path::new(path)).expect("a path of text");
            assert_eq!(path_of(&uri).as_deref(), Some(Path::new(path)), "{}", uri.as_str());
        }
        let uri = Uri::from_str("file:///c%3A/Games/nim.pl").expect("a URI");
        assert_eq!(path_of(&uri).as_deref(), Some(Path::new("c:/Games/nim.pl")));
        let uri = Uri::from_str("untitled:Untitled-1").expect("a URI");
        assert_eq!(path_of(&uri), None);
    }

    #[test]
    fn dots_leave_a_path() {
        assert_eq!(normal(Path::new("/a/./b/../c.pl")), Path::new("/a/c.pl"));
    }
}
