//! Makes texts safe to print: no control character of a rules file reaches a terminal.
//!
//! The functions take any text, such as a label. They return the text with each hidden character as a
//! Prolog escape, such as `\e` or `\x202e\`. Every text of rules passes through here before Alphorn
//! draws it.

use pest::unicode;
use std::borrow::Cow;

/// Whether a character has no picture of its own. These are control characters (C0, DEL, C1), format
/// controls, line separators, blanks other than the space, and characters that Unicode ignores by
/// default, such as variation selectors and fillers.
pub fn is_hidden(c: char) -> bool {
    match c {
        ' '..='~' => false,
        c if c.is_ascii() => true,
        c => c.is_control() || unicode::FORMAT(c) || unicode::DEFAULT_IGNORABLE_CODE_POINT(c) || is_blank(c),
    }
}

/// Whether a character beyond ASCII takes room but shows nothing, or ends a line.
fn is_blank(c: char) -> bool {
    unicode::SEPARATOR(c) && c != ' ' || c == '\u{2800}'
}

/// Whether a text contains hidden characters. Line breaks and tabs count as hidden.
pub fn has_hidden(text: &str) -> bool {
    let plain = text.bytes().all(|byte| (b' '..=b'~').contains(&byte));
    !plain && text.chars().any(is_hidden)
}

/// Appends the Prolog escape of a character, as it stands inside quotes.
pub fn escape(c: char, out: &mut String) {
    let letter = match c {
        '\u{7}' => 'a',
        '\u{8}' => 'b',
        '\t' => 't',
        '\n' => 'n',
        '\u{b}' => 'v',
        '\u{c}' => 'f',
        '\r' => 'r',
        '\u{1b}' => 'e',
        c => return out.push_str(&format!("\\x{:x}\\", u32::from(c))),
    };
    out.extend(['\\', letter]);
}

/// Escapes the hidden characters of a text, except where `stays(before, c)` holds.
fn escaped(text: &str, stays: impl Fn(char, char) -> bool) -> Cow<'_, str> {
    if !has_hidden(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + 16);
    let mut before = ' ';
    for c in text.chars() {
        match is_hidden(c) && !stays(before, c) {
            true => escape(c, &mut out),
            false => out.push(c),
        }
        before = c;
    }
    out.into()
}

/// Escapes a text for one line: a label, a position, a message, a file name.
pub fn line(text: &str) -> Cow<'_, str> {
    escaped(text, |_, _| false)
}

/// Escapes a text that may have several lines and tabs, such as the output of a goal. Pictures also
/// use wide blanks, and variation selectors that choose the colour of the symbol before.
pub fn lines(text: &str) -> Cow<'_, str> {
    escaped(text, |before, c| match c {
        '\n' | '\t' => true,
        '\u{fe0e}' | '\u{fe0f}' => unicode::SYMBOL(before),
        '\u{2028}' | '\u{2029}' => false,
        c => !c.is_control() && is_blank(c),
    })
}

/// Escapes a text of Alphorn, except colours (`ESC [ 1 ; 31 m`). This is the last check before the
/// terminal, for text that passed no other check.
pub fn coloured(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| (b' '..=b'~').contains(&byte) || byte == b'\n') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('\u{1b}') {
        out.push_str(&lines(&rest[..at]));
        let colour = colour(&rest[at..]);
        match colour {
            0 => escape('\u{1b}', &mut out),
            _ => out.push_str(&rest[at..at + colour]),
        }
        rest = &rest[at + colour.max(1)..];
    }
    out.push_str(&lines(rest));
    out.into()
}

/// The number of bytes at the start of a text that set a colour; 0 if they set none.
fn colour(text: &str) -> usize {
    let Some(inside) = text.strip_prefix("\u{1b}[") else { return 0 };
    let digits = inside.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b';').count();
    // Alphorn never uses blinking, inverted or hidden text (5 to 8).
    let number =
        |code: &str| code.bytes().fold(0_u32, |sum, byte| sum.saturating_mul(10).saturating_add((byte - b'0').into()));
    let ours = inside[..digits].split(';').all(|code| !matches!(number(code), 5..=8));
    if ours && inside[digits..].starts_with('m') { digits + 3 } else { 0 }
}

/// Escapes hidden characters in JSON, also those that JSON itself allows.
pub fn json(text: String) -> String {
    if text.is_ascii() && !text.contains('\u{7f}') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        // Characters beyond ASCII occur only inside strings.
        match is_hidden(c) {
            true => c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}"))),
            false => out.push(c),
        }
    }
    out
}

/// Replaces each byte of a hidden character by `?`, so that marks can be drawn below the columns. The
/// length in bytes does not change. Line breaks and tabs stay.
pub fn in_place(text: &str) -> Cow<'_, str> {
    if !has_hidden(text) {
        return text.into();
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        let stays = matches!(c, '\n' | '\t') || c == '\r' && rest.as_str().starts_with('\n');
        match is_hidden(c) && !stays {
            true => out.extend(std::iter::repeat_n('?', c.len_utf8())),
            false => out.push(c),
        }
    }
    out.into()
}

/// Cuts a text after about `limit` bytes and appends how many bytes are missing.
pub fn cut(text: &str, limit: usize) -> Cow<'_, str> {
    if text.len() <= limit {
        return text.into();
    }
    let mut end = limit;
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}... ({} bytes more)", &text[..end], text.len() - end).into()
}

#[cfg(test)]
mod tests {
    use super::{coloured, cut, in_place, is_hidden, json, line, lines};
    use pest::unicode;

    #[test]
    fn control_characters_stand_as_prolog_escapes() {
        let text = "a\u{1b}[2J\u{7}\r\n\t\u{9b}\u{202e}\u{200b}\u{2028}\u{7f}\u{0}é♟";
        let shown = "a\\e[2J\\a\\r\\n\\t\\x9b\\\\x202e\\\\x200b\\\\x2028\\\\x7f\\\\x0\\é♟";
        assert_eq!(line(text), shown);
        assert_eq!(lines("a\n\tb\u{1b}c"), "a\n\tb\\ec");
    }

    /// Regression test: a label could hide a part of its text, or look like another label.
    #[test]
    fn blank_and_ignored_characters_were_printed_as_they_are() {
        for c in "\u{fe0f}\u{115f}\u{1160}\u{2800}\u{3164}\u{ad}\u{ffa0}\u{34f}\u{e0100}\u{a0}\u{3000}\u{180b}".chars()
        {
            assert_eq!(line(&format!("a{c}b")), format!("a\\x{:x}\\b", u32::from(c)));
        }
        let unseen = |c: &char| !matches!(c, ' '..='~') && (unicode::SEPARATOR(*c) || unicode::OTHER(*c));
        for c in ('\0'..=char::MAX).filter(|c| unseen(c) && !unicode::UNASSIGNED(*c) && !unicode::PRIVATE_USE(*c)) {
            assert!(is_hidden(c), "{c:?}");
        }
        for c in ('\0'..=char::MAX).filter(|c| unicode::DEFAULT_IGNORABLE_CODE_POINT(*c)) {
            assert!(is_hidden(c), "{c:?}");
        }
        let picture = "\u{3000}♟\u{fe0e}\u{a0}\u{2800}\n";
        assert_eq!(lines(picture), picture, "pictures are drawn with these");
        assert_eq!(lines("a\u{fe0e}\u{ad}"), "a\\xfe0e\\\\xad\\");
        assert!("é♟あ字\u{301}".chars().all(|c| !is_hidden(c)), "these have a picture");
    }

    #[test]
    fn only_colours_pass_the_last_gate() {
        assert_eq!(coloured("\u{1b}[8mhidden"), "\\e[8mhidden");
        for code in ["08", "008", "1;05", "31;0000000000007", "06;1"] {
            assert_eq!(coloured(&format!("\u{1b}[{code}mhidden")), format!("\\e[{code}mhidden"));
        }
        assert_eq!(coloured("\u{1b}[038;05;0mcolour"), "\\e[038;05;0mcolour");
        assert_eq!(coloured("\u{1b}[1;31mred\u{1b}[0m\n"), "\u{1b}[1;31mred\u{1b}[0m\n");
        assert_eq!(coloured("\u{1b}[2J\u{1b}]0;t\u{7}\u{1b}"), "\\e[2J\\e]0;t\\a\\e");
    }

    #[test]
    fn json_keeps_what_it_says() {
        let text = "\u{9b}\u{202e}\u{7f}\u{e0001}\n\u{1b}é";
        let shown = json(serde_json::Value::from(text).to_string());
        assert!(shown.chars().all(|c| !super::is_hidden(c)), "{shown}");
        assert_eq!(serde_json::from_str::<String>(&shown).expect("it is JSON"), text);
    }

    #[test]
    fn columns_stay_where_they_are() {
        let text = "p('\u{1b}[31m\u{202e}').\r\n\tq\r.";
        assert_eq!(in_place(text), "p('?[31m???').\r\n\tq?.");
        assert_eq!(in_place(text).len(), text.len());
    }

    #[test]
    fn what_is_cut_says_so() {
        assert_eq!(cut("abc", 3), "abc");
        assert_eq!(cut("abécd", 3), "ab... (4 bytes more)");
    }
}
