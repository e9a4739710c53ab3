//! Standard input of a session.

use std::collections::VecDeque;
use std::io::Read;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// What a program reads on standard input.
#[derive(Default)]
#[non_exhaustive]
pub enum Stdin {
    /// Nothing was supplied: reading is refused with a clear error.
    #[default]
    None,
    /// These bytes, then the end.
    Bytes(Vec<u8>),
    /// Whatever the reader yields. It is read on a thread of its own, ahead of the guest by a little.
    Reader(Box<dyn Read + Send>),
}

impl std::fmt::Debug for Stdin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::None => "None",
            Self::Bytes(_) => "Bytes(..)",
            Self::Reader(_) => "Reader(..)",
        })
    }
}

/// How far the reading thread runs ahead, in bytes.
const READ_AHEAD: usize = 64 << 10;

/// Standard input as the guest's descriptor 0 sees it.
#[derive(Clone, Default)]
pub(crate) struct Input {
    source: Option<Arc<Mutex<Source>>>,
}

enum Source {
    /// Not read from yet.
    Waiting(Stdin),
    Bytes(VecDeque<u8>),
    Pump(Arc<Pump>),
}

#[derive(Default)]
struct Pump {
    state: Mutex<Pumped>,
    changed: Condvar,
}

#[derive(Default)]
struct Pumped {
    bytes: VecDeque<u8>,
    ended: bool,
}

impl Input {
    pub(crate) fn new(stdin: Stdin) -> Self {
        match stdin {
            Stdin::None => Self::default(),
            other => Self {
                source: Some(Arc::new(Mutex::new(Source::Waiting(other)))),
            },
        }
    }

    /// Whether the caller supplied something.
    pub(crate) fn is_supplied(&self) -> bool {
        self.source.is_some()
    }

    /// Takes bytes that are there. `None` where there are none yet; 0 at the end. Waits for `patience` at most.
    pub(crate) fn read(&self, buffer: &mut [u8], patience: Duration) -> Option<usize> {
        let Some(source) = &self.source else {
            return Some(0);
        };
        let mut source = source.lock().unwrap_or_else(PoisonError::into_inner);
        if let Source::Waiting(stdin) = &mut *source {
            let started = match std::mem::take(stdin) {
                Stdin::None => Source::Bytes(VecDeque::new()),
                Stdin::Bytes(bytes) => Source::Bytes(bytes.into()),
                Stdin::Reader(reader) => Source::Pump(pump(reader)),
            };
            *source = started;
        }
        match &mut *source {
            Source::Waiting(_) => Some(0),
            Source::Bytes(bytes) => Some(take(bytes, buffer)),
            Source::Pump(pump) => {
                let pump = Arc::clone(pump);
                drop(source);
                pump.take(buffer, patience)
            }
        }
    }
}

impl Pump {
    fn take(&self, buffer: &mut [u8], patience: Duration) -> Option<usize> {
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut state, _) = self
            .changed
            .wait_timeout_while(state, patience, |state| {
                state.bytes.is_empty() && !state.ended
            })
            .unwrap_or_else(PoisonError::into_inner);
        if state.bytes.is_empty() && !state.ended {
            return None;
        }
        let count = take(&mut state.bytes, buffer);
        self.changed.notify_all();
        Some(count)
    }
}

fn take(bytes: &mut VecDeque<u8>, buffer: &mut [u8]) -> usize {
    // Reading from a deque of bytes into memory cannot fail.
    bytes.read(buffer).unwrap_or(0)
}

/// Reads on a thread of its own, which ends at the end of the input or with the process.
fn pump(mut reader: Box<dyn Read + Send>) -> Arc<Pump> {
    let pump = Arc::new(Pump::default());
    let of_thread = Arc::downgrade(&pump);
    let started = thread::Builder::new()
        .name("sandbox-stdin".to_owned())
        .spawn(move || {
            let mut chunk = vec![0; READ_AHEAD];
            loop {
                let count = reader.read(&mut chunk).unwrap_or(0);
                let Some(pump) = of_thread.upgrade() else {
                    return;
                };
                let mut state = pump.state.lock().unwrap_or_else(PoisonError::into_inner);
                state.bytes.extend(&chunk[..count]);
                state.ended = count == 0;
                pump.changed.notify_all();
                if state.ended {
                    return;
                }
                while state.bytes.len() > READ_AHEAD {
                    state = pump
                        .changed
                        .wait_timeout(state, Duration::from_millis(100))
                        .unwrap_or_else(PoisonError::into_inner)
                        .0;
                    if Arc::strong_count(&pump) == 1 {
                        return;
                    }
                }
            }
        });
    if started.is_err() {
        pump.state
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .ended = true;
    }
    pump
}
