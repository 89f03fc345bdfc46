//! Games and searches: values against slower references, facts and other programs.

mod advice;
mod agreement;
mod chance;
mod claims;
mod dice;
mod facts;
mod games;
mod horizon;
mod lab;
mod levels;
mod oracle;
mod solve;
mod tree;
