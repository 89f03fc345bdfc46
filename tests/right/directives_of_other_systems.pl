% Directives that another system needs or knows.
:- encoding(utf8).
:- use_module([library(lists), library(apply)]).
:- style_check(-singleton).
:- license(mit).

initial(heap(max, [3, 4])).

max_to_move(heap(max, _)).

other(max, min).
other(min, max).

moves(heap(Player, Heaps), Successors) :-
    other(Player, Next),
    findall(heap(Next, Rest), reduced(Heaps, Rest), Successors).

reduced(Heaps, Rest) :-
    select(Heap, Heaps, Others),
    between(1, Heap, Taken),
    Left is Heap - Taken,
    include(<(0), [Left], Kept),
    append(Kept, Others, Unsorted),
    msort(Unsorted, Rest).

terminal(heap(_, [])).

static_eval(heap(max, []), -1).
static_eval(heap(min, []), 1).
static_eval(heap(_, [_|_]), 0).
