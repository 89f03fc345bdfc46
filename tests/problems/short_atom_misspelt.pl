% gives: A0313
% Of three places, one lost a letter where a walker starts.
:- expect(value(walk(max, [at(max, sea), at(min, hill)], 1)) = 1).
:- expect(value(walk(max, [at(max, town), at(min, sea)], 1)) = 1).
initial(walk(max, [at(max, sea), at(min, se)], 6)).
max_to_move(walk(max, _, _)).
move(walk(Who, Facts, N), To, walk(Other, [at(Who, To)|Rest], M)) :-
    N > 0,
    M is N - 1,
    other(Who, Other),
    select(at(Who, From), Facts, Rest),
    path(From, To).
path(From, To) :- road(From, To).
path(From, To) :- road(To, From).
road(sea, town).
road(town, hill).
road(hill, sea).
terminal(walk(_, _, 0)).
static_eval(walk(_, Facts, _), 1) :- member(at(max, hill), Facts), !.
static_eval(_, 0).
acyclic.
other(max, min).
other(min, max).
