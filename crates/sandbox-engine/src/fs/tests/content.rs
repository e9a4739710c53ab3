//! A file's bytes against the plainest model: a vector.

use super::super::content::Content;
use proptest::prelude::*;

const CHUNK: u64 = 64 << 10;

#[derive(Debug, Clone)]
enum Step {
    Write(u64, Vec<u8>),
    SetLen(u64),
    Read(u64, usize),
    Snapshot,
    Restore,
}

/// Places that lie around the ends of chunks.
fn offset() -> impl Strategy<Value = u64> {
    (0..4_u64, prop_oneof![Just(0), 0..300_u64, CHUNK - 3..CHUNK])
        .prop_map(|(chunk, rest)| chunk * CHUNK + rest)
}

fn data() -> impl Strategy<Value = Vec<u8>> {
    let len = prop_oneof![
        0..200_usize,
        (CHUNK as usize - 2)..(CHUNK as usize + 2),
        Just(3 * CHUNK as usize)
    ];
    (len, any::<u8>()).prop_map(|(len, first)| {
        (0..len)
            .map(|i| first.wrapping_add((i % 251) as u8))
            .collect()
    })
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        4 => (offset(), data()).prop_map(|(offset, data)| Step::Write(offset, data)),
        2 => offset().prop_map(Step::SetLen),
        3 => (offset(), 0..200_000_usize).prop_map(|(offset, len)| Step::Read(offset, len)),
        1 => Just(Step::Snapshot),
        1 => Just(Step::Restore),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn is_what_a_vector_would_be(steps in prop::collection::vec(step(), 1..30)) {
        let mut state = (Content::default(), Vec::new());
        let mut saved = state.clone();
        for step in steps {
            let (content, model) = &mut state;
            match step {
                Step::Write(_, data) if data.is_empty() => content.write(0, &data),
                Step::Write(offset, data) => {
                    content.write(offset, &data);
                    let (start, end) = (offset as usize, offset as usize + data.len());
                    model.resize(model.len().max(end), 0);
                    model[start..end].copy_from_slice(&data);
                }
                Step::SetLen(len) => {
                    content.set_len(len);
                    model.resize(len as usize, 0);
                }
                Step::Read(offset, len) => {
                    let mut buf = vec![0xaa; len];
                    let n = content.read(offset, &mut buf);
                    let start = model.len().min(offset as usize);
                    prop_assert!(buf[..n] == model[start..model.len().min(start + len)]);
                }
                Step::Snapshot => saved = state.clone(),
                Step::Restore => state = saved.clone(),
            }
            prop_assert_eq!(state.0.len(), state.1.len() as u64);
        }
        let mut all = vec![0xaa; state.1.len() + 1];
        prop_assert_eq!(state.0.read(0, &mut all), state.1.len());
        all.pop();
        prop_assert!(all == state.1);
    }
}

#[test]
fn holes_cost_nothing() {
    let mut content = Content::default();
    content.set_len(1 << 40);
    assert_eq!(content.held(), 0);
    content.write(10 * CHUNK + 5, b"x");
    assert!(content.held() < 1000, "{}", content.held());
    let mut buf = [1; 8];
    assert_eq!(content.read(10 * CHUNK, &mut buf), 8);
    assert_eq!(&buf, b"\0\0\0\0\0x\0\0");
}

#[test]
fn cutting_gives_memory_back() {
    let mut content = Content::default();
    content.write(0, &vec![1; 5 * CHUNK as usize]);
    assert!(content.held() >= 5 * CHUNK);
    content.set_len(10);
    assert!(content.held() < 1000, "{}", content.held());
    content.set_len(0);
    assert_eq!(content.held(), 0);
}

#[test]
fn many_small_writes_hold_little_more_than_one_large_write() {
    let mut content = Content::default();
    for at in 0..3 * CHUNK {
        content.write(at, b"x");
    }
    assert!(content.held() <= 3 * CHUNK + 100, "{}", content.held());
}
