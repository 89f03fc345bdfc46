% foreach/2 of library(aggregate).
initial(pos(x, [e,e,e, e,e,e, e,e,e])).

max_to_move(pos(x, _)).

move(pos(Player, Board), Square, pos(Other, Next)) :-
    \+ won(Board, _),
    next_player(Player, Other),
    nth1(Square, Board, e),
    put(Square, Board, Player, Next).

put(1, [_|Rest], Piece, [Piece|Rest]).
put(N, [First|Rest], Piece, [First|More]) :-
    N > 1,
    M is N - 1,
    put(M, Rest, Piece, More).

next_player(x, o).
next_player(o, x).

won(Board, Player) :-
    member([I, J, K], [[1,2,3], [4,5,6], [7,8,9], [1,4,7], [2,5,8], [3,6,9], [1,5,9], [3,5,7]]),
    nth1(I, Board, Player),
    Player \== e,
    nth1(J, Board, Player),
    nth1(K, Board, Player).

terminal(pos(_, Board)) :- won(Board, _).
terminal(pos(_, Board)) :- foreach(member(Cell, Board), Cell \== e).

static_eval(pos(_, Board), 1) :- won(Board, x), !.
static_eval(pos(_, Board), -1) :- won(Board, o), !.
static_eval(_, 0).

acyclic.
