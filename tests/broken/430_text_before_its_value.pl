% The text of a picture is made before the goal that gives one of its values.
% code: A0605
% at: 14:1
% help: write the goal that makes the text
% run: --playouts 5
% mend 15: |    stones(Who, Stones),
% mend 16: |    format(atom(Text), '~w: ~w stones', [Who, Stones]).
% Two players take one or two of seven stones, and the last stone wins.
initial(heap(max, 7)).
max_to_move(heap(max, _)).
move(heap(Who, N), take(K), heap(Foe, M)) :- member(K, [1, 2]), K =< N, M is N - K, foe(Who, Foe).
no_moves(loss).
acyclic.
show(heap(Who, _), [Text]) :-
    format(atom(Text), '~w: ~w stones', [Who, Stones]),
    stones(Who, Stones).
stones(max, white).
stones(min, black).
foe(max, min).
foe(min, max).
