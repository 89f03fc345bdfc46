% The picture of a cell is made in a recursion that goes well for a while; no clause takes the last cell.
% code: A0605
% at: 13:1 17:9
% help: list of lines
% run: --playouts 50
% mend 17: |picture(a, '.'). picture(c, '-').
initial(p(max, [a, b, c])).
max_to_move(p(max, _)).
move(p(S, [_|L]), take, p(T, L)) :- other(S, T).
no_moves(loss).
static_eval(_, 0).
acyclic.
show(p(_, L), Lines) :- drawn(L, Lines).
drawn([], []).
drawn([X|L], [C|Lines]) :- picture(X, C), drawn(L, Lines).
picture(b, '#').
picture(a, '.').
other(max, min).
other(min, max).
