//! What to do by hand, on each kind of system.

use std::env;
use std::fs;

use super::TARGET;

/// Kinds of systems that differ in how the target is installed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum System {
    /// Debian itself, whose package names the fallback knows.
    Debian,
    /// Fedora and its relatives.
    Fedora,
    /// Arch Linux and its relatives.
    Arch,
    /// `NixOS`.
    Nix,
    /// macOS.
    Mac,
    /// Anything else.
    Other,
}

impl System {
    /// The system that this program runs on.
    pub fn detect() -> Self {
        if env::consts::OS == "macos" {
            return Self::Mac;
        }
        Self::from_os_release(&fs::read_to_string("/etc/os-release").unwrap_or_default())
    }

    fn from_os_release(text: &str) -> Self {
        let field = |name: &str| {
            text.lines()
                .find_map(|line| line.strip_prefix(name)?.strip_prefix('='))
                .unwrap_or_default()
                .trim_matches('"')
        };
        let id = field("ID");
        if id == "debian" {
            return Self::Debian;
        }
        [id].into_iter()
            .chain(field("ID_LIKE").split_whitespace())
            .find_map(|id| match id {
                "fedora" | "rhel" => Some(Self::Fedora),
                "arch" => Some(Self::Arch),
                "nixos" => Some(Self::Nix),
                _ => None,
            })
            .unwrap_or(Self::Other)
    }

    fn advice(self) -> String {
        let rustup = format!("rustup target add {TARGET}");
        match self {
            Self::Debian => format!(
                "On Debian, with rustup (https://rustup.rs):\n  {rustup}\n\
                 or, on Debian 12 without it:\n  cargo xtask setup --route debian"
            ),
            Self::Fedora => format!(
                "On Fedora, for its own Rust:\n  sudo dnf install rust-std-static-{TARGET}\n\
                 or, with rustup:\n  {rustup}"
            ),
            Self::Arch => format!(
                "On Arch Linux, for its own Rust:\n  sudo pacman -S rust-wasm lld\nor, with rustup:\n  {rustup}"
            ),
            Self::Nix => format!(
                "On NixOS, enter a shell with rustup and a C compiler:\n  nix-shell -p rustup gcc\n\
                 then:\n  rustup default stable\n  {rustup}"
            ),
            Self::Mac => format!(
                "On macOS, Homebrew's own Rust has no such target; use rustup:\n  brew install rustup\n  \
                 rustup default stable\n  {rustup}"
            ),
            Self::Other => {
                format!("Install Rust with rustup (https://rustup.rs), then:\n  {rustup}")
            }
        }
    }
}

/// The steps for the reader's system.
pub fn for_this_system() -> String {
    format!(
        "{}\nThen run the same command again.",
        System::detect().advice()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn systems_are_told_apart() {
        for (text, system) in [
            (
                "PRETTY_NAME=\"Debian GNU/Linux 12\"\nID=debian\n",
                System::Debian,
            ),
            ("ID=ubuntu\nID_LIKE=debian\n", System::Other),
            (
                "ID=\"rocky\"\nID_LIKE=\"rhel centos fedora\"\n",
                System::Fedora,
            ),
            ("ID=manjaro\nID_LIKE=arch\n", System::Arch),
            ("ID=nixos\n", System::Nix),
            ("", System::Other),
        ] {
            assert_eq!(System::from_os_release(text), system, "{text}");
        }
    }

    #[test]
    fn every_advice_names_the_target_or_its_package() {
        for system in [
            System::Debian,
            System::Fedora,
            System::Arch,
            System::Nix,
            System::Mac,
            System::Other,
        ] {
            assert!(system.advice().contains(TARGET), "{system:?}");
        }
    }
}
