% A stone that slides is put back as a pair in the other order.
% code: A0509
% at: 54:12
% help: the other order
% run: --playouts 5
% mend 54: |    msort([To-Who|Rest], Sorted).
:- use_module(library(alphorn)).
:- param(stones, 3, 2..4, "stones of each side").
:- expect(perft(1) = 10).
:- expect(perft(2) = 90).
:- expect(value(board(red, slide, 0, [hub-red, leaf(a, left)-red, leaf(a, right)-red]), 1) = win(max)).
:- expect(best(board(blue, place, 1, [hub-red, leaf(a, left)-blue, leaf(a, right)-blue, leaf(b, left)-red, leaf(c, tip)-red]), 1) = place(leaf(a, tip))).
:- expect(fails(stuck(red, [hub-red]))).

initial(board(red, place, Stones, [])) :- param(stones, N), Stones is 2 * N.

max_to_move(board(red, _, _, _)).
min_to_move(board(blue, _, _, _)).

opponent(red, blue).
opponent(blue, red).

point(hub).
point(leaf(L, P)) :- member(L, [a, b, c]), member(P, [left, tip, right]).

leaf([leaf(L, left), leaf(L, tip), leaf(L, right)]) :- member(L, [a, b, c]).

line(hub, leaf(L, left)) :- member(L, [a, b, c]).
line(hub, leaf(L, right)) :- member(L, [a, b, c]).
line(leaf(L, left), leaf(L, tip)) :- member(L, [a, b, c]).
line(leaf(L, tip), leaf(L, right)) :- member(L, [a, b, c]).
line(leaf(a, right), leaf(b, left)).
line(leaf(b, right), leaf(c, left)).
line(leaf(c, right), leaf(a, left)).

joined(A, B) :- line(A, B).
joined(A, B) :- line(B, A).

owner(Stones, Point, Who) :- member(Point-Who, Stones).
free(Stones, Point) :- point(Point), \+ owner(Stones, Point, _).

move(board(Who, place, Left, Stones), place(Point), board(Other, Phase, Less, Sorted)) :-
    opponent(Who, Other),
    free(Stones, Point),
    Less is Left - 1,
    phase(Less, Phase),
    msort([Point-Who|Stones], Sorted).
move(board(Who, slide, 0, Stones), slide(From, To), board(Other, slide, 0, Sorted)) :-
    opponent(Who, Other),
    owner(Stones, From, Who),
    joined(From, To),
    free(Stones, To),
    selectchk(From-Who, Stones, Rest),
    msort([Who-To|Rest], Sorted).

phase(0, slide) :- !.
phase(_, place).

full(Stones, Who) :- leaf(Points), member(Who, [red, blue]), forall(member(P, Points), owner(Stones, P, Who)).

stuck(Who, Stones) :- \+ (owner(Stones, From, Who), joined(From, To), free(Stones, To)).

terminal(board(_, _, _, Stones)) :- full(Stones, _), !.
terminal(board(Who, slide, _, Stones)) :- stuck(Who, Stones).

outcome(board(_, _, _, Stones), win(Side)) :- full(Stones, Who), !, side(Who, Side).
outcome(board(Who, slide, _, _), win(Side)) :- opponent(Who, Other), side(Other, Side).

side(red, max).
side(blue, min).

repetition(draw).

static_eval(board(_, _, _, Stones), Value) :-
    weight(red, Stones, R),
    weight(blue, Stones, B),
    Value is R - B.

weight(Who, Stones, W) :- findall(V, (owner(Stones, P, Who), worth(P, V)), Vs), sum_list(Vs, W).

worth(hub, 3).
worth(leaf(_, tip), 2).
worth(leaf(_, left), 1).
worth(leaf(_, right), 1).

show(board(Who, Phase, _, Stones), [Top, Bottom]) :-
    findall(C, (point(P), letter(Stones, P, C)), Letters),
    atomic_list_concat(Letters, ' ', Top),
    format(atom(Bottom), "~w: ~w", [Who, Phase]).

letter(Stones, P, r) :- owner(Stones, P, red), !.
letter(Stones, P, b) :- owner(Stones, P, blue), !.
letter(_, _, '.').
