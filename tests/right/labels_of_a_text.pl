% A label that atom_to_term/3 reads.
initial(3).
max_to_move(N) :- N mod 2 =:= 1.
move(N, Label, M) :- N > 0, M is N - 1, label(N, Label).
static_eval(N, N).
label(N, Label) :- atom_to_term('go(here)', Read, _), ( N > 1 -> Label = Read ; Label = stay ).
prefer(_, go(_), 2).
prefer(_, stay, 1).
