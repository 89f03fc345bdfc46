% Connect four in few rules: the same game as connect_four.pl, 7 columns by 6 rows.
% Source: the bit tricks are those of J. Tromp's Fhourstones.

:- use_module(library(alphorn)).

:- expect(perft(1) = 7).
:- expect(perft(2) = 49).
:- expect(perft(3) = 343).
:- expect(perft(4) = 2401).
:- expect(perft(5) = 16807).
:- expect(value(pos(x, 0x010101, 0x020202), 1) = 999999).
:- expect(best(pos(o, 0x010101, 0x000202), 2) = 4).

% pos(Player to move, discs of x, discs of o).  A column is one byte, its lowest cell
% bit 0; bits 6 and 7 stay clear, so that no line runs from a column into the next.
initial(pos(x, 0, 0)).

max_to_move(pos(x, _, _)).

% A move is the number of its column.
move(pos(x, X, O), Column, pos(o, X1, O)) :-
    drop(X \/ O, Column, Disc),
    X1 is X \/ Disc.
move(pos(o, X, O), Column, pos(x, X, O1)) :-
    drop(X \/ O, Column, Disc),
    O1 is O \/ Disc.

% Adding a column's lowest bit carries into its first free cell.
drop(Discs, Column, Disc) :-
    between(1, 7, Column),
    Shift is 8 * (Column - 1),
    Disc is (Discs + (1 << Shift)) /\ (0x3F << Shift),
    Disc =\= 0.

terminal(Pos) :-
    outcome(Pos, _).

% Only the player who has just moved can have four.
outcome(pos(o, X, _), win(max)) :- four(X), !.
outcome(pos(x, _, O), win(min)) :- four(O), !.
outcome(pos(_, X, O), draw) :- X \/ O =:= 0x3F3F3F3F3F3F3F.

four(Discs) :- four(Discs, 1), !.     % in a column
four(Discs) :- four(Discs, 8), !.     % in a row
four(Discs) :- four(Discs, 7), !.     % falling diagonal
four(Discs) :- four(Discs, 9).        % rising diagonal

four(Discs, Shift) :-
    Pairs is Discs /\ (Discs >> Shift),
    Pairs /\ (Pairs >> (2 * Shift)) =\= 0.

static_eval(pos(o, X, _), 1000) :- four(X), !.
static_eval(pos(x, _, O), -1000) :- four(O), !.
static_eval(pos(_, X, O), 0) :- X \/ O =:= 0x3F3F3F3F3F3F3F, !.
static_eval(pos(_, X, O), Value) :-
    central(X, ForX),
    central(O, ForO),
    Value is ForX - ForO.

% A disc counts 2, and 1 more for every step that its column or its row is nearer
% to the middle.
central(Discs, Score) :-
    Score is 2 * popcount(Discs)
           + popcount(Discs /\ 0x003F3F3F3F3F00)
           + popcount(Discs /\ 0x00003F3F3F0000)
           + popcount(Discs /\ 0x0000003F000000)
           + popcount(Discs /\ 0x1E1E1E1E1E1E1E)
           + popcount(Discs /\ 0x0C0C0C0C0C0C0C).

value_range(-1000, 1000).
acyclic.

show(pos(_, X, O), Lines) :-
    findall(Line, ( member(Row, [5, 4, 3, 2, 1, 0]), row_line(Row, X, O, Line) ), Rows),
    append(Rows, ['1 2 3 4 5 6 7'], Lines).

row_line(Row, X, O, Line) :-
    findall(Mark, ( between(0, 6, Column), Bit is 8 * Column + Row, mark(Bit, X, O, Mark) ), Marks),
    atomic_list_concat(Marks, ' ', Line).

mark(Bit, X, O, Mark) :-
    (   X /\ (1 << Bit) =\= 0
    ->  Mark = x
    ;   O /\ (1 << Bit) =\= 0
    ->  Mark = o
    ;   Mark = '.'
    ).
