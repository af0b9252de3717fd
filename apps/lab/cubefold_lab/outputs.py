"""Writes texts to standard output, directly to open files and to paths that are no regular files, or into a file
that appears whole. The C++ programs do the same in apps/files."""

import fcntl
import os
import secrets
import stat
import sys
import time

from .errors import LabError

# Shells and users give descriptors from 3 on to the processes that they start, and rarely many.
MOST_DESCRIPTORS = 256


def file_facts(version):
    """Returns the members with which the JSON files of all programs begin. SOURCE_DATE_EPOCH replaces the time."""
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or str(int(time.time()))
    if not (seconds.isascii() and seconds.isdigit()):
        raise LabError(f"SOURCE_DATE_EPOCH: '{seconds}' is not a number of seconds since 1970")
    return {"format_version": 1, "cubefold": version,
            "date": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(int(seconds)))}


def say(text):
    """Prints the text, and raises an error if it cannot be written."""
    try:
        sys.stdout.write(text)
        sys.stdout.flush()
    except OSError as error:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # Python flushes again when it ends
        raise LabError(f"cannot write to standard output: {error.strerror}") from None


def write_output(target, text):
    """Writes the text to standard output for `-`, and to a path otherwise."""
    if target == "-":
        say(text)
        return
    try:
        descriptor = _stream(target)
        if descriptor is None:
            write_whole(target, text)
            return
        sys.stdout.flush()
        with open(descriptor, "w") as stream:
            stream.write(text)
    except OSError as error:
        raise LabError(f"{target}: cannot write: {error.strerror}") from None


def write_whole(path, text):
    """Writes the file under a temporary name next to its own and renames it, through symbolic links."""
    path = os.path.realpath(path)
    part = f"{path}.{secrets.randbits(30)}.part"
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o666)
    try:
        with open(descriptor, "w") as file:
            file.write(text)
        os.replace(part, path)
    except BaseException:
        if os.path.exists(part):
            os.unlink(part)
        raise


def _stream(path):
    """Returns a descriptor for a target that is written directly. Returns None if a file is to appear there."""
    try:
        found = os.stat(path)
    except FileNotFoundError:
        return None
    for descriptor in range(sys.stdout.fileno(), MOST_DESCRIPTORS):
        if _writes_to(descriptor, found):
            return os.dup(descriptor)
    if not stat.S_ISREG(found.st_mode):
        return os.open(path, os.O_WRONLY | os.O_NOCTTY)
    if any(_is(f"/proc/{os.getppid()}/fd/{descriptor}", found) for descriptor in (1, 2)):
        raise LabError(f"{path}: the process that started this one writes to it; name another file, "
                       "or - for standard output")
    return None


def _writes_to(descriptor, found):
    try:
        mode = fcntl.fcntl(descriptor, fcntl.F_GETFL) & os.O_ACCMODE
        return mode != os.O_RDONLY and os.path.samestat(os.fstat(descriptor), found)
    except OSError:
        return False


def _is(path, found):
    try:
        return os.path.samestat(os.stat(path), found)
    except OSError:
        return False
