#include "cubefold/lcc/lcc.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>
#include <utility>

#include "gf2/column_echelon.hpp"

namespace cubefold {

namespace {

Rank rank_of(std::uint64_t label_bits) {
  return static_cast<Rank>(label_bits);
}

/// Returns all y with A y = x + b.
std::vector<Rank> scattered(const Lcc& lcc, std::uint64_t x) {
  const ColumnEchelon echelon(lcc.a(), low_bits(lcc.bit_count()));
  const auto first = echelon.solve(x ^ lcc.b());
  if (!first) return {};
  std::vector<Rank> all{rank_of(*first)};
  for (const auto null : echelon.null_basis()) {
    const auto count = all.size();
    for (std::size_t i = 0; i < count; ++i) all.push_back(rank_of(label(all[i]) ^ null));
  }
  return all;
}

}  // namespace

Lcc::Lcc(BitMatrix a, std::uint64_t b, Gives gives) : a_(std::move(a)), b_(b), gives_(gives) {
  if ((b & ~low_bits(bit_count())) != 0) {
    throw std::invalid_argument(fmt::format("Lcc: b = {:#x} has bits beyond the {} of A", b, bit_count()));
  }
}

std::uint64_t Lcc::still_bits() const {
  std::uint64_t differing = b_;
  for (int j = 0; j < bit_count(); ++j) differing |= a_.column(j) ^ (std::uint64_t{1} << j);
  return ~differing & low_bits(bit_count());
}

LccKind kind(const Lcc& lcc) {
  if (lcc.a().rank() == lcc.bit_count()) return LccKind::permutation;
  return lcc.gives() == Gives::destination ? LccKind::gather : LccKind::scatter;
}

std::vector<Rank> destinations(const Lcc& lcc, Rank source) {
  const std::uint64_t x = label(source);
  if ((x & ~low_bits(lcc.bit_count())) != 0) {
    throw std::invalid_argument(fmt::format("destinations: rank {} is not one of 2^{}", x, lcc.bit_count()));
  }
  if (lcc.gives() == Gives::source) return scattered(lcc, x);
  return {rank_of(lcc(x))};
}

std::vector<SourceAndDestination> messages(const Lcc& lcc) {
  if (lcc.bit_count() > 31) {
    throw std::invalid_argument(fmt::format("messages: 2^{} ranks are more than 2^31", lcc.bit_count()));
  }
  std::vector<SourceAndDestination> all(std::size_t{1} << lcc.bit_count());
  for (std::size_t here = 0; here < all.size(); ++here) {
    const Rank there = rank_of(lcc(here));
    all[here] = lcc.gives() == Gives::destination ? SourceAndDestination{rank_of(here), there}
                                                  : SourceAndDestination{there, rank_of(here)};
  }
  return all;
}

Lcc reordered(const Lcc& lcc, std::span<const int> order) {
  if (order.size() != static_cast<std::size_t>(lcc.bit_count())) {
    throw std::invalid_argument(
        fmt::format("reordered: the order has {} bits where ranks have {}", order.size(), lcc.bit_count()));
  }
  const auto q = BitMatrix::permutation(order);
  return Lcc(q * lcc.a() * q.inverse().value(), q * lcc.b(), lcc.gives());
}

std::optional<Lcc> inverse(const Lcc& lcc) {
  auto a = lcc.a().inverse();
  if (!a) return std::nullopt;
  if (lcc.gives() == Gives::source) return Lcc(lcc.a(), lcc.b());
  const auto b = *a * lcc.b();
  return Lcc(std::move(*a), b);
}

std::optional<Lcc> recognise(std::span<const Rank> destinations) {
  for (std::size_t x = 0; x < destinations.size(); ++x) {
    if (label(destinations[x]) < destinations.size()) continue;
    throw std::invalid_argument(fmt::format("recognise: destination {} of rank {} is not below {}",
                                            label(destinations[x]), x, destinations.size()));
  }
  if (!std::has_single_bit(destinations.size())) return std::nullopt;
  const std::uint64_t b = label(destinations[0]);
  std::vector<std::uint64_t> columns;
  for (std::size_t unit = 1; unit < destinations.size(); unit *= 2) {
    columns.push_back(label(destinations[unit]) ^ b);
  }
  Lcc lcc(BitMatrix::of_columns(std::move(columns)), b);
  for (std::size_t x = 0; x < destinations.size(); ++x) {
    if (lcc(x) != label(destinations[x])) return std::nullopt;
  }
  return lcc;
}

namespace {

/// Returns for each rank the other end of the one message that it has at this end, or nothing if a rank has no message
/// or several.
std::optional<std::vector<Rank>> partners(std::span<const SourceAndDestination> messages,
                                          std::size_t rank_count, Rank SourceAndDestination::*end,
                                          Rank SourceAndDestination::*other_end) {
  if (messages.size() != rank_count) return std::nullopt;
  std::vector<Rank> partner(rank_count);
  std::vector<bool> has_one(rank_count);
  for (const auto& message : messages) {
    const auto rank = label(message.*end);
    if (has_one[rank]) return std::nullopt;
    has_one[rank] = true;
    partner[rank] = message.*other_end;
  }
  return partner;
}

}  // namespace

std::optional<Lcc> recognise(std::span<const SourceAndDestination> messages, std::size_t rank_count) {
  for (const auto& [source, destination] : messages) {
    if (label(source) < rank_count && label(destination) < rank_count) continue;
    throw std::invalid_argument(fmt::format("recognise: message from {} to {} among {} ranks", label(source),
                                            label(destination), rank_count));
  }
  using Message = SourceAndDestination;
  if (const auto to = partners(messages, rank_count, &Message::source, &Message::destination)) {
    return recognise(*to);
  }
  const auto from = partners(messages, rank_count, &Message::destination, &Message::source);
  if (!from) return std::nullopt;
  const auto mirrored = recognise(*from);
  if (!mirrored) return std::nullopt;
  return Lcc(mirrored->a(), mirrored->b(), Gives::source);
}

}  // namespace cubefold
