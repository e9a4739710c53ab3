//! `sandbox-run doctor`: what works on this machine, and what to do about what does not.

use crate::repl;
use crate::report::{self, exit};
use anstyle::{AnsiColor, Style};
use sandbox_engine::{Engine, Error, Language, Limit, Policy};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{fs, io, thread};

/// Runs every check and prints a line for each. Status 1 where something is wrong.
pub fn run() -> u8 {
    let mut report = Report::default();
    system(&mut report);
    match Engine::builder()
        .on_notice(|text| report::note(text))
        .build()
    {
        Ok(engine) => {
            for language in Language::ALL {
                this_language(&mut report, &engine, *language);
            }
            cache(&mut report, &engine);
        }
        Err(error) => report.problem("engine", &error.to_string(), next_step(&error)),
    }
    history(&mut report);
    if report.problems == 0 { 0 } else { exit::ERROR }
}

/// Prints lines as they are found, since some checks take a while.
#[derive(Default)]
struct Report {
    problems: usize,
}

impl Report {
    fn ok(&mut self, what: &str, found: &str) {
        self.line(AnsiColor::Green, "ok     ", what, found);
    }

    /// Something that is as it is.
    fn info(&mut self, what: &str, found: &str) {
        self.line(AnsiColor::BrightBlack, "       ", what, found);
    }

    fn problem(&mut self, what: &str, found: &str, next: &str) {
        self.problems += 1;
        self.line(AnsiColor::Red, "problem", what, found);
        self.line(AnsiColor::Red, "       ", "", &format!("→ {next}"));
    }

    #[allow(
        clippy::unused_self,
        reason = "lines are printed through the report, so that none is forgotten"
    )]
    fn line(&self, colour: AnsiColor, mark: &str, what: &str, found: &str) {
        let style = Style::new().fg_color(Some(colour.into()));
        let mut indented = String::new();
        for (number, line) in found.lines().enumerate() {
            // Writing to a string cannot fail.
            let _ = if number == 0 {
                write!(indented, "{line}")
            } else {
                write!(indented, "\n{:24}{line}", "")
            };
        }
        // Whoever closes the pipe has read enough; the status still tells.
        let _ = writeln!(
            anstream::stdout(),
            "{style}{mark}{style:#}  {what:<14} {indented}"
        );
    }
}

fn system(report: &mut Report) {
    let cores =
        thread::available_parallelism().map_or_else(|_| "?".to_owned(), |count| count.to_string());
    report.info(
        "system",
        &format!(
            "sandbox-run {} on {} {}, {cores} cores",
            env!("CARGO_PKG_VERSION"),
            std::env::consts::OS,
            std::env::consts::ARCH
        ),
    );
    if cfg!(target_os = "linux") {
        let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        report.info("kernel", release.trim());
        if let Ok(most) = fs::read_to_string("/proc/sys/vm/max_map_count") {
            report.info(
                "mappings",
                &format!("at most {} for one process (vm.max_map_count)", most.trim()),
            );
        }
    }
}

/// Looks at the cache folder. Loading a guest makes it.
fn cache(report: &mut Report, engine: &Engine) {
    let folder = match engine.cache_folder() {
        Ok(folder) => folder,
        Err(error) => return report.problem("cache", &error.to_string(), report::CACHE_STEP),
    };
    match probe(&folder) {
        Ok(()) => report.ok(
            "cache",
            &format!("{}, {} used", folder.display(), size_of(&folder)),
        ),
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            report.info("cache", &format!("{}, not there yet", folder.display()));
        }
        Err(error) => report.problem(
            "cache",
            &format!("{}: {error}", folder.display()),
            report::CACHE_STEP,
        ),
    }
}

/// Writes a file and takes it away again.
fn probe(folder: &Path) -> io::Result<()> {
    let path = folder.join(format!(".doctor-{}", std::process::id()));
    fs::OpenOptions::new()
        .write(true)
        .create_new(true)
        .open(&path)?;
    fs::remove_file(path)
}

fn size_of(folder: &Path) -> String {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let bytes: u64 = entries
        .filter_map(|entry| entry.metadata().ok())
        .map(|metadata| metadata.len())
        .sum();
    format!("{:.1} MiB", mebibytes(bytes))
}

/// Checks one language from its guest to a cell that has to be stopped.
fn this_language(report: &mut Report, engine: &Engine, language: Language) {
    let what = language.name();
    let manifest = match engine.manifest(language) {
        Ok(manifest) => manifest,
        Err(error) => return report.problem(what, &error.to_string(), next_step(&error)),
    };
    report.ok(
        what,
        &format!(
            "{}, {:.1} MiB, sha256 {}",
            manifest.interpreter,
            mebibytes(manifest.wasm_size),
            manifest.digest
        ),
    );

    let start = Instant::now();
    if let Err(error) = engine.preload(language) {
        return report.problem(what, &error.to_string(), next_step(&error));
    }
    report.ok(
        what,
        &format!(
            "guest loaded in {}; its endless loop was stopped",
            milliseconds(start.elapsed())
        ),
    );

    let sample = Sample::of(language);
    match first_cell(engine, language, sample.two) {
        Ok((value, time)) if value.as_deref() == Some("2") => {
            report.ok(
                what,
                &format!("a session and its first cell took {}", milliseconds(time)),
            );
        }
        Ok((value, _)) => {
            report.problem(what, &format!("`{}` gave {value:?}", sample.two), REPORT_IT);
        }
        Err(error) => report.problem(what, &error.to_string(), next_step(&error)),
    }
    match is_stopped(engine, language, &sample) {
        Ok(true) => report.ok(
            what,
            "a cell is stopped by its time limit, and the session answers afterwards",
        ),
        Ok(false) => report.problem(
            what,
            "a cell was not stopped by its time limit",
            "run no untrusted code here",
        ),
        Err(error) => report.problem(what, &error.to_string(), next_step(&error)),
    }
}

const REPORT_IT: &str = "get the program again; if that does not help, report it";

fn next_step(error: &Error) -> &'static str {
    match error {
        Error::Io { .. } => report::CACHE_STEP,
        Error::Watchdog(_) => {
            "time limits need threads and a clock; look at the limits of this machine or container"
        }
        Error::GuestMissing { .. } => "run `cargo xtask guests`, then build again",
        _ => REPORT_IT,
    }
}

/// Code whose outcome is known.
struct Sample {
    two: &'static str,
    endless: &'static str,
}

impl Sample {
    fn of(_: Language) -> Self {
        Self {
            two: "1 + 1",
            endless: "while True: pass",
        }
    }
}

fn first_cell(
    engine: &Engine,
    language: Language,
    code: &str,
) -> Result<(Option<String>, Duration), Error> {
    let start = Instant::now();
    let result = engine
        .session(language, &Policy::default())?
        .run_blocking(code)?;
    Ok((result.value, start.elapsed()))
}

/// Whether an endless cell is stopped by the limit on time and the session lives on.
fn is_stopped(engine: &Engine, language: Language, sample: &Sample) -> Result<bool, Error> {
    let mut policy = Policy::default();
    policy.limits.wall = Duration::from_millis(100);
    let mut session = engine.session(language, &policy)?;
    let stopped = session.run_blocking(sample.endless)?.limit == Some(Limit::Wall);
    Ok(stopped && session.run_blocking(sample.two)?.is_ok())
}

fn history(report: &mut Report) {
    match repl::history_file() {
        Some(path) => report.info("history", &format!("{} (REPL)", path.display())),
        None => report.info("history", "not kept: there is no home folder"),
    }
}

fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}

fn milliseconds(time: Duration) -> String {
    format!("{:.2} ms", time.as_secs_f64() * 1e3)
}
