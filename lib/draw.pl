% Boards for draw(+Pos, -Picture): a list of items such as square(a1, 1, 1) and
% piece(a1, disc(dark)).  x grows to the right and y upwards; the unit is the
% side of a square.  Each predicate here makes the items of one usual part.

:- module(draw, [
    draw_squares/4,
    draw_hexes/3,
    draw_points/3,
    draw_pieces/4,
    draw_names/3,
    draw_path/2,
    draw_hand/4,
    draw_pile/5
]).
:- use_module(library(alphorn)).
:- use_module(library(grid)).

%! draw_squares(+Width, +Height, +Ground, -Items)
%  The squares of a board, named a1, b1 and so on from the left corner below.
%  Ground is plain, or checkered as in chess.
draw_squares(Width, Height, Ground, Items) :-
    findall(square(Name, X, Y, Tone),
            ( on_grid(Width, Height, X, Y),
              cell(Width, X, Y, I),
              square_name(Width, I, Name),
              draw_ground(Ground, X, Y, Tone) ),
            Items).

draw_ground(plain, _, _, plain).
draw_ground(checkered, X, Y, Tone) :-
    (   (X + Y) mod 2 =:= 0
    ->  Tone = dark
    ;   Tone = light
    ).

%! draw_hexes(+Width, +Height, -Items)
%  The cells of a rhombus of hexagons, row 1 at the top, each row half a cell
%  further to the right.
draw_hexes(Width, Height, Items) :-
    findall(hex(Name, PX, PY),
            ( on_grid(Width, Height, X, Y),
              cell(Width, X, Y, I),
              square_name(Width, I, Name),
              PX is X + Y * 0.5,
              PY is -0.866 * Y ),
            Items).

%! draw_points(+Width, +Height, -Items)
%  Points on a grid, each joined to its neighbours by lines.
draw_points(Width, Height, Items) :-
    findall(point(Name, X, Y),
            ( on_grid(Width, Height, X, Y),
              cell(Width, X, Y, I),
              square_name(Width, I, Name) ),
            Points),
    findall(line(1, Y, Width, Y), between(1, Height, Y), Across),
    findall(line(X, 1, X, Height), between(1, Width, X), Up),
    append(Across, Up, Lines),
    append(Lines, Points, Items).

%! draw_pieces(+Board, +Width, +Legend, -Items)
%  The pieces on a board that is one compound term with a cell for each
%  argument (see board.pl).  Legend is a list of Cell-Piece; a cell that it does
%  not name is empty.
draw_pieces(Board, Width, Legend, Items) :-
    functor(Board, _, Cells),
    findall(piece(Name, Piece),
            ( between(1, Cells, I),
              arg(I, Board, Cell),
              member(Known-Piece, Legend),
              Known == Cell,
              square_name(Width, I, Name) ),
            Items).

%! draw_names(+Width, +Height, -Items)
%  The letters below the columns and the numbers beside the rows.
draw_names(Width, Height, Items) :-
    findall(label(X, 0.1, Letter),
            ( between(1, Width, X),
              Code is 0'a + X - 1,
              char_code(Letter, Code) ),
            Letters),
    findall(label(0.1, Y, Y), between(1, Height, Y), Numbers),
    append(Letters, Numbers, Items).

%! draw_path(+Places, -Items)
%  The lines from each X-Y of a list to the next.
draw_path([X1-Y1, X2-Y2|Places], [line(X1, Y1, X2, Y2)|Items]) :-
    !,
    draw_path([X2-Y2|Places], Items).
draw_path(_, []).

%! draw_hand(+X, +Y, +Cards, -Items)
%  Cards in a row, the first at X, Y.  The cards of a long row lie one over the
%  other.  Each element of Cards is Name-Card: labels of moves name the place of
%  the card by Name, which may be a term such as q-spades.  card(Rank, Suit)
%  alone has the name Rank-Suit; back is a card face down, without a place.
draw_hand(X, Y, Cards, Items) :-
    length(Cards, Count),
    (   Count =< 7
    ->  Step = 1.1
    ;   Step is 6.6 / (Count - 1)
    ),
    draw_row(Cards, X, Y, Step, Items).

draw_row([], _, _, _, []).
draw_row([Card|Cards], X, Y, Step, Items) :-
    draw_card(Card, X, Y, Items, More),
    Right is X + Step,
    draw_row(Cards, Right, Y, Step, More).

draw_card(back, X, Y, [piece_at(X, Y, back)|More], More) :-
    !.
draw_card(Name-Card, X, Y, Items, More) :-
    !,
    Items = [slot(Name, X, Y), piece(Name, Card)|More].
draw_card(card(Rank, Suit), X, Y, Items, More) :-
    draw_card((Rank-Suit)-card(Rank, Suit), X, Y, Items, More).

%! draw_pile(+Name, +X, +Y, +Cards, -Items)
%  Cards that lie on one another, the first on top, or an empty place.
draw_pile(Name, X, Y, [], [slot(Name, X, Y)]).
draw_pile(Name, X, Y, [Top|Below], [slot(Name, X, Y), piece(Name, Top, Count)]) :-
    length([Top|Below], Count).
