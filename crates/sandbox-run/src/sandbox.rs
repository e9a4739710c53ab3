//! From flags to a policy and an engine: what `repl` and programs share.

use crate::args::SandboxArgs;
use crate::report::{self, Failure};
use sandbox_engine::{Engine, Policy};
use std::fs;
use std::path::Path;

/// The engine with its default guests and cache folder. Long steps are told on standard error.
pub fn engine() -> Result<Engine, Failure> {
    Ok(Engine::builder()
        .on_notice(|text| report::note(text))
        .build()?)
}

impl SandboxArgs {
    /// The policy that the flags describe: a preset or a file, and what overrides it.
    pub fn policy(&self) -> Result<Policy, Failure> {
        let mut policy = match &self.policy {
            Some(name) => named(name)?,
            None => Policy::default(),
        };
        let limits = &mut policy.limits;
        if let Some(wall) = self.timeout {
            limits.wall = wall;
        }
        if let Some(fuel) = self.fuel {
            limits.fuel = Some(fuel);
        }
        if let Some(memory) = self.memory {
            limits.memory = memory;
        }
        if let Some(output) = self.max_output {
            limits.output = output;
        }
        if let Some(workdir) = &self.workdir {
            policy.workdir.clone_from(workdir);
        }
        policy.mounts.extend_from_slice(&self.mount);
        policy.env.extend(self.env.iter().cloned());
        policy.check()?;
        for mount in &policy.mounts {
            if let Err(error) = fs::read_dir(&mount.host) {
                let host = mount.host.display();
                return Err(Failure::usage(format!("cannot mount {host}: {error}")));
            }
        }
        Ok(policy)
    }
}

/// A preset has precedence, so that no file in the current folder can take its place; `./NAME` names the file.
fn named(name: &str) -> Result<Policy, Failure> {
    if let Some(policy) = Policy::named(name)? {
        return Ok(policy);
    }
    let path = Path::new(name);
    match fs::read_to_string(path) {
        Ok(text) => Policy::from_toml(&text)
            .map_err(|error| Failure::usage(format!("{}: {error}", path.display()))),
        Err(error) => Err(Failure::usage(format!(
            "--policy {name}: no preset of this name, and as a file: {error}\nPresets: {}",
            Policy::preset_names().collect::<Vec<_>>().join(", ")
        ))),
    }
}
