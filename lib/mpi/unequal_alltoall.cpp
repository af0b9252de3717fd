#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "agreement.hpp"
#include "alltoall_request.hpp"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

constexpr double most_above_mean = 4;

std::vector<std::uint64_t> sizes_of(const TypedBlocks& blocks) {
  std::vector<std::uint64_t> sizes;
  for (std::size_t block = 0; block < blocks.block_count(); ++block)
    sizes.push_back(blocks.block_bytes(block));
  return sizes;
}

/// The blocks that this process sends and receives.
struct Sides {
  std::optional<TypedBlocks> sent;  ///< empty if blocks are exchanged in place
  TypedBlocks received;

  const TypedBlocks& outgoing() const { return sent ? *sent : received; }
};

Sides sides_of(const AlltoallvBuffers& buffers, std::size_t own) {
  Sides sides{std::nullopt, TypedBlocks(buffers.receive, buffers.receive_counts,
                                        buffers.receive_displacements, buffers.receive_type)};
  if (buffers.send == MPI_IN_PLACE) return sides;
  sides.sent.emplace(buffers.send, buffers.send_counts, buffers.send_displacements, buffers.send_type);
  if (sides.sent->block_bytes(own) != sides.received.block_bytes(own)) {
    throw std::invalid_argument(fmt::format("the process has {} bytes for itself where it expects {}",
                                            sides.sent->block_bytes(own), sides.received.block_bytes(own)));
  }
  return sides;
}

/// Collective: every process tells every other one the size that it will send. All throw if a process expects another
/// size.
void require_matching(const Sides& sides, MPI_Comm comm) {
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> announced;
  collective_try(comm, [&] {
    sent = sizes_of(sides.outgoing());
    expected = sizes_of(sides.received);
    announced.resize(sent.size());
  });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, announced.data(), 1, MPI_UINT64_T, comm), "MPI_Alltoall");
  collective_try(comm, [&] {
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      if (announced[rank] == expected[rank]) continue;
      throw std::invalid_argument(fmt::format("block size '{}' differs from '{}' that process {} sends",
                                              expected[rank], announced[rank], rank));
    }
  });
}

/// Returns the sizes of this process alone.
UnequalSizes own_sizes(const Sides& sides, std::size_t own) {
  UnequalSizes sizes{0, 0, std::max(sides.outgoing().total_bytes(), sides.received.total_bytes())};
  const auto sent = sizes_of(sides.outgoing());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    if (rank == own) continue;
    sizes.largest_bytes = std::max(sizes.largest_bytes, sent[rank]);
    sizes.total_bytes += sent[rank];
  }
  return sizes;
}

/// Collective: returns the sizes over all processes, and replaces `seconds` by the largest of all processes, where
/// none is negative. If any process has a failure, all throw as agree() does. The two reductions run at the same time.
UnequalSizes agree_on_sizes(UnequalSizes sizes, double& seconds, const std::optional<Failure>& failure,
                            MPI_Comm comm) {
  // The bits of numbers that are not negative have the order of the numbers.
  std::array<std::uint64_t, 4> largest{sizes.largest_bytes, sizes.process_bytes, failure ? 1U : 0U,
                                       std::bit_cast<std::uint64_t>(seconds)};
  std::array<MPI_Request, 2> requests{};
  check(MPI_Iallreduce(MPI_IN_PLACE, largest.data(), static_cast<int>(largest.size()), MPI_UINT64_T, MPI_MAX,
                       comm, &requests[0]),
        "MPI_Iallreduce");
  check(MPI_Iallreduce(MPI_IN_PLACE, &sizes.total_bytes, 1, MPI_UINT64_T, MPI_SUM, comm, &requests[1]),
        "MPI_Iallreduce");
  check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  if (largest[2] != 0) agree(comm, failure);
  seconds = std::bit_cast<double>(largest[3]);
  return {largest[0], sizes.total_bytes, largest[1]};
}

/// A packed copy of blocks, with counts and displacements in bytes.
struct PackedBlocks {
  std::vector<std::byte> bytes;
  std::vector<int> counts;
  std::vector<int> displacements;

  explicit PackedBlocks(const TypedBlocks& blocks) : bytes(blocks.total_bytes()) {
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.block_count(); ++block) {
      counts.push_back(message_bytes(1, blocks.block_bytes(block)));
      displacements.push_back(message_bytes(1, next));
      next += blocks.block_bytes(block);
    }
  }
};

struct PackedSides {
  PackedBlocks sent;
  PackedBlocks received;
};

// Blocks are packed, because Open MPI 4.1.4 handles some pairs of different types incorrectly. If there is no memory to
// pack them, MPI gets the caller's types, because the other processes are about to call MPI_Alltoallv.
void alltoallv(const AlltoallvBuffers& buffers, const TypedBlocks& sent, const TypedBlocks& received,
               MPI_Comm comm) {
  std::optional<PackedSides> packed;
  try {
    packed.emplace(PackedSides{PackedBlocks(sent), PackedBlocks(received)});
  } catch (const std::bad_alloc&) {
    check(MPI_Alltoallv(buffers.send, buffers.send_counts.data(), buffers.send_displacements.data(),
                        buffers.send_type, buffers.receive, buffers.receive_counts.data(),
                        buffers.receive_displacements.data(), buffers.receive_type, comm),
          "MPI_Alltoallv");
    return;
  }
  sent.pack(packed->sent.bytes.data(), comm);
  check(MPI_Alltoallv(packed->sent.bytes.data(), packed->sent.counts.data(),
                      packed->sent.displacements.data(), MPI_BYTE, packed->received.bytes.data(),
                      packed->received.counts.data(), packed->received.displacements.data(), MPI_BYTE, comm),
        "MPI_Alltoallv");
  received.unpack(packed->received.bytes.data(), comm);
}

/// Throws std::invalid_argument if the schedule forwards blocks. It then needs scratch memory, whose slots have one
/// size.
void require_direct(const LocalProgram& program, const ExchangeMethod& method) {
  if (program.scratch_slots == 0) return;
  throw std::invalid_argument(
      fmt::format("{} passes blocks on, which blocks of unequal sizes need not fit", to_string(method)));
}

/// Returns whether MPI_Alltoallv can count the bytes of every process by an int.
bool is_countable(const UnequalSizes& sizes) {
  return sizes.process_bytes <= std::numeric_limits<int>::max();
}

}  // namespace

Backend unequal_backend(const UnequalSizes& sizes, std::size_t rank_count) {
  if (!is_countable(sizes)) return Backend::schedule;
  const auto pairs = static_cast<double>(rank_count) * static_cast<double>(rank_count - 1);
  const double all_as_largest = static_cast<double>(sizes.largest_bytes) * pairs;
  return all_as_largest > most_above_mean * static_cast<double>(sizes.total_bytes) ? Backend::mpi
                                                                                   : Backend::schedule;
}

void AlltoallPlan::run(const AlltoallvBuffers& buffers) {
  context_->collectively([&] { run_here(buffers); });
}

void UnequalTuning::settle(double seconds) {
  if (measured_ != nullptr && std::isfinite(seconds)) measured_->record(seconds * scale_);
  measured_ = nullptr;
  pending_seconds_ = 0;
}

/// Collective: adds a tuning for such sizes, on all processes or on none.
void UnequalTuning::add(const UnequalSizes& sizes, MPI_Comm comm) {
  std::map<Key, ExchangeTuning> added;
  collective_try(comm, [&] {
    added.try_emplace(key_of(sizes), std::vector<TuningCandidate>{{"MPI_Alltoallv"}, {"the schedule"}},
                      round_count_);
  });
  tunings_.merge(added);
}

Backend UnequalTuning::begin(const UnequalSizes& sizes) {
  ExchangeTuning& tuning = tunings_.find(key_of(sizes))->second;
  if (!tuning.is_chosen()) {
    measured_ = &tuning;
    const double most_bytes = std::ldexp(1.0, static_cast<int>(std::bit_width(sizes.process_bytes)));
    scale_ = most_bytes / static_cast<double>(std::max<std::uint64_t>(sizes.process_bytes, 1));
    pending_seconds_ = std::numeric_limits<double>::infinity();
  }
  return tuning.next() == 0 ? Backend::mpi : Backend::schedule;
}

std::string UnequalTuning::text(const UnequalSizes& sizes) const {
  const auto found = tunings_.find(key_of(sizes));
  return found == tunings_.end() ? "" : fmt::format("; measured: {}", found->second.text());
}

void AlltoallPlan::run_here(const AlltoallvBuffers& buffers) {
  context_->drain();
  std::optional<Sides> sides;
  UnequalSizes sizes{};
  const auto failure = failure_of([&] {
    require_direct(program_, setup_.method);
    sides = sides_of(buffers, label(rank_));
    sizes = own_sizes(*sides, label(rank_));
  });
  double seconds = unequal_tuning_.pending_seconds();
  sizes = agree_on_sizes(sizes, seconds, failure, context_->comm());
  unequal_tuning_.settle(seconds);
  last_unequal_ = sizes;
  if (context_->is_checked()) require_matching(*sides, context_->comm());
  last_backend_ = backend_for(sizes);
  const double start = MPI_Wtime();
  if (last_backend_ == Backend::mpi) {
    alltoallv(buffers, sides->outgoing(), sides->received, context_->comm());
  } else {
    blocking_->bind(std::move(sides->sent), std::move(sides->received), sizes.largest_bytes);
    blocking_->start();
    blocking_->wait();
  }
  unequal_tuning_.end(MPI_Wtime() - start);
}

/// Collective: returns the backend of the next call.
Backend AlltoallPlan::backend_for(const UnequalSizes& sizes) {
  if (!is_countable(sizes)) return Backend::schedule;
  if (setup_.backend == Backend::mpi) return Backend::mpi;
  if (setup_.unequal_rounds == 0) return unequal_backend(sizes, program_.rank_count);
  if (unequal_tuning_.lacks(sizes)) unequal_tuning_.add(sizes, context_->comm());
  return unequal_tuning_.begin(sizes);
}

std::string AlltoallPlan::explain_unequal() const {
  std::string rule = "MPI_Alltoallv up to 2 GiB of a process";
  if (setup_.backend == Backend::schedule && setup_.unequal_rounds > 0) {
    rule = "MPI_Alltoallv or the schedule, whichever is faster in measured calls";
  } else if (setup_.backend == Backend::schedule) {
    rule = fmt::format("MPI_Alltoallv where the largest block is above {} times the mean", most_above_mean);
  }
  if (!last_unequal_) return rule;
  const auto p = static_cast<double>(program_.rank_count);
  const double mean = p < 2 ? 0 : static_cast<double>(last_unequal_->total_bytes) / (p * (p - 1));
  const auto name = last_backend_ == Backend::mpi ? "MPI_Alltoallv" : "the schedule";
  return fmt::format("{} the last time, when the largest block of {} bytes was {:.3g} times the mean; {}{}",
                     name, last_unequal_->largest_bytes,
                     mean > 0 ? static_cast<double>(last_unequal_->largest_bytes) / mean : 0.0, rule,
                     unequal_tuning_.text(*last_unequal_));
}

}  // namespace cubefold::mpi
