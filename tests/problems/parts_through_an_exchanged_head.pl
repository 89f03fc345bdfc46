% gives: A0311
% The head of static_eval/2 has two lists in the wrong order, and passes both on.
:- expect(value(night(red, [red-gate, blue-tower], [gate/yard-1, yard/tower-1])) = win(max)).
plan(gate, yard, oak).
plan(yard, well, pine).
plan(chapel, tower, oak).
planks(oak, 2).
planks(pine, 1).
span(A, B, N) :- plan(A, B, Wood), planks(Wood, N).
oil(gate, 3).
oil(yard, 1).
oil(tower, 2).
rival(red, blue).
rival(blue, red).
max_to_move(night(red, _, _)).
acyclic.
no_moves(draw).
terminal(night(_, [red-Room, blue-Room], _)).
initial(night(red, [red-gate, blue-tower], Spans)) :-
    findall(A/B-N, span(A, B, N), Spans).
move(night(Me, Men, Spans), walk(From, To), night(You, Moved, Left)) :-
    rival(Me, You),
    stands(Me, Men, From),
    adjoining(From, To, Span, Spans),
    \+ stands(You, Men, To),
    worn(Span, Spans, Left),
    posted(Me-To, Men, Moved).
move(night(Me, Men, Spans), saw(Here, There), night(You, Men, Left)) :-
    rival(Me, You),
    stands(Me, Men, Here),
    adjoining(Here, There, Span, Spans),
    worn(Span, Spans, Left).
stands(Who, Men, Room) :-
    memberchk(Who-Room, Men).
posted(Who-Room, [Who-_|Men], [Who-Room|Men]).
posted(Who-Room, [Man-There|Men], [Man-There|Moved]) :- Man \== Who, posted(Who-Room, Men, Moved).
adjoining(X, Y, X/Y, Spans) :- member(X/Y-_, Spans).
adjoining(X, Y, Y/X, Spans) :- member(Y/X-_, Spans).
worn(Span, [Span-N|Spans], Left) :- !, ( N > 1 -> M is N - 1, Left = [Span-M|Spans] ; Left = Spans ).
worn(Span, [Other|Spans], [Other|Left]) :- worn(Span, Spans, Left).
region(Room, Spans, Rooms) :-
    spread([Room], [], Spans, Rooms).
spread([], Seen, _, Rooms) :-
    sort(Seen, Rooms).
spread([Room|Rooms], Seen, Spans, All) :-
    findall(Next, (adjoining(Room, Next, _, Spans), \+ memberchk(Next, [Room|Seen])), More),
    append(More, Rooms, Left),
    spread(Left, [Room|Seen], Spans, All).
estate(Who, Men, Spans, Oil) :-
    stands(Who, Men, Room),
    region(Room, Spans, Rooms),
    aggregate_all(sum(N), (member(R, Rooms), oil(R, N)), Oil).
outcome(night(_, Men, Spans), Result) :-
    estate(red, Men, Spans, Red),
    estate(blue, Men, Spans, Blue),
    compare(Order, Red, Blue),
    verdict(Order, Result).
verdict(<, win(min)).
verdict(=, draw).
verdict(>, win(max)).
static_eval(night(_, Spans, Men), Value) :-
    outlook(red, Men, Spans, Red),
    outlook(blue, Men, Spans, Blue),
    Value is Red - Blue.
outlook(Who, Men, Spans, Oil) :-
    stands(Who, Men, Room),
    findall(N, (adjoining(Room, Next, _, Spans), oil(Next, N)), Ns),
    sum_list(Ns, Oil).
prefer(night(_, Men, _), saw(_, There), 5) :-
    stands(_, Men, There).
