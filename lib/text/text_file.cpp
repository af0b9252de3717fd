#include "text_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "whole_file.hpp"

namespace cubefold {

namespace {

[[noreturn]] void refuse_large_file() {
  throw std::system_error(std::make_error_code(std::errc::file_too_large));
}

/// Writes to what the path names as it stands, such as a device or a named pipe.
void write_through(const std::string& path, const std::string& text) {
  const int descriptor = open(path.c_str(), O_WRONLY | O_NOCTTY | O_CLOEXEC);
  int error = descriptor < 0 ? errno : write_all(descriptor, text);
  if (descriptor >= 0 && close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0) throw std::system_error(error, std::generic_category());
}

}  // namespace

std::string beginning_of_file(const std::string& file, std::size_t most_bytes) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) throw std::system_error(errno, std::generic_category());
  errno = 0;
  std::string text;
  std::array<char, 1 << 16> chunk{};
  // A folder can be opened, but reading from it fails. A device may have no end.
  while (text.size() < most_bytes && (stream.read(chunk.data(), chunk.size()) || stream.gcount() > 0))
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  if (stream.bad()) throw std::system_error(errno, std::generic_category());
  text.resize(std::min(text.size(), most_bytes));
  return text;
}

std::string read_text_file(const std::string& file) {
  std::error_code is_no_regular_file;
  const auto size = std::filesystem::file_size(file, is_no_regular_file);
  if (!is_no_regular_file && size > most_text_file_bytes) refuse_large_file();
  std::string text = beginning_of_file(file, most_text_file_bytes + 1);
  if (text.size() > most_text_file_bytes) refuse_large_file();
  return text;
}

void replace_text_file(const std::string& file, const std::string& text) {
  struct stat found {};
  if (stat(file.c_str(), &found) == 0 && !S_ISREG(found.st_mode)) return write_through(file, text);
  WholeFile whole(file);
  whole.write(text);
  whole.commit();
}

}  // namespace cubefold
