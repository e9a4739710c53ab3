//! Limits on files and descriptors: what is just within passes, what is just beyond is an ordinary error, and the session
//! goes on.

use sandbox_engine::{Policy, Size};
use sandbox_tests::Python;

/// A session with small limits, and functions that tell how an operation ends.
fn limited() -> Python {
    let mut policy = Policy::default();
    policy.limits.workspace = Size(1 << 20);
    policy.limits.file_size = Size(256 << 10);
    policy.limits.files = 50;
    policy.limits.descriptors = 16;
    policy.limits.path_depth = 10;
    let mut python = Python::with(&policy);
    python.ok("import errno, os, shutil
def attempt(function, *args):
    try:
        function(*args)
        return 'worked'
    except OSError as error:
        return errno.errorcode[error.errno]
def write(name, size):
    with open(name, 'wb', buffering=0) as file:
        rest = size
        while rest: rest -= file.write(bytes(rest))
def clear():
    for name in os.listdir():
        shutil.rmtree(name) if os.path.isdir(name) else os.remove(name)");
    python
}

#[test]
fn a_file_may_be_as_large_as_the_limit() {
    let mut python = limited();
    assert_eq!(python.value("attempt(write, 'a', 256 << 10)"), "'worked'");
    assert_eq!(
        python.value("attempt(write, 'b', (256 << 10) + 1)"),
        "'EFBIG'"
    );
    assert_eq!(
        python.value("attempt(os.truncate, 'a', (256 << 10) + 1)"),
        "'EFBIG'"
    );
    assert_eq!(
        python.value("os.stat('a').st_size, os.stat('b').st_size"),
        "(262144, 262144)"
    );
}

#[test]
fn all_files_together_may_be_as_large_as_the_workspace() {
    let mut python = limited();
    python.ok("for name in 'abcd': write(name, 256 << 10)");
    assert_eq!(python.value("attempt(write, 'e', 1)"), "'ENOSPC'");
    assert_eq!(python.value("attempt(os.truncate, 'e', 1)"), "'ENOSPC'");
    python.ok("os.remove('a')");
    assert_eq!(python.value("attempt(write, 'e', 256 << 10)"), "'worked'");
}

#[test]
fn there_may_be_as_many_names_as_the_limit() {
    let mut python = limited();
    python
        .ok("for n in range(48): write(f'f{n}', 0)\nos.mkdir('folder')\nos.symlink('f0', 'link')");
    for one_more in [
        "write, 'more', 0",
        "os.mkdir, 'more'",
        "os.symlink, 'f0', 'more'",
        "os.link, 'f0', 'more'",
    ] {
        assert_eq!(
            python.value(&format!("attempt({one_more})")),
            "'EDQUOT'",
            "{one_more}"
        );
    }
    python.ok("os.rename('f0', 'f47')\nwrite('more', 0)\nclear()\nwrite('again', 0)");
}

#[test]
fn as_many_files_may_be_open_as_there_are_descriptors() {
    let mut python = limited();
    python.ok("write('one', 1)\nhandles = []\ndef open_all():\n    while True: handles.append(open('one'))");
    assert_eq!(python.value("attempt(open_all)"), "'EMFILE'");
    // The standard streams and the way to the file system take some.
    assert_eq!(python.value("11 <= len(handles) < 16"), "True");
    assert_eq!(
        python.value("attempt(open, 'one'), attempt(os.listdir)"),
        "('EMFILE', 'EMFILE')"
    );
    python.ok("handles.pop().close()");
    assert_eq!(python.value("open('one').read()"), "'\\x00'");
}

#[test]
fn folders_are_only_as_deep_as_the_limit() {
    let mut python = limited();
    // `/mnt/data` is two of them.
    assert_eq!(
        python.value("attempt(os.makedirs, '/'.join('d' * 8))"),
        "'worked'"
    );
    assert_eq!(
        python.value("attempt(os.makedirs, '/'.join('d' * 9))"),
        "'ENAMETOOLONG'"
    );
    assert_eq!(
        python.value("attempt(write, '/'.join('d' * 8) + '/file', 1)"),
        "'worked'"
    );
}
