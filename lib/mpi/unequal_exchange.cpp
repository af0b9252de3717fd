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
  const auto sent = sizes_of(sides.what_is_sent());
  const auto expected = sizes_of(sides.received);
  std::vector<std::uint64_t> announced(sent.size());
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

/// Of all; both reductions travel at once.
UnequalSizes agreed(UnequalSizes sizes, MPI_Comm comm) {
  std::array<std::uint64_t, 2> largest{sizes.largest_bytes, sizes.process_bytes};
  std::array<MPI_Request, 2> requests{};
  check(MPI_Iallreduce(MPI_IN_PLACE, largest.data(), 2, MPI_UINT64_T, MPI_MAX, comm, &requests[0]),
        "MPI_Iallreduce");
  check(MPI_Iallreduce(MPI_IN_PLACE, &sizes.total_bytes, 1, MPI_UINT64_T, MPI_SUM, comm, &requests[1]),
        "MPI_Iallreduce");
  check(MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE), "MPI_Waitall");
  return {largest[0], sizes.total_bytes, largest[1]};
}

/// Counts and displacements of packed blocks, in bytes.
struct PackedCounts {
  std::vector<int> counts;
  std::vector<int> displacements;

  explicit PackedCounts(const TypedBlocks& blocks) {
    std::size_t next = 0;
    for (std::size_t block = 0; block < blocks.block_count(); ++block) {
      counts.push_back(message_bytes(1, blocks.block_bytes(block)));
      displacements.push_back(message_bytes(1, next));
      next += blocks.block_bytes(block);
    }
  }
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
    : exchanger_(make_exchanger(comm, std::move(space), setup)),
      bound_(std::make_unique<BoundExchange>(exchanger_)) {
  together(exchanger_.space->comm(), [&] {
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
  ExchangeSpace& space = *exchanger_.space;
  space.drain();
  std::optional<Sides> sides;
  const auto read = [&] { sides = sides_of(buffers, label(exchanger_.rank)); };
  if (space.is_checked()) {
    together(space.comm(), read);
    require_matching(*sides, space.comm());
  } else {
    read();
  }
  last_ = agreed(own_sizes(*sides, label(exchanger_.rank)), space.comm());
  const bool by_library = exchanger_.mover == Mover::library && is_countable(*last_);
  switch (by_library ? UnequalWay::library : unequal_way(*last_, exchanger_.executor->program().rank_count)) {
    case UnequalWay::schedule:
      return run_schedule(std::move(sides->sent), std::move(sides->received), *last_);
    case UnequalWay::library:
      return run_library(std::move(sides->sent), std::move(sides->received));
  }
}

void UnequalExchange::run_schedule(std::optional<TypedBlocks> sent, TypedBlocks received,
                                   const UnequalSizes& sizes) {
  bound_->bind_unequal(std::move(sent), std::move(received), sizes.largest_bytes);
  bound_->start(exchanger_.space->next_tag());
  bound_->wait();
}

// Packed, as the two ends may lay their blocks out differently, and displacements may be beyond an int.
void UnequalExchange::run_library(std::optional<TypedBlocks> sent, TypedBlocks received) {
  const MPI_Comm comm = exchanger_.space->comm();
  std::vector<std::byte> outgoing((sent ? *sent : received).total_bytes());
  std::vector<std::byte> incoming(received.total_bytes());
  (sent ? *sent : received).pack(outgoing.data(), comm);
  const PackedCounts out(sent ? *sent : received);
  const PackedCounts in(received);
  check(MPI_Alltoallv(outgoing.data(), out.counts.data(), out.displacements.data(), MPI_BYTE, incoming.data(),
                      in.counts.data(), in.displacements.data(), MPI_BYTE, comm),
        "MPI_Alltoallv");
  received.unpack(incoming.data(), comm);
}

std::string UnequalExchange::explain() const {
  const std::size_t p = exchanger_.executor->program().rank_count;
  if (!last_)
    return fmt::format("MPI_Alltoallv where the largest block is above {} times the mean", most_above_mean);
  const double mean =
      p < 2 ? 0
            : static_cast<double>(last_->total_bytes) / (static_cast<double>(p) * static_cast<double>(p - 1));
  const auto way = unequal_way(*last_, p) == UnequalWay::library ? "MPI_Alltoallv" : "the schedule";
  return fmt::format(
      "{} the last time: the largest block of {} bytes is {:.3g} times the mean (MPI_Alltoallv above {})",
      way, last_->largest_bytes, mean > 0 ? static_cast<double>(last_->largest_bytes) / mean : 0.0,
      most_above_mean);
}

}  // namespace cubefold::mpi
