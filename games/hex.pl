% Hex: x and o put a stone on a cell of a rhombus in turn; x wins by a chain of stones from
% the top to the bottom, o from the left to the right.  One of them always does.
% Source: P. Hein, 1942; J. Nash, 1948.

:- use_module(library(alphorn)).
:- use_module(library(bits)).
:- use_module(library(grid)).

:- param(size, 5, 1..11, "cells on a side").

% As OpenSpiel counts.
:- expect(perft(1) = 25).
:- expect(perft(2) = 600).
:- expect(perft(3) = 13800).
% Found by a Python program too, with a search of its own and shortest paths.
:- expect(value(pos(x, 274792453, 17317962)) = 999995).
:- expect(best(pos(x, 274792453, 17317962), 9) = 9).
:- expect(value(pos(o, 357565458, 864576)) = -999997).
:- expect(best(pos(o, 357565458, 864576), 3) = 15).
:- expect(holds(static_eval(pos(x, 50937880, 67113924), -1))).
:- expect(holds(static_eval(pos(o, 357565458, 864576), 1))).
% A neighbour above right, not above left: a chain from e1 to a5, and none from a1 to e5.
:- expect(holds(terminal(pos(o, 17318416, 0)))).
:- expect(fails(terminal(pos(o, 270549121, 0)))).
:- expect(fails(terminal(pos(x, 17318416, 0)))).

% pos(Player to move, stones of x, stones of o): x is MAX.  Cells are bits, row by row from
% the top, and after each row comes a bit that stays clear, so that steps do not run from a
% row into the next.  The neighbours of a cell are left and right of it, above and above
% right, below and below left.
initial(pos(x, 0, 0)).

max_to_move(pos(x, _, _)).

% A move is the number of the cell's bit.  Up to 7 by 7 cells all numbers are small and fast.
move(pos(Player, X, O), Bit, pos(Other, X1, O1)) :-
    other(Player, Other),
    param(size, Size),
    cells(Size, Cells),
    Free is Cells /\ \ (X \/ O),
    Last is Size * (Size + 1) - 2,
    between(0, Last, Bit),
    Free /\ (1 << Bit) =\= 0,
    place(Player, Bit, X, O, X1, O1).

place(x, Bit, X, O, X1, O) :-
    X1 is X \/ (1 << Bit).
place(o, Bit, X, O, X, O1) :-
    O1 is O \/ (1 << Bit).

other(x, o).
other(o, x).

shown_move(_, Bit, Name) :-
    param(size, Size),
    Width is Size + 1,
    I is Bit + 1,
    square_name(Width, I, Name).

cells(Size, Cells) :-
    left(Size, Left),
    Cells is Left * ((1 << Size) - 1).

% The cells of the column on the left.
left(Size, Left) :-
    Left is ((1 << (Size * (Size + 1))) - 1) // ((2 << Size) - 1).

% The cells where a chain of Player begins, and those where it ends.
edges(x, Size, Top, Bottom) :-
    Top is (1 << Size) - 1,
    Bottom is Top << ((Size + 1) * (Size - 1)).
edges(o, Size, Left, Right) :-
    left(Size, Left),
    Right is Left << (Size - 1).

% Only the player who has just moved can have won.
terminal(pos(Player, X, O)) :-
    other(Player, Winner),
    stones(Winner, X, O, Stones),
    param(size, Size),
    edges(Winner, Size, Near, Far),
    Stones /\ Far =\= 0,
    Start is Stones /\ Near,
    grown(Start, Stones, Size, Chains),
    Chains /\ Far =\= 0.

stones(x, X, _, X).
stones(o, _, O, O).

% Reached and all cells of Ground that hang together with it.
grown(Reached, Ground, Size, All) :-
    beside(Reached, Ground, Size, Next),
    (   Next =:= Reached
    ->  All = Reached
    ;   grown(Next, Ground, Size, All)
    ).

% The cells of Ground that are in Reached or next to it.
beside(Reached, Ground, Size, Next) :-
    Left is Reached \/ Reached >> 1,
    Right is Reached \/ Reached << 1,
    Row is Size + 1,
    Next is (Ground /\ (Left \/ Right \/ Right >> Row)) \/ (Ground >> Row /\ Left) << Row.

outcome(pos(x, _, _), win(min)).
outcome(pos(o, _, _), win(max)).

% How many stones O lacks for a chain, at least, less how many X lacks.
static_eval(pos(_, X, O), Value) :-
    param(size, Size),
    lacks(x, X, O, Size, ForX),
    lacks(o, O, X, Size, ForO),
    Value is ForO - ForX.

lacks(Player, Stones, Others, Size, Lacking) :-
    edges(Player, Size, Near, Far),
    cells(Size, Cells),
    Ground is Cells /\ \ Others,
    Edge is Near /\ Ground,
    Start is Near /\ Stones,
    lacks(Start, 0, Edge, Far, Stones, Ground, Size, Lacking).

% With N stones more chains come from the edge to all of Reached.  A player who is cut
% off has lost, and lacks as many stones as there are cells.
lacks(Reached, N, Edge, Far, Stones, Ground, Size, Lacking) :-
    Within is Stones \/ Reached,
    grown(Reached, Within, Size, Chains),
    (   Chains /\ Far =\= 0
    ->  Lacking = N
    ;   beside(Chains, Ground, Size, Around),
        Further is Around \/ Edge,
        (   Further =:= Chains
        ->  Lacking is Size * Size
        ;   N1 is N + 1,
            lacks(Further, N1, Edge, Far, Stones, Ground, Size, Lacking)
        )
    ).

value_range(-121, 121).
acyclic.

% Half a turn around reverses the order of the cells.
symmetry(pos(Player, X, O), pos(Player, X1, O1)) :-
    param(size, Size),
    Last is Size * (Size + 1) - 2,
    reverse_bits(X, Last, X1),
    reverse_bits(O, Last, O1).

show(pos(_, X, O), [Header|Rows]) :-
    param(size, Size),
    findall(Letter, ( between(1, Size, I), Code is 0'a + I - 1, char_code(Letter, Code) ), Letters),
    atomic_list_concat(Letters, ' ', Names),
    atom_concat('    ', Names, Header),
    findall(Row, ( between(1, Size, Y), row(Y, Size, X, O, Row) ), Rows).

% Each row is half a cell further to the right than the one above.
row(Y, Size, X, O, Row) :-
    First is (Y - 1) * (Size + 1),
    Last is First + Size - 1,
    findall(Mark, ( between(First, Last, Bit), mark(Bit, X, O, Mark) ), Marks),
    atomic_list_concat(Marks, ' ', Cells),
    Column is Y + 3,
    format(atom(Row), "~t~d~2|~t~*|~w", [Y, Column, Cells]).

mark(Bit, X, O, Mark) :-
    (   X /\ (1 << Bit) =\= 0
    ->  Mark = x
    ;   O /\ (1 << Bit) =\= 0
    ->  Mark = o
    ;   Mark = '.'
    ).
