:- module(error,
          [ type_error/2, domain_error/2, existence_error/2, existence_error/3, permission_error/3,
            instantiation_error/1, uninstantiation_error/1, representation_error/1, syntax_error/1,
            resource_error/1, is_of_type/2, is_list_or_partial/1, assertion/1
          ]).

:- meta_predicate assertion(0).

% The errors of ISO Prolog, thrown by name.

%! type_error(+Type, @Term)  Throws: Term is not of the type.
type_error(Type, Term) :-
    throw(error(type_error(Type, Term), _)).

%! domain_error(+Domain, @Term)  Throws: Term is not in the domain.
domain_error(Domain, Term) :-
    throw(error(domain_error(Domain, Term), _)).

%! existence_error(+Type, @Term)  Throws: there is no such Term.
existence_error(Type, Term) :-
    throw(error(existence_error(Type, Term), _)).

%! existence_error(+Type, @Term, +In)  Throws: there is no such Term in In.
existence_error(Type, Term, In) :-
    throw(error(existence_error(Type, Term, In), _)).

%! permission_error(+Action, +Type, @Term)  Throws: the action is not allowed.
permission_error(Action, Type, Term) :-
    throw(error(permission_error(Action, Type, Term), _)).

%! instantiation_error(@Term)  Throws: Term is not bound enough.
instantiation_error(_) :-
    throw(error(instantiation_error, _)).

%! uninstantiation_error(@Term)  Throws: Term ought to be unbound.
uninstantiation_error(Term) :-
    throw(error(uninstantiation_error(Term), _)).

%! representation_error(+Reason)  Throws: the value cannot be represented.
representation_error(Reason) :-
    throw(error(representation_error(Reason), _)).

%! syntax_error(+Message)  Throws: the text does not read.
syntax_error(Message) :-
    throw(error(syntax_error(Message), _)).

%! resource_error(+Resource)  Throws: there is not enough of it.
resource_error(Resource) :-
    throw(error(resource_error(Resource), _)).

%! is_of_type(+Type, @Term)  Term is of the type, as must_be/2 has it.
is_of_type(Type, Term) :-
    catch(( must_be(Type, Term), Is = yes ), error(Formal, Context), not_of_type(Formal, Context, Is)),
    Is == yes.

not_of_type(Formal, Context, Is) :-
    (   Formal = existence_error(_, _) -> throw(error(Formal, Context))
    ;   Is = no
    ).

%! is_list_or_partial(@Term)  Term is a list, or might become one.
is_list_or_partial(Term) :-
    list_shape(Term, 0, _, Tail),
    (   var(Tail) -> true
    ;   Tail == []
    ).

%! assertion(:Goal)  Throws assertion_failed(user:Goal) if Goal fails.
assertion(Goal) :-
    (   \+ \+ call(Goal) -> true
    ;   throw(assertion_failed(user:Goal))
    ).
