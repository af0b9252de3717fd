#include "text_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <system_error>

namespace cubefold {

std::string read_text_file(const std::string& file) {
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  // A folder can be opened, but reading from it fails. An empty file has nothing to insert, which is no error.
  if (stream.is_open() && stream.peek() != std::ifstream::traits_type::eof()) text << stream.rdbuf();
  if (!stream.is_open() || stream.bad()) throw std::system_error(errno, std::generic_category());
  return text.str();
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
