% gives: A0507, A0507
:- expect(perft(1) = one).
:- expect(valu = 0).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
