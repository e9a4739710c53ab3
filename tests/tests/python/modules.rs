//! Importing: what is there, and what is said about what is not.

use sandbox_tests::Python;
use std::fs;
use std::path::Path;

/// Imports each public module of the standard library on its own and lists those that fail, with the reason.
const IMPORT_ALL: &str = r"
import importlib, sys, warnings
warnings.simplefilter('ignore')
skip = {'antigravity', 'this', '__main__'}
for name in sorted(sys.stdlib_module_names):
    if name.startswith('_') or name in skip:
        continue
    try:
        importlib.import_module(name)
    except BaseException as error:
        print(name)
";

#[test]
fn every_standard_module_imports_or_is_listed_as_missing() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/limitations.md");
    let page =
        fs::read_to_string(&page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let missing = Python::new().prints(IMPORT_ALL);
    let missing: Vec<_> = missing.lines().collect();
    let unlisted: Vec<_> = missing
        .iter()
        .filter(|name| !page.contains(&format!("`{name}`")))
        .collect();
    assert!(
        unlisted.is_empty(),
        "docs/limitations.md does not list {unlisted:?}"
    );
    assert!(missing.len() < 40, "a library with holes: {missing:?}");
}

#[test]
fn common_modules_import() {
    let names = "abc argparse array ast asyncio base64 binascii bisect calendar cmath codecs collections concurrent.futures configparser contextlib contextvars copy csv dataclasses datetime decimal difflib doctest email enum fnmatch fractions functools gc getpass glob graphlib gzip hashlib heapq hmac html html.parser http importlib inspect io ipaddress itertools json keyword linecache locale logging math mimetypes numbers operator os pathlib pickle pkgutil platform pprint queue random re reprlib secrets shlex shutil signal statistics stat string struct subprocess sys sysconfig tempfile textwrap threading time timeit tokenize tomllib traceback types typing unicodedata unittest unittest.mock urllib.parse uuid warnings weakref xml.etree.ElementTree zipfile zlib zoneinfo";
    let mut python = Python::new();
    for name in names.split(' ') {
        python.ok(&format!("import {name}"));
    }
}

#[test]
fn a_missing_package_is_explained() {
    let mut python = Python::new();
    for (name, hint) in [
        ("numpy", "statistics"),
        ("pandas", "csv"),
        ("requests", "network"),
        ("yaml", "json"),
        ("matplotlib", "SVG"),
        ("no_such_thing", "standard library"),
    ] {
        let result = python.run(&format!("import {name}"));
        let error = result.error.unwrap_or_else(|| panic!("{name} exists"));
        assert_eq!(error.name, "ModuleNotFoundError");
        assert!(error.message.contains(name), "{}", error.message);
        assert!(
            error.traceback.contains("nothing can be installed") && error.traceback.contains(hint),
            "{}",
            error.traceback
        );
    }
    let result = python.run("import jsn");
    assert!(
        result
            .error
            .is_some_and(|error| error.traceback.contains("'json'")),
        "the nearest name is offered"
    );
    let result = python.run("def f():\n    import numpy.linalg\nf()");
    assert!(
        result
            .error
            .is_some_and(|error| error.traceback.contains("numpy"))
    );
    let stderr = python.program("import numpy").stderr;
    assert!(
        stderr.text().contains("nothing can be installed"),
        "{}",
        stderr.text()
    );
}

#[test]
fn a_missing_package_can_be_caught() {
    assert_eq!(
        Python::new().value(
            "try:\n    import numpy\nexcept ImportError as error:\n    name = error.name\nname"
        ),
        "'numpy'"
    );
}

#[test]
fn files_of_the_workspace_can_be_imported() {
    let mut python = Python::new();
    python.ok("import os\nos.mkdir('package')\nopen('mine.py', 'w').write('value = 5\\ndef fail(): 1 / 0')\nopen('package/__init__.py', 'w').write('from . import inner')\nopen('package/inner.py', 'w').write('x = 6')");
    assert_eq!(
        python.value("import mine, package.inner\nmine.value, package.inner.x"),
        "(5, 6)"
    );
    let result = python.run("mine.fail()");
    let traceback = result
        .error
        .map(|error| error.traceback)
        .unwrap_or_default();
    assert!(
        traceback.contains("mine.py\", line 2") && traceback.contains("def fail(): 1 / 0"),
        "{traceback}"
    );
}
