#include "cubefold/mpi/cc_cube_algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <stdexcept>
#include <string>
#include <utility>

#include "agreement.hpp"
#include "cc_cube_run.hpp"
#include "cubefold/mpi/error.hpp"

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

/// Collective: returns the packet sizes of the neighbours. Sizes that differ must be found before any packet is sent:
/// if a large message is larger than its receiver expects, Open MPI 4.1.4 writes past the end of the buffer.
std::vector<int> neighbours_bytes(const std::vector<int>& bytes, const std::vector<int>& dimensions,
                                  Rank rank, CommContext& context) {
  std::vector<int> theirs;
  agree_on_outcome(context.comm(), [&] { theirs.resize(bytes.size()); });
  context.try_with_swaps([&] {
    const std::size_t count = bytes.size() / dimensions.size();
    for (std::size_t stage = 0; stage < dimensions.size(); ++stage) {
      context.swap(&bytes[stage * count], &theirs[stage * count], message_bytes(count, sizeof(int)),
                   static_cast<int>(label(neighbour(rank, dimensions[stage]))));
    }
  });
  return theirs;
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
    : context_(CommContext::on(comm.virtual_comm())),
      rank_(comm.rank()),
      dimensions_(std::move(dimensions)),
      options_(std::move(options)) {
  MPI_Comm all = context_->comm();
  std::string text;
  agree_on_outcome(all, [&] {
    require_dimensions(dimensions_, dimension_count(comm.placement()));
    iteration_count(dimensions_.size(), options_.packet_count);
    memory_ = std::make_unique<CcCubeMemory>(dimensions_, options_.packet_count,
                                             fixed_bytes(dimensions_, options_));
    text = text_of(dimensions_, options_);
  });
  require_equal_everywhere(all, "CC-cube algorithm", text);
  if (!options_.packet_bytes || dimensions_.empty()) return;
  const std::vector<int>& bytes = memory_->fixed_bytes;
  const auto theirs = neighbours_bytes(bytes, dimensions_, rank_, *context_);
  agree_on_outcome(all, [&] { require_equal_bytes(bytes, theirs, dimensions_, rank_); });
}

CcCubeAlgorithm::CcCubeAlgorithm(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm& CcCubeAlgorithm::operator=(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm::~CcCubeAlgorithm() = default;

// After a failure of MPI the memory is not freed, because MPI may still use it.
void CcCubeAlgorithm::run(const StageCallBacks& call_backs) {
  context_->throw_if_failed();
  CcCubeRun run(*this, call_backs, *memory_, context_->next_tags());
  context_->complete(run);
  try {
    context_->agree_on(run.own_failure());
  } catch (...) {
    if (context_->has_failed()) leak_to_mpi(std::move(memory_));
    throw;
  }
}

}  // namespace cubefold::mpi
