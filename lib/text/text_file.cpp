#include "text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace cubefold {

namespace {

[[noreturn]] void refuse_large_file() {
  throw std::system_error(std::make_error_code(std::errc::file_too_large));
}

}  // namespace

std::string read_text_file(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream.is_open()) throw std::system_error(errno, std::generic_category());
  std::error_code is_no_regular_file;
  const auto size = std::filesystem::file_size(file, is_no_regular_file);
  if (!is_no_regular_file && size > most_text_file_bytes) refuse_large_file();
  errno = 0;
  std::string text;
  std::array<char, 1 << 16> chunk{};
  // A folder can be opened, but reading from it fails. A device may have no end.
  while (stream.read(chunk.data(), chunk.size()) || stream.gcount() > 0) {
    text.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
    if (text.size() > most_text_file_bytes) refuse_large_file();
  }
  if (stream.bad()) throw std::system_error(errno, std::generic_category());
  return text;
}

void replace_text_file(const std::string& file, const std::string& text) {
  std::array<char, 256> host{};
  gethostname(host.data(), host.size() - 1);
  const std::string part = fmt::format("{}.{}.{}.part", file, host.data(), getpid());
  errno = 0;
  std::ofstream stream(part, std::ios::binary);
  stream << text;
  stream.close();
  if (stream && std::rename(part.c_str(), file.c_str()) == 0) return;
  const int error = errno;
  std::remove(part.c_str());
  throw std::system_error(error, std::generic_category());
}

}  // namespace cubefold
