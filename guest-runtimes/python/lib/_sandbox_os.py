"""Functions of `os` that programs and the library expect of a Unix system, and clear words from those that cannot work.

WASI knows neither users nor permissions: a file that exists can be read, and whether it can be written to is
found out by opening it.
"""

import errno
import os
import posix
import stat

import _socket

_umask = 0o022


def access(path, mode, *, dir_fd=None, effective_ids=False, follow_symlinks=True):
    """Tells whether a path can be used: a file for writing if it can be opened for it, a folder for entering."""
    try:
        kind = stat.S_IFMT(os.stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks).st_mode)
        if mode & os.W_OK and kind == stat.S_IFREG:
            os.close(os.open(path, os.O_WRONLY, dir_fd=dir_fd))
    except (OSError, ValueError):
        return False
    return not mode & os.X_OK or kind == stat.S_IFDIR


def chmod(path, mode, *, dir_fd=None, follow_symlinks=True):
    """Changes nothing: there are no permissions. The path has to exist."""
    os.stat(path) if isinstance(path, int) else os.stat(path, dir_fd=dir_fd, follow_symlinks=follow_symlinks)


def fchmod(fd, mode):
    """Changes nothing: there are no permissions. The descriptor has to be open."""
    os.fstat(fd)


def umask(mask, /):
    """Sets the mask for permissions, which has no effect, and returns the one before."""
    global _umask
    before, _umask = _umask, mask & 0o777
    return before


def system(command):
    """Refuses: there is no shell."""
    raise OSError(errno.ENOSYS, "no other program can be started in this sandbox")


for _function in (access, chmod, fchmod, umask, system):
    _function.__module__ = "posix"
    for _module in (posix, os):
        setattr(_module, _function.__name__, _function)
    if _function.__name__ not in os.__all__:
        os.__all__.append(_function.__name__)


def _refuse_network(*args, **kwargs):
    raise OSError("there is no network in this sandbox")


for _name in ("getaddrinfo", "gethostbyname", "gethostbyname_ex", "gethostbyaddr", "getnameinfo"):
    setattr(_socket, _name, _refuse_network)
