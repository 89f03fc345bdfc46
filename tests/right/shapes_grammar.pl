% Right: positions are read from a notation by a grammar, and written back by univ.
initial(P) :- read_position('w:ooo', P).
read_position(Text, P) :- atom_chars(Text, Chars), phrase(game(P), Chars).
game(G) --> [Side, ':'], cells(Cells), { built(Side, Cells, G) }.
cells([C|Cs]) --> [C], { memberchk(C, [o, x]) }, cells(Cs).
cells([]) --> [].
built(Side, Cells, G) :- G =.. [g, Side|Cells].
max_to_move(g(w, _, _, _)).
move(G, I, H) :-
    arg(I, G, o), G =.. [g, Side|Cells], J is I - 1, flipped(J, Cells, New), turned(Side, Other),
    built(Other, New, H).
flipped(1, [_|T], [x|T]).
flipped(I, [H|T], [H|S]) :- I > 1, J is I - 1, flipped(J, T, S).
turned(w, b).
turned(b, w).
terminal(g(_, x, x, x)).
outcome(g(w, _, _, _), win(min)).
outcome(g(b, _, _, _), win(max)).
prune(g(_, _, _, _), 9).
acyclic.
