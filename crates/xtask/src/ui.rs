//! What the reader sees while steps run. All of it goes to stderr: stdout belongs to the program that
//! `cargo xtask run` starts.

use anyhow::Result;
use console::style;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// One line in cargo's own style: a green verb, then what it acts on.
pub fn status(verb: &str, what: &str) {
    eprintln!(
        "{} {what}",
        style(format!("{verb:>12}")).for_stderr().green().bold()
    );
}

/// The same for something the reader should look at.
pub fn warning(what: &str) {
    eprintln!(
        "{} {what}",
        style(format!("{:>12}", "warning"))
            .for_stderr()
            .yellow()
            .bold()
    );
}

/// The last line of a run that failed.
pub fn error(what: &str) {
    eprintln!("{} {what}", style("error:").for_stderr().red().bold());
}

/// Runs work of our own under a spinner, or between two plain lines where nobody watches a terminal.
pub fn step<T>(verb: &str, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    let spinner = ProgressBar::new_spinner();
    if spinner.is_hidden() {
        status(verb, what);
    } else {
        let template = "{prefix:>12.green.bold} {msg} {spinner} {elapsed}";
        spinner.set_style(ProgressStyle::with_template(template)?);
        spinner.set_prefix(verb.to_owned());
        spinner.set_message(what.to_owned());
        spinner.enable_steady_tick(Duration::from_millis(120));
    }
    let result = work();
    spinner.finish_and_clear();
    if result.is_ok() {
        if spinner.is_hidden() {
            finished(started);
        } else {
            status(verb, &format!("{what} ({})", seconds(started.elapsed())));
        }
    }
    result
}

/// Runs a step whose own program shows progress, such as cargo.
pub fn section<T>(verb: &str, what: &str, work: impl FnOnce() -> Result<T>) -> Result<T> {
    let started = Instant::now();
    status(verb, what);
    let result = work()?;
    finished(started);
    Ok(result)
}

/// A duration as people read it: `0.4 s`, `3 min 20 s`.
pub fn seconds(duration: Duration) -> String {
    let whole = duration.as_secs();
    if whole < 60 {
        format!("{:.1} s", duration.as_secs_f64())
    } else {
        format!("{} min {} s", whole / 60, whole % 60)
    }
}

/// A size as people read it.
pub fn megabytes(bytes: usize) -> String {
    format!("{:.1} MB", bytes as f64 / 1e6)
}

/// Says how long a step took, where that is worth a line.
fn finished(started: Instant) {
    let elapsed = started.elapsed();
    if elapsed >= Duration::from_secs(1) {
        status("done", &format!("in {}", seconds(elapsed)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_sizes_read_well() {
        assert_eq!(seconds(Duration::from_millis(440)), "0.4 s");
        assert_eq!(seconds(Duration::from_secs(200)), "3 min 20 s");
        assert_eq!(megabytes(31_440_000), "31.4 MB");
    }
}
