% NAME: step ahead and take; five men taken or one man on the far row win.
%
% The rules: x moves up, o moves down, and x begins. A man steps one cell diagonally ahead to an
% empty cell. A man takes a man of the other player on the next cell straight ahead, to the left
% or to the right, and moves to that cell. The first player who takes five men, or who has a man
% on the far row, wins. A player who cannot move loses.

:- use_module(library(alphorn)).
:- use_module(library(board)).
:- use_module(library(grid)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(width, 8, 2..12, "number of columns").
:- param(height, 8, 6..12, "number of rows").
:- param(goal, 5, 1..20, "men taken that win").
% The weights of the evaluation.
:- param(man, 30, 0..100, "worth of a man taken").
:- param(row, 2, 0..100, "worth of each row that a man has advanced").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 14).
:- expect(perft(2) = 196).
:- expect(holds((men([c3], [c4, d3, b4], B), findall(M, move(pos(x, B, 0, 0), M, _), Ms),
                 msort(Ms, [c3-c4, c3-d3, c3-d4])))).
:- expect(holds((men([c3, a3], [c4, a5], B), best(pos(x, B, 4, 0), 1, c3-c4)))).
:- expect(holds((men([c7], [b3], B), value(pos(o, B, 0, 0), 4, 999998)))).
:- expect(holds((men([c8], [b3], B), outcome(pos(o, B, 0, 0), win(max))))).
:- expect(fails((men([c3], [c4], B), move(pos(x, B, 0, 0), c3-c5, _)))).
:- expect(fails((men([c3], [d4], B), move(pos(x, B, 0, 0), c3-d4, _)))).

% A position is pos(Player to move, Board, Men that x has taken, Men that o has taken). The board
% has one argument for each cell: x, o, or e if it is empty. Cell 1 is a1, cell 2 is b1.
initial(pos(x, Board, 0, 0)) :-
    param(height, Height),
    Below is Height - 1,
    rows([1, 2], Xs),
    rows([Below, Height], Os),
    men(Xs, Os, Board).

rows(Ys, Names) :-
    param(width, Width),
    findall(Name, ( member(Y, Ys), between(1, Width, X), cell(Width, X, Y, I),
                    square_name(Width, I, Name) ), Names).

% men(Xs, Os, Board): the board with men on these cells, such as [a1, b2].
men(Xs, Os, Board) :-
    param(width, Width),
    param(height, Height),
    findall(e, on_grid(Width, Height, _, _), Cells),
    Empty =.. [b|Cells],
    findall(I-x, ( member(Name, Xs), square_name(Width, I, Name) ), Changes),
    findall(I-o, ( member(Name, Os), square_name(Width, I, Name) ), More),
    put_args(Empty, Changes, Board1),
    put_args(Board1, More, Board).

% MAX plays x, MIN plays o.
max_to_move(pos(x, _, _, _)).

% A move is written as two cells: a2-b3.
move(pos(Player, Board, ByX, ByO), Start-End, pos(Other, Next, ByX1, ByO1)) :-
    side(Player, Other, Ahead, _),
    param(width, Width),
    param(height, Height),
    args_with(Board, Player, From),
    goes(Ahead, DX, DY, Cell, Player),
    step(Width, Height, From, DX, DY, To),
    arg(To, Board, Cell),
    taken(Cell, ByX, ByO, ByX1, ByO1),
    put_args(Board, [From-e, To-Player], Next),
    square_name(Width, From, Start),
    square_name(Width, To, End).

% side(Player, Other player, Direction ahead, Name of the player in outcome/2).
side(x, o, 1, max).
side(o, x, -1, min).

% goes(Ahead, DX, DY, Cell, Player): a man of Player may go DX to the right and DY up if Cell is
% there. Another kind of step goes here.
goes(Ahead, DX, Ahead, e, _) :-
    member(DX, [-1, 1]).
goes(Ahead, DX, DY, Other, Player) :-
    side(Player, Other, Ahead, _),
    member(DX/DY, [0/Ahead, -1/0, 1/0]).

% taken(Cell, ByX, ByO, ByX1, ByO1): counts the man on Cell, if there is a man.
taken(e, ByX, ByO, ByX, ByO).
taken(x, ByX, ByO, ByX, ByO1) :- ByO1 is ByO + 1.
taken(o, ByX, ByO, ByX1, ByO) :- ByX1 is ByX + 1.

% Only the player who has just moved can have won.
terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(Player, Board, ByX, ByO), win(Winner)) :-
    side(Player, Other, _, _),
    side(Other, _, _, Winner),
    param(goal, Goal),
    (   to_go(Other, Board, 0)
    ->  true
    ;   Other == x
    ->  ByX >= Goal
    ;   ByO >= Goal
    ).

% Rows is the number of rows that a man of Player has to go. Each man is one answer.
to_go(Player, Board, Rows) :-
    param(width, Width),
    param(height, Height),
    args_with(Board, Player, I),
    (   Player == x
    ->  Rows is Height - 1 - (I - 1) // Width
    ;   Rows is (I - 1) // Width
    ).

no_moves(loss).

% How good a position is for MAX. Add here what else is good to have.
static_eval(pos(_, Board, ByX, ByO), Value) :-
    param(man, Man),
    param(row, Row),
    param(height, Height),
    aggregate_all(sum(Height - Rows), to_go(x, Board, Rows), Xs),
    aggregate_all(sum(Height - Rows), to_go(o, Board, Rows), Os),
    Value is Man * (ByX - ByO) + Row * (Xs - Os).

% No position occurs twice in a game.
acyclic.

show(pos(_, Board, ByX, ByO), Lines) :-
    param(width, Width),
    board_lines(Board, Width, Rows),
    atomic_list_concat(['taken by x: ', ByX, ', by o: ', ByO], Status),
    append(Rows, [Status], Lines).
