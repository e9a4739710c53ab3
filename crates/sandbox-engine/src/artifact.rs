//! Guests as files: what is embedded, what a manifest says, and how compiled code is cached on disk.

use crate::config::{Metering, Processor, config};
use crate::error::{Error, Result};
use crate::language::Language;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// A guest as the build tool leaves it.
#[derive(Clone)]
pub(crate) struct Artifact {
    manifest: Cow<'static, str>,
    /// The pre-initialised module, compressed with the compiled code as a prefix where there is one: both hold the
    /// interpreter's memory.
    wasm: Cow<'static, [u8]>,
    /// The same compiled for [`Metering::Epoch`], compressed.
    epoch: Option<Cow<'static, [u8]>>,
}

/// What the build tool says about a guest.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Manifest {
    /// The language it speaks.
    pub language: Language,
    /// The version of the interface between host and guest.
    pub abi: u32,
    /// The interpreter's name and version.
    pub interpreter: String,
    /// SHA-256 of the module, in hexadecimal.
    pub digest: String,
    /// Size of the module in bytes.
    pub wasm_size: u64,
    /// SHA-256 of the compiled code, in hexadecimal.
    pub epoch_digest: String,
    /// Size of the compiled code in bytes.
    pub epoch_size: u64,
    /// What the compiled code was made for.
    pub compatibility: String,
}

/// Sizes that no guest of ours comes near; a manifest that asks for more is damaged.
const MAX_SIZE: u64 = 1 << 30;

impl Artifact {
    /// The guests inside this build.
    pub(crate) fn bundled() -> &'static [Self] {
        BUNDLED
    }

    /// Reads a guest from a folder with `manifest.json`, `guest.wasm.zst` and `epoch.cwasm.zst`.
    pub(crate) fn from_folder(folder: &Path) -> Result<Self> {
        let read = |name: &str| {
            let path = folder.join(name);
            fs::read(&path).map_err(Error::io("cannot read", path))
        };
        let manifest = String::from_utf8(read("manifest.json")?)
            .map_err(|_| Error::Artifact("manifest.json is not text".to_owned()))?;
        let epoch = folder
            .join("epoch.cwasm.zst")
            .exists()
            .then(|| read("epoch.cwasm.zst"))
            .transpose()?;
        Ok(Self {
            manifest: Cow::Owned(manifest),
            wasm: Cow::Owned(read("guest.wasm.zst")?),
            epoch: epoch.map(Cow::Owned),
        })
    }

    pub(crate) fn manifest(&self) -> Result<Manifest> {
        let manifest: Manifest = serde_json::from_str(&self.manifest)
            .map_err(|error| Error::Artifact(format!("unreadable manifest: {error}")))?;
        if manifest.abi != sandbox_abi::ABI_VERSION {
            return Err(Error::Artifact(format!(
                "the {} guest speaks version {} of the interface, this engine version {}; run `cargo xtask guests` and build again",
                manifest.language,
                manifest.abi,
                sandbox_abi::ABI_VERSION
            )));
        }
        if manifest.wasm_size > MAX_SIZE || manifest.epoch_size > MAX_SIZE {
            return Err(Error::Artifact(
                "the manifest names an impossible size".to_owned(),
            ));
        }
        Ok(manifest)
    }
}

/// Tells the user what takes long.
pub(crate) type Notice<'a> = &'a dyn Fn(&str);

/// Where compiled code is kept.
#[derive(Debug, Clone)]
pub(crate) struct Cache {
    folder: PathBuf,
}

impl Cache {
    pub(crate) fn new(folder: PathBuf) -> Self {
        Self { folder }
    }

    /// `$SANDBOX_RUN_CACHE`, or `sandbox-run` in the user's cache folder.
    pub(crate) fn default_folder() -> Result<PathBuf> {
        use etcetera::BaseStrategy;
        if let Some(folder) =
            std::env::var_os("SANDBOX_RUN_CACHE").filter(|folder| !folder.is_empty())
        {
            return Ok(folder.into());
        }
        etcetera::choose_base_strategy().map(|base| base.cache_dir().join("sandbox-run")).map_err(|_| {
            Error::InvalidArgument(
                "there is no home folder to keep compiled code in; set SANDBOX_RUN_CACHE to a folder".to_owned(),
            )
        })
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// A module ready to be instantiated: from the cache, else unpacked, else compiled.
    pub(crate) fn load(
        &self,
        engine: &wasmtime::Engine,
        artifact: &Artifact,
        metering: Metering,
        notice: Notice<'_>,
    ) -> Result<wasmtime::Module> {
        let manifest = artifact.manifest()?;
        let path = self.path(&manifest, metering);
        if let Some(module) = open_stamped(engine, &path) {
            return Ok(module);
        }
        self.prepare_folder()?;
        let shipped = artifact
            .epoch
            .as_ref()
            .map(|packed| unpack(packed, &[], manifest.epoch_size, &manifest.epoch_digest))
            .transpose()?;
        if let (Metering::Epoch, Some(code)) = (metering, &shipped) {
            self.store(&path, code, Some(&manifest.epoch_digest))?;
            match open(engine, &path) {
                Ok(module) => return Ok(module),
                Err(error) => notice(&format!(
                    "the code that was shipped does not fit this machine ({error:#})"
                )),
            }
        }
        notice(&format!(
            "compiling the {} guest for this machine; this happens once and takes about 20 seconds",
            manifest.language
        ));
        let wasm = unpack(
            &artifact.wasm,
            shipped.as_deref().unwrap_or_default(),
            manifest.wasm_size,
            &manifest.digest,
        )?;
        let native = wasmtime::Engine::new(&config(metering, Processor::Native)?)?;
        self.store(&path, &native.precompile_module(&wasm)?, None)?;
        open(engine, &path).map_err(|error| Error::Artifact(format!("{error:#}")))
    }

    fn path(&self, manifest: &Manifest, metering: Metering) -> PathBuf {
        let key = Sha256::digest(format!(
            "{}/{}/{metering}",
            manifest.digest, manifest.compatibility
        ));
        self.folder.join(format!(
            "{}-{}-{}.cwasm",
            manifest.language,
            hex(&key[..8]),
            metering.name()
        ))
    }

    fn prepare_folder(&self) -> Result<()> {
        let mut builder = fs::DirBuilder::new();
        builder.recursive(true);
        #[cfg(unix)]
        std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
        builder
            .create(&self.folder)
            .map_err(Error::io("cannot create the cache folder", &self.folder))?;
        self.check_owner()
    }

    /// Compiled code is run as it is, so nobody else may be able to write to it.
    #[cfg(unix)]
    fn check_owner(&self) -> Result<()> {
        use std::os::unix::fs::MetadataExt;
        let metadata =
            fs::metadata(&self.folder).map_err(Error::io("cannot read", &self.folder))?;
        let user = rustix::process::geteuid().as_raw();
        if metadata.uid() != user || metadata.mode() & 0o022 != 0 {
            return Err(Error::InvalidArgument(format!(
                "the cache folder {} could be written by other users; make it yours alone, or set SANDBOX_RUN_CACHE to a folder that is",
                self.folder.display()
            )));
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn check_owner(&self) -> Result<()> {
        Ok(())
    }

    /// Writes a file whole or not at all, and its stamp. Processes that do so at once do not disturb each other.
    fn store(&self, path: &Path, code: &[u8], digest: Option<&str>) -> Result<()> {
        let wrong = || Error::io("cannot write to the cache", path);
        let mut file = tempfile::NamedTempFile::new_in(&self.folder).map_err(wrong())?;
        file.write_all(code).map_err(wrong())?;
        let file = file.persist(path).map_err(|error| wrong()(error.error))?;
        let stamp = Stamp {
            file: identity(&file).map_err(wrong())?,
            digest: digest.map_or_else(|| hex(&Sha256::digest(code)), str::to_owned),
        };
        stamp.write(path).map_err(wrong())
    }
}

/// What a cached file was when its content was last known to be good. A file that looks the same by number, size and
/// change time is taken to be the same; reading all of it at each start would take longer than the start.
#[derive(Serialize, Deserialize)]
struct Stamp {
    file: String,
    digest: String,
}

impl Stamp {
    fn path(of: &Path) -> PathBuf {
        of.with_extension("stamp")
    }

    fn read(of: &Path) -> Option<Self> {
        serde_json::from_slice(&fs::read(Self::path(of)).ok()?).ok()
    }

    fn write(&self, of: &Path) -> io::Result<()> {
        let path = Self::path(of);
        let mut file = tempfile::NamedTempFile::new_in(path.parent().unwrap_or(Path::new(".")))?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(&path).map_err(|error| error.error)?;
        Ok(())
    }
}

#[cfg(unix)]
fn identity(file: &File) -> io::Result<String> {
    use std::os::unix::fs::MetadataExt;
    let m = file.metadata()?;
    Ok(format!(
        "{}:{}:{}:{}.{}",
        m.dev(),
        m.ino(),
        m.size(),
        m.ctime(),
        m.ctime_nsec()
    ))
}

#[cfg(not(unix))]
fn identity(file: &File) -> io::Result<String> {
    let m = file.metadata()?;
    Ok(format!("{}:{:?}", m.len(), m.modified()?))
}

/// The module in a cached file that is known to be good, or turns out to be.
fn open_stamped(engine: &wasmtime::Engine, path: &Path) -> Option<wasmtime::Module> {
    let stamp = Stamp::read(path)?;
    let mut file = File::open(path).ok()?;
    let now = identity(&file).ok()?;
    if now != stamp.file {
        // Copied, restored or damaged: only its content can tell.
        let mut content = Vec::new();
        file.read_to_end(&mut content).ok()?;
        if hex(&Sha256::digest(&content)) != stamp.digest {
            return None;
        }
        // Where the stamp cannot be renewed, the next start looks again.
        let _ = Stamp {
            file: now,
            digest: stamp.digest,
        }
        .write(path);
    }
    open_file(engine, file).ok()
}

fn open(engine: &wasmtime::Engine, path: &Path) -> wasmtime::Result<wasmtime::Module> {
    open_file(engine, File::open(path)?)
}

#[expect(
    unsafe_code,
    reason = "mapping compiled code is unsafe: wasmtime cannot check it"
)]
fn open_file(engine: &wasmtime::Engine, file: File) -> wasmtime::Result<wasmtime::Module> {
    // SAFETY: the file holds code that this program made, or unpacked after checking its digest, in a folder that
    // belongs to the user alone; its stamp says that it was not changed since. wasmtime checks its own version,
    // settings and the processor. It is replaced by renaming only, so the mapping never changes under us.
    unsafe { wasmtime::Module::deserialize_open_file(engine, file) }
}

/// Window of the decompressor, as a power of two: a prefix and what comes after it have to fit.
const WINDOW: u32 = 31;

fn unpack(packed: &[u8], prefix: &[u8], size: u64, digest: &str) -> Result<Vec<u8>> {
    let damaged =
        || Error::Artifact("the embedded guest is damaged; get the program again".to_owned());
    let mut content = Vec::with_capacity(size as usize);
    zstd::Decoder::with_ref_prefix(packed, prefix)
        .and_then(|mut decoder| {
            decoder.window_log_max(WINDOW)?;
            decoder.take(size + 1).read_to_end(&mut content)
        })
        .map_err(|_| damaged())?;
    if content.len() as u64 != size || hex(&Sha256::digest(&content)) != digest {
        return Err(damaged());
    }
    Ok(content)
}

fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
