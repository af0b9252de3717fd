#include "cubefold/mpi/cc_cube_algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "agreement.hpp"
#include "cc_cube_run.hpp"
#include "cubefold/mpi/error.hpp"
#include "packet_swap.hpp"

namespace cubefold::mpi {

namespace {

void require_dimensions(const std::vector<int>& dimensions, int dimension_count) {
  for (std::size_t stage = 0; stage < dimensions.size(); ++stage) {
    if (dimensions[stage] >= 0 && dimensions[stage] < dimension_count) continue;
    throw std::invalid_argument(
        fmt::format("stage {}: dimension {} is not in 0 .. d - 1 of a hypercube with d = {}", stage,
                    dimensions[stage], dimension_count));
  }
}

std::string text_of(const std::vector<int>& dimensions, const CcCubeOptions& options) {
  return fmt::format("dimensions {}; packets {}; payload {}", fmt::join(dimensions, " "),
                     options.packet_count, options.packet_bytes ? "fixed" : "varying");
}

std::vector<int> fixed_bytes(const std::vector<int>& dimensions, const CcCubeOptions& options) {
  std::vector<int> bytes;
  if (!options.packet_bytes) return bytes;
  bytes.reserve(dimensions.size() * options.packet_count);
  for (std::size_t stage = 0; stage < dimensions.size(); ++stage) {
    for (std::size_t index = 0; index < options.packet_count; ++index) {
      const StagePacket packet{stage, dimensions[stage], index, options.packet_count};
      bytes.push_back(message_bytes(options.packet_bytes(packet), 1));
    }
  }
  return bytes;
}

/// Fetches the packet sizes of the neighbours. Sizes that differ must be found before any packet is sent: if a large
/// message is larger than its receiver expects, Open MPI 4.1.4 writes past the end of the buffer.
void fetch_neighbours_bytes(const std::vector<int>& bytes, std::vector<int>& theirs,
                            const std::vector<int>& dimensions, Rank rank, MPI_Comm comm) {
  const std::size_t packet_count = dimensions.empty() ? 0 : bytes.size() / dimensions.size();
  for (std::size_t stage = 0; stage < dimensions.size(); ++stage) {
    const int peer = static_cast<int>(label(neighbour(rank, dimensions[stage])));
    const int count = message_bytes(packet_count, 1);
    check(MPI_Sendrecv(&bytes[stage * packet_count], count, MPI_INT, peer, 0, &theirs[stage * packet_count],
                       count, MPI_INT, peer, 0, comm, MPI_STATUS_IGNORE),
          "MPI_Sendrecv");
  }
}

void require_equal_bytes(const std::vector<int>& ours, const std::vector<int>& theirs,
                         const std::vector<int>& dimensions, Rank rank) {
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (ours[i] == theirs[i]) continue;
    const std::size_t packet_count = ours.size() / dimensions.size();
    const std::size_t stage = i / packet_count;
    throw std::invalid_argument(fmt::format(
        "stage {}: packet {} has {} bytes on rank {} and {} on rank {}, its neighbour in dimension {}", stage,
        i % packet_count, ours[i], label(rank), theirs[i], label(neighbour(rank, dimensions[stage])),
        dimensions[stage]));
  }
}

}  // namespace

CcCubeAlgorithm::CcCubeAlgorithm(const VirtualComm& comm, std::vector<int> dimensions, CcCubeOptions options)
    : comm_(OwnedComm::duplicate(comm.virtual_comm())),
      rank_(comm.rank()),
      dimensions_(std::move(dimensions)),
      options_(std::move(options)) {
  std::string text;
  std::vector<int> theirs;
  collective_try(comm_.get(), [&] {
    require_dimensions(dimensions_, dimension_count(comm.placement()));
    iteration_count(dimensions_.size(), options_.packet_count);
    bytes_ = fixed_bytes(dimensions_, options_);
    memory_ = std::make_unique<CcCubeMemory>(dimensions_, options_.packet_count, bytes_);
    text = text_of(dimensions_, options_);
    theirs.resize(bytes_.size());
  });
  require_equal_everywhere(comm_.get(), "CC-cube algorithm", text);
  if (!options_.packet_bytes) return;
  fetch_neighbours_bytes(bytes_, theirs, dimensions_, rank_, comm_.get());
  collective_try(comm_.get(), [&] { require_equal_bytes(bytes_, theirs, dimensions_, rank_); });
}

CcCubeAlgorithm::CcCubeAlgorithm(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm& CcCubeAlgorithm::operator=(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm::~CcCubeAlgorithm() = default;

void CcCubeAlgorithm::run(const StageCallBacks& call_backs) {
  CcCubeRun run({comm_.get(), rank_, dimensions_, options_, bytes_, call_backs}, *memory_);
  agree(comm_.get(), run.run());
}

}  // namespace cubefold::mpi
