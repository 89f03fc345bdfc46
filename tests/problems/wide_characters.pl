% gives: A0201
terminal(N) :- show(N, ["ход 将棋 🎲 é"]), membr(N, [1]).
show(_, ["将棋"]).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
