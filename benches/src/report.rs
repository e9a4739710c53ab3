//! The figures beside their bars.

use crate::loops::Distribution;
use crate::scripts::Compared;
use crate::stats;
use serde::Serialize;
use std::fmt;
use std::time::Duration;

/// The units that bars are given in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub(crate) enum Unit {
    /// A native process.
    P,
    /// A round trip to a native process kept open.
    T,
}

/// A measured figure and what it may be at most.
#[derive(Debug, Serialize)]
pub(crate) struct Bar {
    name: String,
    value: Value,
    /// The bar, in the unit of the value: for times, in P or T.
    at_most: f64,
}

#[derive(Debug, Serialize)]
#[serde(untagged)]
enum Value {
    Time { seconds: f64, unit: Unit },
    Plain { value: f64, unit: &'static str },
}

impl Bar {
    /// A time whose bar is a multiple of a unit.
    pub(crate) fn time(name: &str, samples: &[Duration], unit: Unit, bar: f64) -> Self {
        let seconds = stats::median(samples).as_secs_f64();
        Self {
            name: name.to_owned(),
            value: Value::Time { seconds, unit },
            at_most: bar,
        }
    }

    /// A figure with a bar of its own unit.
    pub(crate) fn plain(name: &str, value: f64, unit: &'static str, bar: f64) -> Self {
        Self {
            name: name.to_owned(),
            value: Value::Plain { value, unit },
            at_most: bar,
        }
    }
}

/// Everything that was measured.
#[derive(Debug, Serialize)]
pub(crate) struct Report {
    /// P in seconds.
    p: f64,
    /// T in seconds.
    t: f64,
    bars: Vec<Bar>,
    pub(crate) scripts: Vec<Compared>,
    pub(crate) loops: Option<Distribution>,
}

impl Report {
    pub(crate) fn new(p: Duration, t: Duration) -> Self {
        Self {
            p: p.as_secs_f64(),
            t: t.as_secs_f64(),
            bars: Vec::new(),
            scripts: Vec::new(),
            loops: None,
        }
    }

    pub(crate) fn add(&mut self, bar: Bar) {
        self.bars.push(bar);
    }

    /// How many bars were missed.
    pub(crate) fn missed(&self) -> usize {
        self.bars.iter().filter(|bar| !self.is_met(bar)).count()
    }

    fn is_met(&self, bar: &Bar) -> bool {
        match bar.value {
            Value::Time { seconds, unit } => seconds <= bar.at_most * self.unit(unit),
            Value::Plain { value, .. } => value <= bar.at_most,
        }
    }

    fn unit(&self, unit: Unit) -> f64 {
        match unit {
            Unit::P => self.p,
            Unit::T => self.t,
        }
    }

    /// The figure and its bar as text.
    fn columns(&self, bar: &Bar) -> (String, String) {
        match bar.value {
            Value::Time { seconds, unit } => {
                let multiple = |seconds: f64| format!("{:.3} {unit:?}", seconds / self.unit(unit));
                let at_most = bar.at_most * self.unit(unit);
                (
                    format!("{} = {}", multiple(seconds), time(seconds)),
                    format!("{} = {}", multiple(at_most), time(at_most)),
                )
            }
            Value::Plain { value, unit } => (
                format!("{value:.2} {unit}"),
                format!("{:.2} {unit}", bar.at_most),
            ),
        }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "P = {} (a native Python process), T = {} (a round trip to one kept open)\n",
            time(self.p),
            time(self.t)
        )?;
        writeln!(f, "{:<55} {:>24} {:>24}", "", "measured", "bar: at most")?;
        for bar in &self.bars {
            let (measured, at_most) = self.columns(bar);
            let verdict = if self.is_met(bar) { "pass" } else { "MISS" };
            writeln!(
                f,
                "{:<55} {measured:>24} {at_most:>24}  {verdict}",
                bar.name
            )?;
        }
        if let Some(loops) = &self.loops {
            let Distribution {
                stopped,
                p50_ms,
                p90_ms,
                p99_ms,
                max_ms,
            } = loops;
            writeln!(
                f,
                "\n{stopped} endless loops, all stopped; after the deadline by: median {p50_ms:.1} ms, \
                 90 % {p90_ms:.1} ms, 99 % {p99_ms:.1} ms, at most {max_ms:.1} ms"
            )?;
        }
        if !self.scripts.is_empty() {
            writeln!(
                f,
                "\n{:<28} {:>12} {:>12} {:>8}",
                "CPU-bound Python (CPU time)", "CPython", "guest", "ratio"
            )?;
            for script in &self.scripts {
                let Compared {
                    name,
                    native_ms,
                    guest_ms,
                    ratio,
                } = script;
                writeln!(
                    f,
                    "{name:<28} {native_ms:>9.1} ms {guest_ms:>9.1} ms {ratio:>7.2}×"
                )?;
            }
        }
        Ok(())
    }
}

fn time(seconds: f64) -> String {
    if seconds < 1e-3 {
        format!("{:.1} µs", seconds * 1e6)
    } else if seconds < 1.0 {
        format!("{:.2} ms", seconds * 1e3)
    } else {
        format!("{seconds:.2} s")
    }
}
