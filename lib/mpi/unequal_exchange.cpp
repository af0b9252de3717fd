#include "cubefold/mpi/unequal_exchange.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bound_exchange.hpp"
#include "cubefold/mpi/agreement.hpp"
#include "cubefold/mpi/count.hpp"
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

struct Sides {
  std::optional<TypedBlocks> sent;  ///< nothing: in place
  TypedBlocks received;

  const TypedBlocks& what_is_sent() const { return sent ? *sent : received; }
};

Sides sides_of(const UnequalBuffers& buffers, std::size_t own) {
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

/// Every process tells every other what it will send; all throw if that is not what anyone expects.
void require_matching(const Sides& sides, MPI_Comm comm) {
  std::vector<std::uint64_t> sent;
  std::vector<std::uint64_t> expected;
  std::vector<std::uint64_t> announced;
  together(comm, [&] {
    sent = sizes_of(sides.what_is_sent());
    expected = sizes_of(sides.received);
    announced.resize(sent.size());
  });
  check(MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, announced.data(), 1, MPI_UINT64_T, comm), "MPI_Alltoall");
  together(comm, [&] {
    for (std::size_t rank = 0; rank < expected.size(); ++rank) {
      if (announced[rank] == expected[rank]) continue;
      throw std::invalid_argument(fmt::format("block size '{}' differs from '{}' that process {} sends",
                                              expected[rank], announced[rank], rank));
    }
  });
}

/// Of this process alone.
UnequalSizes own_sizes(const Sides& sides, std::size_t own) {
  UnequalSizes sizes{0, 0, std::max(sides.what_is_sent().total_bytes(), sides.received.total_bytes())};
  const auto sent = sizes_of(sides.what_is_sent());
  for (std::size_t rank = 0; rank < sent.size(); ++rank) {
    if (rank == own) continue;
    sizes.largest_bytes = std::max(sizes.largest_bytes, sent[rank]);
    sizes.total_bytes += sent[rank];
  }
  return sizes;
}

/// The sizes of all processes, unless any has a failure: then all throw as agree(). Both reductions travel at once.
UnequalSizes agreed(UnequalSizes sizes, const std::optional<Failure>& failure, MPI_Comm comm) {
  std::array<std::uint64_t, 3> largest{sizes.largest_bytes, sizes.process_bytes, failure ? 1U : 0U};
  std::array<MPI_Request, 2> requests{};
  check(MPI_Iallreduce(MPI_IN_PLACE, largest.data(), 3, MPI_UINT64_T, MPI_MAX, comm, &requests[0]),
        "MPI_Iallreduce");
  check(MPI_Iallreduce(MPI_IN_PLACE, &sizes.total_bytes, 1, MPI_UINT64_T, MPI_SUM, comm, &requests[1]),
        "MPI_Iallreduce");
  check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  if (largest[2] != 0) agree(comm, failure);
  return {largest[0], sizes.total_bytes, largest[1]};
}

/// Room for packed blocks, with counts and displacements in bytes.
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

/// By an int, as MPI_Alltoallv does.
bool is_countable(const UnequalSizes& sizes) {
  return sizes.process_bytes <= std::numeric_limits<int>::max();
}

}  // namespace

UnequalWay unequal_way(const UnequalSizes& sizes, std::size_t rank_count) {
  if (!is_countable(sizes)) return UnequalWay::schedule;
  const auto pairs = static_cast<double>(rank_count) * static_cast<double>(rank_count - 1);
  const double all_as_largest = static_cast<double>(sizes.largest_bytes) * pairs;
  return all_as_largest > most_above_mean * static_cast<double>(sizes.total_bytes) ? UnequalWay::library
                                                                                   : UnequalWay::schedule;
}

UnequalExchange::UnequalExchange(const VirtualComm& comm, std::shared_ptr<ExchangeSpace> space,
                                 const ExchangeSetup& setup)
    : exchanger_(make_exchanger(comm, std::move(space), setup)) {
  together(exchanger_.space->comm(), [&] {
    bound_ = std::make_unique<BoundExchange>(exchanger_);
    if (exchanger_.executor->program().scratch_slots > 0) {
      throw std::invalid_argument(fmt::format(
          "{} passes blocks on, which blocks of unequal sizes need not fit", to_string(setup.method)));
    }
  });
}

UnequalExchange::UnequalExchange(UnequalExchange&&) noexcept = default;
UnequalExchange& UnequalExchange::operator=(UnequalExchange&&) noexcept = default;
UnequalExchange::~UnequalExchange() = default;

void UnequalExchange::run(const UnequalBuffers& buffers) {
  exchanger_.space->collectively([&] { run_here(buffers); });
}

void UnequalExchange::run_here(const UnequalBuffers& buffers) {
  ExchangeSpace& space = *exchanger_.space;
  space.drain();
  std::optional<Sides> sides;
  UnequalSizes sizes{};
  const auto failure = failure_of([&] {
    sides = sides_of(buffers, label(exchanger_.rank));
    sizes = own_sizes(*sides, label(exchanger_.rank));
  });
  last_ = agreed(sizes, failure, space.comm());
  if (space.is_checked()) require_matching(*sides, space.comm());
  switch (way(*last_)) {
    case UnequalWay::schedule:
      return run_schedule(std::move(sides->sent), std::move(sides->received), *last_);
    case UnequalWay::library:
      return run_library(buffers, sides->what_is_sent(), sides->received);
  }
}

UnequalWay UnequalExchange::way(const UnequalSizes& sizes) const {
  if (exchanger_.mover == Mover::library && is_countable(sizes)) return UnequalWay::library;
  return unequal_way(sizes, exchanger_.executor->program().rank_count);
}

void UnequalExchange::run_schedule(std::optional<TypedBlocks> sent, TypedBlocks received,
                                   const UnequalSizes& sizes) {
  bound_->bind_unequal(std::move(sent), std::move(received), sizes.largest_bytes);
  bound_->start();
  bound_->wait();
}

// Packed, as Open MPI 4.1.4 gets some pairs of unlike types wrong. Where there is no memory for that, it has to do with
// the types: the other processes are on their way into MPI_Alltoallv.
void UnequalExchange::run_library(const UnequalBuffers& buffers, const TypedBlocks& sent,
                                  const TypedBlocks& received) {
  const MPI_Comm comm = exchanger_.space->comm();
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

std::string UnequalExchange::rule() const {
  if (exchanger_.mover == Mover::library) return "MPI_Alltoallv up to 2 GiB of a process";
  return fmt::format("MPI_Alltoallv where the largest block is above {} times the mean", most_above_mean);
}

std::string UnequalExchange::explain() const {
  const std::size_t p = exchanger_.executor->program().rank_count;
  if (!last_) return rule();
  const double mean =
      p < 2 ? 0
            : static_cast<double>(last_->total_bytes) / (static_cast<double>(p) * static_cast<double>(p - 1));
  const auto name = way(*last_) == UnequalWay::library ? "MPI_Alltoallv" : "the schedule";
  return fmt::format("{} the last time, when the largest block of {} bytes was {:.3g} times the mean; {}",
                     name, last_->largest_bytes,
                     mean > 0 ? static_cast<double>(last_->largest_bytes) / mean : 0.0, rule());
}

}  // namespace cubefold::mpi
