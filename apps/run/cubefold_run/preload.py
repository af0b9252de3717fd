"""The libraries that replace functions of MPI in processes of a program, and the programs that they cannot reach."""

import shutil
import struct

PT_INTERP = 3


def segment_types(image):
    """Returns the types of the segments of an ELF file, or None for any other file and for one that is cut off."""
    if image[:4] != b"\x7fELF" or len(image) < 64:
        return None
    order = "<" if image[5] == 1 else ">"
    is_64 = image[4] == 2
    (offset,) = struct.unpack_from(order + ("Q" if is_64 else "I"), image, 32 if is_64 else 28)
    size, count = struct.unpack_from(order + "HH", image, 54 if is_64 else 42)
    if offset + size * count > len(image):
        return None
    return [struct.unpack_from(order + "I", image, offset + size * i)[0] for i in range(count)]


def is_static(path):
    """Returns whether a program needs no dynamic linker, which alone loads preloaded libraries. Scripts and files that
    cannot be read count as programs that need it."""
    try:
        with open(path, "rb") as file:
            types = segment_types(file.read(1 << 16))
    except OSError:
        return False
    return types is not None and PT_INTERP not in types


def choose(library, program, environment):
    """Returns the value of LD_PRELOAD for the ranks, or None for a program that cannot be preloaded, and a remark or
    None."""
    if is_static(shutil.which(program) or program):
        return None, f"{program} is statically linked, so its calls of MPI are not seen"
    others = environment.get("LD_PRELOAD", "")
    if not others:
        return str(library), None
    return f"{library}:{others}", f"LD_PRELOAD is set already; {others} comes after cubefold's library"
