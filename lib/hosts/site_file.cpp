#include "site_file.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <system_error>

namespace cubefold {

std::string site_hosts_file() {
  Dl_info library{};
  static const char in_this_library = 0;
  if (dladdr(&in_this_library, &library) == 0) return {};
  std::error_code error;
  const auto path = std::filesystem::canonical(library.dli_fname, error);
  if (error) return {};
  return (path.parent_path() / CUBEFOLD_SITE_HOSTS).lexically_normal();
}

}  // namespace cubefold
