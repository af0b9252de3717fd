#include "cubefold/mpi/cc_cube_algorithm.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>

#include "agreement.hpp"
#include "cc_cube_run.hpp"
#include "comm_context.hpp"
#include "cubefold/mpi/error.hpp"
#include "leaked_memory.hpp"
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

/// Collective: runs an algorithm. After a failure of MPI the memory is not freed, because MPI may still use it.
void run_on_all(const CcCubeTerms& terms, std::unique_ptr<CcCubeMemory>& memory) {
  terms.context.throw_if_failed();
  CcCubeRun run(terms, *memory);
  try {
    terms.context.agree_on(run.run());
  } catch (...) {
    if (terms.context.has_failed()) leak_to_mpi(std::move(memory));
    throw;
  }
}

/// Collective: returns the packet sizes of the neighbours, which travel as the packets of an algorithm with the same
/// stages. Sizes that differ must be found before any packet is sent: if a large message is larger than its receiver
/// expects, Open MPI 4.1.4 writes past the end of the buffer.
std::vector<int> neighbours_bytes(const std::vector<int>& bytes, const std::vector<int>& dimensions,
                                  std::size_t packet_count, Rank rank, CommContext& context) {
  std::vector<int> theirs;
  std::vector<int> lengths;
  CcCubeOptions options;
  StageCallBacks call_backs;
  std::unique_ptr<CcCubeMemory> memory;
  agree_on_outcome(context.comm(), [&] {
    theirs.resize(bytes.size());
    options.packet_bytes = [packet_count](const StagePacket&) { return packet_count * sizeof(int); };
    lengths = fixed_bytes(dimensions, options);
    memory = std::make_unique<CcCubeMemory>(dimensions, 1, lengths);
    call_backs.produce = [&](const StagePacket& packet, std::span<std::byte> sent) {
      std::memcpy(sent.data(), &bytes[packet.stage * packet_count], sent.size());
    };
    call_backs.consume = [&](const StagePacket& packet, std::span<const std::byte> arrived) {
      std::memcpy(&theirs[packet.stage * packet_count], arrived.data(), arrived.size());
    };
  });
  run_on_all({context, rank, dimensions, options, lengths, call_backs}, memory);
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
    bytes_ = fixed_bytes(dimensions_, options_);
    memory_ = std::make_unique<CcCubeMemory>(dimensions_, options_.packet_count, bytes_);
    text = text_of(dimensions_, options_);
  });
  require_equal_everywhere(all, "CC-cube algorithm", text);
  if (!options_.packet_bytes) return;
  const auto theirs = neighbours_bytes(bytes_, dimensions_, options_.packet_count, rank_, *context_);
  agree_on_outcome(all, [&] { require_equal_bytes(bytes_, theirs, dimensions_, rank_); });
}

CcCubeAlgorithm::CcCubeAlgorithm(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm& CcCubeAlgorithm::operator=(CcCubeAlgorithm&&) noexcept = default;
CcCubeAlgorithm::~CcCubeAlgorithm() = default;

void CcCubeAlgorithm::run(const StageCallBacks& call_backs) {
  run_on_all({*context_, rank_, dimensions_, options_, bytes_, call_backs}, memory_);
}

}  // namespace cubefold::mpi
