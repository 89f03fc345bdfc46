% The clause for all other cases stands first.
% code: A0303
% at: 24:1 25:1
% help: to the end
% run: --playouts 50
% mend 24:
% mend 26: |static_eval(pos(_, Board), -1) :- won(o, Board), !.
% mend 26: |static_eval(_, 0).
% Tic-tac-toe: x is MAX and begins.
initial(pos(x, [e,e,e, e,e,e, e,e,e])).

max_to_move(pos(x, _)).

moves(pos(Player, Board), Successors) :-
    other(Player, Other),
    findall(pos(Other, Next), select(e, Board, Player, Next), Successors).

other(x, o).
other(o, x).

terminal(pos(_, Board)) :- won(_, Board).
terminal(pos(_, Board)) :- \+ member(e, Board).

static_eval(_, 0).
static_eval(pos(_, Board), 1) :- won(x, Board), !.
static_eval(pos(_, Board), -1) :- won(o, Board), !.

won(P, [P,P,P, _,_,_, _,_,_]) :- player(P).
won(P, [_,_,_, P,P,P, _,_,_]) :- player(P).
won(P, [_,_,_, _,_,_, P,P,P]) :- player(P).
won(P, [P,_,_, P,_,_, P,_,_]) :- player(P).
won(P, [_,P,_, _,P,_, _,P,_]) :- player(P).
won(P, [_,_,P, _,_,P, _,_,P]) :- player(P).
won(P, [P,_,_, _,P,_, _,_,P]) :- player(P).
won(P, [_,_,P, _,P,_, P,_,_]) :- player(P).

player(x).
player(o).
