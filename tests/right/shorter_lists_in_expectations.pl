% the positions of expectations have fewer piers than the first one, and each pier has a list of its own
:- expect(perft(1) = 3).
:- expect(value(load(min, [pier(south, [crate(3)])], 2), 1) = -3).
:- expect(value(load(min, [pier(north, [crate(6)])], 2), 1) = -6).
:- expect(value(load(max, [pier(south, [crate(4)])], 2), 1) = 4).
initial(load(max, [pier(north, [crate(2), crate(3)]), pier(east, [crate(4), crate(1)]), pier(south, [crate(3)])], 0)).
max_to_move(load(max, _, _)).
move(load(max, Piers, _), Name, load(min, Rest, W)) :- lift(Piers, Name, W, Rest).
move(load(min, Piers, _), Name, load(max, Rest, V)) :- lift(Piers, Name, W, Rest), V is -W.
lift([pier(Name, [crate(W)|Crates])|Piers], Name, W, [pier(Name, Crates)|Piers]).
lift([Pier|Piers], Name, W, [Pier|Rest]) :- lift(Piers, Name, W, Rest).
terminal(load(_, Piers, _)) :- \+ ( member(pier(_, Crates), Piers), Crates \= [] ).
static_eval(load(_, _, W), W).
acyclic.
