//! The engine: compiled guests, and the watchdog over all that run.

use crate::artifact::{Artifact, Cache, Manifest};
use crate::config::Metering;
use crate::error::{Error, Result};
use crate::guest::Guest;
use crate::language::Language;
use crate::policy::Policy;
use crate::session::{Session, SessionOptions, idle_host};
use crate::ticker::Ticker;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// Runs sessions. Cheap to clone; one for a process is enough.
///
/// Guests are loaded when the first session in their language starts. On a machine's first run that unpacks compiled
/// code into a cache folder; later runs map it from there.
///
/// ```no_run
/// use sandbox_engine::{Engine, Language, Policy};
///
/// let engine = Engine::new()?;
/// let mut session = engine.session(Language::Python, &Policy::default())?;
/// session.run_blocking("x = 6")?;
/// let result = session.run_blocking("x * 7")?;
/// assert_eq!(result.value.as_deref(), Some("42"));
/// # Ok::<(), sandbox_engine::Error>(())
/// ```
#[derive(Clone)]
pub struct Engine {
    inner: Arc<Inner>,
}

struct Inner {
    artifacts: BTreeMap<Language, Artifact>,
    cache: Option<Cache>,
    notice: Box<dyn Fn(&str) + Send + Sync>,
    ticker: OnceLock<Arc<Ticker>>,
    guests: Mutex<BTreeMap<(Language, bool), Arc<Guest>>>,
}

impl Engine {
    /// An engine with the guests of this build and the default cache folder.
    ///
    /// # Errors
    /// [`Error::Artifact`] where a guest of this build is damaged.
    pub fn new() -> Result<Self> {
        Self::builder().build()
    }

    /// An engine with other settings.
    pub fn builder() -> EngineBuilder {
        EngineBuilder {
            cache: None,
            guests: Vec::new(),
            notice: Box::new(|_| ()),
        }
    }

    /// The languages that this engine has guests for.
    pub fn languages(&self) -> Vec<Language> {
        self.inner.artifacts.keys().copied().collect()
    }

    /// What is known about a language's guest.
    ///
    /// # Errors
    /// [`Error::GuestMissing`], or [`Error::Artifact`] where it is damaged.
    pub fn manifest(&self, language: Language) -> Result<Manifest> {
        self.artifact(language)?.manifest()
    }

    /// The folder that compiled code is kept in.
    ///
    /// # Errors
    /// [`Error::InvalidArgument`] where there is no home folder and none was named.
    pub fn cache_folder(&self) -> Result<PathBuf> {
        Ok(self.cache()?.folder().to_owned())
    }

    /// Loads a guest now rather than with the first session.
    ///
    /// # Errors
    /// As [`Engine::session`].
    pub fn preload(&self, language: Language) -> Result<()> {
        let guest = self.guest(language, Metering::Epoch)?;
        guest.interrupt_at().map(|_| ())
    }

    /// A fresh session under a policy.
    ///
    /// # Errors
    /// [`Error::GuestMissing`], [`Error::Policy`] where the policy makes no sense or a mount cannot be opened,
    /// [`Error::Io`] where the cache folder cannot be used, [`Error::Watchdog`] where time limits do not work.
    pub fn session(&self, language: Language, policy: &Policy) -> Result<Session> {
        self.session_with(language, policy, SessionOptions::default())
    }

    /// A fresh session with arguments or standard input.
    ///
    /// # Errors
    /// As [`Engine::session`].
    pub fn session_with(
        &self,
        language: Language,
        policy: &Policy,
        options: SessionOptions,
    ) -> Result<Session> {
        policy.check()?;
        policy.check_language(language)?;
        let metering = if policy.limits.fuel.is_some() {
            Metering::Fuel
        } else {
            Metering::Epoch
        };
        let guest = self.guest(language, metering)?;
        Session::new(language, guest, self.ticker()?, policy, options)
    }

    fn artifact(&self, language: Language) -> Result<&Artifact> {
        self.inner
            .artifacts
            .get(&language)
            .ok_or(Error::GuestMissing { language })
    }

    fn cache(&self) -> Result<Cache> {
        match &self.inner.cache {
            Some(cache) => Ok(cache.clone()),
            None => Cache::default_folder().map(Cache::new),
        }
    }

    fn ticker(&self) -> Result<Arc<Ticker>> {
        if let Some(ticker) = self.inner.ticker.get() {
            return Ok(Arc::clone(ticker));
        }
        let started = Ticker::start()
            .map_err(|error| Error::Watchdog(format!("no thread for it: {error}")))?;
        Ok(Arc::clone(
            self.inner.ticker.get_or_init(|| Arc::new(started)),
        ))
    }

    fn guest(&self, language: Language, metering: Metering) -> Result<Arc<Guest>> {
        let artifact = self.artifact(language)?;
        // Held while loading, so that sessions which start at once load a guest only once.
        let mut guests = self
            .inner
            .guests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        let key = (language, metering == Metering::Fuel);
        if let Some(guest) = guests.get(&key).filter(|guest| !guest.has_failed()) {
            return Ok(Arc::clone(guest));
        }
        let ticker = self.ticker()?;
        let engine = Guest::new_engine(metering)?;
        let module = self
            .cache()?
            .load(&engine, artifact, metering, &*self.inner.notice)?;
        let guest = Arc::new(Guest::new(&module, metering, &ticker, idle_host()?)?);
        guests.insert(key, Arc::clone(&guest));
        Ok(guest)
    }
}

/// Settings of an [`Engine`].
pub struct EngineBuilder {
    cache: Option<Cache>,
    guests: Vec<PathBuf>,
    notice: Box<dyn Fn(&str) + Send + Sync>,
}

impl EngineBuilder {
    /// Where compiled code is kept. Default: `$SANDBOX_RUN_CACHE`, else `sandbox-run` in the user's cache folder. Nobody
    /// else may be able to write there, because what lies there is run.
    #[must_use]
    pub fn cache_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.cache = Some(Cache::new(folder.into()));
        self
    }

    /// Adds a guest from a folder as `cargo xtask guests` makes it. It takes the place of the build's own for its
    /// language. A guest is trusted like this program: what it says about itself is believed.
    #[must_use]
    pub fn guest(mut self, folder: impl Into<PathBuf>) -> Self {
        self.guests.push(folder.into());
        self
    }

    /// Is told what takes longer than a moment, such as compiling a guest.
    #[must_use]
    pub fn on_notice(mut self, notice: impl Fn(&str) + Send + Sync + 'static) -> Self {
        self.notice = Box::new(notice);
        self
    }

    /// The engine.
    ///
    /// # Errors
    /// [`Error::Artifact`] or [`Error::Io`] where a guest cannot be read.
    pub fn build(self) -> Result<Engine> {
        let named = self
            .guests
            .iter()
            .map(|folder| Artifact::from_folder(folder));
        let mut artifacts = BTreeMap::new();
        for artifact in Artifact::bundled().iter().cloned().map(Ok).chain(named) {
            let artifact = artifact?;
            artifacts.insert(artifact.manifest()?.language, artifact);
        }
        Ok(Engine {
            inner: Arc::new(Inner {
                artifacts,
                cache: self.cache,
                notice: self.notice,
                ticker: OnceLock::new(),
                guests: Mutex::default(),
            }),
        })
    }
}
