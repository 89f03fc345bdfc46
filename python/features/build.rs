//! Without a build script, Cargo ignores the features of build dependencies.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
}
