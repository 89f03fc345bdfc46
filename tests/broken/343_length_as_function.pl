% A length is taken for a value.
% code: A0307 A0308 A0309
% at: 13:5 13:12
% help: length(Board, Nine)
% mend 13: |    length(Board, Nine),
% Three in a row on a board of nine squares.
initial(pos(x, [e,e,e, e,e,e, e,e,e])).

max_to_move(pos(x, _)).

move(pos(Player, Board), Square, pos(Other, Next)) :-
    \+ won(Board, _),
    Nine = length(Board),
    Nine =:= 9,
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
terminal(pos(_, Board)) :- \+ member(e, Board).

static_eval(pos(_, Board), 1) :- won(Board, x), !.
static_eval(pos(_, Board), -1) :- won(Board, o), !.
static_eval(_, 0).

acyclic.
