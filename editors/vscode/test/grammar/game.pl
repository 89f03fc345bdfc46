% SYNTAX TEST "source.alphorn" "The parts of a game"

:- use_module(library(alphorn)).
% <- keyword.operator.directive.alphorn
%  ^^^^^^^^^^ keyword.control.directive.alphorn
%                     ^^^^^^^ constant.other.symbol.alphorn
%                              ^ punctuation.terminator.clause.alphorn

:- param(size, 8, [4, 6, 8], "side of the board").
%  ^^^^^ keyword.control.directive.param.alphorn
%        ^^^^ variable.parameter.alphorn
%              ^ constant.numeric.integer.alphorn
%                            ^^^^^^^^^^^^^^^^^^^ string.quoted.double.alphorn
%                                                ^ punctuation.terminator.clause.alphorn

:- expect(perft(2) = 12).
%  ^^^^^^ keyword.control.directive.expect.alphorn
%         ^^^^^ support.function.claim.alphorn
%                    ^^ constant.numeric.integer.alphorn

:- expect(value(pos(max, [1,2,3])) = win(min)).
%         ^^^^^ support.function.claim.alphorn
%                                    ^^^ constant.language.result.alphorn

:- expect(holds((initial(P),
%         ^^^^^ support.function.claim.alphorn

    findall(M, move(P, M, _), [a])))).   % over two lines
%   ^^^^^^^ support.function.library.alphorn
%                                    ^ punctuation.terminator.clause.alphorn
%                                        ^^^^^^^^^^^^^^^^ comment.line.percentage.alphorn

initial(pos(max, [3,4,5])).
% <- entity.name.function.game.alphorn
%       ^^^ entity.name.function.call.alphorn

moves(pos(P, H), L) :- findall(N, go(P, H, N), L).
% <- entity.name.function.game.alphorn
%                      ^^^^^^^ support.function.library.alphorn
%                                 ^^ entity.name.function.call.alphorn

moves_of(a).
% <- entity.name.function.alphorn - entity.name.function.game.alphorn

acyclic.
% <- entity.name.function.game.alphorn
%      ^ punctuation.terminator.clause.alphorn

rule(1) :: if some_pattern then [push, keep] else nothing.
%       ^^ keyword.operator.alphorn
%          ^^ keyword.control.advice.alphorn
%                          ^^^^ keyword.control.advice.alphorn
