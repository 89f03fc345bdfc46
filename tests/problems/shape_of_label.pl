% gives: A0312, A0312
% Labels are From-To; the advice speaks of move(From, To), and a picture of from_to/2.
initial(s(max, 1, 9)).
max_to_move(s(max, _, _)).
move(s(max, A, B), Label, s(min, C, B)) :- step(A, C), C < B, Label = A-C.
move(s(min, A, B), B-C, s(max, A, C)) :- step(C, B), C > A.
step(A, B) :- between(1, 2, K), B is A + K.
static_eval(s(_, A, B), V) :- V is A - B.
prefer(_, move(From, To), W) :- W is To - From.
prefer(_, _-_, 0).
shown_move(_, A-B, T) :- atomic_list_concat([A, B], to, T).
noisy(s(max, _, _), from_to(_, _)).
quiet(s(min, _, _)).
acyclic.
