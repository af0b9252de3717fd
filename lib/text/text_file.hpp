#pragma once

#include <string>

#include "cubefold/export.h"

namespace cubefold {

/// Returns the content of a file. Throws std::system_error with the reason if it cannot be read.
CUBEFOLD_API std::string read_text_file(const std::string& file);

/// Replaces a file as a whole or makes it: the text goes to a temporary file first, whose name contains the host and
/// the process because several may write at once. So the file is never incomplete, and an old one stays if the disk is
/// full. Throws std::system_error with the reason if it cannot be written.
CUBEFOLD_API void replace_text_file(const std::string& file, const std::string& text);

}  // namespace cubefold
