//! The builtins: the predicates that the machine provides, as rows of one table.
//!
//! To add a builtin, add a row here and a function in the file of its family. The checker, the
//! compiler, the guide and completion read the table. Predicates that the language can express are in
//! `prelude.pl` and `library/`; `facts.rs` has their facts. The module depends on no game.

pub mod arithmetic;
mod atoms;
mod boards;
mod chars;
mod conversions;
mod facts;
mod host;
mod large;
mod lists;
mod memory;
pub mod number;
mod output;
mod reading;
mod short_sort;
#[cfg(test)]
mod short_values;
mod solutions;
mod sort_key;
mod sorted_runs;
mod strings;
mod terms;
mod texts;
mod types;

use crate::machine::{BuiltinCode, SolverBuiltin};
use alphorn_lang::lang::world::LibraryPart;
use alphorn_text::signature::{BuiltinKind, Fact, IntComparison, KnownPredicates, PredicateClass, Signature, TypeTest};

/// The part of the library that is always loaded, as Prolog text.
pub const PRELUDE: &str = include_str!("prelude.pl");

/// The library files that are loaded only if a program names one of their predicates.
pub const PARTS: &[LibraryPart] = &[
    LibraryPart { name: "shapes", text: include_str!("library/shapes.pl"), needs: &[] },
    LibraryPart { name: "nth", text: include_str!("library/nth.pl"), needs: &[] },
    LibraryPart { name: "select", text: include_str!("library/select.pl"), needs: &[] },
    LibraryPart { name: "reverse", text: include_str!("library/reverse.pl"), needs: &["shapes"] },
    LibraryPart { name: "elements", text: include_str!("library/elements.pl"), needs: &[] },
    LibraryPart { name: "permutation", text: include_str!("library/permutation.pl"), needs: &["shapes", "select"] },
    LibraryPart { name: "calling", text: include_str!("library/calling.pl"), needs: &[] },
    LibraryPart { name: "sums", text: include_str!("library/sums.pl"), needs: &[] },
    LibraryPart { name: "sets", text: include_str!("library/sets.pl"), needs: &["pairs"] },
    LibraryPart { name: "maplist", text: include_str!("library/maplist.pl"), needs: &["shapes"] },
    LibraryPart { name: "maplist_more", text: include_str!("library/maplist_more.pl"), needs: &["shapes"] },
    LibraryPart { name: "foldl", text: include_str!("library/foldl.pl"), needs: &["shapes"] },
    LibraryPart { name: "include", text: include_str!("library/include.pl"), needs: &[] },
    LibraryPart { name: "apply", text: include_str!("library/apply.pl"), needs: &["maplist", "include"] },
    LibraryPart { name: "pairs", text: include_str!("library/pairs.pl"), needs: &["shapes"] },
    LibraryPart { name: "ordsets", text: include_str!("library/ordsets.pl"), needs: &["elements"] },
    LibraryPart { name: "aggregate_all", text: include_str!("library/aggregate_all.pl"), needs: &["sums"] },
    LibraryPart { name: "phrase", text: include_str!("library/phrase.pl"), needs: &["shapes"] },
    LibraryPart { name: "yall", text: include_str!("library/yall.pl"), needs: &[] },
    LibraryPart { name: "solutions", text: include_str!("library/solutions.pl"), needs: &[] },
    LibraryPart { name: "closure", text: include_str!("library/closure.pl"), needs: &["ordsets"] },
    LibraryPart { name: "lists", text: include_str!("library/lists.pl"), needs: &["shapes", "select"] },
    LibraryPart { name: "assoc", text: include_str!("library/assoc.pl"), needs: &["pairs"] },
    LibraryPart {
        name: "aggregate",
        text: include_str!("library/aggregate.pl"),
        needs: &["aggregate_all", "pairs", "solutions"],
    },
    LibraryPart { name: "solution_sequences", text: include_str!("library/solution_sequences.pl"), needs: &["lists"] },
    LibraryPart { name: "error", text: include_str!("library/error.pl"), needs: &["shapes"] },
    LibraryPart {
        name: "strings",
        text: include_str!("library/strings.pl"),
        needs: &["sums", "include", "nth", "reverse"],
    },
    LibraryPart { name: "system", text: include_str!("library/system.pl"), needs: &[] },
];

/// Libraries of other systems that `use_module/1` loads.
pub const MODULES: &[LibraryPart] = &[
    LibraryPart { name: "dcg/basics", text: include_str!("library/dcg_basics.pl"), needs: &[] },
    LibraryPart { name: "option", text: include_str!("library/option.pl"), needs: &[] },
];

/// A builtin predicate.
pub struct Builtin {
    /// The name, the arity and the use of the builtin.
    pub signature: Signature,
    /// The code that runs the builtin.
    pub run: BuiltinCode,
    /// How to call the builtin, and what it does.
    pub summary: &'static str,
    /// A goal and its answers, which the tests check. Both are empty if there is no example.
    pub example: (&'static str, &'static str),
}

/// Returns all builtins, from the table at the end of this file.
pub fn table() -> Vec<Builtin> {
    ROWS.iter()
        .map(|(name, arity, meta, class, run, summary, goal, answers, facts)| Builtin {
            signature: Signature { name, arity: *arity, meta, class: *class, facts },
            run: *run,
            summary,
            example: (goal, answers),
        })
        .collect()
}

/// Returns the signatures of all builtins for the checker.
pub fn known() -> KnownPredicates {
    KnownPredicates::new(table().iter().map(|row| row.signature)).with_facts(facts::LIBRARY)
}

/// Returns the code of all builtins, in the order of the table.
pub fn runs() -> Vec<BuiltinCode> {
    table().iter().map(|row| row.run).collect()
}

/// The types of the arguments of library predicates and builtins, by name and arity.
pub fn types() -> impl Iterator<Item = (&'static str, usize, &'static str)> {
    let builtins = ROWS.iter().map(|(name, arity, .., facts)| (*name, *arity, *facts));
    facts::LIBRARY.iter().copied().chain(builtins).flat_map(|(name, arity, facts)| {
        let rows = facts.iter().filter_map(|fact| if let Fact::Types(rows) = *fact { Some(rows) } else { None });
        rows.flatten().map(move |row| (name, usize::from(arity), *row))
    })
}

use BuiltinCode::{Many, Once};
use BuiltinKind::{
    Arg, Between, Compare, Ground, Is, NotSame, NotUnifiable, Order, Ordered, PutArg, Same, Type, Unify, Univ,
};
use Fact::{
    AnswersGround, BindsNothing, Compares, Compiled, Function, MakesGround, MakesTerms, NeverSucceeds, OneAnswer,
    Selects, TakesList, TakesNumbers, TestsBinding, TestsKind, Types,
};
use PredicateClass::{Core, Extra, Host, Library, Writer};

const CONTROL: BuiltinCode = BuiltinCode::Solver(SolverBuiltin::Control);
const CALL: BuiltinCode = BuiltinCode::Solver(SolverBuiltin::Call);

/// Name, arity, mode of goal arguments, class, code, summary, goal and answers of the example, facts.
type Row = (
    &'static str,
    u8,
    &'static str,
    PredicateClass,
    BuiltinCode,
    &'static str,
    &'static str,
    &'static str,
    &'static [Fact],
);

#[rustfmt::skip]
const ROWS: &[Row] = &[
    // Control constructs, which the solver runs.
    (",", 2, "00", Core, CONTROL, "A, B: both, one after the other", "X = 1, Y = 2", "X = 1, Y = 2", &[]),
    (";", 2, "00", Core, CONTROL, "A ; B: either", "(X = 1 ; X = 2)", "X = 1 ; X = 2", &[]),
    ("->", 2, "00", Core, CONTROL, "(C -> A ; B): if C then A else B; C is tried once", "(true -> X = a ; X = b)", "X = a", &[]),
    ("*->", 2, "00", Core, CONTROL, "(C *-> A ; B): A for every solution of C, B if C has none", "((X = 1 ; X = 2) *-> true ; X = 3)", "X = 1 ; X = 2", &[]),
    ("\\+", 1, "0", Core, CONTROL, "\\+ G: G has no solution", "\\+ member(c, [a, b])", "true", &[]),
    ("call", 1, "0", Core, CONTROL, "call(G): G, with its cuts local", "call(X = 1)", "X = 1", &[]),
    ("once", 1, "0", Core, CONTROL, "once(G): the first solution of G", "once(member(X, [a, b]))", "X = a", &[]),
    ("ignore", 1, "0", Core, CONTROL, "ignore(G): the first solution of G, or none", "ignore(fail)", "true", &[]),
    ("forall", 2, "00", Core, CONTROL, "forall(C, A): A holds for every solution of C", "forall(member(X, [1, 2]), X > 0)", "true", &[]),
    ("findall", 3, "?0?", Core, CONTROL, "findall(T, G, L): L holds T for every solution of G", "findall(X, member(X, [b, a]), L)", "L = [b,a]", &[Function]),
    ("findall", 4, "?0??", Core, CONTROL, "findall(T, G, L, Rest): like findall/3, but L ends in Rest", "findall(X, member(X, [a]), L, [z])", "L = [a,z]", &[]),
    ("catch", 3, "0?0", Core, BuiltinCode::Solver(SolverBuiltin::Catch), "catch(G, Ball, R): G; if it throws Ball, R", "catch(throw(oops), X, true)", "X = oops", &[]),
    ("throw", 1, "", Core, Once(terms::throw), "throw(Ball): ends the goal with Ball", "catch(throw(a), a, true)", "true", &[BindsNothing, NeverSucceeds]),
    ("call", 2, "1?", Core, CALL, "call(G, A): G with one more argument", "call(=(X), 1)", "X = 1", &[]),
    ("call", 3, "2??", Core, CALL, "call(G, A, B): G with two more arguments", "call(plus(1), 2, X)", "X = 3", &[]),
    ("call", 4, "3???", Core, CALL, "call(G, A, B, C): G with three more arguments", "call(plus, 1, 2, X)", "X = 3", &[]),
    ("call", 5, "4????", Core, CALL, "call/5: four more arguments", "", "", &[]),
    ("call", 6, "5?????", Core, CALL, "call/6: five more arguments", "", "", &[]),
    ("call", 7, "6??????", Core, CALL, "call/7: six more arguments", "", "", &[]),
    ("call", 8, "7???????", Core, CALL, "call/8: seven more arguments", "", "", &[]),

    // Terms.
    ("=", 2, "", Core, Once(terms::unify), "X = Y: makes X and Y equal", "f(X, b) = f(a, Y)", "X = a, Y = b", &[Compiled(Unify), Selects]),
    ("\\=", 2, "", Core, Once(terms::not_unifiable), "X \\= Y: X and Y cannot be made equal", "a \\= b", "true", &[BindsNothing, Compiled(NotUnifiable), Selects]),
    ("unify_with_occurs_check", 2, "", Core, Once(terms::unify_occurs), "unify_with_occurs_check(X, Y): like =, but makes no cyclic term", "unify_with_occurs_check(X, f(X))", "false", &[]),
    ("==", 2, "", Core, Once(terms::same), "X == Y: X and Y are the same term", "f(a) == f(a)", "true", &[BindsNothing, Compiled(Same), Selects, Compares(&[0, 1])]),
    ("\\==", 2, "", Core, Once(terms::not_same), "X \\== Y: X and Y are not the same term", "X \\== Y", "true", &[BindsNothing, Compiled(NotSame), Selects, Compares(&[0, 1])]),
    ("@<", 2, "", Core, Once(terms::before), "X @< Y: X is before Y in the standard order", "1 @< a", "true", &[BindsNothing, Compiled(Ordered(IntComparison::Less))]),
    ("@>", 2, "", Core, Once(terms::after), "X @> Y: X is after Y in the standard order", "f(a) @> b", "true", &[BindsNothing, Compiled(Ordered(IntComparison::Greater))]),
    ("@=<", 2, "", Core, Once(terms::not_after), "X @=< Y: X is not after Y in the standard order", "a @=< a", "true", &[BindsNothing, Compiled(Ordered(IntComparison::AtMost))]),
    ("@>=", 2, "", Core, Once(terms::not_before), "X @>= Y: X is not before Y in the standard order", "b @>= a", "true", &[BindsNothing, Compiled(Ordered(IntComparison::AtLeast))]),
    ("compare", 3, "", Core, Once(terms::compare), "compare(O, X, Y): O is <, = or >", "compare(O, 1, 2)", "O = (<)", &[AnswersGround(&[0]), MakesGround(&[0]), Compiled(Order)]),
    ("=@=", 2, "", Core, Once(terms::variant), "X =@= Y: X and Y are equal except for the names of variables", "f(A, B) =@= f(C, D)", "true", &[BindsNothing]),
    ("\\=@=", 2, "", Core, Once(terms::not_variant), "X \\=@= Y: X =@= Y does not hold", "f(A, A) \\=@= f(C, D)", "true", &[BindsNothing]),
    ("var", 1, "", Core, Once(terms::is_var), "var(X): X is unbound", "var(X)", "true", &[BindsNothing, Compiled(Type(TypeTest::Var)), TestsKind, TestsBinding, Selects]),
    ("nonvar", 1, "", Core, Once(terms::is_nonvar), "nonvar(X): X is bound", "nonvar(a)", "true", &[BindsNothing, Compiled(Type(TypeTest::Nonvar)), TestsKind, TestsBinding, Selects]),
    ("atom", 1, "", Core, Once(terms::is_atom), "atom(X): X is an atom", "atom([])", "true", &[BindsNothing, Compiled(Type(TypeTest::Atom)), TestsKind, TestsBinding, Selects]),
    ("integer", 1, "", Core, Once(terms::is_integer), "integer(X): X is an integer", "integer(3)", "true", &[BindsNothing, Compiled(Type(TypeTest::Integer)), TestsKind, TestsBinding, Selects]),
    ("float", 1, "", Core, Once(terms::is_float), "float(X): X is a float", "float(3.0)", "true", &[BindsNothing, TestsKind]),
    ("number", 1, "", Core, Once(terms::is_number), "number(X): X is a number", "number(a)", "false", &[BindsNothing, Compiled(Type(TypeTest::Number)), TestsKind, TestsBinding, Selects]),
    ("atomic", 1, "", Core, Once(terms::is_atomic), "atomic(X): X is an atom, number or text", "atomic(f(a))", "false", &[BindsNothing, Compiled(Type(TypeTest::Atomic)), TestsKind, Selects]),
    ("compound", 1, "", Core, Once(terms::is_compound), "compound(X): X has arguments", "compound([a])", "true", &[BindsNothing, Compiled(Type(TypeTest::Compound)), TestsKind, Selects]),
    ("callable", 1, "", Core, Once(terms::is_callable), "callable(X): X is an atom or compound", "callable(3)", "false", &[BindsNothing, Compiled(Type(TypeTest::Callable)), TestsKind, Selects]),
    ("is_list", 1, "", Core, Once(terms::is_list), "is_list(X): X is a proper list", "is_list([a|_])", "false", &[BindsNothing, TestsKind, Selects]),
    ("string", 1, "", Core, Once(terms::is_string), "string(X): X is a text in double quotes", "string(\"abc\")", "true", &[BindsNothing, TestsKind]),
    ("ground", 1, "", Core, Once(terms::ground), "ground(X): X contains no variable", "ground(f(a, _))", "false", &[BindsNothing, TestsKind, TestsBinding, Selects]),
    ("acyclic_term", 1, "", Core, Once(terms::acyclic_term), "acyclic_term(X): X does not contain itself", "acyclic_term(f(a))", "true", &[BindsNothing, TestsKind]),
    ("functor", 3, "", Core, Once(terms::functor), "functor(T, Name, Arity)", "functor(f(a, b), N, A)", "N = f, A = 2", &[AnswersGround(&[1, 2]), MakesTerms]),
    ("arg", 3, "", Core, Many(terms::arg), "arg(N, T, A): A is the N-th argument; N may be unbound", "arg(N, f(a, b), X)", "N = 1, X = a ; N = 2, X = b", &[MakesGround(&[0, 2]), OneAnswer(&[0, 1]), Compiled(Arg), Compares(&[2])]),
    ("=..", 2, "", Core, Once(terms::univ), "T =.. [Name|Args]", "T =.. [f, a]", "T = f(a)", &[MakesGround(&[0, 1]), Compiled(Univ), MakesTerms]),
    ("copy_term", 2, "", Core, Once(terms::copy_term), "copy_term(T, C): C is T with fresh variables", "copy_term(f(X, X), f(a, Y))", "Y = a", &[MakesGround(&[1]), Types(&["+A, -A"])]),
    ("term_variables", 2, "", Core, Once(terms::term_variables), "term_variables(T, Vs): the variables of T in order", "term_variables(f(X, g(Y)), [a, b])", "X = a, Y = b", &[]),
    ("subsumes_term", 2, "", Core, Once(terms::subsumes_term), "subsumes_term(General, T): T is an instance of General", "subsumes_term(f(_), f(a))", "true", &[BindsNothing]),
    ("must_be", 2, "", Library, Once(types::must_be), "must_be(Type, X): an error if X is not of the type", "catch(must_be(integer, a), error(E, _), true)", "E = type_error(integer,a)", &[BindsNothing]),

    // Arithmetic.
    ("is", 2, "", Core, Once(arithmetic::is), "X is E: X is the value of E", "X is 7 / 2", "X = 3.5", &[MakesGround(&[0]), Compiled(Is), TakesNumbers, Types(&["-number, _"])]),
    ("=:=", 2, "", Core, Once(arithmetic::equal), "A =:= B: the values are equal", "1 =:= 1.0", "true", &[BindsNothing, Compiled(Compare(IntComparison::Equal)), TakesNumbers]),
    ("=\\=", 2, "", Core, Once(arithmetic::unequal), "A =\\= B: the values differ", "1 =\\= 2", "true", &[BindsNothing, Compiled(Compare(IntComparison::Unequal)), TakesNumbers]),
    ("<", 2, "", Core, Once(arithmetic::less), "A < B: A is less than B", "1 < 2", "true", &[BindsNothing, Compiled(Compare(IntComparison::Less)), TakesNumbers]),
    (">", 2, "", Core, Once(arithmetic::greater), "A > B: A is greater than B", "1 > 2", "false", &[BindsNothing, Compiled(Compare(IntComparison::Greater)), TakesNumbers]),
    ("=<", 2, "", Core, Once(arithmetic::at_most), "A =< B: A is not greater than B", "2 =< 2", "true", &[BindsNothing, Compiled(Compare(IntComparison::AtMost)), TakesNumbers]),
    (">=", 2, "", Core, Once(arithmetic::at_least), "A >= B: A is not less than B", "1 >= 2", "false", &[BindsNothing, Compiled(Compare(IntComparison::AtLeast)), TakesNumbers]),
    ("between", 3, "", Core, Many(arithmetic::between), "between(Low, High, X): X is each integer in turn; High may be inf", "between(1, 3, X)", "X = 1 ; X = 2 ; X = 3", &[AnswersGround(&[2]), MakesGround(&[2]), OneAnswer(&[0, 1, 2]), Compiled(Between), TakesNumbers, Types(&["_, _, -number"])]),
    ("succ", 2, "", Core, Once(arithmetic::succ), "succ(X, Y): Y is X + 1", "succ(X, 4)", "X = 3", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), TakesNumbers, Types(&["-number, -number"])]),
    ("plus", 3, "", Core, Once(arithmetic::plus), "plus(X, Y, Z): Z is X + Y; one of them may be unbound", "plus(1, X, 3)", "X = 2", &[AnswersGround(&[0, 1, 2]), MakesGround(&[0, 1, 2]), TakesNumbers, Types(&["-number, -number, -number"])]),
    ("divmod", 4, "", Library, Once(arithmetic::divmod), "divmod(A, B, Q, R): Q is A div B, R is A mod B", "divmod(-7, 2, Q, R)", "Q = -4, R = 1", &[AnswersGround(&[2, 3]), MakesGround(&[2, 3])]),

    // Lists.
    ("length", 2, "", Core, Many(lists::length), "length(L, N): N is the length of L", "length([a, b], N)", "N = 2", &[AnswersGround(&[1]), MakesGround(&[1]), OneAnswer(&[0]), OneAnswer(&[1]), TakesList(0), Function, Types(&["+list(_), -number"])]),
    ("msort", 2, "", Core, Once(lists::msort), "msort(L, S): S is L, sorted in the standard order", "msort([b, 1, a, b], S)", "S = [1,a,b,b]", &[MakesGround(&[1]), TakesList(0), Function, Types(&["+list(A), -list(A)"])]),
    ("sort", 2, "", Core, Once(lists::sort), "sort(L, S): like msort/2, without duplicates", "sort([b, a, b], S)", "S = [a,b]", &[MakesGround(&[1]), TakesList(0), Function, Types(&["+list(A), -list(A)"])]),
    ("sort", 4, "", Core, Once(lists::sort4), "sort(Key, Order, L, S): by an argument (0: all), @< @=< @> @>=", "sort(0, @>=, [1, 3, 2], S)", "S = [3,2,1]", &[MakesGround(&[3]), Types(&["_, _, +list(A), -list(A)"])]),
    ("keysort", 2, "", Core, Once(lists::keysort), "keysort(L, S): sorts the pairs of L by key; the sort is stable", "keysort([b-1, a-2], S)", "S = [a-2,b-1]", &[MakesGround(&[1]), Types(&["+list(A), -list(A)"])]),
    ("numlist", 3, "", Library, Once(lists::numlist), "numlist(Low, High, L): the integers from Low to High", "numlist(1, 3, L)", "L = [1,2,3]", &[MakesGround(&[2]), Types(&["_, _, -list(number)"])]),

    // Solutions. bagof/3 and setof/3 are in the library.
    ("$ground", 1, "", Core, Once(terms::is_ground), "for append/2 and similar predicates", "", "", &[Compiled(Ground)]),
    ("$copy_lambda", 2, "", Core, Once(terms::copy_lambda), "for >>/2", "", "", &[]),
    ("$free_variables", 3, "", Core, Once(solutions::free_variables), "for bagof/3", "", "", &[]),

    // Memories for solution_sequences.pl, which backtracking does not undo.
    ("$memory", 1, "", Core, Once(memory::new), "a new place", "", "", &[]),
    ("$tick", 2, "", Core, Once(memory::tick), "counts there", "", "", &[]),
    ("$first", 2, "", Core, Once(memory::first), "a term that was not asked there before", "", "", &[]),
    ("$keep", 3, "", Core, Once(memory::keep), "keeps a term there", "", "", &[]),
    ("$kept", 3, "", Core, Once(memory::kept), "takes all of them out", "", "", &[]),

    // Text. More text predicates are in strings.pl.
    ("$char_type", 2, "", Core, Many(chars::char_type), "for char_type/2", "", "", &[]),
    ("$code_type", 2, "", Core, Many(chars::code_type), "for code_type/2", "", "", &[]),
    ("$string_concat", 3, "", Core, Once(strings::concat), "for string_concat/3", "", "", &[AnswersGround(&[2]), MakesGround(&[2])]),
    ("$sub_string", 5, "", Core, Many(strings::sub_string), "for sub_string/5", "", "", &[AnswersGround(&[1, 2, 3, 4]), MakesGround(&[1, 2, 3, 4])]),
    ("$string_code", 3, "", Core, Once(strings::code), "for string_code/3", "", "", &[AnswersGround(&[2]), MakesGround(&[2])]),
    ("$split_string", 4, "", Core, Once(strings::split), "for split_string/4", "", "", &[AnswersGround(&[3]), MakesGround(&[3])]),
    ("$atom_to_term", 3, "", Core, Once(reading::atom_to_term), "for atom_to_term/3", "", "", &[]),
    ("atom_length", 2, "", Core, Once(atoms::atom_length), "atom_length(A, N): A has N characters", "atom_length(abc, N)", "N = 3", &[AnswersGround(&[1]), MakesGround(&[1]), Function, Types(&["_, -number"])]),
    ("atom_chars", 2, "", Core, Once(conversions::atom_chars), "atom_chars(A, L): L are the characters of A", "atom_chars(X, [a, b])", "X = ab", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), Types(&["_, -list(atom)"])]),
    ("atom_codes", 2, "", Core, Once(conversions::atom_codes), "atom_codes(A, L): L are the codes of A", "atom_codes(ab, L)", "L = [97,98]", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), Types(&["_, -list(number)"])]),
    ("char_code", 2, "", Core, Once(atoms::char_code), "char_code(C, N): N is the code of C", "char_code(X, 97)", "X = a", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), Types(&["-atom, -number"])]),
    ("number_chars", 2, "", Core, Once(conversions::number_chars), "number_chars(N, L)", "number_chars(X, ['4', '2'])", "X = 42", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1])]),
    ("number_codes", 2, "", Core, Once(conversions::number_codes), "number_codes(N, L)", "number_codes(X, [52, 50])", "X = 42", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), Types(&["-number, -list(number)"])]),
    ("atom_number", 2, "", Core, Once(conversions::atom_number), "atom_number(A, N): fails if A is not a number", "atom_number('12', X)", "X = 12", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1]), Types(&["-atom, -number"])]),
    ("atom_concat", 3, "", Core, Many(atoms::atom_concat), "atom_concat(A, B, AB): joins; splits AB if A or B is unbound", "atom_concat(a, X, abc)", "X = bc", &[AnswersGround(&[0, 1, 2]), MakesGround(&[0, 1, 2]), OneAnswer(&[0, 1]), Types(&["_, _, -atom"])]),
    ("sub_atom", 5, "", Core, Many(atoms::sub_atom), "sub_atom(A, Before, Length, After, Sub)", "sub_atom(abcde, B, 2, 0, S)", "B = 3, S = de", &[AnswersGround(&[1, 2, 3, 4]), MakesGround(&[1, 2, 3, 4]), OneAnswer(&[0, 1, 2, 3, 4])]),
    ("upcase_atom", 2, "", Core, Once(atoms::upcase_atom), "upcase_atom(A, U)", "upcase_atom(ab, X)", "X = 'AB'", &[AnswersGround(&[1]), MakesGround(&[1]), Types(&["_, -atom"])]),
    ("downcase_atom", 2, "", Core, Once(atoms::downcase_atom), "downcase_atom(A, L)", "downcase_atom('AB', X)", "X = ab", &[AnswersGround(&[1]), MakesGround(&[1])]),
    ("atomic_list_concat", 2, "", Core, Once(atoms::atomic_list_concat), "atomic_list_concat(L, A): A joins L", "atomic_list_concat([a, 1], X)", "X = a1", &[AnswersGround(&[1]), MakesGround(&[1]), Types(&["_, -atom"])]),
    ("atomic_list_concat", 3, "", Core, Once(atoms::atomic_list_concat3), "atomic_list_concat(L, Sep, A): joins, or splits A", "atomic_list_concat(L, '-', 'a-b')", "L = [a,b]", &[AnswersGround(&[0, 2]), MakesGround(&[0, 2])]),
    ("term_to_atom", 2, "", Core, Once(atoms::term_to_atom), "term_to_atom(T, A): A is T as text", "term_to_atom(f(X, 1), 'f(a, 1)')", "X = a", &[AnswersGround(&[1]), MakesTerms, Types(&["_, -atom"])]),
    ("string_codes", 2, "", Core, Once(atoms::string_codes), "string_codes(S, L)", "string_codes(\"ab\", L)", "L = [97,98]", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1])]),
    ("string_chars", 2, "", Core, Once(atoms::string_chars), "string_chars(S, L)", "string_chars(\"ab\", L)", "L = [a,b]", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1])]),
    ("atom_string", 2, "", Core, Once(atoms::atom_string), "atom_string(A, S)", "atom_string(X, \"ab\")", "X = ab", &[AnswersGround(&[0, 1]), MakesGround(&[0, 1])]),
    ("format", 3, "", Core, Once(output::format3), "format(atom(A), Format, Args): text into A; also codes, chars, string", "format(atom(X), '~w-~a', [1, b])", "X = '1-b'", &[]),

    // Writers. Their text is part of the answer.
    ("nl", 0, "", Writer, Once(output::nl), "nl: ends the line", "", "", &[BindsNothing]),
    ("write", 1, "", Writer, Once(output::write1), "write(T): T without quotes", "", "", &[BindsNothing]),
    ("print", 1, "", Writer, Once(output::writeq), "print(T): like writeq/1", "", "", &[BindsNothing]),
    ("writeln", 1, "", Writer, Once(output::writeln), "writeln(T): write(T), nl", "", "", &[BindsNothing]),
    ("writeq", 1, "", Writer, Once(output::writeq), "writeq(T): T with quotes, so that it can be read back", "", "", &[BindsNothing]),
    ("write_canonical", 1, "", Writer, Once(output::write_canonical), "write_canonical(T): T without operators", "", "", &[BindsNothing]),
    ("tab", 1, "", Writer, Once(output::tab), "tab(N): writes N blanks", "", "", &[BindsNothing]),
    ("format", 1, "", Writer, Once(output::format1), "format(Format)", "", "", &[BindsNothing]),
    ("format", 2, "", Writer, Once(output::format2), "format(Format, Args): ~w ~q ~a ~d ~s ~f ~n ~t ~| ~+ and more", "", "", &[BindsNothing]),

    // Questions about a game that is loaded.
    ("value", 3, "", Host, Once(host::value), "value(Pos, Depth, V): V is the value of Pos, searched to Depth plies", "", "", &[MakesGround(&[2])]),
    ("best", 3, "", Host, Once(host::best), "best(Pos, Depth, Label): the best move of Pos", "", "", &[MakesGround(&[2])]),
    ("position_now", 1, "", Host, Once(host::position_now), "position_now(Pos): the current position", "", "", &[MakesGround(&[0])]),

    // Boards, with library(alphorn).
    ("put_arg", 4, "", Extra, Once(boards::put_arg), "put_arg(I, T, V, New): New is T with V as argument I", "put_arg(2, b(e, e), x, B)", "B = b(e,x)", &[MakesGround(&[3]), Compiled(PutArg)]),
    ("put_args", 3, "", Extra, Once(boards::put_args), "put_args(T, [I-V, ...], New): like put_arg/4, for several arguments", "put_args(b(e, e), [1-x, 2-o], B)", "B = b(x,o)", &[MakesGround(&[2])]),
    ("args_with", 3, "", Extra, Many(boards::args_with), "args_with(T, V, I): argument I of T is V", "args_with(b(e, x, e), e, I)", "I = 1 ; I = 3", &[MakesGround(&[2]), OneAnswer(&[0, 1, 2]), Compares(&[1])]),
];
