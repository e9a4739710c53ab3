//! A guest that is loaded: compiled code, linked with the host's functions, known to stop when it is told to.

use crate::config::{Metering, Processor, config};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::prefault::HotPages;
use crate::ticker::Ticker;
use crate::wasi;
use sandbox_abi::{ABI_VERSION, EXPORT_ABI, EXPORT_INTERRUPT, EXPORT_SPIN};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;
use wasmtime::{Engine, InstancePre, Linker, Module, Store, UpdateDeadline};

/// A guest, ready to be instantiated.
pub(crate) struct Guest {
    pre: InstancePre<Host>,
    metering: Metering,
    interrupt_at: u32,
    hot_pages: HotPages,
}

impl Guest {
    /// An engine for guests with this metering.
    pub(crate) fn new_engine(metering: Metering) -> Result<Engine> {
        Ok(Engine::new(&config(metering, Processor::Baseline)?)?)
    }

    /// Links a module and makes sure that `ticker` can stop it.
    pub(crate) fn new(
        module: &Module,
        metering: Metering,
        ticker: &Ticker,
        host: Host,
    ) -> Result<Self> {
        let watchdog = Watchdog::start(module, ticker)?;
        let mut linker = Linker::new(module.engine());
        wasi::add_to_linker(&mut linker)?;
        let pre = linker.instantiate_pre(module).map_err(|error| {
            Error::Artifact(format!("the guest wants what no host offers: {error:#}"))
        })?;
        let interrupt_at = ask(&pre, host)?;
        watchdog.verdict()?;
        Ok(Self {
            pre,
            metering,
            interrupt_at,
            hot_pages: HotPages::default(),
        })
    }

    /// The pages that sessions write to.
    pub(crate) fn hot_pages(&self) -> &HotPages {
        &self.hot_pages
    }

    pub(crate) fn pre(&self) -> &InstancePre<Host> {
        &self.pre
    }

    pub(crate) fn engine(&self) -> &Engine {
        self.pre.module().engine()
    }

    pub(crate) fn is_metered(&self) -> bool {
        self.metering == Metering::Fuel
    }

    /// The address of the byte that interrupts the guest.
    pub(crate) fn interrupt_at(&self) -> u32 {
        self.interrupt_at
    }
}

/// Asks an instance for its version and the address of its interrupt byte.
fn ask(pre: &InstancePre<Host>, host: Host) -> Result<u32> {
    let missing = |name: &str| Error::Artifact(format!("the guest exports no `{name}`"));
    let mut store = Store::new(pre.module().engine(), host);
    store.limiter(|host| host);
    store.set_epoch_deadline(1);
    // Two functions that return a constant: the loop that was to be stopped is elsewhere.
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Continue(1)));
    // An error says that fuel is not metered, and then none is needed.
    let _ = store.set_fuel(u64::MAX);
    pollster::block_on(async {
        let instance = pre.instantiate_async(&mut store).await?;
        let abi = instance
            .get_typed_func::<(), u32>(&mut store, EXPORT_ABI)
            .map_err(|_| missing(EXPORT_ABI))?;
        let version = abi.call_async(&mut store, ()).await?;
        if version != ABI_VERSION {
            return Err(Error::Artifact(format!(
                "the guest speaks version {version} of the interface, this engine version {ABI_VERSION}"
            )));
        }
        let interrupt = instance
            .get_typed_func::<(), u32>(&mut store, EXPORT_INTERRUPT)
            .map_err(|_| missing(EXPORT_INTERRUPT))?;
        Ok(interrupt.call_async(&mut store, ()).await?)
    })
}

/// Proves that a guest's endless loop is stopped by the ticker. A time limit that is absent must not be so silently.
struct Watchdog {
    engine: Engine,
    verdict: mpsc::Receiver<std::result::Result<(), String>>,
}

/// How long the ticker may take to stop a loop that it should stop within a millisecond.
const PATIENCE: Duration = Duration::from_secs(2);

impl Watchdog {
    /// Starts the loop on a thread of its own, beside which loading goes on.
    fn start(module: &Module, ticker: &Ticker) -> Result<Self> {
        let engine = module.engine().clone();
        ticker.add(&engine);
        let running = ticker.running();
        let module = module.clone();
        let (send, verdict) = mpsc::channel();
        thread::Builder::new()
            .name("sandbox-watchdog".to_owned())
            .spawn(move || {
                let _running = running;
                // Nobody listens any more where the loop could not be stopped in time.
                let _ = send.send(spin(&module));
            })
            .map_err(|error| Error::Watchdog(format!("no thread for trying it: {error}")))?;
        Ok(Self { engine, verdict })
    }

    fn verdict(self) -> Result<()> {
        match self.verdict.recv_timeout(PATIENCE) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(reason)) => Err(Error::Watchdog(reason)),
            Err(_) => {
                // The ticker does nothing. End the loop from here, so that its thread ends.
                self.engine.increment_epoch();
                Err(Error::Watchdog(
                    "an endless loop was not stopped within two seconds".to_owned(),
                ))
            }
        }
    }
}

/// Runs the guest's endless loop until it is stopped.
fn spin(module: &Module) -> std::result::Result<(), String> {
    let engine = module.engine();
    let text = |error: wasmtime::Error| format!("{error:#}");
    let mut linker = Linker::<()>::new(engine);
    linker
        .define_unknown_imports_as_traps(module)
        .map_err(text)?;
    let mut store = Store::new(engine, ());
    store.set_epoch_deadline(1);
    store.epoch_deadline_trap();
    let _ = store.set_fuel(u64::MAX);
    let instance = linker.instantiate(&mut store, module).map_err(text)?;
    let spin = instance
        .get_typed_func::<(), ()>(&mut store, EXPORT_SPIN)
        .map_err(text)?;
    match spin.call(&mut store, ()) {
        Err(error) if matches!(error.downcast_ref(), Some(wasmtime::Trap::Interrupt)) => Ok(()),
        Err(error) => Err(text(error)),
        Ok(()) => Err("the endless loop ended by itself".to_owned()),
    }
}
