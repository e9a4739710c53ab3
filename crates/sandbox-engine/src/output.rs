//! Output as it is produced: counted, cut at its limit, passed on in order.

use crate::policy::Limits;
use crate::result::{Event, Output, RichOutput};

/// Receives events while code runs.
pub(crate) type Sink = Box<dyn FnMut(Event) + Send>;

/// Displayed objects count towards the output limit like text; this many are kept at most.
const MAX_DISPLAYS: usize = 1000;

/// A run that is interrupted for its output may write so much more before it is stopped for good, in bytes.
const MAX_BEYOND: u64 = 1 << 20;

/// The output of one run.
#[derive(Default)]
pub(crate) struct Capture {
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) displays: Vec<RichOutput>,
    /// Bytes written so far, dropped ones included.
    pub(crate) total: u64,
    /// Something was dropped.
    pub(crate) cut: bool,
    displayed: u64,
    /// The total when it was beyond its limit for the first time.
    first_beyond: Option<u64>,
    passed: [u64; 2],
    limit: u64,
    limit_total: u64,
    keep: bool,
    sink: Option<Sink>,
}

/// The amount of output of a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Total {
    /// It may go on.
    Within,
    /// It is to be interrupted.
    Beyond,
    /// It did not react and is to be stopped.
    FarBeyond,
}

/// An output stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stream {
    Stdout,
    Stderr,
}

impl Capture {
    /// Ready for a run. Without `keep`, output is only passed on.
    pub(crate) fn new(limits: &Limits, keep: bool, sink: Option<Sink>) -> Self {
        Self {
            limit: limits.output.bytes(),
            limit_total: limits.output_total.bytes(),
            keep,
            sink,
            ..Self::default()
        }
    }

    /// Bytes that are kept of each stream.
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    /// Takes bytes that the guest wrote.
    pub(crate) fn write(&mut self, stream: Stream, bytes: &[u8]) {
        self.total += bytes.len() as u64;
        let passed = &mut self.passed[stream as usize];
        let room = self.limit.saturating_sub(*passed).min(bytes.len() as u64) as usize;
        *passed += room as u64;
        let (kept, dropped) = bytes.split_at(room);
        let output = match stream {
            Stream::Stdout => &mut self.stdout,
            Stream::Stderr => &mut self.stderr,
        };
        if self.keep {
            output.bytes.extend_from_slice(kept);
        }
        output.dropped += dropped.len() as u64;
        self.cut |= !dropped.is_empty();
        if let Some(sink) = self.sink.as_mut().filter(|_| !kept.is_empty()) {
            sink(match stream {
                Stream::Stdout => Event::Stdout(kept.to_vec()),
                Stream::Stderr => Event::Stderr(kept.to_vec()),
            });
        }
    }

    /// Takes an object that the guest displayed.
    pub(crate) fn display(&mut self, display: RichOutput) {
        let size: u64 = display
            .data
            .iter()
            .map(|(mime, content)| (mime.len() + content.len()) as u64)
            .sum();
        self.total += size;
        if self.displayed + size > self.limit || self.displays.len() >= MAX_DISPLAYS {
            self.cut = true;
        } else {
            self.displayed += size;
            if let Some(sink) = &mut self.sink {
                sink(Event::Display(display.clone()));
            }
            self.displays.push(display);
        }
    }

    /// How the amount written compares with what a run may write at all.
    pub(crate) fn total(&mut self) -> Total {
        if self.total <= self.limit_total {
            return Total::Within;
        }
        // However much was written at once: the first time is for the interrupt.
        let first = *self.first_beyond.get_or_insert(self.total);
        if self.total - first <= MAX_BEYOND {
            Total::Beyond
        } else {
            Total::FarBeyond
        }
    }

    /// Passes on the value of a cell, which was cut like a stream when it was read.
    pub(crate) fn value(&mut self, value: &str) {
        if let Some(sink) = &mut self.sink {
            sink(Event::Value(value.to_owned()));
        }
    }

    /// What the host holds for the guest.
    pub(crate) fn held_bytes(&self) -> u64 {
        (self.stdout.bytes.len() + self.stderr.bytes.len()) as u64 + self.displayed
    }
}
