//! A table of numbered values that snapshots share.

use std::collections::BTreeMap;
use std::sync::Arc;

/// How many values one page holds: a change after a snapshot copies one page of pointers and one value.
const PAGE: usize = 32;

type Page<T> = [Option<Arc<T>>; PAGE];

/// Values by number. A clone costs one reference count; numbers are never used again.
#[derive(Debug)]
pub(super) struct Table<T> {
    pages: Arc<BTreeMap<u64, Arc<Page<T>>>>,
    next: u64,
}

impl<T> Clone for Table<T> {
    fn clone(&self) -> Self {
        Self {
            pages: Arc::clone(&self.pages),
            next: self.next,
        }
    }
}

impl<T: Clone> Table<T> {
    /// An empty table whose first number is `first`.
    pub(super) fn new(first: u64) -> Self {
        Self {
            pages: Arc::default(),
            next: first,
        }
    }

    /// Whether nothing was changed in either since the one was cloned from the other.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.pages, &other.pages)
    }

    pub(super) fn get(&self, number: u64) -> Option<&T> {
        let (page, slot) = split(number);
        self.pages.get(&page)?[slot].as_deref()
    }

    /// The value for a change. Copies what a snapshot shares.
    pub(super) fn get_mut(&mut self, number: u64) -> Option<&mut T> {
        let (page, slot) = split(number);
        let page = Arc::make_mut(&mut self.pages).get_mut(&page)?;
        Arc::make_mut(page)[slot].as_mut().map(Arc::make_mut)
    }

    pub(super) fn insert(&mut self, value: T) -> u64 {
        let number = self.next;
        self.next += 1;
        let (page, slot) = split(number);
        let page = Arc::make_mut(&mut self.pages)
            .entry(page)
            .or_insert_with(|| Arc::new([const { None }; PAGE]));
        Arc::make_mut(page)[slot] = Some(Arc::new(value));
        number
    }

    pub(super) fn remove(&mut self, number: u64) {
        let (index, slot) = split(number);
        let pages = Arc::make_mut(&mut self.pages);
        let Some(page) = pages.get_mut(&index) else {
            return;
        };
        let slots = Arc::make_mut(page);
        slots[slot] = None;
        if slots.iter().all(Option::is_none) {
            pages.remove(&index);
        }
    }
}

fn split(number: u64) -> (u64, usize) {
    (number / PAGE as u64, (number % PAGE as u64) as usize)
}
