% Two arguments of a closure are exchanged.
% code: A0309
% at: 34:23
% help: exchanged
% mend 34: |    foldl(infect(Who, Q-R), Stones1, [], Stones2),
% Petal: a hexagon of nineteen cells, each named by its axial coordinates Q-R.
% Coral (MAX) and teal (MIN) grow a stone next to one of their own, or jump a
% stone two cells in a straight line; all enemy stones next to the new stone
% change their owner. When the flower is full, or nobody has a stone to grow
% from, the player with more stones gets the difference.
:- use_module(library(alphorn)).

:- expect(perft(1) = 6).
:- expect(holds(initial(st(coral, [-2-0-coral, 2-0-teal], 6)))).
:- expect(holds(move(st(coral, [-1-0-coral, 1-0-teal], 9), grow(0, 0), _))).
:- expect(holds(move(st(coral, [-1-0-coral, 0-1-teal], 9), jump(-1-0, 1-0), _))).
:- expect(fails(move(st(coral, [-1-0-coral, 1-0-teal], 9), grow(1, 0), _))).
:- expect(holds(move(st(coral, [-1-0-coral, 1-0-teal], 9), grow(0, 0), st(teal, [-1-0-coral, 0-0-coral, 1-0-coral], 8)))).
:- expect(holds(terminal(st(teal, [], 3)))).
:- expect(value(st(teal, [-1-0-coral, 0-0-teal, 1-0-teal], 0)) = -1).
:- expect(value(st(coral, [-1-0-coral, 1-0-teal], 1)) = 3).
:- expect(best(st(coral, [-1-0-coral, 1-0-teal], 1), 1) = grow(0, 0)).
:- expect(fails(terminal(st(coral, [-1-0-coral, 1-0-teal], 9)))).

initial(st(coral, [-2-0-coral, 2-0-teal], 6)).

max_to_move(st(coral, _, _)).
min_to_move(st(teal, _, _)).

move(st(Who, Stones, Left), Label, st(Next, Sorted, Left1)) :-
    Left > 0,
    rival(Who, Next),
    act(Who, Stones, Label, Q-R, Stones1),
    foldl(infect(Q-R, Who), Stones1, [], Stones2),
    msort(Stones2, Sorted),
    Left1 is Left - 1.

% What a player can do: the label, the cell of the new stone, the stones after it.
act(Who, Stones, grow(Q, R), Q-R, [Q-R-Who|Stones]) :-
    setof(C, growth(Who, Stones, C), Cells),
    member(Q-R, Cells).
act(Who, Stones, jump(Q0-R0, Q-R), Q-R, [Q-R-Who|Rest]) :-
    select(Q0-R0-Who, Stones, Rest),
    toward(DQ, DR),
    Q is Q0 + 2 * DQ,
    R is R0 + 2 * DR,
    inside(Q, R),
    free(Stones, Q-R).

growth(Who, Stones, Q-R) :-
    member(Q0-R0-Who, Stones),
    near(Q0-R0, Q-R),
    inside(Q, R),
    free(Stones, Q-R).

free(Stones, Q-R) :- \+ memberchk(Q-R-_, Stones).

near(Q0-R0, Q-R) :-
    toward(DQ, DR),
    Q is Q0 + DQ,
    R is R0 + DR.

toward(1, 0).
toward(1, -1).
toward(0, -1).
toward(-1, 0).
toward(-1, 1).
toward(0, 1).

inside(Q, R) :-
    abs(Q) =< 2,
    abs(R) =< 2,
    abs(Q + R) =< 2.

% Add one stone to the list; it changes its owner when the new stone touches it.
infect(Who, Cell, Q-R-_, Acc, [Q-R-Who|Acc]) :-
    near(Cell, Q-R),
    !.
infect(_, _, Stone, Acc, [Stone|Acc]).

rival(coral, teal).
rival(teal, coral).

terminal(st(_, _, 0)).
terminal(st(Who, Stones, _)) :- \+ member(_-_-Who, Stones).
terminal(st(_, Stones, _)) :- length(Stones, 19).

outcome(st(_, Stones, _), score(N)) :- lead(Stones, N).

static_eval(st(_, Stones, _), Value) :- lead(Stones, Value).

lead(Stones, N) :-
    foldl(tally, Stones, 0, N).

tally(_-_-coral, N0, N) :- N is N0 + 1.
tally(_-_-teal, N0, N) :- N is N0 - 1.

prefer(_, grow(_, _), 2).
prefer(_, jump(_, _), 1).

noisy(_, jump(_, _)).

shown_move(_, grow(Q, R), Text) :-
    format(atom(Text), "~w,~w", [Q, R]).
shown_move(_, jump(Q0-R0, Q-R), Text) :-
    format(atom(Text), "~w,~w>~w,~w", [Q0, R0, Q, R]).

show(st(Who, Stones, Left), [Head|Lines]) :-
    format(atom(Head), "~w to move, ~w left", [Who, Left]),
    findall(Line, stone_line(Stones, Line), Lines).

stone_line(Stones, Line) :-
    member(Q-R-Owner, Stones),
    format(atom(Line), "~w,~w ~w", [Q, R, Owner]).

acyclic.
