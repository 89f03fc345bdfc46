:- module(reverse,
          [ reverse/2
          ]).

% Lists in reverse order.

%! reverse(?Xs, ?Ys)  Ys is the elements of Xs in reverse order.
reverse(Xs, Ys) :-
    (   '$ground'(Xs) ->
        reverse_ground(Xs, [], Zs),
        Ys = Zs
    ;   guide(Xs, Ys, Guide),
        reverse_onto(Guide, Xs, Ys, [], Ys)
    ).

reverse_ground([], Ys, Ys).
reverse_ground([X|Xs], Done, Ys) :-
    reverse_ground(Xs, [X|Done], Ys).

% The third argument grows or shrinks in step with Xs, so that a list Ys
% of known length ends the search when Xs is partial.
reverse_onto([], [], [], Ys, Ys).
reverse_onto([_|_], [X|Xs], [_|Bound], Done, Ys) :-
    guide(Xs, Bound, Guide),
    reverse_onto(Guide, Xs, Bound, [X|Done], Ys).
