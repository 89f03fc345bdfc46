% FEN, the notation for positions of chess, and the picture of such a board.  Ranks
% are eight lists of eight cells, the eighth rank and the a-file first: a man is
% its letter in FEN, an empty square is '.'.

:- module(fen, [
    write_fen/3,
    read_fen/3,
    man_at/4,
    rank_lines/2
]).

%! write_fen(+Ranks, +Fields, -Text)
%  Fields are what FEN has after the men: side to move, castling, en passant, two
%  clocks.
write_fen(Ranks, Fields, Text) :-
    maplist(rank_text, Ranks, Texts),
    atomic_list_concat(Texts, '/', Men),
    atomic_list_concat([Men|Fields], ' ', Text).

rank_text(Rank, Text) :-
    shorten(Rank, 0, Parts),
    atomic_list_concat(Parts, Text).

% Letters and, for runs of empty squares, their lengths.
shorten([], Empty, Parts) :-
    run(Empty, [], Parts).
shorten([Cell|Cells], Empty0, Parts) :-
    (   Cell == '.'
    ->  Empty is Empty0 + 1,
        shorten(Cells, Empty, Parts)
    ;   run(Empty0, [Cell|Rest], Parts),
        shorten(Cells, 0, Rest)
    ).

run(Empty, Rest, Parts) :-
    (   Empty =:= 0
    ->  Parts = Rest
    ;   Parts = [Empty|Rest]
    ).

%! read_fen(+Text, -Ranks, -Fields)
%  The way back; the clocks are numbers.  Fails for a text of another form; what the
%  letters and the other fields mean is for the game to say.
read_fen(Text, Ranks, [Side, Castling, EnPassant, Clock, Number]) :-
    atomic_list_concat(Texts, ' ', Text),
    Texts = [Men, Side, Castling, EnPassant, ClockText, NumberText],
    natural(ClockText, Clock),
    natural(NumberText, Number),
    atomic_list_concat(RankTexts, '/', Men),
    length(RankTexts, 8),
    maplist(rank, RankTexts, Ranks).

natural(Text, Number) :-
    atom_chars(Text, Chars),
    Chars = [_|_],
    forall(member(Char, Chars), digit(Char)),
    number_chars(Number, Chars).

digit(Char) :-
    Char @>= '0',
    Char @=< '9'.

rank(Text, Rank) :-
    atom_chars(Text, Chars),
    lengthen(Chars, Rank),
    length(Rank, 8).

lengthen([], []).
lengthen([Char|Chars], Cells) :-
    (   digit(Char)
    ->  \+ ( Chars = [Next|_], digit(Next) ),
        atom_number(Char, Empty),
        between(1, 8, Empty),
        findall('.', between(1, Empty, _), Run),
        append(Run, Rest, Cells)
    ;   Char \== '.',
        Cells = [Char|Rest]
    ),
    lengthen(Chars, Rest).

%! man_at(+Ranks, -Man, -X, -Y)
%  Enumerates the men on the board, and where they stand: file X, rank Y, from 1 to 8.
man_at(Ranks, Man, X, Y) :-
    nth1(Row, Ranks, Rank),
    nth1(X, Rank, Man),
    Man \== '.',
    Y is 9 - Row.

%! rank_lines(+Ranks, -Lines)
%  A picture: the ranks with their numbers, the letters of the files below.
rank_lines(Ranks, Lines) :-
    number_ranks(Ranks, 8, Lines).

number_ranks([], _, ['   a b c d e f g h']).
number_ranks([Rank|Ranks], Y, [Line|Lines]) :-
    atomic_list_concat([Y, ''|Rank], ' ', Line),
    Y1 is Y - 1,
    number_ranks(Ranks, Y1, Lines).
