% gives: A0103
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
terminal(1). /* the end
show(N, [N]).
