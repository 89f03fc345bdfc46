% list and one line
initial([x,e,e,e]).
max_to_move([x|_]).
moves([P|C], L) :- o(P,O), findall([O|D], select(e,C,P,D), L).
o(x,o). o(o,x).
static_eval(_, 0).
show(P, [L]) :- atomic_list_concat(P, ' ', L).
