// This program sorts keys that are distributed over all processes. A bitonic sort is a CC-cube algorithm.
//
//     CUBEFOLD_GRID=torus:4x2 mpirun -n 8 bitonic_sort [KEYS A PROCESS] [PLACEMENT]

#include <mpi.h>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <optional>
#include <random>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cubefold/mpi/cc_cube_algorithm.hpp"

namespace {

using cubefold::StagePacket;
using Key = std::uint64_t;
using Keys = std::vector<Key>;

/// Returns the dimensions of all stages: 0; 1, 0; 2, 1, 0; ... Merge m makes sorted runs of 2^(m+1) ranks by
/// comparisons across the dimensions m .. 0.
std::vector<int> bitonic_order(int dimension_count) {
  std::vector<int> order;
  for (int merge = 0; merge < dimension_count; ++merge) {
    for (int dimension = merge; dimension >= 0; --dimension) order.push_back(dimension);
  }
  return order;
}

/// Returns the merge to which a stage belongs. Merge m has m + 1 stages.
unsigned merge_of(std::size_t stage) {
  unsigned merge = 0;
  while (stage > merge) stage -= ++merge;
  return merge;
}

/// Returns whether a rank keeps the smaller half in a stage. Runs of ranks whose bit m + 1 is 0 ascend in merge m.
bool keeps_smaller(std::uint32_t rank, const StagePacket& packet) {
  const bool ascends = (rank >> (merge_of(packet.stage) + 1) & 1U) == 0;
  const bool is_lower = (rank >> static_cast<unsigned>(packet.dimension) & 1U) == 0;
  return ascends == is_lower;
}

/// Merges two sorted sequences, and writes the first `count` keys to `kept`.
template <typename Iterator, typename Before>
void keep_first(Iterator ours, Iterator theirs, Iterator kept, std::size_t count, Before before) {
  for (std::size_t i = 0; i < count; ++i) *kept++ = before(*theirs, *ours) ? *theirs++ : *ours++;
}

/// Returns the smaller or the larger half of the keys of two sorted sequences of equal length. The result is sorted.
Keys half_of(Keys& ours, Keys& theirs, bool smaller) {
  Keys kept(ours.size());
  if (smaller) {
    keep_first(ours.begin(), theirs.begin(), kept.begin(), kept.size(), std::less<>());
  } else {
    keep_first(ours.rbegin(), theirs.rbegin(), kept.rbegin(), kept.size(), std::greater<>());
  }
  return kept;
}

/// Sorts the keys of all processes. Afterwards no key is above a key of the next rank. All processes must call this.
void bitonic_sort(const cubefold::mpi::VirtualComm& comm, Keys& keys) {
  const auto order = bitonic_order(std::countr_zero(comm.placement().rank_count()));
  const std::size_t bytes = keys.size() * sizeof(Key);
  cubefold::mpi::CcCubeAlgorithm algorithm(comm, order,
                                           {.packet_bytes = [=](const StagePacket&) { return bytes; }});
  std::sort(keys.begin(), keys.end());
  Keys theirs(keys.size());
  algorithm.run({
      .produce =
          [&](const StagePacket&, std::span<std::byte> packet) {
            std::ranges::copy(std::as_bytes(std::span(keys)), packet.begin());
          },
      .consume =
          [&](const StagePacket& packet, std::span<const std::byte> arrived) {
            std::ranges::copy(arrived, std::as_writable_bytes(std::span(theirs)).begin());
            keys = half_of(keys, theirs, keeps_smaller(label(comm.rank()), packet));
          },
  });
}

Keys random_keys(std::size_t count, std::uint32_t rank) {
  std::mt19937_64 random(1 + rank);
  Keys keys(count);
  for (Key& key : keys) key = random();
  return keys;
}

std::size_t parse_count(const std::string& text) {
  std::size_t count = 0;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, count);
  if (error != std::errc() || read != end) throw std::invalid_argument("'" + text + "' is no number of keys");
  return count;
}

/// Returns a checksum of the keys of all processes that does not depend on their order.
Key checksum(const Keys& keys, MPI_Comm comm) {
  Key sum = 0;
  for (const Key key : keys) sum += (key ^ key >> 31U) * 0x9e3779b97f4a7c15U;
  MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
  return sum;
}

/// Returns whether the keys of each process are sorted and begin where those of the previous rank end. All processes
/// must call this.
bool is_sorted(const Keys& keys, int rank, int rank_count, MPI_Comm comm) {
  Key before = 0;
  const Key last = keys.empty() ? 0 : keys.back();
  MPI_Sendrecv(&last, 1, MPI_UINT64_T, rank + 1 < rank_count ? rank + 1 : MPI_PROC_NULL, 0, &before, 1,
               MPI_UINT64_T, rank > 0 ? rank - 1 : MPI_PROC_NULL, 0, comm, MPI_STATUS_IGNORE);
  int sorted = std::is_sorted(keys.begin(), keys.end()) && (keys.empty() || before <= keys.front()) ? 1 : 0;
  MPI_Allreduce(MPI_IN_PLACE, &sorted, 1, MPI_INT, MPI_MIN, comm);
  return sorted != 0;
}

/// Returns the exit status: 0 if the keys are sorted, 1 if they are not.
int sort_and_check(std::size_t keys_a_process, const std::string& placement) {
  int process_count = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &process_count);
  const auto grid_of_environment = std::nullopt;
  const cubefold::mpi::VirtualComm comm(MPI_COMM_WORLD, grid_of_environment, placement);
  const int rank = static_cast<int>(label(comm.rank()));
  Keys keys = random_keys(keys_a_process, label(comm.rank()));
  const Key before = checksum(keys, comm.virtual_comm());

  MPI_Barrier(comm.virtual_comm());
  const double begin = MPI_Wtime();
  bitonic_sort(comm, keys);
  MPI_Barrier(comm.virtual_comm());
  const double seconds = MPI_Wtime() - begin;

  const bool same = checksum(keys, comm.virtual_comm()) == before;
  const bool sorted = is_sorted(keys, rank, process_count, comm.virtual_comm());
  if (rank == 0) {
    std::printf("%d x %zu keys in %.3f s: %s, %s\n", process_count, keys_a_process, seconds,
                sorted ? "sorted" : "NOT SORTED", same ? "all there" : "NOT THE SAME");
  }
  return sorted && same ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int status = 2;
  try {
    const std::size_t keys_a_process = argc > 1 ? parse_count(argv[1]) : std::size_t{1} << 20U;
    status = sort_and_check(keys_a_process, argc > 2 ? argv[2] : "standard");
  } catch (const std::exception& error) {  // the exception is the same on all processes
    int process = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &process);
    if (process == 0) std::fprintf(stderr, "bitonic_sort: %s\n", error.what());
  }
  MPI_Finalize();
  return status;
}
