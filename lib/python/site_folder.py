"""Prints the folder below a prefix in which Python looks for packages: `site_folder.py PREFIX`. If the interpreter has
no such folder below this prefix, it is the one that an interpreter of the prefix would have."""

import os
import site
import sys
import sysconfig

own = [os.path.relpath(folder, sys.argv[1]) for folder in site.getsitepackages()]
below = [folder for folder in own if not folder.startswith(os.pardir)]
usual = sysconfig.get_path("platlib", "posix_prefix", {"base": "/", "platbase": "/"})
print(min(below, key=len) if below else os.path.relpath(usual, "/"))
