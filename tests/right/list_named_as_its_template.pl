% Nim with one heap: the list of findall/3 has the name of its template, which is another variable there.
:- use_module(library(alphorn)).
:- expect(value = win(max)).
:- expect(value(heap(min, 4)) = win(max)).
:- expect(perft(1) = 3).
:- expect(holds((moves(heap(max, 1), Next), Next = [heap(min, 0)]))).

initial(heap(max, 7)).

max_to_move(heap(max, _)).

moves(Heap, Next) :-
    findall(Next, take(Heap, Next), Next).

take(heap(Side, N), heap(Other, M)) :-
    other(Side, Other),
    member(K, [1, 2, 3]),
    N >= K,
    M is N - K.

other(max, min).
other(min, max).

terminal(heap(_, 0)).

outcome(heap(max, 0), win(min)).
outcome(heap(min, 0), win(max)).
