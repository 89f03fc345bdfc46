% Right: boards of the library, put together argument by argument; clauses for positions of a problem
% that only an expectation has.
:- use_module(library(alphorn)).
:- use_module(library(grid)).
:- param(width, 3, 2..4, "side of the board").
:- expect(value(problem(max, 3)) = 3).
initial(pos(max, Board)) :- param(width, W), N is W * W, functor(Board, b, N), all(N, Board).
all(0, _) :- !.
all(N, Board) :- arg(N, Board, e), M is N - 1, all(M, Board).
max_to_move(pos(max, _)).
max_to_move(problem(max, _)).
move(pos(max, B), I, pos(min, C)) :- args_with(B, e, I), put_arg(I, B, x, C).
move(pos(min, B), I, pos(max, C)) :- args_with(B, e, I), put_args(B, [I-o], C).
terminal(pos(_, B)) :- \+ args_with(B, e, _).
terminal(problem(_, _)).
static_eval(pos(_, B), N) :- aggregate_all(count, args_with(B, x, _), N).
static_eval(problem(_, N), N).
acyclic.
