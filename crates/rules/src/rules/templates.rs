//! The templates of new games, which are compiled into the program.
//!
//! `templates/index.tsv` lists them; each is a file of rules. The word NAME in its comments stands for the
//! name of the new game.

use include_dir::{Dir, include_dir};

static FILES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/templates");

/// The word in comments that stands for the name of the game.
const NAME: &str = "NAME";

/// The rules of a small game, as a beginning for another.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The board, such as `8x8`.
    pub board: &'static str,
    /// What a move does, such as `step`.
    pub moves: &'static str,
    /// The description, one sentence.
    pub about: &'static str,
    /// The rules.
    pub text: &'static str,
}

impl Template {
    /// The rules of a game with this name.
    pub fn named(&self, name: &str) -> String {
        let mut text = String::new();
        for line in self.text.lines() {
            match line.split_once('%') {
                Some((code, comment)) => text.push_str(&format!("{code}%{}\n", comment.replace(NAME, name))),
                None => text.push_str(&format!("{line}\n")),
            }
        }
        text
    }
}

/// The templates, in the order of `templates/index.tsv`.
pub fn templates() -> Vec<Template> {
    let index = FILES.get_file("index.tsv").and_then(|file| file.contents_utf8()).unwrap_or_default();
    let row = |line: &'static str| {
        let mut fields = line.split('\t');
        let (board, moves, about) = (fields.next()?, fields.next()?, fields.next()?);
        let text = FILES.get_file(format!("{board}-{moves}.pl"))?.contents_utf8()?;
        Some(Template { board, moves, about, text })
    };
    index.lines().filter_map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::{FILES, templates};

    #[test]
    fn every_template_is_listed() {
        let files = FILES.files().filter(|file| file.path().extension().is_some_and(|ending| ending == "pl"));
        assert_eq!(templates().len(), files.count());
        assert!(templates().len() > 10);
    }

    #[test]
    fn only_comments_name_the_game() {
        for template in templates() {
            assert!(template.text.starts_with("% NAME"), "{}-{}", template.board, template.moves);
            assert!(!template.named("Pebbles").contains("NAME"), "{}-{}", template.board, template.moves);
        }
    }
}
