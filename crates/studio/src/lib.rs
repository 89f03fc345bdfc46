//! The server behind the page of Alphorn, which `alphorn serve` starts.
//!
//! It gives the files of the page to a browser, and carries the requests of the page to a host of
//! [`alphorn_protocol`]. It does not know what the requests mean.

pub mod studio;
