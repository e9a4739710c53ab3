//! Runs one program: reads it, gives it its arguments and streams, and turns its end into an exit status.

use crate::args::{self, ProgramArgs, Source};
use crate::report::{self, Failure};
use crate::{archive, interrupt, json, output, sandbox};
use sandbox_engine::{Cell, Event, Language, Policy, SessionOptions, Stdin};
use std::ffi::OsString;
use std::fs;
use std::io::{self, Read};
use std::mem::ManuallyDrop;
use std::path::Path;

/// Runs the program that the command line names and gives the exit status.
pub fn run(mut args: ProgramArgs) -> Result<u8, Failure> {
    let Some((source, words)) = args.split() else {
        return Err(Failure::usage(
            "no program: give -c CODE, a FILE, or `-` for standard input (`--help` tells more)",
        ));
    };
    let mut policy = args.sandbox.policy()?;
    let program = Program::read(&source, words, args.sandbox.language)?;

    let as_cell = args.json || args.stream;
    if !as_cell && args.sandbox.flags.max_output.is_none() {
        // Nothing is kept of a program's output, so there is nothing to bound but the whole.
        policy.limits.output = policy.limits.output_total;
    }

    // The process ends with the program, and the system takes memory back faster than dropping each part does.
    let engine = ManuallyDrop::new(sandbox::engine()?);
    let options = SessionOptions::default()
        .argv(program.argv)
        .stdin(program.stdin);
    let mut session = ManuallyDrop::new(engine.session_with(program.language, &policy, options)?);
    if let Some(path) = &args.pack {
        archive::check_writable(path)?;
    }
    if let Some(path) = &args.unpack {
        archive::unpack(&mut session, path)?;
    }
    interrupt::program(session.interrupt_handle());

    let cell = session.cell(&program.code).name(&program.name);
    let status = if args.json {
        json::whole(cell)
    } else if args.stream {
        json::events(cell)
    } else {
        as_program(cell, &policy)
    }?;
    if let Some(path) = &args.pack {
        archive::pack(&mut session, path)?;
    }
    Ok(status)
}

fn as_program(cell: Cell<'_>, policy: &Policy) -> Result<u8, Failure> {
    let result = cell
        .without_capture()
        .program()
        .on_event(|event| match event {
            Event::Stdout(bytes) => output::pass_on(&bytes),
            Event::Stderr(bytes) => output::pass_on_error(&bytes),
            _ => {}
        })
        .run_blocking()?;
    for remark in report::remarks(&result, policy) {
        report::say(remark);
    }
    Ok(report::status(&result))
}

/// A program and what it starts with.
struct Program {
    code: String,
    /// What tracebacks call it.
    name: String,
    argv: Vec<String>,
    stdin: Stdin,
    language: Language,
}

impl Program {
    fn read(
        source: &Source,
        words: Vec<OsString>,
        language: Option<Language>,
    ) -> Result<Self, Failure> {
        let mut argv = vec![match source {
            Source::Code(_) => "-c".to_owned(),
            Source::Stdin => "-".to_owned(),
            Source::File(path) => path.to_string_lossy().into_owned(),
        }];
        for word in words {
            argv.push(text(word, "an argument")?);
        }
        let stdin = match source {
            // The program was all that there was to read.
            Source::Stdin => Stdin::Bytes(Vec::new()),
            _ => Stdin::Reader(Box::new(io::stdin())),
        };
        let (code, name) = match source {
            Source::Code(code) => (
                text(code.clone(), "the code after -c")?,
                "<string>".to_owned(),
            ),
            Source::Stdin => (
                utf8(read_stdin()?, "the program on standard input")?,
                "<stdin>".to_owned(),
            ),
            Source::File(path) => (
                utf8(read_file(path)?, &path.display().to_string())?,
                argv[0].clone(),
            ),
        };
        let language = match language {
            Some(language) => language,
            None => guess(source, &code)?,
        };
        Ok(Self {
            code,
            name,
            argv,
            stdin,
            language,
        })
    }
}

fn read_stdin() -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    match io::stdin().read_to_end(&mut bytes) {
        Ok(_) => Ok(bytes),
        Err(error) => Err(Failure::usage(format!(
            "cannot read the program from standard input: {error}"
        ))),
    }
}

fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| {
        let hint = match path.to_str().filter(|name| args::is_command(name)) {
            Some(name) => {
                format!("\nTo use the command, write its options after it: sandbox-run {name} …")
            }
            None => String::new(),
        };
        Failure::usage(format!("cannot read {}: {error}{hint}", path.display()))
    })
}

fn utf8(bytes: Vec<u8>, what: &str) -> Result<String, Failure> {
    let mut code = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Failure::usage(format!("{what} is not UTF-8 (byte {at})"))
    })?;
    if code.starts_with('\u{feff}') {
        code.drain(..'\u{feff}'.len_utf8());
    }
    Ok(code)
}

fn text(word: OsString, what: &str) -> Result<String, Failure> {
    word.into_string()
        .map_err(|word| Failure::usage(format!("{what} is not UTF-8: {}", word.display())))
}

/// The language of a program that came without `-l`.
fn guess(source: &Source, code: &str) -> Result<Language, Failure> {
    if let Some(language) = interpreter_line(code) {
        return Ok(language);
    }
    let Source::File(path) = source else {
        return Ok(Language::Python);
    };
    let Some(ending) = path.extension() else {
        return Ok(Language::Python);
    };
    ending.to_string_lossy().parse().map_err(|_| {
        Failure::usage(format!(
            "cannot tell the language of {} from its ending; name it with -l ({})",
            path.display(),
            Language::ALL
                .iter()
                .map(|language| language.name())
                .collect::<Vec<_>>()
                .join(", ")
        ))
    })
}

/// The language of a `#!` line: `#!/usr/bin/env -S python3.11 -u` and the like.
fn interpreter_line(code: &str) -> Option<Language> {
    let words = code.lines().next()?.strip_prefix("#!")?.split_whitespace();
    words
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?
        .trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test that fails says so")]

    use super::*;

    fn file(path: &str, code: &str) -> Option<Language> {
        guess(&Source::File(path.into()), code).ok()
    }

    #[test]
    fn a_file_tells_its_language_by_its_first_line_then_by_its_ending() {
        assert_eq!(file("a.py", "print()"), Some(Language::Python));
        assert_eq!(file("a", "print()"), Some(Language::Python));
        assert_eq!(
            file("a.txt", "#!/usr/bin/env -S X=1 python3.11 -u\n"),
            Some(Language::Python)
        );
        assert_eq!(file("a.py", "#!/bin/cobol\n"), Some(Language::Python));
        assert_eq!(file("a.cob", "DISPLAY 'x'"), None);
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_the_program() {
        assert_eq!(utf8("\u{feff}x".into(), "x").unwrap(), "x");
        assert!(
            utf8(vec![0xff], "x")
                .unwrap_err()
                .message
                .contains("byte 0")
        );
    }
}
