//! Tests of the formatter.

use super::blocks::usual;
use super::{Formatter, PASSES, format, pass};

#[track_caller]
fn becomes(before: &str, after: &str) {
    assert_eq!(format(before).text, after);
    assert_eq!(format(after).text, after, "the result is formatted");
}

#[test]
fn blanks_follow_the_style() {
    becomes("p(X,Y):-X=Y,q( X ),\\+r(Y),( s ; t ).\n", "p(X, Y) :- X = Y, q(X), \\+ r(Y), ( s ; t ).\n");
    becomes("p(X)  :-  X is 1+2,Y is X -1 .\n", "p(X) :- X is 1+2, Y is X - 1 .\n");
}

#[test]
fn bodies_are_indented() {
    becomes("p(X) :-\n  q(X),\n\tr(X).\n\n\n\n\nq(1).\n", "p(X) :-\n    q(X),\n    r(X).\n\n\nq(1).\n");
}

#[test]
fn alternatives_have_columns() {
    becomes(
        "p(X) :-\n  ( X > 0 -> a\n  ; X < 0 ->\n  b\n  ; c ),\n  d.\n",
        "p(X) :-\n    (   X > 0 -> a\n    ;   X < 0 ->\n        b\n    ;   c ),\n    d.\n",
    );
}

#[test]
fn tables_and_comments_stay_aligned() {
    let text = "b([e, e,wk,\n   e,wp, e,\n   e, e, e]).\nn(1).   % one\nn(22).  % two\nedge(a,   bb).\nedge(ccc, d).\n";
    becomes(text, text);
}

#[test]
fn unreadable_clauses_stay() {
    becomes("p(X :- q.\nq(A,b).\n", "p(X :- q.\nq(A, b).\n");
}

#[test]
fn line_endings_stay() {
    becomes("p(1).\r\nq(1,2):-r.\r\n", "p(1).\r\nq(1,2) :- r.\r\n");
}

/// A text of several blocks, with what may reach from one to another: operators, comments, unclosed words.
fn several() -> String {
    let mut text = "% a game\n\n:- op(700, xfx, ===>).\np(X,Y):-X===>Y. % one\nq. % two\n\n".to_string();
    for n in 0..30 {
        text.push_str(&format!("% rule {n}\n\n\n\np{n}(X,Y) :-\n\tq(X,Z),   % a goal\n\n  r(Z,Y). /* b */ s.\n   \n"));
    }
    text + "t([1,  2,\n   3]).\n\n% the end"
}

/// Formats a text as one piece.
fn whole(text: &str) -> String {
    let crlf = text.contains("\r\n");
    let mut text = text.replace("\r\n", "\n");
    for _ in 0..PASSES {
        let next = pass(&text, &mut usual()).0;
        if next == text {
            break;
        }
        text = next;
    }
    if crlf { text.replace('\n', "\r\n") } else { text }
}

#[test]
fn blocks_give_what_the_whole_text_gives() {
    let pieces = [
        "",
        ".",
        ". ",
        "\n",
        "\n\n",
        "\r\n",
        "%",
        "/*",
        "*/",
        "'",
        "\"",
        "(",
        ":- op(700, xfx, a).\n",
        " ",
        "\t",
        "é",
        "x",
    ];
    let mut text = several();
    let mut kept = Formatter::default();
    let mut random = 12_345_usize;
    let mut next = |below: usize| {
        random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (random >> 33) % below
    };
    for step in 0..600 {
        if step % 50 == 0 {
            text = several();
        }
        let (mut from, length) = (next(text.len() + 1), if next(3) == 0 { next(40) } else { 0 });
        let mut to = (from + length).min(text.len());
        while !text.is_char_boundary(from) {
            from -= 1;
        }
        while !text.is_char_boundary(to) {
            to += 1;
        }
        text.replace_range(from..to, pieces[next(pieces.len())]);
        let expected = whole(&text);
        assert_eq!(kept.format(&text).text, expected, "step {step}: {text:?}");
        let mut edited = text.clone();
        for (range, new) in kept.edits(&text).into_iter().rev() {
            edited.replace_range(range, &new);
        }
        assert_eq!(edited, expected, "the edits of step {step}: {text:?}");
    }
}

#[test]
fn a_key_formats_only_its_block() {
    let (text, mut formatter) = (several(), Formatter::default());
    formatter.edits(&text);
    for (old, new) in [("p9(X", "p9(Xa"), ("% rule 7\n", "% rule 77\n"), ("q(X,Z),", "q(X,Z),\n")] {
        formatter.edits(&text);
        formatter.edits(&text.replacen(old, new, 1));
        assert!(formatter.fresh_blocks <= 3, "{} blocks after {new:?}", formatter.fresh_blocks);
    }
}
