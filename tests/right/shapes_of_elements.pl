% Elements of several kinds, words that stand for nothing, helpers for lists and for single terms, ends of another
% form: nothing here is a mistake.
initial(game(max, [man(1)-red, man(8)-blue, nothing], none)).
max_to_move(game(max, _, _)).
move(game(P, Men, _), step(N, M), game(Q, Next, last(N, M))) :-
    colour(P, Colour),
    select(man(N)-Colour, Men, Rest),
    M is N + 1,
    M < 9,
    crowned(M, Kind),
    Piece =.. [Kind, M],
    sort([Piece-Colour|Rest], Next),
    other(P, Q).
move(game(P, Men, last(_, 8)), give_up, over(Q, Men)) :-
    other(P, Q).
terminal(over(_, _)).
no_moves(loss).
crowned(8, king) :-
    !.
crowned(_, man).
outcome(over(P, _), win(P)).
static_eval(over(_, _), 0).
static_eval(game(_, Men, Last), Value) :-
    findall(N, member(man(N)-red, Men), Ns),
    (   memberchk(king(_)-red, Men)
    ->  Value = 9
    ;   memberchk(nothing, Men),
        sum_list(Ns, S),
        weight(Last, W),
        Value is S + W
    ).
weight(none, 0).
weight(last(N, M), W) :-
    W is M - N.
prefer(_, step(_, 8), 3).
prefer(_, give_up, -1).
shown_move(_, Label, Text) :-
    text(Label, Text).
text(give_up, '--').
text(step(A, B), Text) :-
    text(A-B, Text).
text(A-B, Text) :-
    atomic_list_concat([A, B], -, Text).
acyclic.
colour(max, red).
colour(min, blue).
other(max, min).
other(min, max).
:- expect(holds(text(1-2, '1-2'))).
