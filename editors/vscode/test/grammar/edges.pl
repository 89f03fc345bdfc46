% SYNTAX TEST "source.alphorn" "Edge cases of the words of rules"

p('it''s', 'a\nb\x41\c\\', '', '''').
% <- entity.name.function.alphorn
% ^^^^^^^ string.quoted.single.alphorn
%    ^^ constant.character.escape.quote.alphorn
%          ^^^^^^^^^^^^^^ string.quoted.single.alphorn
%            ^^ constant.character.escape.alphorn
%               ^^^^^ constant.character.escape.alphorn
%                     ^^ constant.character.escape.alphorn
%                              ^^^^ string.quoted.single.alphorn
%                                  ^ punctuation.section.parens.alphorn
%                                   ^ punctuation.terminator.clause.alphorn

codes(0'a, 0''', 0'\n, 0' , 0'%, 0'\x41\, 16'ff, 0xff, 0b101, 1_000_000, 2.5e-3, 1.0Inf).
%     ^^^ constant.character.code.alphorn
%          ^^^^ constant.character.code.alphorn
%                ^^^^ constant.character.code.alphorn
%                      ^^^ constant.character.code.alphorn
%                           ^^^ constant.character.code.alphorn - comment
%                                ^^^^^^^ constant.character.code.alphorn
%                                         ^^^^^ constant.numeric.radix.alphorn
%                                                ^^^^ constant.numeric.radix.alphorn
%                                                      ^^^^^ constant.numeric.radix.alphorn
%                                                             ^^^^^^^^^ constant.numeric.integer.alphorn
%                                                                        ^^^^^^ constant.numeric.float.alphorn
%                                                                                ^^^^^^ constant.numeric.float.alphorn
%                                                                                      ^ punctuation.section.parens.alphorn

variables(_, _Unused, Größe, ÄX, X1) :- X1 =.. [f|_], \+ Größe = ÄX.
%         ^ variable.language.anonymous.alphorn
%            ^^^^^^^ variable.other.alphorn
%                     ^^^^^ variable.other.alphorn
%                            ^^ variable.other.alphorn
%                                    ^^ keyword.operator.clause.alphorn
%                                          ^^^ keyword.operator.comparison.alphorn
%                                               ^ constant.other.symbol.alphorn
%                                                     ^^ keyword.control.flow.alphorn
%                                                                  ^ punctuation.terminator.clause.alphorn

ход(x, größe, e) :- ход(o).
% <- entity.name.function.alphorn
%   ^ constant.other.symbol.alphorn
%      ^^^^^ constant.other.symbol.alphorn
%                   ^^^ entity.name.function.call.alphorn

a :- b, !. /* a block
% <- entity.name.function.alphorn
%       ^ keyword.control.flow.alphorn
%          ^^^^^^^^^^ comment.block.alphorn

   :- expect(value = draw). 'not a quote
%  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ comment.block.alphorn

 */ b.
%^^ comment.block.alphorn
%   ^ constant.other.symbol.alphorn
%    ^ punctuation.terminator.clause.alphorn

c :- X = "a % no comment", Y = `codes`, Z = 'a /* no comment'. % a comment
%        ^^^^^^^^^^^^^^^^ string.quoted.double.alphorn - comment
%                              ^^^^^^^ string.quoted.other.alphorn
%                                           ^^^^^^^^^^^^^^^^^ string.quoted.single.alphorn - comment
%                                                              ^^^^^^^^^^^ comment.line.percentage.alphorn

d('unclosed).
% ^^^^^^^^^^^ string.quoted.single.alphorn

e(fine).
% <- entity.name.function.alphorn
% ^^^^ constant.other.symbol.alphorn

f(X) :- ( X >= 1 -> Y is X mod 2 + 1 ; Y = \ X ), X @=< Y, X*Y =:= 4.
%           ^^ keyword.operator.comparison.alphorn
%                ^^ keyword.control.flow.alphorn
%                     ^^ keyword.operator.word.alphorn
%                          ^^^ keyword.operator.word.alphorn
%                                ^ keyword.operator.arithmetic.alphorn
%                                    ^ keyword.control.flow.alphorn
%                                          ^ keyword.operator.arithmetic.alphorn
%                                                   ^^^ keyword.operator.comparison.alphorn
%                                                           ^ keyword.operator.arithmetic.alphorn
%                                                              ^^^ keyword.operator.comparison.alphorn

modest(island, andy, notable, is_list(x)).
% <- entity.name.function.alphorn
%      ^^^^^^ constant.other.symbol.alphorn - keyword
%              ^^^^ constant.other.symbol.alphorn - keyword
%                    ^^^^^^^ constant.other.symbol.alphorn - keyword
%                             ^^^^^^^ support.function.library.alphorn

g --> [a], "text", { X == 1 }, g(X).
% ^^^ keyword.operator.clause.alphorn
%                  ^ punctuation.section.braces.alphorn
%                      ^^ keyword.operator.comparison.alphorn

h('two \
lines', X) :- X < 2.
% <- string.quoted.single.alphorn
%       ^ variable.other.alphorn
%               ^ keyword.operator.comparison.alphorn
