//! Decodes the escapes inside quotes.
//!
//! `token` decodes the text between the quotes with it. The writer has its own, smaller table.

/// Decodes backslash escapes and doubled quotes. An error is a message for the user.
pub fn decode(text: &str, quote: char) -> Result<String, String> {
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        if c == quote && rest.as_str().starts_with(quote) {
            rest.next();
            out.push(c);
        } else if c == '\\' {
            escape(&mut rest, &mut out)?;
        } else {
            out.push(c);
        }
    }
    Ok(out)
}

fn escape(rest: &mut std::str::Chars<'_>, out: &mut String) -> Result<(), String> {
    let Some(c) = rest.next() else {
        return Err("the text ends in a lone \\".into());
    };
    let plain = match c {
        'a' => '\u{7}',
        'b' => '\u{8}',
        'f' => '\u{c}',
        'n' => '\n',
        'r' => '\r',
        't' => '\t',
        'v' => '\u{b}',
        'e' => '\u{1b}',
        's' => ' ',
        '\\' | '\'' | '"' | '`' => c,
        '\n' => return Ok(()),
        '\r' if rest.as_str().starts_with('\n') => {
            rest.next();
            return Ok(());
        }
        'x' => coded(rest, 16, usize::MAX, true)?,
        '0'..='7' => {
            let more: String = rest.as_str().chars().take_while(|d| d.is_digit(8)).collect();
            for _ in 0..more.len() {
                rest.next();
            }
            let digits = format!("{c}{more}");
            if rest.as_str().starts_with('\\') {
                rest.next();
            }
            scalar(&digits, 8)?
        }
        'u' => coded(rest, 16, 4, false)?,
        'U' => coded(rest, 16, 8, false)?,
        other => return Err(format!("\\{other} is not an escape")),
    };
    out.push(plain);
    Ok(())
}

fn coded(rest: &mut std::str::Chars<'_>, base: u32, most: usize, closed: bool) -> Result<char, String> {
    let digits: String = rest.as_str().chars().take_while(|c| c.is_digit(base)).take(most).collect();
    if digits.is_empty() || (!closed && digits.len() < most) {
        return Err("digits are missing in this escape".into());
    }
    for _ in 0..digits.len() {
        rest.next();
    }
    if closed && rest.as_str().starts_with('\\') {
        rest.next();
    }
    scalar(&digits, base)
}

fn scalar(digits: &str, base: u32) -> Result<char, String> {
    u32::from_str_radix(digits, base)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| format!("there is no character with the code {digits}"))
}
