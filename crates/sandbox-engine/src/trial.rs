//! A guest's trial: it speaks this engine's interface, and its endless loop is stopped by the ticker. A time limit that
//! is absent must not be so silently.

use crate::error::{Error, Result};
use crate::host::Host;
use crate::ticker::Ticker;
use sandbox_abi::{ABI_VERSION, EXPORT_ABI, EXPORT_INTERRUPT, EXPORT_SPIN};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;
use std::time::Duration;
use wasmtime::{Engine, Instance, InstancePre, Store, Trap, UpdateDeadline};

/// How long the ticker may take to stop a loop that it should stop within a millisecond.
const PATIENCE: Duration = Duration::from_secs(2);

/// A trial that goes on beside the loading of the first session.
pub(crate) struct Trial {
    engine: Engine,
    state: Mutex<State>,
}

enum State {
    Running(mpsc::Receiver<Verdict>),
    Over(Verdict),
}

/// The address of the interrupt byte, or why the guest cannot be used.
type Verdict = std::result::Result<u32, Failure>;

#[derive(Debug, Clone)]
enum Failure {
    /// It is no guest for this engine.
    Guest(String),
    /// It was not stopped.
    Watchdog(String),
}

impl Trial {
    /// Starts it on a thread of its own.
    pub(crate) fn start(pre: InstancePre<Host>, ticker: &Ticker, host: Host) -> Result<Self> {
        let engine = pre.module().engine().clone();
        ticker.add(&engine);
        let running = ticker.running();
        let (send, verdict) = mpsc::channel();
        thread::Builder::new()
            .name("sandbox-trial".to_owned())
            .spawn(move || {
                let _running = running;
                let mut store = Store::new(pre.module().engine(), host);
                let verdict = pollster::block_on(try_out(&mut store, &pre));
                // Nobody listens any more where the loop could not be stopped in time.
                let _ = send.send(verdict);
            })
            .map_err(|error| Error::Watchdog(format!("no thread for trying it: {error}")))?;
        Ok(Self {
            engine,
            state: Mutex::new(State::Running(verdict)),
        })
    }

    /// Whether it is over and failed.
    pub(crate) fn has_failed(&self) -> bool {
        // Locked by somebody who waits for the end, then.
        let state = self.state.try_lock();
        state.is_ok_and(|state| matches!(*state, State::Over(Err(_))))
    }

    /// Waits for the trial's end.
    pub(crate) fn verdict(&self) -> Result<u32> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let verdict = match &*state {
            State::Over(verdict) => verdict.clone(),
            State::Running(verdict) => verdict.recv_timeout(PATIENCE).unwrap_or_else(|_| {
                // The ticker does nothing. End the loop from here, so that its thread ends.
                self.engine.increment_epoch();
                Err(Failure::Watchdog(
                    "an endless loop was not stopped within two seconds".to_owned(),
                ))
            }),
        };
        *state = State::Over(verdict.clone());
        verdict.map_err(|failure| match failure {
            Failure::Guest(reason) => Error::Artifact(reason),
            Failure::Watchdog(reason) => Error::Watchdog(reason),
        })
    }
}

async fn try_out(store: &mut Store<Host>, pre: &InstancePre<Host>) -> Verdict {
    let failed = |error: wasmtime::Error| Failure::Guest(format!("{error:#}"));
    store.limiter(|host| host);
    store.set_epoch_deadline(1);
    // Functions that return a constant come first. The loop is elsewhere.
    store.epoch_deadline_callback(|_| Ok(UpdateDeadline::Continue(1)));
    // An error says that fuel is not metered, and then none is needed.
    let _ = store.set_fuel(u64::MAX);
    let instance = pre.instantiate_async(&mut *store).await.map_err(failed)?;
    let version = call(store, &instance, EXPORT_ABI).await?;
    if version != ABI_VERSION {
        return Err(Failure::Guest(format!(
            "the guest speaks version {version} of the interface, this engine version {ABI_VERSION}"
        )));
    }
    let interrupt_at = call(store, &instance, EXPORT_INTERRUPT).await?;

    // Entering the function is a place to stop, too. With a deadline that has passed this first look comes at once, so
    // only the loop itself can cause a second one.
    let mut has_entered = false;
    store.epoch_deadline_callback(move |_| {
        if std::mem::replace(&mut has_entered, true) {
            return Err(Trap::Interrupt.into());
        }
        Ok(UpdateDeadline::Continue(1))
    });
    store.set_epoch_deadline(0);
    let spin = instance
        .get_typed_func::<(), ()>(&mut *store, EXPORT_SPIN)
        .map_err(|_| missing(EXPORT_SPIN))?;
    match spin.call_async(&mut *store, ()).await {
        Err(error) if matches!(error.downcast_ref(), Some(Trap::Interrupt)) => Ok(interrupt_at),
        Err(error) => Err(Failure::Watchdog(format!("{error:#}"))),
        Ok(()) => Err(Failure::Watchdog(
            "the endless loop ended by itself".to_owned(),
        )),
    }
}

/// Calls a function that returns a number.
async fn call(
    store: &mut Store<Host>,
    instance: &Instance,
    name: &str,
) -> std::result::Result<u32, Failure> {
    instance
        .get_typed_func::<(), u32>(&mut *store, name)
        .map_err(|_| missing(name))?
        .call_async(&mut *store, ())
        .await
        .map_err(|error| Failure::Guest(format!("{error:#}")))
}

fn missing(name: &str) -> Failure {
    Failure::Guest(format!("the guest exports no `{name}`"))
}
