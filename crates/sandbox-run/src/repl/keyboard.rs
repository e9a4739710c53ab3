//! What `input()` in a cell reads at a terminal that the line editor reads as well.

use crate::interrupt::CellWatch;
use sandbox_engine::Stdin;

/// Standard input for cells typed at a terminal: lines that are typed while a cell runs, and no others.
#[cfg(unix)]
pub fn stdin(watch: &CellWatch) -> Stdin {
    Stdin::Reader(Box::new(unix::Keyboard(watch.clone())))
}

/// Looking for a line without taking it needs Unix.
#[cfg(not(unix))]
pub fn stdin(_: &CellWatch) -> Stdin {
    Stdin::None
}

#[cfg(unix)]
mod unix {
    use crate::interrupt::CellWatch;
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use std::io::{self, Read};
    use std::thread;
    use std::time::Duration;

    /// How often to look. Nobody types faster than they can see.
    const LOOK: Duration = Duration::from_millis(20);

    pub struct Keyboard(pub CellWatch);

    impl Read for Keyboard {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            loop {
                // While the watch is held, no cell can end, so that the editor's next line is not taken.
                let found = self
                    .0
                    .while_running(|| line_is_there().then(|| read_line(buffer)));
                if let Some(found) = found.flatten() {
                    return found;
                }
                thread::sleep(LOOK);
            }
        }
    }

    fn line_is_there() -> bool {
        let stdin = rustix::stdio::stdin();
        let mut fds = [PollFd::new(&stdin, PollFlags::IN)];
        matches!(poll(&mut fds, Some(&Timespec::default())), Ok(count) if count > 0)
    }

    fn read_line(buffer: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(rustix::stdio::stdin(), buffer)?)
    }
}
