#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <stdexcept>
#include <string>
#include <string_view>

namespace cubefold::fuzz {

/// A file in memory, for readers that take a path.
class TextInFile {
 public:
  explicit TextInFile(std::string_view text) : descriptor_(memfd_create("fuzz", MFD_CLOEXEC)) {
    if (descriptor_ < 0 || write(descriptor_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))
      throw std::logic_error("there is no file in memory");
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }
  TextInFile(const TextInFile&) = delete;
  TextInFile& operator=(const TextInFile&) = delete;
  ~TextInFile() { close(descriptor_); }

  const std::string& path() const { return path_; }

 private:
  int descriptor_;
  std::string path_;
};

}  // namespace cubefold::fuzz
