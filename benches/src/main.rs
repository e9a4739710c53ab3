//! Measures the project's bars in one run and prints them beside what was measured.
//!
//! Machines are shared and noisy, so figures are medians, taken in turn with the two units that the bars are given
//! in: **P**, the wall time of `/usr/bin/python3 -I -c 'print(1+1)'`, and **T**, one round trip `x = x + 1` to a
//! native `CPython` kept open over pipes.

mod cpu;
mod loops;
mod memory;
mod native;
mod process;
mod report;
mod scripts;
mod session;
mod stats;

use anyhow::{Context, Result};
use clap::Parser;
use report::{Bar, Report, Unit};
use sandbox_engine::{Engine, Language};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

/// Measures what isolation costs and compares it with the project's bars.
#[derive(Debug, Parser)]
struct Arguments {
    /// Fewer rounds: a rough answer in a quarter of the time.
    #[arg(long)]
    quick: bool,
    /// Write the figures to this file as JSON, too.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Measure only bars whose name contains this text.
    #[arg(long, value_name = "TEXT")]
    only: Option<String>,
    /// Fail with status 1 where a bar is missed.
    #[arg(long)]
    check: bool,
    /// The release binary to measure. Default: `sandbox-run` beside this program.
    #[arg(long, value_name = "FILE")]
    binary: Option<PathBuf>,
}

fn main() -> Result<ExitCode> {
    let arguments = Arguments::parse();
    let report = measure(&arguments)?;
    print!("{report}");
    if let Some(file) = &arguments.json {
        std::fs::write(file, serde_json::to_vec_pretty(&report)?)
            .with_context(|| format!("cannot write {}", file.display()))?;
    }
    let failed = arguments.check && report.missed() > 0;
    Ok(if failed {
        ExitCode::FAILURE
    } else {
        ExitCode::SUCCESS
    })
}

fn measure(arguments: &Arguments) -> Result<Report> {
    let wanted = |name: &str| {
        arguments
            .only
            .as_ref()
            .is_none_or(|only| name.contains(only.as_str()))
    };
    let rounds = |all: usize| {
        if arguments.quick {
            all.div_ceil(4)
        } else {
            all
        }
    };
    let binary = arguments
        .binary
        .clone()
        .map_or_else(process::binary_beside_us, Ok)?;
    let engine = Engine::new()?;
    engine
        .preload(Language::Python)
        .context("the Python guest does not load; `cargo xtask guests` builds it")?;

    say("short runs, in turn with the units");
    let short = ShortRuns::measure(&engine, &binary, rounds(40))?;
    let mut report = Report::new(stats::median(&short.p), stats::median(&short.t));
    if wanted("process") {
        report.add(Bar::time(
            "process: sandbox-run -c 'print(1+1)'",
            &short.whole,
            Unit::P,
            0.5,
        ));
        say("first runs on a machine");
        let first = process::first_runs(&binary, rounds(4))?;
        report.add(Bar::time(
            "process: the first run on a machine (empty cache)",
            &first,
            Unit::P,
            60.0,
        ));
    }
    if wanted("session") {
        report.add(Bar::time(
            "session: fresh, with its first cell",
            &short.fresh,
            Unit::P,
            1.0 / 22.0,
        ));
        report.add(Bar::time(
            "session: one more cell",
            &short.cell,
            Unit::T,
            1.1,
        ));
    }
    if wanted("memory") {
        say("memory of idle sessions");
        let idle = memory::per_idle_session(&engine, 200)?;
        report.add(Bar::plain(
            "memory: private, per idle session of 200",
            idle / 1000.0,
            "KB",
            600.0,
        ));
    }
    against_native(&engine, &mut report, &wanted, &rounds)?;
    if wanted("loops") {
        say("endless loops");
        let overshoot = loops::overshoot(&engine, rounds(8))?;
        let late = stats::percentile(&overshoot, 99.0).as_secs_f64() * 1e3;
        report.add(Bar::plain(
            "loops: 64 at once, 99 % stopped after the deadline by",
            late,
            "ms",
            60.0,
        ));
        report.loops = Some(loops::Distribution::of(&overshoot));
    }
    if wanted("size") {
        let size = std::fs::metadata(&binary)
            .with_context(|| binary.display().to_string())?
            .len();
        report.add(Bar::plain(
            "size: the release binary",
            size as f64 / 1e6,
            "MB",
            40.0,
        ));
    }
    Ok(report)
}

/// Scripts that run on both sides.
fn against_native(
    engine: &Engine,
    report: &mut Report,
    wanted: &impl Fn(&str) -> bool,
    rounds: &impl Fn(usize) -> usize,
) -> Result<()> {
    if wanted("cpu") {
        say("CPU-bound Python");
        let compared = scripts::compare(engine, rounds(5))?;
        let mean = stats::geometric_mean(compared.iter().map(|script| script.ratio));
        report.scripts = compared;
        report.add(Bar::plain(
            "cpu: geometric mean against CPython, 12 scripts",
            mean,
            "×",
            4.4,
        ));
    }
    if wanted("files") {
        say("files");
        report.add(Bar::plain(
            "files: 1 MiB written and read, against CPython",
            scripts::compare_files(engine, rounds(9))?,
            "×",
            2.0,
        ));
    }
    Ok(())
}

/// What takes so little time that it is measured in turn with the units.
#[derive(Default)]
struct ShortRuns {
    p: Vec<Duration>,
    t: Vec<Duration>,
    whole: Vec<Duration>,
    fresh: Vec<Duration>,
    cell: Vec<Duration>,
}

impl ShortRuns {
    fn measure(engine: &Engine, binary: &std::path::Path, rounds: usize) -> Result<Self> {
        let mut runs = Self::default();
        let mut kept_open = native::KeptOpen::start()?;
        let mut live = session::Live::start(engine)?;
        // What the first one has to set up (such as the cache of the binary) is measured elsewhere.
        process::run(binary)?;
        for _ in 0..rounds {
            runs.p.push(native::process()?);
            runs.whole.push(process::run(binary)?);
            for _ in 0..5 {
                runs.fresh.push(session::fresh(engine)?);
                runs.t.push(kept_open.round_trip()?);
                runs.cell.push(live.one_more_cell()?);
            }
        }
        Ok(runs)
    }
}

fn say(what: &str) {
    eprintln!("measuring {what} …");
}
