//! How wasmtime is set up: the one place, so that what the build tool compiles is what the engine loads.

use crate::error::Result;
use std::fmt;

/// How a running guest is stopped.
///
/// Fuel is deterministic but costs time on every branch, so it has compiled code of its own, used only where a policy
/// limits fuel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Metering {
    /// By the wall clock: a check at every loop and function entry whether the time is up.
    Epoch,
    /// By the wall clock, and by counting instructions.
    Fuel,
}

impl Metering {
    /// The name in file names.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Epoch => "epoch",
            Self::Fuel => "fuel",
        }
    }
}

impl fmt::Display for Metering {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// For which processor code is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Processor {
    /// Any of this architecture: what is shipped.
    Baseline,
    /// This machine's: what is compiled on the spot.
    Native,
}

/// Stack for a guest's WebAssembly frames, in bytes. It has to be larger than what the interpreter needs to reach the
/// end of its own stack, so that the language's recursion error comes first.
pub(crate) const WASM_STACK: usize = 8 << 20;
/// Room on the same stack for the host functions that a guest calls, in bytes.
const HOST_STACK: usize = 512 << 10;
/// Up to this size an initial memory image is mapped rather than copied, in bytes.
const MAX_IMAGE: u64 = 512 << 20;

/// The settings for compiling and running guests.
pub(crate) fn config(metering: Metering, processor: Processor) -> Result<wasmtime::Config> {
    let mut config = wasmtime::Config::new();
    if processor == Processor::Baseline
        && let Some(triple) = baseline_triple()
    {
        config.target(triple)?;
    }
    config
        .epoch_interruption(true)
        .consume_fuel(metering == Metering::Fuel)
        .max_wasm_stack(WASM_STACK)
        .async_stack_size(WASM_STACK + HOST_STACK)
        .memory_init_cow(true)
        .memory_guaranteed_dense_image_size(MAX_IMAGE)
        // Nobody reads WebAssembly backtraces or addresses: errors of the guest's language are the guest's to tell.
        .wasm_backtrace_max_frames(None)
        .generate_address_map(false)
        .native_unwind_info(false)
        .concurrency_support(false)
        .wasm_relaxed_simd(false);
    Ok(config)
}

/// The target without this machine's special instructions. Naming a target turns off their detection.
fn baseline_triple() -> Option<&'static str> {
    match (std::env::consts::ARCH, std::env::consts::OS) {
        ("x86_64", "linux") => Some("x86_64-unknown-linux-gnu"),
        ("aarch64", "linux") => Some("aarch64-unknown-linux-gnu"),
        _ => None,
    }
}
