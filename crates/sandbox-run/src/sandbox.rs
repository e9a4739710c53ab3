//! From flags to a policy and an engine: what `repl` and programs share.

use crate::args::{PolicyFlags, SandboxArgs};
use crate::report::{self, Failure};
use sandbox_engine::{Engine, Policy};
use std::fs;

/// The engine with its default guests and cache folder. Long steps are told on standard error.
pub fn engine() -> Result<Engine, Failure> {
    Ok(Engine::builder()
        .on_notice(|text| report::note(text))
        .build()?)
}

impl SandboxArgs {
    /// The policy that the flags describe: a preset or a file, and what overrides it.
    pub fn policy(&self) -> Result<Policy, Failure> {
        self.flags.over(self.policy.as_deref())
    }
}

impl PolicyFlags {
    /// A preset or a file, `default` where none is named, and over it what the flags say. Whoever types them owns the
    /// engine, so they may grant more than it does.
    pub fn over(&self, name: Option<&str>) -> Result<Policy, Failure> {
        let mut policy = match name {
            Some(name) => Policy::find(name)?,
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
