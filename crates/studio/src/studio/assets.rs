//! The files of the page, which are compiled into the program.
//!
//! The folder `web/dist` holds them; `web/` has their sources.

use alphorn_text::source::{bounded, open};
use include_dir::{Dir, include_dir};
use std::borrow::Cow;
use std::path::{Component, Path};

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/web/dist");

/// The type of a file, by the end of its name. Files of other types are not served.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/x-icon"),
    ("woff2", "font/woff2"),
    ("json", "application/json"),
    ("map", "application/json"),
    ("webmanifest", "application/manifest+json"),
    ("txt", "text/plain; charset=utf-8"),
];

/// The most bytes of a file of the page.
const LARGEST: u64 = 16 << 20;

/// The contents and the type of the file with this path; from `folder` if it is given.
pub(super) fn asset(path: &str, folder: Option<&Path>) -> Option<(Cow<'static, [u8]>, &'static str)> {
    let path = match path.trim_start_matches('/') {
        "" => "index.html",
        path => path,
    };
    let relative = Path::new(path);
    let is_inside = relative.components().all(|part| matches!(part, Component::Normal(_)));
    let end = relative.extension().and_then(|end| end.to_str())?;
    let (_, content_type) = TYPES.iter().find(|(known, _)| *known == end).filter(|_| is_inside)?;
    let contents = match folder {
        Some(folder) => Cow::Owned(bounded(open(folder.join(relative)).ok()?, LARGEST, "bytes").ok()?),
        None => Cow::Borrowed(PAGE.get_file(relative)?.contents()),
    };
    Some((contents, content_type))
}

#[cfg(test)]
mod tests {
    use super::asset;
    use std::path::Path;

    #[test]
    fn only_files_of_the_page_are_served() {
        assert!(asset("/", None).is_some_and(|(text, kind)| kind.starts_with("text/html") && !text.is_empty()));
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        for path in ["/../Cargo.toml", "/Cargo.toml", "//etc/passwd", "/src/lib.rs", "/src", "/x.html", "/../lib.json"]
        {
            assert!(asset(path, Some(here)).is_none(), "{path}");
            assert!(asset(path, None).is_none(), "{path}");
        }
    }
}
