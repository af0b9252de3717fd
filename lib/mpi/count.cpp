#include "cubefold/mpi/count.hpp"

#include <fmt/format.h>

#include <limits>
#include <stdexcept>

namespace cubefold::mpi {

int message_bytes(std::size_t count, std::size_t bytes_each) {
  constexpr std::size_t limit = std::numeric_limits<int>::max();
  if (bytes_each != 0 && count > limit / bytes_each) {
    throw std::invalid_argument(
        fmt::format("a message of {} x {} bytes is above the limit of {} bytes", count, bytes_each, limit));
  }
  return static_cast<int>(count * bytes_each);
}

}  // namespace cubefold::mpi
