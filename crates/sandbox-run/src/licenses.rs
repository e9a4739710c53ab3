//! `sandbox-run licenses`: the licences of everything that this binary carries.

use crate::output;
use crate::report::Failure;

include!(concat!(env!("OUT_DIR"), "/licenses.rs"));

/// Prints them.
pub fn run() -> Result<u8, Failure> {
    let Some(packed) = PACKED else {
        return Err(Failure::ours(
            "this build carries no licence texts; run `cargo xtask guests`, then build again",
        ));
    };
    let text = zstd::decode_all(packed).map_err(|error| {
        Failure::ours(format!(
            "the licence texts are damaged ({error}); get the program again"
        ))
    })?;
    output::whole(&text)
}
