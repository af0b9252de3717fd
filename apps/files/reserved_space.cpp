#include "files/reserved_space.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <stdexcept>
#include <system_error>

#include "files/whole_file.hpp"

namespace cubefold::files {

ReservedSpace::ReservedSpace(const std::string& path, std::size_t bytes) {
  const WholeFile named(path);  // exists only while the file is opened
  file_ = open(WholeFile::temporary_name(path, named.number()).c_str(), O_WRONLY | O_CLOEXEC);
  const int error = file_ < 0 ? errno : posix_fallocate(file_, 0, static_cast<off_t>(bytes));
  if (error == 0) return;
  if (file_ >= 0) close(file_);
  throw std::runtime_error(
      fmt::format("{}: cannot write {} bytes: {}", path, bytes, std::generic_category().message(error)));
}

ReservedSpace::~ReservedSpace() {
  close(file_);
}

}  // namespace cubefold::files
