% Boards of backgammon and its kin: two sides that run opposite ways over Last points.  Each
% counts the points from its own end, and enters from its bar, which is one beyond the last.
% A board has Last + 2 places, point P of the first side being place P + 1: so many of its
% men, or the second side's as a negative number.  The first place is the second side's bar,
% the last place the first side's.  Sign is 1 for the first side, -1 for the second.

:- module(tables, [
    men_board/4,
    board_place/4,
    men_of/3,
    write_men_of/3,
    write_sides/2,
    read_sides/4,
    shown_steps/4
]).

%! men_board(+Last, +Ours, +Theirs, -Board)
%  The board with these men, Point-Number each as its side counts; fails where both sides
%  have men on one point.
men_board(Last, Ours, Theirs, Board) :-
    Places is Last + 2,
    findall(Men, ( between(1, Places, I), men_on(I, Places, Ours, Theirs, Men) ), Cells),
    length(Cells, Places),
    Board =.. [b|Cells].

men_on(I, Places, Ours, Theirs, Men) :-
    P is I - 1,
    Q is Places - I,
    (   member(P-Number, Ours)
    ->  \+ member(Q-_, Theirs),
        Men = Number
    ;   member(Q-Number, Theirs)
    ->  Men is -Number
    ;   Men = 0
    ).

%! board_place(+Board, +Sign, +P, -I)
%  The place of what a side counts as point P.
board_place(Board, Sign, P, I) :-
    (   Sign > 0
    ->  I is P + 1
    ;   functor(Board, _, Places),
        I is Places - P
    ).

%! men_of(+Board, +Sign, -Men)
%  The men of a side as Point-Number, from its bar down.
men_of(Board, Sign, Men) :-
    functor(Board, _, Places),
    Bar is Places - 1,
    men_from(Bar, Board, Sign, Men).

men_from(P, Board, Sign, Men) :-
    (   P =:= 0
    ->  Men = []
    ;   board_place(Board, Sign, P, I),
        arg(I, Board, Cell),
        Number is Cell * Sign,
        P1 is P - 1,
        men_from(P1, Board, Sign, Rest),
        (   Number > 0
        ->  Men = [P-Number|Rest]
        ;   Men = Rest
        )
    ).

%! write_sides(+Board, -Text)
%  Both sides' men, each as its side counts: '24(2) 6 / bar 5(2)'; a side without men is '-'.
write_sides(Board, Text) :-
    write_men_of(Board, 1, Ours),
    write_men_of(Board, -1, Theirs),
    atomic_list_concat([Ours, /, Theirs], ' ', Text).

%! write_men_of(+Board, +Sign, -Text)
%  The men of one side.
write_men_of(Board, Sign, Text) :-
    men_of(Board, Sign, Men),
    (   Men == []
    ->  Text = (-)
    ;   functor(Board, _, Places),
        Bar is Places - 1,
        maplist(men_word(Bar), Men, Words),
        atomic_list_concat(Words, ' ', Text)
    ).

men_word(Bar, P-Number, Word) :-
    (   P =:= Bar
    ->  Name = bar
    ;   Name = P
    ),
    (   Number =:= 1
    ->  atomic_list_concat([Name], Word)
    ;   atomic_list_concat([Name, '(', Number, ')'], Word)
    ).

%! read_sides(+Text, +Last, -Ours, -Theirs)
%  The way back, to lists of Point-Number.  Fails for a text of another form, and where a
%  point stands twice; men_board/4 says whether the sides agree.
read_sides(Text, Last, Ours, Theirs) :-
    atomic_list_concat([OurText, TheirText], ' / ', Text),
    read_men(OurText, Last, Ours),
    read_men(TheirText, Last, Theirs).

read_men(Text, Last, Men) :-
    (   Text == (-)
    ->  Men = []
    ;   atomic_list_concat(Words, ' ', Text),
        maplist(read_word(Last), Words, Men),
        pairs_keys(Men, Points),
        sort(Points, Distinct),
        length(Points, Length),
        length(Distinct, Length)
    ).

read_word(Last, Word, P-Number) :-
    (   atomic_list_concat([Name, Tail], '(', Word)
    ->  atom_concat(NumberText, ')', Tail),
        atom_number(NumberText, Number),
        integer(Number),
        Number > 0
    ;   Name = Word,
        Number = 1
    ),
    (   Name == bar
    ->  P is Last + 1
    ;   atom_number(Name, P),
        integer(P),
        between(1, Last, P)
    ).

%! shown_steps(+Steps, +Sign, +Board, -Text)
%  The notation of a play that a side makes on Board, as '13/11 6/5': Steps are From/To, in
%  any order in which one man's steps follow each other, with bar and off.  One man's steps are
%  drawn together, a star marks a hit, and (2) is for two men alike.
shown_steps(Steps, Sign, Board, Text) :-
    paths(Steps, Paths),
    sort(0, @>=, Paths, Sorted),
    path_texts(Sorted, Sign, Board, [], Texts),
    atomic_list_concat(Texts, ' ', Text).

% The points that one man comes to, for each man.
paths([], []).
paths([From/To|Steps], [[From, To|Path]|Paths]) :-
    follow(To, Steps, Path, Rest),
    paths(Rest, Paths).

follow(From, Steps, Path, Rest) :-
    (   selectchk(From/To, Steps, Others)
    ->  Path = [To|Further],
        follow(To, Others, Further, Rest)
    ;   Path = [],
        Rest = Steps
    ).

path_texts([], _, _, _, []).
path_texts([[From|Path]|Paths], Sign, Board, Hit0, [Text|Texts]) :-
    alike(Paths, [From|Path], 1, Number, Others),
    path_parts(Path, Sign, Board, Hit0, Hit, Parts),
    (   Number > 1
    ->  append(Parts, ['(', Number, ')'], Parts1)
    ;   Parts1 = Parts
    ),
    atomic_list_concat([From|Parts1], Text),
    path_texts(Others, Sign, Board, Hit, Texts).

alike(Paths, Path, Number0, Number, Others) :-
    (   Paths = [Path|Rest]
    ->  Number1 is Number0 + 1,
        alike(Rest, Path, Number1, Number, Others)
    ;   Number = Number0,
        Others = Paths
    ).

% The last point, and before it those where a man is hit.  Hit is what has been hit so far.
path_parts([], _, _, Hit, Hit, []).
path_parts([To|Path], Sign, Board, Hit0, Hit, Parts) :-
    (   hits(To, Sign, Board, Hit0)
    ->  Hit1 = [To|Hit0],
        Parts = [/, To, *|Rest]
    ;   Hit1 = Hit0,
        (   Path == []
        ->  Parts = [/, To|Rest]
        ;   Parts = Rest
        )
    ),
    path_parts(Path, Sign, Board, Hit1, Hit, Rest).

hits(To, Sign, Board, Hit) :-
    To \== off,
    \+ memberchk(To, Hit),
    board_place(Board, Sign, To, J),
    arg(J, Board, There),
    There =:= -Sign.
