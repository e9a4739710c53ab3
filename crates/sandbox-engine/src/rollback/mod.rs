//! How a session gets back to where it was before a cell: a [snapshot](snapshot) of its memory, and a
//! [journal](journal) of what it did since.

pub(crate) mod journal;
pub(crate) mod pagemap;
pub(crate) mod snapshot;
