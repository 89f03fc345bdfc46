//! Tests of games and searches: values are compared with slow references, tables of facts and other programs.

mod advice;
mod agreement;
mod chance;
mod claims;
mod dice;
mod edited;
mod facts;
mod games;
mod horizon;
mod lab;
mod levels;
mod live;
mod oracle;
mod solve;
mod tabled;
mod tree;
