:- module(system,
          [ not/1, copy_term/3, copy_term_nat/2, term_attvars/2, term_variables/3, numbervars/1, numbervars/3,
            compound_name_arity/3, compound_name_arguments/3, nonground/2, (?=)/2, cyclic_term/1, rational/1, rational/3,
            subsumes_chk/2, subsumes/2,
            (:)/2, (:)/3, (:)/4, (:)/5, (:)/6, (:)/7, (:)/8, (:)/9
          ]).

:- meta_predicate not(0), :(?, 0), :(?, 1, ?), :(?, 2, ?, ?), :(?, 3, ?, ?, ?), :(?, 4, ?, ?, ?, ?),
       :(?, 5, ?, ?, ?, ?, ?), :(?, 6, ?, ?, ?, ?, ?, ?), :(?, 7, ?, ?, ?, ?, ?, ?, ?).

% Builtins of other systems that can be said in the language.

%! not(:Goal)  The older name of (\+)/1: Goal has no solution.
not(Goal) :-
    \+ call(Goal).

%! copy_term(+Term, -Copy, -Goals)  As copy_term/2; Goals is [], for no variable has attributes.
copy_term(Term, Copy, []) :-
    copy_term(Term, Copy).

%! copy_term_nat(+Term, -Copy)  As copy_term/2.
copy_term_nat(Term, Copy) :-
    copy_term(Term, Copy).

%! term_attvars(+Term, -Variables)  Variables is [], for no variable has attributes.
term_attvars(_, []).

%! term_variables(+Term, -Variables, ?Tail)  As term_variables/2, followed by Tail.
term_variables(Term, Variables, Tail) :-
    term_variables(Term, List),
    append(List, Tail, Variables).

%! numbervars(+Term)  Binds the variables of Term to '$VAR'(0), '$VAR'(1), ...
numbervars(Term) :-
    numbervars(Term, 0, _).

%! numbervars(+Term, +Start, -End)  Binds the variables of Term to '$VAR'(Start), ... '$VAR'(End - 1).
numbervars(Term, Start, End) :-
    must_be(integer, Start),
    term_variables(Term, Variables),
    number_variables(Variables, Start, End).

number_variables([], End, End).
number_variables(['$VAR'(N)|Variables], N, End) :-
    N1 is N + 1,
    number_variables(Variables, N1, End).

%! compound_name_arity(?Compound, ?Name, ?Arity)  As functor/3, for terms with arguments.
compound_name_arity(Compound, Name, Arity) :-
    (   compound(Compound) -> functor(Compound, Name, Arity)
    ;   nonvar(Compound) -> throw(error(type_error(compound, Compound), _))
    ;   var(Name) -> throw(error(instantiation_error, _))
    ;   must_be(integer, Arity),
        must_be(atom, Name),
        functor(Compound, Name, Arity)
    ).

%! compound_name_arguments(?Compound, ?Name, ?Args)  As (=..)/2, for terms with arguments.
compound_name_arguments(Compound, Name, Args) :-
    (   compound(Compound) -> Compound =.. [Name|Args]
    ;   nonvar(Compound) -> throw(error(type_error(compound, Compound), _))
    ;   Compound =.. [Name|Args]
    ).

%! nonground(+Term, -Variable)  Variable is the first variable of Term; fails if there is none.
nonground(Term, Variable) :-
    term_variables(Term, [First|_]),
    Variable = First.

%! ?=(@A, @B)  Whether A == B is known: they are the same, or cannot become so.
?=(A, B) :-
    (   A == B -> true
    ;   A \= B
    ).

%! cyclic_term(@Term)  Fails: no term is cyclic.
cyclic_term(Term) :-
    \+ acyclic_term(Term).

%! rational(@Term)  Term is an integer: there are no other rational numbers.
rational(Term) :-
    integer(Term).

%! rational(@Term, -Numerator, -Denominator)  Term is an integer, the numerator; the denominator is 1.
rational(Term, Term, 1) :-
    integer(Term).

%! subsumes_chk(@General, @Specific)  The older name of subsumes_term/2.
subsumes_chk(General, Specific) :-
    subsumes_term(General, Specific).

%! subsumes(+General, +Specific)  General is made equal to Specific, which it subsumes.
subsumes(General, Specific) :-
    subsumes_term(General, Specific),
    General = Specific.

/* ------------------------------------------------------------------ *
 *  Goals with a module, where they are built while the program runs
 * ------------------------------------------------------------------ */

%! :(+Module, :Goal)  Goal, as Module sees it: a library sees its own predicates, any other what it has and what the program has.
Module:Goal :-
    Called = Module:Goal,
    call(Called).

%! :(+Module, :Goal, ?A1)  As (:)/2, with one more argument.
:(Module, Goal, A1) :-
    call(Module:Goal, A1).

%! :(+Module, :Goal, ?A1, ?A2)  As (:)/2, with two more arguments.
:(Module, Goal, A1, A2) :-
    call(Module:Goal, A1, A2).

%! :(+Module, :Goal, ?A1, ?A2, ?A3)  As (:)/2, with three more arguments.
:(Module, Goal, A1, A2, A3) :-
    call(Module:Goal, A1, A2, A3).

%! :(+Module, :Goal, ?A1, ?A2, ?A3, ?A4)  As (:)/2, with four more arguments.
:(Module, Goal, A1, A2, A3, A4) :-
    call(Module:Goal, A1, A2, A3, A4).

%! :(+Module, :Goal, ?A1, ?A2, ?A3, ?A4, ?A5)  As (:)/2, with five more arguments.
:(Module, Goal, A1, A2, A3, A4, A5) :-
    call(Module:Goal, A1, A2, A3, A4, A5).

%! :(+Module, :Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6)  As (:)/2, with six more arguments.
:(Module, Goal, A1, A2, A3, A4, A5, A6) :-
    call(Module:Goal, A1, A2, A3, A4, A5, A6).

%! :(+Module, :Goal, ?A1, ?A2, ?A3, ?A4, ?A5, ?A6, ?A7)  As (:)/2, with seven more arguments.
:(Module, Goal, A1, A2, A3, A4, A5, A6, A7) :-
    call(Module:Goal, A1, A2, A3, A4, A5, A6, A7).
