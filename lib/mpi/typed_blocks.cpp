#include "typed_blocks.hpp"

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

void require_counts(std::span<const int> counts) {
  for (const int count : counts) {
    if (count < 0) throw std::invalid_argument(fmt::format("count {} is negative", count));
  }
}

/// Throws std::invalid_argument for a null pointer with dense types. Other types may contain absolute addresses, so a
/// null pointer is valid for them.
void require_buffer(const void* memory, std::span<const int> counts, const TypeLayout& layout) {
  const bool any = std::any_of(counts.begin(), counts.end(), [](int count) { return count > 0; });
  if (memory == nullptr && any && layout.dense && layout.size_bytes > 0)
    throw std::invalid_argument("the buffer is a null pointer");
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

TypedBlocks::TypedBlocks(const void* memory, int count, MPI_Datatype type, std::size_t block_count)
    : memory_(static_cast<const std::byte*>(memory)), block_count_(block_count), count_(count) {
  require_counts({&count, 1});
  layout_ = layout_of(type);
  require_buffer(memory, {&count, 1}, layout_);
  if (!layout_.dense) type_ = std::make_shared<OwnedType>(OwnedType::duplicate(type));
}

TypedBlocks::TypedBlocks(const void* memory, std::span<const int> counts, std::span<const int> displacements,
                         MPI_Datatype type)
    : memory_(static_cast<const std::byte*>(memory)),
      counts_(counts.begin(), counts.end()),
      displacements_(displacements.begin(), displacements.end()) {
  require_counts(counts);
  layout_ = layout_of(type);
  require_buffer(memory, counts, layout_);
  if (!layout_.dense) type_ = std::make_shared<OwnedType>(OwnedType::duplicate(type));
}

TypedBlocks TypedBlocks::elsewhere(const void* memory, int count) const {
  require_counts({&count, 1});
  require_buffer(memory, {&count, 1}, layout_);
  TypedBlocks blocks;
  blocks.memory_ = static_cast<const std::byte*>(memory);
  blocks.block_count_ = block_count();
  blocks.count_ = count;
  blocks.layout_ = layout_;
  blocks.type_ = type_;
  return blocks;
}

std::size_t TypedBlocks::total_bytes() const {
  if (counts_.empty()) return block_count_ * block_bytes(0);
  std::size_t bytes = 0;
  for (std::size_t block = 0; block < counts_.size(); ++block) bytes += block_bytes(block);
  return bytes;
}

MPI_Aint TypedBlocks::offset(std::size_t block) const {
  if (displacements_.empty()) return static_cast<MPI_Aint>(block) * count_ * layout_.extent_bytes;
  return displacements_[block] * layout_.extent_bytes;
}

/// Returns how many elements one call of MPI_Pack may have, because it counts bytes by an int. Dense blocks are copied
/// without MPI, in one part.
int TypedBlocks::elements_per_call(std::size_t block) const {
  if (layout_.dense || layout_.size_bytes == 0) return count(block);
  message_bytes(1, layout_.size_bytes);
  return std::numeric_limits<int>::max() / static_cast<int>(layout_.size_bytes);
}

/// Calls move(element, count, bytes, packed) for the parts of all blocks in order.
template <typename Byte, typename Move>
void TypedBlocks::for_each_part(Byte* packed, Move move) const {
  for (std::size_t block = 0; block < block_count(); ++block) {
    if (count(block) == 0) continue;
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): what is received into was given as void*
    auto* element = const_cast<std::byte*>(memory_) + offset(block);
    for (int left = count(block); left > 0;) {
      const int now = std::min(left, elements_per_call(block));
      const std::size_t bytes = static_cast<std::size_t>(now) * layout_.size_bytes;
      move(element, now, bytes, packed);
      element += now * layout_.extent_bytes;
      packed += bytes;
      left -= now;
    }
  }
}

void TypedBlocks::pack(std::byte* packed, MPI_Comm comm) const {
  for_each_part(packed, [&](const std::byte* element, int count, std::size_t bytes, std::byte* to) {
    int position = 0;
    if (layout_.dense) {
      std::memcpy(to, element, bytes);
    } else {
      check(MPI_Pack(element, count, type_->get(), to, message_bytes(1, bytes), &position, comm), "MPI_Pack");
    }
  });
}

void TypedBlocks::unpack(const std::byte* packed, MPI_Comm comm) const {
  for_each_part(packed, [&](std::byte* element, int count, std::size_t bytes, const std::byte* from) {
    int position = 0;
    if (layout_.dense) {
      std::memcpy(element, from, bytes);
    } else {
      check(MPI_Unpack(from, message_bytes(1, bytes), &position, element, count, type_->get(), comm),
            "MPI_Unpack");
    }
  });
}

}  // namespace cubefold::mpi
