//! A thread on the host's side swaps entries of a mount while a guest uses them: nothing outside is read or changed.

use super::*;
use std::os::unix::fs::symlink as host_symlink;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[test]
fn swapped_entries_do_not_lead_out() {
    let dir = tempfile::tempdir().unwrap();
    let (shown, outside) = (dir.path().join("shown"), dir.path().join("outside"));
    for folder in [&shown.join("folder"), &outside] {
        std::fs::create_dir_all(folder).unwrap();
    }
    std::fs::write(shown.join("folder/file"), "inside").unwrap();
    std::fs::write(shown.join("plain"), "inside").unwrap();
    std::fs::write(outside.join("file"), "marker").unwrap();
    host_symlink("../outside", shown.join("other_folder")).unwrap();
    host_symlink("../outside/file", shown.join("other_plain")).unwrap();

    let mount = Mount {
        host: shown.clone(),
        guest: "/m".to_owned(),
        writable: true,
        quota: None,
    };
    let mut fs = FileSystem::new(&Limits::default(), &[mount]).unwrap();
    let stop = AtomicBool::new(false);
    let mut reached = 0;
    std::thread::scope(|scope| {
        let swapper = scope.spawn(|| {
            while !stop.load(Ordering::Relaxed) {
                for name in ["folder", "plain"] {
                    swap(&shown.join(name), &shown.join(format!("other_{name}")));
                }
            }
        });
        let until = Instant::now() + Duration::from_millis(500);
        while Instant::now() < until {
            for path in ["/m/folder/file", "/m/plain"] {
                if let Ok(content) = get(&mut fs, path) {
                    reached += 1;
                    assert!(!content.starts_with(b"marker"), "{path}");
                }
            }
            let file = open(
                &mut fs,
                "/m/plain",
                OpenOptions {
                    write: true,
                    ..OpenOptions::default()
                },
            );
            if let Ok(file) = file {
                fs.write_at(&file, 0, b"inside", NOW).unwrap();
            }
            let _ = put(&mut fs, "/m/folder/new", b"inside");
            let _ = unlink(&mut fs, "/m/folder/new");
            let _ = mkdir(&mut fs, "/m/folder/newer");
            let _ = rmdir(&mut fs, "/m/folder/newer");
            let _ = rename(&mut fs, "/m/folder/file", "/m/folder/file");
            let _ = link(&mut fs, "/m/folder/file", "/m/stolen");
            if let Ok(content) = get(&mut fs, "/m/stolen") {
                assert!(!content.starts_with(b"marker"));
                let _ = unlink(&mut fs, "/m/stolen");
            }
            if let Ok(found) = names(&fs, "/m/folder") {
                assert!(!found.contains(&"marker".to_owned()));
            }
        }
        stop.store(true, Ordering::Relaxed);
        swapper.join().unwrap();
    });
    assert!(reached > 0, "the test saw nothing at all");
    assert_eq!(std::fs::read(outside.join("file")).unwrap(), b"marker");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
}

/// Exchanges two entries.
fn swap(a: &std::path::Path, b: &std::path::Path) {
    let between = a.with_extension("between");
    std::fs::rename(a, &between).unwrap();
    std::fs::rename(b, a).unwrap();
    std::fs::rename(&between, b).unwrap();
}
