"""pathlib, os.path, os, shutil, glob and tempfile on real files."""
import errno
import glob
import os
import shutil
import stat
import tempfile
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

p = PurePosixPath("/usr/local/../lib/python3.tar.gz")
print(p.parts, p.name, p.stem, p.suffix, p.suffixes, p.parent, list(map(str, p.parents))[:2], p.root, p.anchor, p.is_absolute(), p.as_uri())
print(PurePosixPath("a") / "b" / "../c", PurePosixPath("a", "/b", "c"), "x" / PurePosixPath("y"), p.with_name("n.txt"), p.with_suffix(".zip"), p.with_stem("other"), PurePosixPath("a/./b//c/"), PurePosixPath(""), PurePosixPath("a/b").joinpath("c", "d"))
print(PurePosixPath("/a/b/c").relative_to("/a"), PurePosixPath("/a/b").is_relative_to("/a"), PurePosixPath("a.py").match("*.py"), PurePosixPath("/x/a/b.py").match("a/*.py"), PurePosixPath("b") > PurePosixPath("a"), PurePosixPath("A") == PurePosixPath("a"), hash(PurePosixPath("x")) == hash(PurePosixPath("x")), len({PurePosixPath("a"), PurePosixPath("./a")}))
w = PureWindowsPath(r"C:\Users\me\file.TXT")
print(w.drive, w.parts, w.as_posix(), w == PureWindowsPath(r"c:\users\ME\FILE.txt"), w.suffix, PureWindowsPath("a/b"), PurePosixPath(".bashrc").suffix == "", PurePosixPath("..").name)
for bad in (lambda: PurePosixPath("/a").relative_to("/b"), lambda: PurePosixPath("").with_name("x"), lambda: PurePosixPath("a") / 5):
    try:
        bad()
    except (ValueError, TypeError) as error:
        print(type(error).__name__)
with tempfile.TemporaryDirectory() as folder:
    root = Path(folder)
    f = root / "dir" / "sub" / "file.txt"
    f.parent.mkdir(parents=True)
    print(f.write_text("line one\nline two é\n", encoding="utf-8"), f.read_text(encoding="utf-8").splitlines(), f.exists(), f.is_file(), f.parent.is_dir(), f.stat().st_size, stat.S_ISREG(f.stat().st_mode))
    (root / "data.bin").write_bytes(bytes(range(5)))
    print((root / "data.bin").read_bytes(), sorted(x.name for x in root.iterdir()), sorted(str(x.relative_to(root)) for x in root.rglob("*")), [x.name for x in root.glob("*.bin")], sorted(x.name for x in root.glob("**/*.txt")))
    f.parent.mkdir(exist_ok=True)
    for bad in (lambda: f.parent.mkdir(), lambda: (root / "none").read_text(), lambda: root.joinpath("dir").rmdir(), lambda: (root / "dir").read_text(), lambda: (root / "none").unlink(), lambda: (root / "data.bin" / "x").read_text(), lambda: os.listdir(root / "zzz"), lambda: os.mkdir(root / "p" / "q")):
        try:
            bad()
        except OSError as error:
            print(type(error).__name__, error.strerror)
    (root / "none").unlink(missing_ok=True)
    moved = f.rename(root / "moved.txt")
    print(moved.name, f.exists(), moved.replace(root / "again.txt").exists(), (root / "touched").touch() is None, (root / "touched").stat().st_size)
    with (root / "append.log").open("w") as out:
        out.write("first\n")
        print("second", file=out)
        out.writelines(["third\n"])
    with open(root / "append.log", "a") as out:
        print(out.tell(), out.write("fourth"), out.name.endswith("append.log"), out.mode, out.closed)
    with open(root / "append.log") as src:
        print(src.readline(), src.read(3), src.tell(), src.readlines(), src.read() == "", src.seek(0), next(src), src.closed)
    print(src.closed, [line.rstrip() for line in open(root / "append.log")])
    with open(root / "rw", "w+b") as both:
        both.write(b"0123456789")
        both.seek(-3, os.SEEK_END)
        print(both.read(), both.seek(2), both.write(b"XY"), both.tell(), both.truncate(6), both.seek(0), both.read())
    try:
        open(root / "rw", "x")
    except FileExistsError as error:
        print("exists", errno.errorcode[error.errno])
    try:
        with open(root / "rw") as r:
            r.write("no")
    except OSError as error:
        print(type(error).__name__)
    os.makedirs(root / "t" / "u" / "v")
    (root / "t" / "u" / "a.py").write_text("1")
    (root / "t" / "b.py").write_text("2")
    for base, dirs, files in os.walk(root / "t"):
        dirs.sort()
        print(os.path.relpath(base, root), dirs, sorted(files))
    print(sorted(e.name + "/" * e.is_dir() for e in os.scandir(root / "t")), sorted(os.path.basename(g) for g in glob.glob(str(root / "t" / "**" / "*.py"), recursive=True)), sorted(os.listdir(root / "t")))
    shutil.copy(root / "t" / "b.py", root / "t" / "c.py")
    shutil.copytree(root / "t", root / "copy")
    shutil.move(str(root / "copy" / "c.py"), str(root / "copy" / "d.py"))
    print(sorted(str(x.relative_to(root / "copy")) for x in (root / "copy").rglob("*.py")), shutil.rmtree(root / "t"), (root / "t").exists())
    here = os.getcwd()
    os.chdir(root)
    print(Path.cwd() == root.resolve(), Path("again.txt").exists(), Path("again.txt").resolve() == root.resolve() / "again.txt", os.path.isabs("again.txt"))
    os.chdir(here)
    with tempfile.NamedTemporaryFile("w+", dir=root, suffix=".tmp", delete=False) as named:
        named.write("temp")
    print(Path(named.name).read_text(), named.name.endswith(".tmp"))
    with tempfile.TemporaryFile() as anonymous:
        anonymous.write(b"anon")
        anonymous.seek(0)
        print(anonymous.read())
    os.utime(root / "again.txt", (1000000000, 1000000000))
    print(int(os.path.getmtime(root / "again.txt")), os.path.getsize(root / "again.txt"), os.access(root / "again.txt", os.R_OK))
print(root.exists())
print(os.path.join("a", "b", "/c", "d"), os.path.split("/a/b.txt"), os.path.splitext("a.tar.gz"), os.path.normpath("a//b/../c/."), os.path.dirname("/a/b"), os.path.basename("/a/b/"), os.path.commonpath(["/a/b/c", "/a/b/d"]), os.path.commonprefix(["abc", "abd"]), os.sep, os.linesep == "\n", os.path.isabs("/x"), os.path.relpath("/a/b", "/a/c"), repr(os.pardir), os.fspath(PurePath("x")), os.path.expandvars("$NOPE/x"))
os.environ["NEW_VARIABLE"] = "set"
print(os.environ["NEW_VARIABLE"], os.getenv("NOT_THERE", "default"), os.path.expandvars("${NEW_VARIABLE}!"), "NEW_VARIABLE" in os.environ)
del os.environ["NEW_VARIABLE"]
r, fnm = os.path.isfile("/nonexistent"), __import__("fnmatch")
print(r, fnm.fnmatch("a.py", "*.py"), fnm.filter(["a", "b1", "b2"], "b?"), fnm.translate("*.txt") != "", fnm.fnmatchcase("A", "a"))
