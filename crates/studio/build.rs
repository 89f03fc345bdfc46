//! Builds the crate again when a file of the page is new.

fn main() {
    println!("cargo:rerun-if-changed=web/dist");
}
