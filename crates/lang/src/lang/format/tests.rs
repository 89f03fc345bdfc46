//! Tests of the formatter.

use super::format;

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
