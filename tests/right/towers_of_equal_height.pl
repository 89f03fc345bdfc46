% Three towers: take the top of one; who cannot move loses.
:- expect(value(pos(max, [[a,b],[a,b],[b,b]])) = win(min)).
:- expect(value(pos(max, [[a,a],[a,a],[a,a]])) = win(min)).
:- expect(value(pos(min, [[a,b],[b,a],[b,b]])) = win(max)).
:- expect(value(pos(max, [[a,b],[b,a],[b,b]])) = win(min)).
initial(pos(max, [[a,b,c],[b,c],[b,a]])).
max_to_move(pos(max, _)).
move(pos(P, Ts), take(I), pos(O, New)) :- other(P, O), nth1(I, Ts, [_|T], Rest), nth1(I, New, T, Rest).
outcome(pos(P, _), win(O)) :- other(P, O).
acyclic.
other(max, min).
other(min, max).
