% A race of a pawn and a king along three squares. The table of worths has a queen, which this game has not, and no
% king, which is worth nothing.
:- use_module(library(alphorn)).
:- expect(holds(static_eval(on(max, [pawn-1, king-1]), 1))).
:- expect(perft(2) = 4).
initial(on(max, [pawn-1, king-1])).
max_to_move(on(max, _)).
move(on(Who, Men), Man-To, on(Other, Next)) :-
    other(Who, Other),
    select(Man-From, Men, Man-To, Next),
    From < 3,
    To is From + 1.
worth(pawn, 1).
worth(queen, 9).
static_eval(on(_, Men), Value) :-
    findall(W, ( member(Man-At, Men), worth(Man, Own), W is Own * At ), Ws),
    sum_list(Ws, Value).
other(max, min).
other(min, max).
acyclic.
