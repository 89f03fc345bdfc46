% gives: A0309
% The troop is written N/red, and the clauses of clash/3 compute with its second part.
initial(war(max, 4, blue/3)).
max_to_move(war(max, _, _)).
move(war(max, Men, Hut), storm(N), war(min, Left, Next)) :-
    member(N, [1, 2]),
    Left is Men - N,
    clash(N/red, Hut, Next).
clash(Side/N, _/M, Side/K) :- N > M, K is N - M.
clash(_/N, Side/M, Side/K) :- N < M, K is M - N.
clash(Side/N, _/M, Side/0) :- N =:= M.
no_moves(draw).
acyclic.
static_eval(_, 0).
