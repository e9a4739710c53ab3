//! Ctrl-C: what it stops, and when it ends the process.

use crate::report::exit;
use sandbox_engine::InterruptHandle;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// While a program runs: the first Ctrl-C interrupts it, the second ends the process at once.
pub fn program(handle: InterruptHandle) {
    let pressed = AtomicBool::new(false);
    on_ctrl_c(move || {
        if pressed.swap(true, Ordering::Relaxed) {
            leave();
        }
        handle.interrupt();
    });
}

/// What Ctrl-C does in a REPL, which runs cells and waits for them in turn.
#[derive(Clone)]
pub struct CellWatch(Arc<Mutex<Doing>>);

enum Doing {
    /// Something short.
    Nothing,
    /// Running a cell.
    Running {
        handle: InterruptHandle,
        pressed: bool,
    },
    /// Waiting for a line; with the prompt, if a person sees one.
    Waiting {
        prompt: Option<String>,
        pressed: bool,
    },
}

impl CellWatch {
    /// Begins to watch.
    pub fn install() -> Self {
        let watch = Self(Arc::new(Mutex::new(Doing::Nothing)));
        let pressed = watch.clone();
        on_ctrl_c(move || pressed.press());
        watch
    }

    /// From here until the guard goes, Ctrl-C interrupts a cell; the second one stops it for good.
    pub fn running(&self, handle: InterruptHandle) -> Watched<'_> {
        *self.doing() = Doing::Running {
            handle,
            pressed: false,
        };
        Watched(self)
    }

    /// From here until the guard goes, Ctrl-C drops what was typed, or leaves where there is no prompt.
    pub fn waiting(&self, prompt: Option<String>) -> Watched<'_> {
        *self.doing() = Doing::Waiting {
            prompt,
            pressed: false,
        };
        Watched(self)
    }

    /// Does something while a cell runs, which cannot end meanwhile. `None` where none runs.
    #[cfg(unix)]
    pub fn while_running<T>(&self, action: impl FnOnce() -> T) -> Option<T> {
        let doing = self.doing();
        matches!(&*doing, Doing::Running { .. }).then(action)
    }

    fn press(&self) {
        match &mut *self.doing() {
            Doing::Nothing => {}
            Doing::Running { handle, pressed } => {
                // A cell that goes on after the first has caught the interrupt.
                if std::mem::replace(pressed, true) {
                    handle.kill();
                } else {
                    handle.interrupt();
                }
            }
            Doing::Waiting { prompt: None, .. } => leave(),
            Doing::Waiting {
                prompt: Some(prompt),
                pressed,
            } => {
                *pressed = true;
                // The terminal has dropped the line that was being typed, so it stands after a fresh prompt.
                let _ = write!(io::stdout(), "\n{prompt}").and_then(|()| io::stdout().flush());
            }
        }
    }

    fn doing(&self) -> MutexGuard<'_, Doing> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// While this lives, the [`CellWatch`] knows what goes on.
pub struct Watched<'a>(&'a CellWatch);

impl Watched<'_> {
    /// Whether Ctrl-C was pressed while waiting.
    pub fn was_pressed(&self) -> bool {
        matches!(&*self.0.doing(), Doing::Waiting { pressed: true, .. })
    }
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        *self.0.doing() = Doing::Nothing;
    }
}

/// Calls `action` at each Ctrl-C. Where our parent had us ignore it (`nohup`, background jobs), that stays so.
fn on_ctrl_c(action: impl FnMut() + Send + 'static) {
    // The only other error is a second handler, and each command sets one.
    let _ = ctrlc::try_set_handler(action);
}

fn leave() -> ! {
    std::process::exit(exit::INTERRUPTED.into())
}
