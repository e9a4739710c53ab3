//! Runs the fuzz targets: `--seconds N` for each of them, `--target NAME` for one, `--seed N` for one input.

#[path = "../fuzz/mod.rs"]
mod fuzz;

use fuzz::Extent;
use std::process::ExitCode;
use std::time::Duration;

/// A target's name, and what runs it.
type Target = (&'static str, fn(Extent));

const TARGETS: &[Target] = &[
    #[cfg(unix)]
    ("guests", fuzz::guests::fuzz),
    ("policies", fuzz::policies::fuzz),
];

fn main() -> ExitCode {
    let mut extent = Extent::For(Duration::from_secs(10));
    let mut wanted = None;
    let mut arguments = std::env::args().skip(1);
    while let Some(option) = arguments.next() {
        let value = arguments.next().unwrap_or_default();
        let digits = value.trim_start_matches("0x");
        let understood = match option.as_str() {
            "--seconds" => value
                .parse()
                .map(|seconds| extent = Extent::For(Duration::from_secs(seconds)))
                .is_ok(),
            "--seed" => u64::from_str_radix(digits, 16)
                .map(|seed| extent = Extent::Seed(seed))
                .is_ok(),
            "--target" => {
                wanted = Some(value.clone());
                TARGETS.iter().any(|(name, _)| *name == value)
            }
            _ => false,
        };
        if !understood {
            eprintln!(
                "usage: fuzz [--seconds N] [--seed HEX] [--target guests|policies], not {option} {value}"
            );
            return ExitCode::from(2);
        }
    }
    for (name, target) in TARGETS {
        if wanted.as_deref().is_none_or(|wanted| wanted == *name) {
            println!("{name}:");
            target(extent);
        }
    }
    ExitCode::SUCCESS
}
