//! Tells cargo that the frozen Python modules are part of the crate: the macro that compiles them does not.

fn main() {
    println!("cargo::rerun-if-changed=lib");
    println!("cargo::rerun-if-changed=build.rs");
}
