//! CPU-bound Python, side by side with the native interpreter.

use crate::native::PYTHON;
use crate::{cpu, stats};
use anyhow::{Context, Result, bail, ensure};
use sandbox_engine::{Engine, Language, Policy};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// One script on both sides.
#[derive(Debug, Serialize)]
pub(crate) struct Compared {
    pub(crate) name: String,
    pub(crate) native_ms: f64,
    pub(crate) guest_ms: f64,
    pub(crate) ratio: f64,
}

/// Runs every script of `python/` in turn on both sides.
///
/// Times are CPU times, because scripts of this length meet other work on a shared machine. On the native side it is
/// taken inside the process, around the `exec` of the source; on ours around the call that runs the source in a
/// session that is there, on the calling thread. Both contain compiling and printing, neither the interpreter's start.
pub(crate) fn compare(engine: &Engine, rounds: usize) -> Result<Vec<Compared>> {
    compare_all(engine, "python", rounds)
}

/// The script of `files/` in turn on both sides, timed in the same way. Here it writes to the session's workspace, there
/// to an empty folder among the system's temporary files; what the kernel does for it there is CPU time, too.
pub(crate) fn compare_files(engine: &Engine, rounds: usize) -> Result<f64> {
    let compared = compare_all(engine, "files", rounds)?;
    Ok(stats::geometric_mean(
        compared.iter().map(|script| script.ratio),
    ))
}

fn compare_all(engine: &Engine, folder: &str, rounds: usize) -> Result<Vec<Compared>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut scripts: Vec<_> = std::fs::read_dir(&folder)
        .with_context(|| folder.display().to_string())?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "py"))
        .collect();
    scripts.sort();
    scripts
        .iter()
        .map(|script| compare_one(engine, script, rounds))
        .collect()
}

fn compare_one(engine: &Engine, script: &Path, rounds: usize) -> Result<Compared> {
    let source = std::fs::read_to_string(script).with_context(|| script.display().to_string())?;
    let name = script
        .file_stem()
        .map_or_else(String::new, |name| name.to_string_lossy().into_owned());
    let (mut native, mut guest) = (Vec::new(), Vec::new());
    for _ in 0..rounds {
        let (expected, took) = on_native(&source).with_context(|| name.clone())?;
        native.push(took);
        let (printed, took) = on_guest(engine, &source).with_context(|| name.clone())?;
        guest.push(took);
        ensure!(
            printed == expected,
            "{name}: the guest printed {printed:?}, Python {expected:?}"
        );
    }
    let (native, guest) = (stats::median(&native), stats::median(&guest));
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    Ok(Compared {
        name,
        native_ms: ms(native),
        guest_ms: ms(guest),
        ratio: guest.as_secs_f64() / native.as_secs_f64(),
    })
}

/// Runs the source that it reads; the last line that it prints is the time that this took.
const TIMED: &str = "import sys, time
source = sys.stdin.read()
begun = time.process_time()
exec(source, {'__name__': '__main__'})
print(time.process_time() - begun)
";

fn on_native(source: &str) -> Result<(String, Duration)> {
    let folder = tempfile::tempdir()?;
    let mut child = Command::new(PYTHON)
        .args(["-I", "-c", TIMED])
        .current_dir(&folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .context(PYTHON)?;
    child
        .stdin
        .take()
        .context("no pipe to Python")?
        .write_all(source.as_bytes())?;
    let output = child.wait_with_output()?;
    let text = String::from_utf8(output.stdout)?;
    let Some((printed, seconds)) = text.trim_end().rsplit_once('\n') else {
        bail!("{PYTHON} printed {text:?}")
    };
    Ok((
        format!("{printed}\n"),
        Duration::from_secs_f64(seconds.parse()?),
    ))
}

fn on_guest(engine: &Engine, source: &str) -> Result<(String, Duration)> {
    let mut session = engine.session(Language::Python, &Policy::default())?;
    session.run_blocking("0")?;
    let (result, took) = cpu::timed(|| session.cell(source).program().run_blocking());
    let result = result?;
    ensure!(
        result.is_ok(),
        "{:?}: {}",
        result.status,
        result.stderr.text()
    );
    Ok((result.stdout.text().into_owned(), took))
}
