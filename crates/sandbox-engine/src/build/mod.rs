//! Making guests: pre-initialisation and compilation, for the build tool.

use crate::clock::Clock;
use crate::config::{Metering, Processor, config};
use crate::entropy::Entropy;
use crate::error::{Error, Result};
use crate::host::Host;
use crate::session::idle_host;
use crate::wasi;
use sandbox_abi::EXPORT_INIT;
use std::fmt::Write;
use wasm_encoder::RawSection;
use wasmparser::{BinaryReaderError, Parser};
use wasmtime::{Engine, Global, Instance, Linker, Memory, Module, Store, UpdateDeadline, Val};
use wasmtime_wizer::{InstanceState, SnapshotVal, Wizer};

/// What the clock says while an image is made: the beginning of 2025, in nanoseconds since 1970. Guests ask again when
/// a session starts.
const IMAGE_TIME: u64 = 1_735_689_600_000_000_000;

/// Starts the interpreter inside a guest and returns the module with its memory as it then is. The same input gives
/// the same output: the clock stands still and entropy is fixed.
///
/// # Errors
/// [`Error::Artifact`] where the module is no guest or its initialiser fails; the text carries what it printed.
pub fn preinitialise(wasm: &[u8]) -> Result<Vec<u8>> {
    let wizer = {
        let mut wizer = Wizer::new();
        wizer.init_func(EXPORT_INIT);
        wizer
    };
    let unusable =
        |what: &str, error: &dyn std::fmt::Display| Error::Artifact(format!("{what}: {error:#}"));
    let (context, instrumented) = wizer
        .instrument(wasm)
        .map_err(|error| unusable("not a guest module", &error))?;
    let engine = Engine::new(&config(Metering::Epoch, Processor::Native)?)?;
    let module = Module::new(&engine, &instrumented)?;
    let mut linker = Linker::new(&engine);
    wasi::add_to_linker(&mut linker)?;
    let host = Host {
        clock: Clock::frozen(IMAGE_TIME),
        entropy: Entropy::Fixed(0),
        ..idle_host()?
    };
    let mut store = Store::new(&engine, host);
    store.set_epoch_deadline(1);
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Continue(1)));
    pollster::block_on(async {
        let instance = linker.instantiate_async(&mut store, &module).await?;
        store.data_mut().memory = instance.get_memory(&mut store, "memory");
        store.data_mut().output =
            crate::output::Capture::new(&crate::Limits::default(), true, None);
        let init = instance.get_typed_func::<(), ()>(&mut store, EXPORT_INIT)?;
        if let Err(error) = init.call_async(&mut store, ()).await {
            let output = &store.data().output;
            return Err(Error::Artifact(format!(
                "the guest's initialiser failed: {error:#}\n{}{}",
                output.stdout.text(),
                output.stderr.text()
            )));
        }
        let mut state = State { store, instance };
        let image = wizer
            .snapshot(&context, &mut state)
            .await
            .map_err(|error| unusable("no image can be made", &error))?;
        without_custom_sections(&image).map_err(|error| unusable("no image can be made", &error))
    })
}

/// The module without names and notes: nobody reads them, and each start would load them.
fn without_custom_sections(wasm: &[u8]) -> Result<Vec<u8>, BinaryReaderError> {
    /// The section number of custom sections.
    const CUSTOM: u8 = 0;
    let mut module = wasm_encoder::Module::new();
    for payload in Parser::new(0).parse_all(wasm) {
        if let Some((id, range)) = payload?.as_section().filter(|(id, _)| *id != CUSTOM) {
            module.section(&RawSection {
                id,
                data: &wasm[range],
            });
        }
    }
    Ok(module.finish())
}

/// Compiles a module for any processor of this architecture.
///
/// # Errors
/// [`Error::Internal`] where it cannot be compiled.
pub fn precompile(wasm: &[u8], metering: Metering) -> Result<Vec<u8>> {
    let engine = Engine::new(&config(metering, Processor::Baseline)?)?;
    Ok(engine.precompile_module(wasm)?)
}

/// How the files of a guest are packed: 3 is with the compiled code as the module's prefix, in a wide window.
const PACKING: u32 = 3;

/// What compiled code depends on besides the module: the compiler's version and settings, as text for keys.
///
/// # Errors
/// [`Error::Internal`] where the settings make no sense on this machine.
pub fn compatibility() -> Result<String> {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut text = format!("packed-{PACKING}");
    for metering in [Metering::Epoch, Metering::Fuel] {
        let engine = Engine::new(&config(metering, Processor::Baseline)?)?;
        let mut hasher = DefaultHasher::new();
        engine.precompile_compatibility_hash().hash(&mut hasher);
        // Writing to a string cannot fail.
        let _ = write!(text, " {metering}-{:016x}", hasher.finish());
    }
    Ok(text)
}

/// An instance as the snapshot maker sees it. It asks only for what the instrumented module exports.
struct State {
    store: Store<Host>,
    instance: Instance,
}

impl InstanceState for State {
    async fn global_get(&mut self, name: &str, _: wasmtime_wizer::ValType) -> SnapshotVal {
        let global: Option<Global> = self.instance.get_global(&mut self.store, name);
        match global.map(|global| global.get(&mut self.store)) {
            Some(Val::I32(value)) => SnapshotVal::I32(value),
            Some(Val::I64(value)) => SnapshotVal::I64(value),
            Some(Val::F32(value)) => SnapshotVal::F32(value),
            Some(Val::F64(value)) => SnapshotVal::F64(value),
            Some(Val::V128(value)) => SnapshotVal::V128(value.as_u128()),
            // The trait leaves no other way to say it, and only the build tool comes here.
            other => panic!("the global `{name}` cannot be part of an image: {other:?}"),
        }
    }

    async fn memory_contents(&mut self, name: &str, contents: impl FnOnce(&[u8]) + Send) {
        let memory: Option<Memory> = self.instance.get_memory(&mut self.store, name);
        contents(memory.map_or(&[], |memory| memory.data(&self.store)));
    }
}
