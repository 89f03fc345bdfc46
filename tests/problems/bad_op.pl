% gives: A0210, A0210, A0210
:- op(1300, xfx, beats).
:- op(700, yfy, beats).
:- op(700, xfx, 3).
initial(0).
max_to_move(0).
move(0, go, 1).
static_eval(N, N).
