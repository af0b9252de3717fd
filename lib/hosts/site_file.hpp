#pragma once

#include <string>

#include "cubefold/export.h"

namespace cubefold {

/// Returns the path of the host map that serves all jobs of a site. It is etc/cubefold/hosts.json, or what the build
/// names in its place, below the prefix of this library, which may have been moved since it was built. A static library
/// does not know its place, and uses the prefix of the build. Returns an empty text if the library is not found.
CUBEFOLD_API std::string site_hosts_file();

}  // namespace cubefold
