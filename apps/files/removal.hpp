#pragma once

#include <string>

namespace cubefold::files {

/// Removes the file when a signal ends this process: Ctrl-C, SIGTERM from a launcher or a scheduler, abort(), or a
/// crash. The removal cannot be cancelled, because removing a name that no longer exists does no harm. SIGKILL cannot
/// be caught. If several processes share a file, each should call this, since a launcher sends SIGTERM before SIGKILL.
void remove_at_signal(const std::string& path);

}  // namespace cubefold::files
