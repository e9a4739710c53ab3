//! The parts of wasi-libc that a snapshotted reactor has to drive itself.

unsafe extern "C" {
    fn __wasm_call_ctors();
    fn __wasilibc_reset_preopens();
    fn __wasilibc_deinitialize_environ();
}

/// Runs the module's constructors. The linker wraps every export as a command, with constructors before and
/// destructors after each call, unless an export calls them itself.
pub fn run_constructors() {
    // SAFETY: called once, before anything else of this module.
    unsafe { __wasm_call_ctors() }
}

/// Forgets the host's directories and environment. They are read again when they are next asked for.
pub fn forget_host() {
    // SAFETY: there is one thread, and nobody keeps pointers into these tables.
    unsafe {
        __wasilibc_reset_preopens();
        __wasilibc_deinitialize_environ();
    }
}
