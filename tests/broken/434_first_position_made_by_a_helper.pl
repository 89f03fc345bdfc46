% A helper makes a part of the first position that expectations and rules have in another form.
% code: A0311
% at: 10:22
% help: correct the first position, or the expectations
% mend 10: |start(seat(wagon(0), purse(2))).
:- expect(perft(1) = 2).
:- expect(value(road(max, seat(wagon(3), purse(0)), seat(wagon(4), purse(1)))) = win(max)).
:- expect(holds(terminal(road(min, seat(wagon(5), purse(0)), seat(wagon(1), purse(1)))))).
:- expect(fails(terminal(road(max, seat(wagon(3), purse(0)), seat(wagon(1), purse(1)))))).
start(seat(wagon(0), 2)).
initial(road(max, Seat, Seat)) :- start(Seat).
max_to_move(road(max, _, _)).
move(road(max, Mine, Yours), Stages, road(min, Mine1, Yours)) :- drive(Mine, Stages, Mine1).
move(road(min, Yours, Mine), Stages, road(max, Yours, Mine1)) :- drive(Mine, Stages, Mine1).
drive(seat(wagon(From), Purse), 1, seat(wagon(To), Purse)) :- To is From + 1.
drive(seat(wagon(From), purse(Coins)), 2, seat(wagon(To), purse(Left))) :- Coins > 0, To is From + 2, Left is Coins - 1.
terminal(road(_, A, B)) :- ( home(A) ; home(B) ).
home(seat(wagon(Stage), _)) :- Stage >= 5.
outcome(road(_, seat(wagon(A), purse(_)), seat(wagon(B), purse(_))), win(Who)) :- ( A > B -> Who = max ; Who = min ).
acyclic.
