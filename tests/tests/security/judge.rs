//! Runs an attack in a session of its own, beside one that must not notice, and says what is wrong afterwards.

use crate::arena::{self, Arena, leak, secret};
use crate::attack::{Attack, End};
use sandbox_engine::{
    ExecutionResult, FileKind, Language, Limit, Policy, Session, StateAfter, Status,
};
use sandbox_tests::{describe, engine};
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};
use tokio::runtime::Runtime;

/// Far more time than a limit needs on a machine that is busy.
const PATIENCE: Duration = Duration::from_secs(3);

/// What displayed objects may cost beyond their text, in bytes: there may be a thousand, of 64 forms each.
const DISPLAYS: usize = 4 << 20;

/// However little output is kept, an error may be told in so many bytes.
const ERROR: usize = 64 << 10;

/// What attacks are written with.
const PRELUDE: &str = include_str!("prelude.py");

/// Far more time than an attack takes that ends by itself.
const AMPLE: Duration = Duration::from_secs(20);

/// A thread's worth of judging: a runtime, and a session that shares the thread with the attacked one.
pub struct Judge {
    runtime: Runtime,
    sibling: Session,
}

impl Judge {
    pub fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_time()
            .build()
            .unwrap_or_else(|error| panic!("{error}"));
        let mut sibling = session(&Policy::default());
        let code = format!(
            "import os\nmine = {0:?}\nopen('mine', 'w').write({0:?})\nos.environ['MINE'] = {0:?}",
            secret("sibling")
        );
        let planted = sibling.run_blocking(&code);
        assert!(planted.is_ok_and(|result| result.is_ok()));
        Self { runtime, sibling }
    }

    /// Everything that is wrong after this attack, under the arena's own policy.
    pub fn try_out(&mut self, attack: &Attack) -> Vec<String> {
        let arena = Arena::new(attack.swap);
        let mut policy = arena.policy();
        if attack.crowd {
            policy.mounts.push(arena::crowd());
        }
        // What has to end by itself does so in its own time, also on a machine that is busy.
        if !attack.ends.contains(&End::Wall) {
            policy.limits.wall = AMPLE;
        }
        self.try_under(attack, &arena, &policy)
    }

    /// Everything that is wrong after this attack.
    pub fn try_under(&mut self, attack: &Attack, arena: &Arena, policy: &Policy) -> Vec<String> {
        let mut attacked = session(policy);
        let mut problems = Vec::new();
        for cell in [PRELUDE, &attack.first] {
            match attacked.run_blocking(cell) {
                Ok(result) if result.is_ok() => {}
                Ok(result) => problems.push(format!("before it: {}", describe(&result))),
                Err(error) => problems.push(format!("before it: {error}")),
            }
        }
        let done = AtomicBool::new(false);
        let code = format!("stage = 'during'\n{}", attack.code);
        let begun = Instant::now();
        let (result, slowest) = thread::scope(|scope| {
            if attack.swap {
                scope.spawn(|| arena.swap_until(&done));
            }
            let both =
                self.runtime
                    .block_on(beside(&mut attacked, &code, &mut self.sibling, &done));
            done.store(true, Ordering::Relaxed);
            both
        });
        let elapsed = begun.elapsed();
        if elapsed > policy.limits.wall + policy.limits.grace + PATIENCE {
            problems.push(format!("it took {elapsed:?}"));
        }
        match slowest {
            Ok(slowest) if slowest > PATIENCE => {
                problems.push(format!("another session had to wait for {slowest:?}"));
            }
            Ok(_) => {}
            Err(why) => problems.push(why),
        }
        match result {
            Ok(result) => {
                check_result(attack, &result, &mut problems);
                check_size(&result, policy, &mut problems);
                check_answers(attack, &mut attacked, &result, &mut problems);
            }
            Err(error) => problems.push(format!("the engine failed: {error}")),
        }
        check_files(&mut attacked, &mut problems);
        problems.extend(arena.damage());
        problems
    }

    /// What is wrong with the session beside, after all attacks.
    pub fn damage(&mut self) -> Vec<String> {
        let mine = secret("sibling");
        let wanted = format!("{:?}", format!("{mine} {mine} {mine}")).replace('"', "'");
        match self
            .sibling
            .run_blocking("mine + ' ' + open('mine').read() + ' ' + os.environ['MINE']")
        {
            Ok(result) if result.value.as_deref() == Some(&wanted) => Vec::new(),
            Ok(result) => vec![format!("the session beside: {}", describe(&result))],
            Err(error) => vec![format!("the session beside: {error}")],
        }
    }
}

fn session(policy: &Policy) -> Session {
    engine()
        .session(Language::Python, policy)
        .unwrap_or_else(|error| panic!("no session: {error}"))
}

/// Runs code while another session on the same thread keeps answering. The longest answer, or what was wrong with one.
async fn beside(
    attacked: &mut Session,
    code: &str,
    sibling: &mut Session,
    done: &AtomicBool,
) -> (
    Result<ExecutionResult, sandbox_engine::Error>,
    Result<Duration, String>,
) {
    let attack = async {
        let result = attacked.run(code).await;
        done.store(true, Ordering::Relaxed);
        result
    };
    let answers = async {
        let mut slowest = Duration::ZERO;
        loop {
            // Asked once more after the end.
            let last = done.load(Ordering::Relaxed);
            let asked = Instant::now();
            match sibling.run("1 + 1").await {
                Ok(result) if result.value.as_deref() == Some("2") => {}
                Ok(result) => return Err(format!("another session said {}", describe(&result))),
                Err(error) => return Err(format!("another session failed: {error}")),
            }
            slowest = slowest.max(asked.elapsed());
            if last {
                return Ok(slowest);
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::join!(attack, answers)
}

fn check_result(attack: &Attack, result: &ExecutionResult, problems: &mut Vec<String>) {
    if End::of(result).is_none_or(|end| !attack.ends.contains(&end)) {
        problems.push(format!("it ended with {}", describe(result)));
    }
    if let Some(value) = &attack.value
        && result.value.as_ref() != Some(value)
    {
        problems.push(format!("its value is {:?}, not {value:?}", result.value));
    }
    let error = result.error.as_ref();
    let mut told = vec![
        ("standard output", result.stdout.bytes.clone()),
        ("standard error", result.stderr.bytes.clone()),
        (
            "its value",
            result.value.clone().unwrap_or_default().into_bytes(),
        ),
        (
            "its error",
            error.map_or_else(Vec::new, |error| format!("{error:?}").into_bytes()),
        ),
    ];
    for display in &result.displays {
        told.push(("a display", format!("{:?}", display.data).into_bytes()));
    }
    for (place, bytes) in &told {
        if let Some(leak) = leak(bytes) {
            problems.push(format!("{place} gives away {leak}"));
        }
        if let Some(at) = bytes.windows(8).position(|window| window == b"OBTAINED") {
            let end = bytes.len().min(at + 200);
            let what = String::from_utf8_lossy(&bytes[at..end]);
            problems.push(format!("{place}: {what}"));
        }
    }
}

/// The result is no larger than the limits on output allow.
fn check_size(result: &ExecutionResult, policy: &Policy, problems: &mut Vec<String>) {
    let limit = policy.limits.output.bytes() as usize;
    for (name, size) in [
        ("standard output", result.stdout.bytes.len()),
        ("standard error", result.stderr.bytes.len()),
    ] {
        if size > limit {
            problems.push(format!("{name} has {size} bytes"));
        }
    }
    let value = result.value.as_ref().map_or(0, String::len);
    if value > limit {
        problems.push(format!("its value has {value} bytes"));
    }
    if let Some(error) = &result.error {
        let longest = error.message.len().max(error.traceback.len());
        if longest.max(error.name.len()) > limit.max(ERROR) {
            problems.push(format!("its error is told in {longest} bytes"));
        }
    }
    let forms = result.displays.iter().flat_map(|display| &display.data);
    let displays: usize = forms
        .map(|form| size_of_val(form) + form.0.len() + form.1.len())
        .sum();
    if displays > limit + DISPLAYS {
        problems.push(format!("what it displayed takes {displays} bytes"));
    }
}

/// The attacked session goes on, its state is what the result says, and it can be undone.
fn check_answers(
    attack: &Attack,
    attacked: &mut Session,
    result: &ExecutionResult,
    problems: &mut Vec<String>,
) {
    let stage = match result.state {
        StateAfter::RolledBack => "'before'",
        _ => "'during'",
    };
    // Memory that the code fills and keeps is its own loss: cells after it may end at the limit, until a reset.
    let may_be_full = attack.ends.contains(&End::Memory);
    let mut is_full = false;
    for when in ["afterwards", "when undone"] {
        for (code, wanted) in [("1 + 1", "2"), ("stage", stage)] {
            if code == "stage" && attack.breaks_variables {
                continue;
            }
            match attacked.run_blocking(code) {
                Ok(answer) if answer.value.as_deref() == Some(wanted) => {}
                Ok(answer) if may_be_full && answer.limit == Some(Limit::Memory) => is_full = true,
                Ok(answer) => problems.push(format!("{code} {when}: {}", describe(&answer))),
                Err(error) => problems.push(format!("{code} {when}: {error}")),
            }
        }
        // Ending the interpreter has its memory made anew.
        match attacked.run_blocking("import os\nos._exit(7)") {
            Ok(ended) if ended.status == (Status::Exited { code: 7 }) => {}
            Ok(ended) if may_be_full && ended.limit == Some(Limit::Memory) => is_full = true,
            // It may have no `os` any more.
            Ok(ended) if attack.breaks_variables && ended.status == Status::Error => {}
            Ok(ended) => problems.push(format!("ending it {when}: {}", describe(&ended))),
            Err(error) => problems.push(format!("ending it {when}: {error}")),
        }
    }
    if is_full {
        let answer = attacked
            .reset()
            .and_then(|()| attacked.run_blocking("1 + 1"));
        if !answer.is_ok_and(|answer| answer.value.as_deref() == Some("2")) {
            problems.push("it does not answer after a reset".to_owned());
        }
    }
}

/// No file of the session's own holds a secret, in its name or content.
fn check_files(attacked: &mut Session, problems: &mut Vec<String>) {
    for top in ["/mnt/data", "/tmp"] {
        let files = match attacked.list(top) {
            Ok(files) => files,
            Err(error) => {
                problems.push(format!("its files: {error}"));
                continue;
            }
        };
        for file in files {
            let content = if file.kind == FileKind::File {
                attacked.get(&file.path).unwrap_or_default()
            } else {
                Vec::new()
            };
            if let Some(leak) = leak(&content).or_else(|| leak(file.path.as_bytes())) {
                problems.push(format!("{} gives away {leak}", file.path));
            }
        }
    }
}
