#include "blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the type with which MPI_Type_contiguous or MPI_Type_dup was called. The caller must free it if it is
/// derived.
MPI_Datatype inner_type(MPI_Datatype type, int integer_count) {
  std::array<int, 1> integers{};
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(MPI_Type_get_contents(type, integer_count, 0, 1, integers.data(), nullptr, &inner),
        "MPI_Type_get_contents");
  return inner;
}

/// Returns whether the type is predefined and must not be freed. The types that Fortran requests by precision are
/// predefined as well.
bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/// Returns whether a type without gaps is certainly dense: a predefined type, or contiguous elements or a duplicate of
/// a dense type.
bool is_built_dense(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (is_predefined(combiner)) return true;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP) return false;

  MPI_Datatype inner = inner_type(type, integers);
  check(MPI_Type_get_envelope(inner, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  const OwnedType owned(is_predefined(combiner) ? MPI_DATATYPE_NULL : inner);
  return layout_of(inner).dense;
}

}  // namespace

std::size_t size_of(MPI_Datatype type) {
  if (type == MPI_DATATYPE_NULL) throw std::invalid_argument("the datatype is MPI_DATATYPE_NULL");
  MPI_Count size = 0;
  check(MPI_Type_size_x(type, &size), "MPI_Type_size_x");
  return static_cast<std::size_t>(size);
}

TypeLayout layout_of(MPI_Datatype type) {
  const std::size_t size = size_of(type);
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  const bool no_gaps = lower_bound == 0 && static_cast<MPI_Aint>(size) == extent;
  return {size, extent, no_gaps && is_built_dense(type)};
}

OwnedType OwnedType::duplicate(MPI_Datatype type) {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(1, type, &copy), "MPI_Type_contiguous");
  OwnedType owned(copy);
  check(MPI_Type_commit(&owned.type_), "MPI_Type_commit");
  return owned;
}

OwnedType::~OwnedType() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

/// A null pointer is refused with dense types only, because other types may contain absolute addresses.
void Blocks::take_layout(const TypeLayout& layout, std::size_t block_count) {
  const bool lacks_array = counts_.data() == nullptr || displacements_.data() == nullptr;
  if (!are_equal_ && lacks_array && block_count > 0)
    throw std::invalid_argument("an array of counts or displacements is NULL");
  if (are_equal_ && count_ < 0) throw std::invalid_argument(fmt::format("count {} is negative", count_));
  for (const int count : counts_) {
    if (count < 0) throw std::invalid_argument(fmt::format("count {} is negative", count));
  }
  const bool any =
      are_equal_ ? count_ > 0 : std::ranges::any_of(counts_, [](int count) { return count > 0; });
  if (memory_ == nullptr && any && layout.dense && layout.size_bytes > 0)
    throw std::invalid_argument("the buffer is a null pointer");
  layout_ = layout;
  block_count_ = block_count;
}

void Blocks::require_valid(std::size_t block_count) {
  if (block_count_ != block_count) take_layout(layout_of(type_), block_count);
}

void Blocks::require_valid(const Blocks& like) {
  if (block_count_ != like.block_count_) take_layout(like.layout_, like.block_count_);
}

std::size_t Blocks::total_bytes() const {
  if (are_equal_) return block_count_ * bytes(0);
  std::size_t total = 0;
  for (std::size_t block = 0; block < block_count_; ++block) total += bytes(block);
  return total;
}

MPI_Aint Blocks::offset(std::size_t block) const {
  const MPI_Aint elements =
      are_equal_ ? static_cast<MPI_Aint>(block) * count_ : MPI_Aint{displacements_[block]};
  return elements * layout_.extent_bytes;
}

/// Returns how many elements one call of MPI_Pack may have, because it counts bytes by an int. Dense blocks are copied
/// without MPI, in one part.
int Blocks::elements_per_call(std::size_t block) const {
  if (layout_.dense || layout_.size_bytes == 0) return count_of(block);
  message_bytes(1, layout_.size_bytes);
  return std::numeric_limits<int>::max() / static_cast<int>(layout_.size_bytes);
}

/// Calls move(element, count, bytes, packed) for the parts of all blocks in order.
template <typename Byte, typename Move>
void Blocks::for_each_part(Byte* packed, Move move) const {
  for (std::size_t block = 0; block < block_count_; ++block) {
    if (count_of(block) == 0) continue;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): what is received into was given as void*
    auto* element = static_cast<std::byte*>(const_cast<void*>(memory_)) + offset(block);
    for (int left = count_of(block); left > 0;) {
      const int now = std::min(left, elements_per_call(block));
      const std::size_t bytes = static_cast<std::size_t>(now) * layout_.size_bytes;
      move(element, now, bytes, packed);
      element += now * layout_.extent_bytes;
      packed += bytes;
      left -= now;
    }
  }
}

void Blocks::pack(std::byte* packed, MPI_Comm comm) const {
  for_each_part(packed, [&](const std::byte* element, int count, std::size_t bytes, std::byte* to) {
    int position = 0;
    if (layout_.dense) {
      std::memcpy(to, element, bytes);
    } else {
      check(MPI_Pack(element, count, type_, to, message_bytes(1, bytes), &position, comm), "MPI_Pack");
    }
  });
}

void Blocks::unpack(const std::byte* packed, MPI_Comm comm) const {
  for_each_part(packed, [&](std::byte* element, int count, std::size_t bytes, const std::byte* from) {
    int position = 0;
    if (layout_.dense) {
      std::memcpy(element, from, bytes);
    } else {
      check(MPI_Unpack(from, message_bytes(1, bytes), &position, element, count, type_, comm), "MPI_Unpack");
    }
  });
}

void Sides::require_valid(std::size_t rank_count, std::size_t rank) {
  received.require_valid(rank_count);
  if (sent.are_in_place()) return;
  if (sent.type() == received.type()) {
    sent.require_valid(received);
  } else {
    sent.require_valid(rank_count);
  }
  if (sent.bytes(rank) == received.bytes(rank)) return;
  throw std::invalid_argument(received.are_equal()
                                  ? fmt::format("blocks of {} bytes are sent but blocks of {} bytes received",
                                                sent.bytes(rank), received.bytes(rank))
                                  : fmt::format("the process has {} bytes for itself where it expects {}",
                                                sent.bytes(rank), received.bytes(rank)));
}

std::optional<std::size_t> Sides::block_bytes() const {
  if (!received.are_equal()) return std::nullopt;
  return static_cast<std::size_t>(std::max(received.count(), 0)) * size_of(received.type());
}

void PackedBlocks::set(const Blocks& blocks, const Use& use) {
  is_packed_ = use.is_copied || !blocks.are_dense();
  blocks_ = blocks;
  own_type_.reset();
  if (use.outlives_arguments && is_packed_) {
    if (!blocks.are_dense()) own_type_.emplace(OwnedType::duplicate(blocks.type()));
    own_counts_.assign(blocks.counts().begin(), blocks.counts().end());
    own_displacements_.assign(blocks.displacements().begin(), blocks.displacements().end());
    blocks_->use_copies(own_type_ ? own_type_->get() : blocks.type(), own_counts_, own_displacements_);
  }
  if (is_packed_) packed_.resize(blocks.total_bytes());
}

void PackedBlocks::reserve(const Blocks& blocks, bool is_copied) {
  if (is_copied || !blocks.are_dense()) packed_.reserve(blocks.total_bytes());
  offsets_.reserve(blocks.block_count());
  sizes_.reserve(blocks.block_count());
}

std::byte* PackedBlocks::memory() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a run does not write to what is sent
  return is_packed_ ? packed_.data() : static_cast<std::byte*>(const_cast<void*>(blocks_->memory()));
}

const BlockTable& PackedBlocks::table() {
  offsets_.clear();
  sizes_.clear();
  std::size_t next = 0;
  for (std::size_t block = 0; block < blocks_->block_count(); ++block) {
    offsets_.push_back(is_packed_ ? next : static_cast<std::size_t>(blocks_->offset(block)));
    sizes_.push_back(blocks_->bytes(block));
    next += sizes_.back();
  }
  table_ = {offsets_, sizes_};
  return table_;
}

void PackedBlocks::pack(MPI_Comm comm) {
  if (is_packed_) blocks_->pack(packed_.data(), comm);
}

void PackedBlocks::unpack(MPI_Comm comm) const {
  if (is_packed_) blocks_->unpack(packed_.data(), comm);
}

}  // namespace cubefold::mpi
