"""Symbolic and hard links."""
import errno
import os
import stat
import tempfile
from pathlib import Path

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    Path("raw").write_text("012345")
    os.symlink("raw", "link")
    print(os.readlink("link"), os.path.islink("link"), os.lstat("link").st_size, os.path.realpath("link") == os.path.realpath("raw"), stat.S_ISLNK(os.lstat("link").st_mode), Path("link").resolve().name)
    os.symlink("nowhere", "dangling")
    print(os.path.exists("dangling"), os.path.lexists("dangling"), Path("dangling").is_symlink())
    os.symlink("loop", "loop")
    for action in (lambda: open("dangling"), lambda: open("loop"), lambda: os.readlink("raw"), lambda: os.symlink("x", "raw"), lambda: os.link("missing", "y")):
        try:
            print("worked", action())
        except OSError as error:
            print(type(error).__name__, errno.errorcode[error.errno])
    os.link("raw", "hard")
    print(os.stat("hard").st_nlink, os.path.samefile("raw", "hard"), os.stat("raw").st_ino == os.stat("hard").st_ino)
    os.unlink("raw")
    print(Path("hard").read_text(), os.stat("hard").st_nlink, os.path.exists("link"), sorted(os.listdir()))
    os.mkdir("d")
    os.symlink("d", "to_d", target_is_directory=True)
    Path("to_d/f").write_text("through")
    print(Path("d/f").read_text(), sorted(str(p) for p in Path().rglob("f")), os.path.isdir("to_d"))
    os.unlink("to_d")
    print(os.listdir("d"))
    os.chdir("/")

with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    for path in ("", "none", "."):
        print(repr(path), os.access(path, os.F_OK), os.access(path, os.R_OK))
        for operation in (open, os.listdir, os.stat):
            try:
                operation(path)
                print(operation.__name__, "ok")
            except OSError as error:
                print(operation.__name__, type(error).__name__, error.filename)
    open("file", "w").close()
    os.symlink("file", "link")
    print(os.access("link", os.W_OK), os.path.samefile("file", "link"))
    try:
        os.symlink("other", "link")
    except FileExistsError as error:
        print(error.filename, error.filename2)
    os.chdir("/")
