//! Texts of positions and moves: for how many moves `shown_move/3` gave one, and names of variables in texts.

use crate::rules::fault::text;
use alphorn_lang::lang::program::Program;
use alphorn_prolog::term::pack::Packed;
use alphorn_text::source::SourceId;

/// How many moves `shown_move/3` gave a text for, and for how many it was called.
#[derive(Default)]
pub(super) struct ShownTexts {
    pub(super) given: u64,
    pub(super) asked: u64,
}

/// The greatest length of a text that is looked at for names of variables, in bytes.
const LONGEST: usize = 4_000;

/// What to do about the name of a variable in a text.
pub(super) const NO_VALUE: &str = "write the goal that makes the text, such as format/3, behind the goal that gives the \
                                   variable its value";

/// The name of a variable without a value in the texts of a term. Variables of the term itself do not count, and
/// neither do names that the rules may write as texts.
pub(super) fn unbound_in(shown: &Packed, program: &Program) -> Option<String> {
    let sources = &program.sources;
    let is_written = || (0..sources.len()).any(|at| unbound_name(&sources.get(SourceId(at as u16)).text).is_some());
    let text = shown.is_ground().then(|| text(shown, &program.ops, LONGEST))?;
    unbound_name(&text).filter(|_| !is_written()).map(str::to_string)
}

/// The name that a variable without a value has in a text, such as `_G205`.
fn unbound_name(text: &str) -> Option<&str> {
    text.match_indices("_G").find_map(|(at, prefix)| {
        let digits = text[at + prefix.len()..].bytes().take_while(u8::is_ascii_digit).count();
        let is_begin = !text[..at].ends_with(|before: char| before.is_alphanumeric() || before == '_');
        (digits > 0 && is_begin).then(|| &text[at..at + prefix.len() + digits])
    })
}

#[cfg(test)]
mod tests {
    use super::unbound_name;

    #[test]
    fn finds_the_name_of_a_variable() {
        assert_eq!(unbound_name("['max (_G205) to move']"), Some("_G205"));
        assert_eq!(unbound_name("[a_G2,'_G',x_G3]"), None);
    }
}
