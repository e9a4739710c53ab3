//! The fuzz targets, each for a moment. `cargo run --release -p sandbox-tests --example fuzz` runs them for longer.
#![cfg(unix)]

#[path = "../../fuzz/mod.rs"]
mod fuzz;

use fuzz::Extent;
use std::time::Duration;

const MOMENT: Extent = Extent::For(Duration::from_secs(2));

#[test]
fn the_machine_does_what_its_program_says() {
    assert!(fuzz::guests::printed_file().starts_with(b"a note"));
}

#[test]
fn hostile_guests_do_no_harm() {
    fuzz::guests::fuzz(MOMENT);
}

#[test]
fn policy_files_are_read_or_refused() {
    fuzz::policies::fuzz(MOMENT);
}
