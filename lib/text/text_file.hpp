#pragma once

#include <cstddef>
#include <string>

#include "cubefold/export.h"

namespace cubefold {

inline constexpr std::size_t most_text_file_bytes = std::size_t{1} << 30;

/// Returns the first bytes of a file, or all if it has at most `most_bytes`. Throws std::system_error with the reason
/// if it cannot be read.
std::string beginning_of_file(const std::string& file, std::size_t most_bytes);

/// Returns the content of a file. Throws std::system_error with the reason if it cannot be read or has more than
/// most_text_file_bytes. The limit also ends a device without an end, which a file from outside may name.
CUBEFOLD_API std::string read_text_file(const std::string& file);

/// Replaces a file as a whole or makes it, as WholeFile does: the file is never incomplete, and an old one stays if the
/// disk is full. What exists and is no regular file, such as a device or a named pipe, is written to and never
/// replaced. Throws std::system_error with the reason if it cannot be written.
CUBEFOLD_API void replace_text_file(const std::string& file, const std::string& text);

}  // namespace cubefold
