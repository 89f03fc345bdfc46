//! No code: the manifest of this crate says which features of other crates all builds of Alphorn ask for.
