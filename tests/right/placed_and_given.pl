% Three cells, and whoever moves places the piece that was given and gives another one. A move is shown
% as the cell and the piece, such as b/green.

:- expect(holds(move(q(max, none, [e, e, e], [red]), give(red), _))).
:- expect(fails(move(q(max, red, [blue, e, e], [green]), put(1, green), _))).
:- expect(perft(1) = 3).

initial(q(max, none, [e, e, e], [red, green, blue])).

max_to_move(q(max, _, _, _)).

acyclic.

move(q(Player, none, Cells, Pieces), give(Piece), q(Other, Piece, Cells, Rest)) :-
    other(Player, Other),
    select(Piece, Pieces, Rest).
move(q(Player, Piece, Cells, Pieces), put(Cell, Given), q(Other, Given, Next, Rest)) :-
    Piece \== none,
    other(Player, Other),
    nth1(Cell, Cells, e),
    placed(Cell, Cells, Piece, Next),
    (   Pieces == []
    ->  Given = none, Rest = []
    ;   select(Given, Pieces, Rest)
    ).

placed(1, [_|T], X, [X|T]).
placed(N, [H|T], X, [H|T1]) :-
    N > 1,
    M is N - 1,
    placed(M, T, X, T1).

other(max, min).
other(min, max).

terminal(q(_, none, Cells, [])) :- \+ member(e, Cells).

outcome(q(_, _, [red|_], _), win(max)).
outcome(q(_, _, [Piece|_], _), win(min)) :- Piece \== red.

shown_move(_, give(Piece), Piece).
shown_move(_, put(Cell, Given), Text) :-
    nth1(Cell, [a, b, c], Name),
    (   Given == none
    ->  Text = Name
    ;   atomic_list_concat([Name, '/', Given], Text)
    ).
