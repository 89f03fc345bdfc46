% NAME: step or hop ahead; the first with three men on the far row wins.
%
% The rules: x moves up, o moves down, and x begins. A man steps to an empty cell straight or
% diagonally ahead. Or a man hops straight or diagonally ahead over a man of any colour, to the
% empty cell behind that man. Nothing is taken. The first player with three men on the far row
% wins. A player who cannot move loses.

:- use_module(library(alphorn)).
:- use_module(library(board)).
:- use_module(library(grid)).

% Change these numbers first: name, value, lowest..highest, meaning.
:- param(width, 8, 2..12, "number of columns").
:- param(height, 8, 4..12, "number of rows").
:- param(goal, 3, 1..8, "men on the far row that win").
% The weights of the evaluation.
:- param(row, 10, 0..100, "worth of each row that a man has advanced").
:- param(home, 40, 0..100, "worth of a man on the far row").

% The tests of the game. If you change the rules, change the tests too.
:- expect(perft(1) = 22).
:- expect(perft(2) = 484).
:- expect(holds((men([a1, a2], [b2], B), findall(M, move(pos(x, B), M, _), Ms),
                 msort(Ms, [a1-a3, a1-c3, a2-a3, a2-b3])))).
:- expect(holds((men([a8, b8, c7], [h2, g2], B), best(pos(x, B), 1, c7-c8)))).
:- expect(holds((men([a8, b8, c7], [h1, g1, f2], B), value(pos(o, B), 1, -999999)))).
:- expect(holds((men([a8, b8, c8], [h2], B), outcome(pos(o, B), win(max))))).
:- expect(fails((men([a7], [a8], B), move(pos(x, B), a7-a8, _)))).

% A position is pos(Player to move, Board). The board has one argument for each cell: x, o, or e
% if it is empty. Cell 1 is a1, cell 2 is b1.
initial(pos(x, Board)) :-
    param(height, Height),
    row(1, Xs),
    row(Height, Os),
    men(Xs, Os, Board).

row(Y, Names) :-
    param(width, Width),
    findall(Name, ( between(1, Width, X), cell(Width, X, Y, I), square_name(Width, I, Name) ),
            Names).

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
max_to_move(pos(x, _)).

% A move is written as two cells: a1-b2.
move(pos(Player, Board), Start-End, pos(Other, Next)) :-
    side(Player, Other, Ahead, _),
    param(width, Width),
    param(height, Height),
    args_with(Board, Player, From),
    goes(Board, Width, Height, From, Ahead, To),
    put_args(Board, [From-e, To-Player], Next),
    square_name(Width, From, Start),
    square_name(Width, To, End).

% side(Player, Other player, Direction ahead, Name of the player in outcome/2).
side(x, o, 1, max).
side(o, x, -1, min).

% From and To are the cells of a step or a hop. Another kind of move goes here.
goes(Board, Width, Height, From, Ahead, To) :-
    between(-1, 1, DX),
    (   step(Width, Height, From, DX, Ahead, To),
        arg(To, Board, e)
    ;   hop(Board, Width, Height, From, DX, Ahead, _, To)
    ).

% Only the player who has just moved can have won.
terminal(Pos) :-
    outcome(Pos, _).

outcome(pos(Player, Board), win(Winner)) :-
    side(Player, Other, _, _),
    side(Other, _, _, Winner),
    param(goal, Goal),
    aggregate_all(count, arrived(Other, Board), Men),
    Men >= Goal.

arrived(Player, Board) :-
    to_go(Player, Board, 0).

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
static_eval(pos(_, Board), Value) :-
    param(row, Row),
    param(home, Home),
    aggregate_all(sum(Rows), to_go(x, Board, Rows), Xs),
    aggregate_all(sum(Rows), to_go(o, Board, Rows), Os),
    aggregate_all(count, arrived(x, Board), HomeXs),
    aggregate_all(count, arrived(o, Board), HomeOs),
    Value is Row * (Os - Xs) + Home * (HomeXs - HomeOs).

% No position occurs twice in a game.
acyclic.

show(pos(_, Board), Lines) :-
    param(width, Width),
    board_lines(Board, Width, Lines).
