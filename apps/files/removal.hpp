#pragma once

#include <string>

namespace cubefold::files {

/// From now on a signal that ends this process removes the file first: Ctrl-C, SIGTERM from a launcher or a scheduler,
/// abort(), a crash. A name that nobody has any more does no harm, so nothing takes one back. SIGKILL cannot be caught:
/// where several processes share a file, each should call this, since a launcher sends SIGTERM ahead of SIGKILL.
void remove_at_signal(const std::string& path);

}  // namespace cubefold::files
