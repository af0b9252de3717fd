#include "calibrate/copies.hpp"

#include <cstddef>
#include <cstring>
#include <vector>

#include "mpi/agreement.hpp"

namespace {

/// Blocks are copied from and to every second place, and the next time from and to the other places. Until a place is
/// used again, as many bytes are copied as caches hold.
constexpr std::size_t block_bytes = 16 << 10;
constexpr std::size_t area_bytes = 32 << 20;

void copy_blocks(std::vector<std::byte>& to, const std::vector<std::byte>& from, std::size_t first) {
  for (std::size_t place = first; place < area_bytes; place += 2 * block_bytes)
    std::memcpy(to.data() + place, from.data() + place, block_bytes);
}

}  // namespace

Estimate measured_copy(const Bench& bench) {
  std::vector<std::byte> from;
  std::vector<std::byte> to;
  cubefold::mpi::agree_on_outcome(bench.comm, [&] {
    from.resize(area_bytes);
    to.resize(area_bytes);
  });
  cubefold::timing::Times times;
  for (int i = 0; i < 2 * bench.effort.repetitions; ++i) {
    bench.progress.show("copies in memory");
    const std::size_t first = i % 2 == 0 ? 0 : block_bytes;
    const double seconds =
        cubefold::timing::time_of_slowest(bench.comm, [&] { copy_blocks(to, from, first); });
    times.seconds.push_back(seconds / (static_cast<double>(area_bytes) / 2));
  }
  return estimate_of(times);
}
