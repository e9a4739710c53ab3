//! What a result says about the files that a cell left behind.

use sandbox_engine::{FileChanges, Mount, Policy, Size, StateAfter};
use sandbox_tests::{Python, policy};
use std::time::Duration;

/// The three lists of paths, with `/mnt/data/` left out.
fn lists(changes: &FileChanges) -> [String; 3] {
    [&changes.created, &changes.changed, &changes.deleted]
        .map(|paths| paths.join(" ").replace("/mnt/data/", ""))
}

#[test]
fn a_cell_tells_which_files_it_created_changed_and_deleted() {
    let mut python = Python::new();
    python.session.put("given.txt", b"from the host").unwrap();
    for (code, expected) in [
        ("open('given.txt').read()", ["", "", ""]),
        (
            "open('a', 'w').write('1'); open('b', 'w').write('2')",
            ["a b", "", ""],
        ),
        ("open('a', 'a').write('more')", ["", "a", ""]),
        ("open('a', 'w').write('1more')", ["", "a", ""]),
        ("import os; os.remove('b')", ["", "", "b"]),
        ("os.rename('a', 'c')", ["c", "", "a"]),
        (
            "os.makedirs('d/e'); os.rename('c', 'd/e/c')",
            ["d/e/c", "", "c"],
        ),
        ("import shutil; shutil.rmtree('d')", ["", "", "d/e/c"]),
        ("open('x', 'w').close(); os.remove('x')", ["", "", ""]),
        (
            "open('/tmp/t', 'wb').write(bytes(200_000))",
            ["/tmp/t", "", ""],
        ),
        (
            "f = open('/tmp/t', 'r+b'); f.seek(150_000); f.write(b'!'); f.close()",
            ["", "/tmp/t", ""],
        ),
        (
            "os.utime('/tmp/t', (1, 1)); os.mkdir('empty')",
            ["", "", ""],
        ),
        (
            "os.remove('given.txt'); os.mkdir('given.txt'); open('given.txt/in', 'w').close()",
            ["given.txt/in", "", "given.txt"],
        ),
        ("1 / len([])", ["", "", ""]),
    ] {
        let result = python.run(code);
        assert_eq!(lists(&result.files), expected, "{code}");
        assert_eq!(result.files.omitted, 0);
    }
}

#[test]
fn archives_go_in_and_out_between_cells() {
    let mut python = Python::with(&sandbox_tests::within(Duration::from_millis(200)));
    python.ok(
        "import os, tarfile\nos.makedirs('a/b'); open('a/b/\u{fc}', 'w').write('text'); os.utime('a/b/\u{fc}', (1.5, 1.5))\n\
         link = tarfile.TarInfo('a/l'); link.type = tarfile.SYMTYPE; link.linkname = 'b/\u{fc}'\n\
         with tarfile.open('a.tar', 'w') as t: t.add('a'); t.addfile(link)",
    );
    // What the guest packed, the host unpacks, and the other way round.
    let archive = python.session.get("a.tar").unwrap();
    let unpacked = python.session.put_tar("x", &archive[..]).unwrap();
    assert_eq!(
        (unpacked.files, unpacked.folders, unpacked.links),
        (1, 2, 1)
    );
    python.ok("assert os.stat('x/a/l').st_mtime == 1.5 and open('x/a/l').read() == 'text'");
    let mut archive = Vec::new();
    python.session.get_tar("x", &mut archive).unwrap();
    python.session.put("y.tar", &archive).unwrap();
    python.ok("t = tarfile.open('y.tar'); print([(m.name, m.size, m.mtime) for m in t])");
    // A cell that is undone takes nothing of it back.
    python.run("os.remove('x/a/l')\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass");
    python.ok("assert open('x/a/l').read() == 'text'");
    let error = python.session.put_tar("x", &archive[..1000]).unwrap_err();
    assert!(
        matches!(error, sandbox_engine::Error::Archive { .. }),
        "{error:?}"
    );
}

#[test]
fn a_cell_that_fails_tells_of_its_files_and_one_that_is_undone_has_none() {
    let mut python = Python::with(&sandbox_tests::within(Duration::from_millis(200)));
    let result = python.run("open('a', 'w').write('1'); 1 / 0");
    assert_eq!(lists(&result.files), ["a", "", ""]);
    let result = python.run(
        "open('b', 'w').write('1')\nwhile True:\n    try:\n        while True: pass\n    except BaseException: pass",
    );
    assert_eq!(result.state, StateAfter::RolledBack);
    assert!(result.files.is_empty(), "{:?}", result.files);
}

#[test]
fn many_files_are_counted_and_those_in_mounts_are_not() {
    let folder = tempfile::tempdir().unwrap();
    let mut mounted = Policy::default();
    mounted.mounts.push(Mount {
        host: folder.path().to_owned(),
        guest: "/mnt/out".to_owned(),
        writable: true,
        quota: None,
    });
    let mut python = Python::with(&mounted);
    let result = python.ok("open('/mnt/out/there', 'w').write('1')");
    assert!(result.files.is_empty(), "{:?}", result.files);

    let mut python = Python::with(&policy(|_| ()));
    let result = python.ok("for n in range(1200): open(f'f{n:04}', 'w').close()");
    assert_eq!(
        (result.files.created.len(), result.files.omitted),
        (1000, 200)
    );
    let result = python.ok("import os\nfor n in range(1200): os.remove(f'f{n:04}')");
    assert_eq!(
        (result.files.deleted.len(), result.files.omitted),
        (1000, 200)
    );
}

#[test]
fn files_from_outside_count_towards_the_memory_of_their_session() {
    let mut policy = Policy::default();
    policy.limits.memory = Size(96 << 20);
    policy.limits.workspace = Size(1 << 30);
    policy.limits.file_size = Size(1 << 30);
    let mut python = Python::with(&policy);
    python.ok("kept = 1");
    let half = vec![1; 16 << 20];
    let put = (0..9)
        .take_while(|n| python.session.put(&format!("file{n}"), &half).is_ok())
        .count();
    assert!((1..6).contains(&put), "{put} files of 16 MiB");
    // What did not fit left nothing behind, and what was removed makes room again.
    assert_eq!(
        python.value("len(__import__('os').listdir())"),
        put.to_string()
    );
    python
        .session
        .remove("file0")
        .unwrap_or_else(|error| panic!("{error}"));
    python
        .session
        .put("again", &half)
        .unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(python.value("kept"), "1");
}
