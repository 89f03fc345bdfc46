//! Translates notation of other languages: suggests what to write instead of it.
//!
//! A pass that cannot read a word, a character or a predicate name looks it up here. The lookup does
//! not depend on the place of the word.

use alphorn_text::symbol::Atom;

/// The help for a wrong neck.
pub(super) const NECK: &str = "write `:-` between the head of a clause and its goals";

/// The help for the comment signs of other languages.
pub(super) const COMMENT: &str = "a comment begins with % and ends with the line: write %";
/// The help for a choice between two cases.
pub(super) const IF: &str = "write ( Condition -> Then ; Else ), with `->` for then and `;` for else";
const OTHERWISE: &str = "write `;` before the other case: ( Condition -> Then ; Else )";
const EQUAL: &str = "write =:= to compare numbers, == to compare terms";
const NOT: &str = "write \\+ before a goal that must not hold";
const UNEQUAL: &str = "write =\\= to compare numbers, \\== to compare terms";
const AND: &str = "write `,` between two goals that must both hold";
const OR: &str = "write `;` between two goals if one of them must hold: ( A ; B )";
const ASSIGN: &str = "a variable keeps its value: write New is Old + 1 with a new variable";
const IMPORT: &str = "to load a library, write :- use_module(library(grid)). at the top of the file";

/// The help for a foreign operator between two terms.
pub(super) fn operator(text: &str) -> Option<&'static str> {
    Some(match text {
        "<=" | "=<=" | "≤" => "did you mean =<?",
        "=>" | ">==" | "≥" => "did you mean >=?",
        "!=" | "!==" | "<>" | "=/=" | "/=" | "~=" | "=\\==" | "\\=:=" | "=!=" | "≠" => UNEQUAL,
        "===" | "≡" => EQUAL,
        "&&" | "&" | "∧" | "and" => AND,
        "||" | "∨" | "or" => OR,
        "+=" | "-=" | "*=" | "/=>" | "++" | "--" => ASSIGN,
        "<-" | "-:" | "←" | "⇐" | "::-" | ":--" | "|-" => NECK,
        "→" | "⇒" => "write `->`",
        "in" | "∈" => "write member(X, List), which holds for each element X of a list",
        "then" | "?" => IF,
        "else" | "elif" | "elsif" => OTHERWISE,
        "where" => NECK,
        _ => return symbol(text),
    })
}

/// The Prolog operator that replaces a foreign one; `None` if the replacement alone is not enough.
pub(super) fn replacement(text: &str) -> Option<&'static str> {
    Some(match text {
        "<=" | "=<=" | "≤" => "=<",
        "=>" | ">==" | "≥" => ">=",
        "&&" | "&" | "∧" | "and" => ",",
        "<-" | "-:" | "←" | "⇐" | "::-" | ":--" | "|-" => ":-",
        "→" | "⇒" => "->",
        _ => return None,
    })
}

/// The operator with its two characters in the order of Prolog.
pub(super) fn prolog_spelling(text: &str) -> &str {
    match text {
        "<=" => "=<",
        "=>" => ">=",
        other => other,
    }
}

/// The help for a sign of mathematics or typography instead of an operator.
fn symbol(text: &str) -> Option<&'static str> {
    let mut chars = text.chars();
    character(chars.next().filter(|_| chars.next().is_none())?)
}

/// The help for a foreign word or sign before a term.
pub(super) fn prefix(text: &str, touching: bool) -> Option<&'static str> {
    Some(match text {
        "//" | "///" | "#" | "##" | "--" | "---" => COMMENT,
        "not" | "¬" => NOT,
        "!" | "~" if touching => NOT,
        "\\\\+" | "/+" | "+\\" => NOT,
        "..." | ".." if touching => "write `|` before the rest of a list: [First|Rest]",
        "if" | "If" | "while" | "for" | "switch" => IF,
        "else" => OTHERWISE,
        "return" => "a predicate gives its answer in an argument: write Value = ..., or Value is ...",
        "let" | "var" | "const" | "int" | "set" => "write X is Expression to compute, X = Term for anything else",
        "import" | "from" | "include" | "using" | "require" => IMPORT,
        "def" | "function" | "func" | "fn" | "rule" => "a clause begins with its head: name(Argument) :- Goal, Goal.",
        _ => return symbol(text),
    })
}

/// The help for a character that no rule contains.
pub(super) fn character(c: char) -> Option<&'static str> {
    Some(match c {
        '‘' | '’' | '‚' | '´' => "write the straight quote `'`",
        '“' | '”' | '„' | '«' | '»' | '″' => "write the straight quote `\"`",
        '–' | '—' | '−' | '‐' | '‑' | '－' => "write `-`",
        '×' | '·' | '∗' | '⋅' | '＊' => "write `*`",
        '÷' | '∕' => "write `/` or `//`",
        '＋' => "write `+`",
        '＝' => "write `=`",
        '，' | '、' => "write `,`",
        '。' | '．' | '…' => "write `.`",
        '；' => "write `;`",
        '：' => "write `:`",
        '｜' | '│' => "write `|`",
        '！' => "write `!`",
        '（' => "write `(`",
        '）' => "write `)`",
        '［' => "write `[`",
        '］' => "write `]`",
        '｛' => "write `{`",
        '｝' => "write `}`",
        '¬' => "write `\\+`",
        _ => return None,
    })
}

/// Whether a character is invisible.
pub(super) fn is_unseen(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{2064}' | '\u{feff}')
        || c.is_control()
}

/// The predicate, with one argument more, that replaces a function of other languages.
pub(super) fn function(name: &str, arity: usize) -> Option<&'static str> {
    Some(match (name, arity) {
        ("len" | "length" | "size" | "count", 1) => "length",
        ("sum", 1) => "sum_list",
        ("max" | "maximum", 1) => "max_list",
        ("min" | "minimum", 1) => "min_list",
        _ => return None,
    })
}

/// The help for a predicate of another system or a function of another language.
pub(super) fn predicate(name: Atom, arity: usize) -> Option<&'static str> {
    Some(match (name.text(), arity) {
        ("sum" | "list_sum", 2) => "did you mean sum_list(List, Sum)?",
        ("len" | "size" | "count" | "list_length", 2) => "did you mean length(List, Length)?",
        ("contains" | "includes" | "elem" | "in" | "has", 2) => "did you mean member(Element, List)?",
        ("range" | "for", 3) => "did you mean between(Low, High, X)?",
        ("concat" | "conc" | "concatenate" | "join" | "append_lists", 3) => {
            "did you mean append(List, List, Joined)? for texts write atom_concat/3"
        }
        ("nth" | "get" | "at" | "element", 3) => {
            "did you mean nth1(Number, List, Element), which counts from 1, or nth0/3, which counts from 0?"
        }
        ("nth", 4) => "did you mean nth1(Number, List, Element, Rest), or nth0/4, which counts from 0?",
        ("max" | "min", 3) => "write X is max(A, B), or X is min(A, B)",
        ("maximum" | "max", 2) => "did you mean max_list(List, Greatest)?",
        ("minimum" | "min", 2) => "did you mean min_list(List, Least)?",
        ("abs" | "sqrt", 2) => "arithmetic does that: write X is abs(Y)",
        ("is_member" | "element_of", 2) => "did you mean member(Element, List)?",
        ("remove" | "del", 3) => "did you mean select(Element, List, Rest)?",
        ("replace" | "set", 4) => {
            "did you mean select(Old, List, New, NewList)? or write :- use_module(library(alphorn)). at the top of the \
             file, and put_arg(I, Term, Value, New)"
        }
        ("map", 3) => "did you mean maplist(Predicate, List, Results)?",
        ("filter", 3) => "did you mean include(Predicate, List, Kept)?",
        ("print_list" | "printf" | "println" | "display" | "puts", _) => "write show(Pos, Lines) to show a position",
        ("concat_atom", 2 | 3) => "did you mean atomic_list_concat/2?",
        ("foreach" | "for_all" | "every", 2) => {
            "write forall(Condition, Goal), which holds if Goal holds for every answer of Condition"
        }
        ("not_member", 2) => "write \\+ member(Element, List)",
        ("equal" | "equals" | "eq", 2) => EQUAL,
        (":-", 2) => "write `->` after a condition: ( Condition -> Then ; Else )",
        (":=", 2) => "write X is Expression to compute, X = Term for anything else",
        ("-->", 2) => "write `->`",
        _ => return None,
    })
}
