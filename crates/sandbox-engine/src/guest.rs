//! A guest that is loaded: compiled code, linked with the host's functions, known to stop when it is told to.

use crate::config::{Metering, Processor, config};
use crate::error::{Error, Result};
use crate::host::Host;
use crate::prefault::HotPages;
use crate::ticker::Ticker;
use crate::trial::Trial;
use crate::wasi;
use wasmtime::{Engine, InstancePre, Linker, Module};

/// A guest, ready to be instantiated.
pub(crate) struct Guest {
    pre: InstancePre<Host>,
    metering: Metering,
    trial: Trial,
    hot_pages: HotPages,
}

impl Guest {
    /// An engine for guests with this metering.
    pub(crate) fn new_engine(metering: Metering) -> Result<Engine> {
        Ok(Engine::new(&config(metering, Processor::Baseline)?)?)
    }

    /// Links a module and has it tried out with `host`: see [`Guest::interrupt_at`].
    pub(crate) fn new(
        module: &Module,
        metering: Metering,
        ticker: &Ticker,
        host: Host,
    ) -> Result<Self> {
        let mut linker = Linker::new(module.engine());
        wasi::add_to_linker(&mut linker)?;
        let pre = linker.instantiate_pre(module).map_err(|error| {
            Error::Artifact(format!("the guest wants what no host offers: {error:#}"))
        })?;
        let trial = Trial::start(pre.clone(), ticker, host)?;
        Ok(Self {
            pre,
            metering,
            trial,
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

    /// Whether it was tried out and cannot be used.
    pub(crate) fn has_failed(&self) -> bool {
        self.trial.has_failed()
    }

    /// The address of the byte that interrupts the guest. It comes from the guest's trial, so it is known only of guests
    /// that can be stopped: nothing else of a guest runs before.
    ///
    /// # Errors
    /// [`Error::Watchdog`] or [`Error::Artifact`] where the guest failed.
    pub(crate) fn interrupt_at(&self) -> Result<u32> {
        self.trial.verdict()
    }
}
