//! The watchdog: a thread that advances the epoch, so that running guests come up for a look at the clock, and wakes
//! guests that sleep. It rests while nothing runs.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::task::Waker;
use std::thread::{self, Thread};
use std::time::{Duration, Instant};

/// How often the epoch advances while guests run.
pub(crate) const TICK: Duration = Duration::from_millis(1);
/// The first ticks come faster: loading a guest waits for one of them, to see that its loops are stopped.
const FIRST_TICKS: (u32, Duration) = (40, Duration::from_micros(50));
/// How long the thread goes on ticking after the last guest stopped, so that cells in quick succession need not wake it.
const LINGER: Duration = Duration::from_millis(50);

/// Advances the epoch of some wasmtime engines while guests run.
pub(crate) struct Ticker {
    shared: Arc<Shared>,
}

struct Shared {
    running: AtomicUsize,
    parked: AtomicBool,
    stop: AtomicBool,
    thread: OnceLock<Thread>,
    engines: Mutex<Vec<wasmtime::EngineWeak>>,
    sleepers: Mutex<Vec<(Instant, Waker)>>,
}

impl Ticker {
    /// Starts the thread.
    pub(crate) fn start() -> std::io::Result<Self> {
        let shared = Arc::new(Shared {
            running: AtomicUsize::new(0),
            parked: AtomicBool::new(false),
            stop: AtomicBool::new(false),
            thread: OnceLock::new(),
            engines: Mutex::default(),
            sleepers: Mutex::default(),
        });
        let of_thread = Arc::clone(&shared);
        let handle = thread::Builder::new()
            .name("sandbox-ticker".to_owned())
            .spawn(move || of_thread.tick())?;
        // Nobody else sets it.
        let _ = shared.thread.set(handle.thread().clone());
        Ok(Self { shared })
    }

    /// Advances this engine's epoch, too, from now on.
    pub(crate) fn add(&self, engine: &wasmtime::Engine) {
        lock(&self.shared.engines).push(engine.weak());
    }

    /// Keeps the epoch advancing until the guard is dropped.
    pub(crate) fn running(&self) -> Running {
        self.shared.running.fetch_add(1, Ordering::SeqCst);
        if self.shared.parked.swap(false, Ordering::SeqCst)
            && let Some(thread) = self.shared.thread.get()
        {
            thread.unpark();
        }
        Running(Arc::clone(&self.shared))
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        self.shared.stop.store(true, Ordering::SeqCst);
        if let Some(thread) = self.shared.thread.get() {
            thread.unpark();
        }
    }
}

/// While this exists, the epoch advances.
pub(crate) struct Running(Arc<Shared>);

impl Running {
    /// What wakes tasks that wait.
    pub(crate) fn alarm(&self) -> Alarm {
        Alarm(Arc::clone(&self.0))
    }
}

/// Wakes tasks.
pub(crate) struct Alarm(Arc<Shared>);

impl Alarm {
    /// Wakes a task once, at `at` or a tick later.
    pub(crate) fn wake_at(&self, at: Instant, waker: Waker) {
        lock(&self.0.sleepers).push((at, waker));
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.0.running.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Shared {
    fn tick(&self) {
        let mut idle_since: Option<Instant> = None;
        let mut count = 0_u32;
        while !self.stop.load(Ordering::SeqCst) {
            lock(&self.engines).retain(|engine| {
                engine
                    .upgrade()
                    .map(|engine| engine.increment_epoch())
                    .is_some()
            });
            self.wake_due();
            if self.running.load(Ordering::SeqCst) > 0 {
                idle_since = None;
            } else if idle_since.get_or_insert_with(Instant::now).elapsed() > LINGER {
                self.rest();
                idle_since = None;
                continue;
            }
            count = count.saturating_add(1);
            thread::sleep(if count < FIRST_TICKS.0 {
                FIRST_TICKS.1
            } else {
                TICK
            });
        }
    }

    /// Parks until something runs. A guest that starts either sees `parked` or is seen here.
    fn rest(&self) {
        self.parked.store(true, Ordering::SeqCst);
        while self.running.load(Ordering::SeqCst) == 0
            && self.parked.load(Ordering::SeqCst)
            && !self.stop.load(Ordering::SeqCst)
        {
            thread::park();
        }
        self.parked.store(false, Ordering::SeqCst);
    }

    fn wake_due(&self) {
        let now = Instant::now();
        let due: Vec<Waker> = {
            let mut sleepers = lock(&self.sleepers);
            if sleepers.is_empty() {
                return;
            }
            let (due, later) = std::mem::take(&mut *sleepers)
                .into_iter()
                .partition(|(at, _)| *at <= now);
            *sleepers = later;
            let due: Vec<(Instant, Waker)> = due;
            due.into_iter().map(|(_, waker)| waker).collect()
        };
        for waker in due {
            waker.wake();
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    // The data are plain lists: a panic elsewhere leaves nothing half done in them.
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
