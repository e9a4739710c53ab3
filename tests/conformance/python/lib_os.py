"""os with paths of every kind, descriptors, times, environment and errors."""
import errno
import os
import stat
import sys
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for kind in (str, Path, os.fsencode):
        name = kind("file.txt")
        with open(name, "w") as f:
            f.write("hello")
        print(os.path.exists(name), os.access(name, os.F_OK | os.R_OK | os.W_OK), os.stat(name).st_size, os.path.getsize(name), os.path.isfile(name), os.path.isdir(name), os.path.islink(name))
        os.mkdir(kind("d"))
        os.rename(name, kind("d/moved"))
        print(os.listdir(kind("d")), sorted(e.name for e in os.scandir(kind("."))), os.path.basename(kind("a/b.c")), os.path.splitext(kind("b.tar.gz")))
        os.replace(kind("d/moved"), kind("x"))
        os.remove(kind("x"))
        os.rmdir(kind("d"))
        os.makedirs(kind("p/q/r"), exist_ok=True)
        print(sorted(os.walk(kind("p"))), os.path.normpath(kind("p/../q//r/.")))
        os.removedirs(kind("p/q/r"))
        os.utime(os.curdir)
        os.truncate(open(name, "wb").name, 10)
        print(os.stat(name).st_size, os.path.samefile(name, name), os.path.join(kind("a"), kind("b")), os.fspath(name) == (name if kind is not Path else str(name)))
        os.unlink(name)
    fd = os.open("raw", os.O_RDWR | os.O_CREAT | os.O_TRUNC, 0o644)
    print(os.write(fd, b"0123456789"), os.lseek(fd, 2, os.SEEK_SET), os.read(fd, 3), os.fstat(fd).st_size, os.ftruncate(fd, 6), os.lseek(fd, 0, os.SEEK_END), os.isatty(fd))
    with os.fdopen(fd, "r+b") as f:
        f.seek(0)
        print(f.read(), f.fileno() == fd)
    try:
        os.read(fd, 1)
    except OSError as error:
        print(errno.errorcode[error.errno])
    fd = os.open("raw", os.O_RDONLY)
    try:
        os.write(fd, b"x")
    except OSError as error:
        print(errno.errorcode[error.errno])
    os.close(fd)
    for action in (
        lambda: open("missing"), lambda: os.mkdir("raw"), lambda: os.rmdir("raw"), lambda: os.rmdir("missing"), lambda: os.listdir("raw"), lambda: os.remove("."), lambda: open("raw/x"), lambda: open("."), lambda: os.rename("missing", "y"), lambda: os.open("raw", os.O_WRONLY | os.O_CREAT | os.O_EXCL), lambda: os.stat(""), lambda: os.close(999), lambda: open("x" * 300, "w"), lambda: os.chdir("missing"), lambda: os.scandir("missing"), lambda: open("a\0b"), lambda: os.listdir(5.5),
    ):
        try:
            action()
            print("worked")
        except OSError as error:
            print(type(error).__name__, errno.errorcode[error.errno], error.filename is not None)
        except (ValueError, TypeError) as error:
            print(type(error).__name__)
    os.utime("raw", (1_000_000_000, 1_100_000_000.5))
    s = os.stat("raw")
    print(s.st_atime, s.st_mtime, s.st_mtime_ns, s[stat.ST_SIZE], stat.filemode(s.st_mode)[0], os.path.getmtime(Path("raw")))
    os.utime("raw", ns=(5, 6))
    print(os.stat("raw").st_mtime_ns)
    with os.scandir() as entries:
        print(sorted((e.name, e.is_file(), e.is_symlink(), e.path) for e in entries))
    print(sorted(os.listdir()), os.path.abspath("x") == os.path.join(os.getcwd(), "x"), os.path.expanduser("plain"), os.path.relpath("a/b", "a"))
    os.chdir("/")
print(os.name, os.sep, os.pathsep, os.extsep, os.devnull, os.curdir, os.linesep == "\n", os.getcwd())
os.environ["A_KEY"] = "välue"
print(os.environ["A_KEY"], os.getenv("A_KEY"), os.environ.pop("A_KEY"), os.getenv("A_KEY"), os.environ.get("A_KEY", 1), "A_KEY" in os.environ)
os.putenv("B", "1")
try:
    os.environ["x"] = 5
except TypeError:
    print("text only")
print(len(os.urandom(7)), os.cpu_count() is None or os.cpu_count() > 0, isinstance(os.getpid(), int), os.fsencode("é"), os.fsdecode(b"\xc3\xa9"), os.fspath(Path("a")), os.strerror(errno.ENOENT), os.path.supports_unicode_filenames in (True, False))
print(isinstance(sys.platform, str), os.path.splitdrive("/a"), os.path.commonpath([Path("/a/b"), Path("/a/c")]), os.path.ismount("/"))
print(issubclass(FileNotFoundError, OSError), OSError(errno.EEXIST, "x").__class__.__name__, OSError(errno.EACCES, "x").__class__.__name__, OSError(errno.EPIPE, "x").__class__.__name__, OSError("just text").errno)
