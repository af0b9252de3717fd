#include "blocks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <vector>

#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the only type from which a type was made with so many integers and addresses. The caller must free it if it
/// is derived.
MPI_Datatype inner_type(MPI_Datatype type, int integer_count, int address_count) {
  std::vector<int> integers(static_cast<std::size_t>(integer_count));
  std::vector<MPI_Aint> addresses(static_cast<std::size_t>(address_count));
  MPI_Datatype inner = MPI_DATATYPE_NULL;
  check(
      MPI_Type_get_contents(type, integer_count, address_count, 1, integers.data(), addresses.data(), &inner),
      "MPI_Type_get_contents");
  return inner;
}

/// Returns whether the type is predefined and must not be freed. The types that Fortran requests by precision are
/// predefined as well.
bool is_predefined(int combiner) {
  return combiner == MPI_COMBINER_NAMED || combiner == MPI_COMBINER_F90_REAL ||
         combiner == MPI_COMBINER_F90_COMPLEX || combiner == MPI_COMBINER_F90_INTEGER;
}

/// Returns whether elements of a type without gaps certainly have their bytes in the order of their packed form: a
/// predefined type, or contiguous elements, a duplicate, a part of an array or another extent of a dense type.
bool is_built_in_order(MPI_Datatype type) {
  int integers = 0;
  int addresses = 0;
  int types = 0;
  int combiner = 0;
  check(MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner), "MPI_Type_get_envelope");
  if (is_predefined(combiner)) return true;
  if (combiner != MPI_COMBINER_CONTIGUOUS && combiner != MPI_COMBINER_DUP &&
      combiner != MPI_COMBINER_SUBARRAY && combiner != MPI_COMBINER_RESIZED)
    return false;

  MPI_Datatype inner = inner_type(type, integers, addresses);
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
  MPI_Aint begin = 0;
  MPI_Aint length = 0;
  check(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  check(MPI_Type_get_true_extent(type, &begin, &length), "MPI_Type_get_true_extent");
  const bool whole = static_cast<MPI_Aint>(size) == length && is_built_in_order(type);
  const bool no_gaps = begin == 0 && lower_bound == 0 && extent == length;
  return {size, extent, whole && no_gaps, whole, begin};
}

OwnedType OwnedType::duplicate(MPI_Datatype type) {
  MPI_Datatype copy = MPI_DATATYPE_NULL;
  check(MPI_Type_contiguous(1, type, &copy), "MPI_Type_contiguous");
  OwnedType owned(copy);
  check(MPI_Type_commit(&owned.type_), "MPI_Type_commit");
  return owned;
}

OwnedType OwnedType::block(MPI_Datatype type, MPI_Count count, MPI_Aint displacement_bytes, int most) {
  MPI_Aint lower_bound = 0;
  MPI_Aint extent = 0;
  check(MPI_Type_get_extent(type, &lower_bound, &extent), "MPI_Type_get_extent");
  MPI_Datatype long_run = MPI_DATATYPE_NULL;
  if (count >= most) check(MPI_Type_contiguous(most, type, &long_run), "MPI_Type_contiguous");
  const OwnedType owned_run(long_run);
  std::vector<int> counts;
  std::vector<MPI_Aint> places;
  std::vector<MPI_Datatype> types;
  const auto add = [&](MPI_Count number, MPI_Count first, MPI_Datatype each) {
    if (number == 0) return;
    counts.push_back(static_cast<int>(number));
    places.push_back(displacement_bytes + static_cast<MPI_Aint>(first) * extent);
    types.push_back(each);
  };
  add(count / most, 0, long_run);
  add(count % most, count - count % most, type);
  MPI_Datatype made = MPI_DATATYPE_NULL;
  check(MPI_Type_create_struct(static_cast<int>(counts.size()), counts.data(), places.data(), types.data(),
                               &made),
        "MPI_Type_create_struct");
  OwnedType owned(made);
  check(MPI_Type_commit(&owned.type_), "MPI_Type_commit");
  return owned;
}

OwnedType::~OwnedType() {
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0 && type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
}

void Blocks::require_arrays(std::size_t block_count) const {
  const bool lacks_array = counts_.is_null() || displacements_.is_null() ||
                           (form_ == BlockForm::typed && types_.data() == nullptr);
  if (!are_equal() && lacks_array && block_count > 0) {
    throw std::invalid_argument(form_ == BlockForm::typed
                                    ? "an array of counts, displacements or types is NULL"
                                    : "an array of counts or displacements is NULL");
  }
  for (std::size_t block = 0; block < (are_equal() ? 1 : counts_.size()); ++block) {
    if (count_of(block) < 0)
      throw std::invalid_argument(fmt::format("count {} is negative", count_of(block)));
  }
}

/// Sizes of blocks are added and compared, so they stay in half of the range.
void Blocks::require_countable(std::size_t block) const {
  const std::size_t size = layout_of_block(block).size_bytes;
  constexpr auto most = static_cast<std::size_t>(std::numeric_limits<std::int64_t>::max());
  if (size == 0 || static_cast<std::size_t>(count_of(block)) <= most / size) return;
  throw std::invalid_argument(fmt::format("a block of {} elements of {} bytes is above the limit of {} bytes",
                                          count_of(block), size, most));
}

/// A null pointer is refused for dense blocks only, because other types may contain absolute addresses.
void Blocks::require_memory(std::size_t block) const {
  if (memory_ == nullptr && is_dense(block) && bytes(block) > 0)
    throw std::invalid_argument("the buffer is a null pointer");
}

void Blocks::take_layout(const TypeLayout& layout, std::size_t block_count) {
  require_arrays(block_count);
  layout_ = layout;
  are_dense_ = layout.dense;
  for (std::size_t block = 0; block < (are_equal() ? 1 : counts_.size()); ++block) {
    if (have_large_counts()) require_countable(block);
    if (memory_ == nullptr) require_memory(block);
  }
  block_count_ = block_count;
}

/// Equal types are often neighbours in the array.
void Blocks::take_layouts(std::size_t block_count) {
  require_arrays(block_count);
  layouts_.clear();
  layouts_.reserve(block_count);
  are_dense_ = true;
  MPI_Datatype last = MPI_DATATYPE_NULL;
  TypeLayout layout{0, 0, true};
  for (std::size_t block = 0; block < block_count; ++block) {
    const bool has_elements = counts_[block] > 0;
    if (has_elements && (last == MPI_DATATYPE_NULL || types_[block] != last)) {
      last = types_[block];
      layout = layout_of(last);
    }
    layouts_.push_back(has_elements ? layout : TypeLayout{0, 0, true});
    require_countable(block);
    require_memory(block);
    are_dense_ = are_dense_ && is_dense(block);
  }
  block_count_ = block_count;
}

void Blocks::require_valid(std::size_t block_count) {
  if (block_count_ == block_count) return;
  if (form_ == BlockForm::typed) return take_layouts(block_count);
  take_layout(layout_of(type_), block_count);
}

void Blocks::require_valid(const Blocks& like) {
  if (block_count_ != like.block_count_) take_layout(like.layout_, like.block_count_);
}

bool Blocks::is_dense(std::size_t block) const {
  if (form_ != BlockForm::typed) return layout_.dense;
  const TypeLayout& layout = layouts_[block];
  const bool is_one = counts_[block] == 1 && layout.whole;
  return is_one || (layout.whole && static_cast<MPI_Aint>(layout.size_bytes) == layout.extent_bytes) ||
         bytes(block) == 0;
}

std::size_t Blocks::total_bytes() const {
  if (are_equal()) return block_count_ * bytes(0);
  std::size_t total = 0;
  for (std::size_t block = 0; block < block_count_; ++block) total += bytes(block);
  return total;
}

std::size_t Blocks::sparse_bytes() const {
  if (form_ != BlockForm::typed) return are_dense_ ? 0 : total_bytes();
  std::size_t total = 0;
  for (std::size_t block = 0; block < block_count_; ++block)
    if (!is_dense(block)) total += bytes(block);
  return total;
}

std::size_t Blocks::largest_bytes() const {
  std::size_t largest = 0;
  for (std::size_t block = 0; block < (are_equal() ? 1 : block_count_); ++block)
    largest = std::max(largest, bytes(block));
  return largest;
}

// The buffer may be MPI_BOTTOM, a null pointer, to which nothing can be added.
std::byte* Blocks::first_element(std::size_t block) const {
  const MPI_Aint extent = form_ == BlockForm::typed ? 1 : layout_.extent_bytes;
  const auto steps =
      static_cast<MPI_Aint>(are_equal() ? static_cast<MPI_Count>(block) * count_ : displacements_[block]);
  // NOLINTBEGIN(cppcoreguidelines-pro-type-reinterpret-cast, performance-no-int-to-ptr): as MPI_Aint_add()
  return reinterpret_cast<std::byte*>(reinterpret_cast<std::uintptr_t>(memory_) +
                                      static_cast<std::uintptr_t>(steps * extent));
  // NOLINTEND(cppcoreguidelines-pro-type-reinterpret-cast, performance-no-int-to-ptr)
}

std::byte* Blocks::dense_block(std::size_t block) const {
  return first_element(block) + layout_of_block(block).begin_bytes;
}

/// Returns how many elements one call of MPI_Pack may have, because it counts bytes by an int. Dense blocks are copied
/// without MPI, in one part.
MPI_Count Blocks::elements_per_call(std::size_t block, std::size_t most_bytes) const {
  if (is_dense(block)) return count_of(block);
  return static_cast<MPI_Count>(std::max<std::size_t>(most_bytes / layout_of_block(block).size_bytes, 1));
}

/// Calls move(block, element, count, bytes, packed) for the parts of all blocks, or of those that are not dense, in
/// order. The element of a dense block is its first byte.
template <typename Byte, typename Move>
void Blocks::for_each_part(Byte* packed, Packed which, std::size_t most_bytes, Move move) const {
  for (std::size_t block = 0; block < block_count_; ++block) {
    if (bytes(block) == 0 || (which == Packed::sparse && is_dense(block))) continue;
    const TypeLayout& layout = layout_of_block(block);
    std::byte* next = is_dense(block) ? dense_block(block) : first_element(block);
    for (MPI_Count left = count_of(block); left > 0;) {
      const MPI_Count now = std::min(left, elements_per_call(block, most_bytes));
      const std::size_t bytes = static_cast<std::size_t>(now) * layout.size_bytes;
      move(block, next, now, bytes, packed);
      next += static_cast<MPI_Aint>(now) * layout.extent_bytes;
      packed += bytes;
      left -= now;
    }
  }
}

namespace {

/// Calls move(element, count, type). MPICH 4.0.2 refuses a null pointer where it packs, which is its MPI_BOTTOM. Such
/// elements get another address, and a type that takes them back to theirs.
template <typename Byte, typename Move>
void move_elements(Byte* element, MPI_Count count, MPI_Datatype type, Move move) {
  const int number = static_cast<int>(count);
  if (element != nullptr) return move(element, number, type);
  constexpr std::uintptr_t shift = 64;
  const OwnedType shifted = OwnedType::block(type, count, -static_cast<MPI_Aint>(shift));
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast, performance-no-int-to-ptr): as MPI_Aint_add()
  move(reinterpret_cast<Byte*>(shift), 1, shifted.get());
}

}  // namespace

void Blocks::pack(std::byte* packed, Packed which, MPI_Comm comm, std::size_t most_bytes) const {
  for_each_part(
      packed, which, most_bytes,
      [&](std::size_t block, const std::byte* element, MPI_Count count, std::size_t bytes, std::byte* to) {
        int position = 0;
        if (is_dense(block)) {
          std::memcpy(to, element, bytes);
        } else {
          move_elements(element, count, type_of(block),
                        [&](const void* first, int number, MPI_Datatype type) {
                          check(MPI_Pack(first, number, type, to, message_bytes(1, bytes), &position, comm),
                                "MPI_Pack");
                        });
        }
      });
}

void Blocks::unpack(const std::byte* packed, Packed which, MPI_Comm comm, std::size_t most_bytes) const {
  for_each_part(
      packed, which, most_bytes,
      [&](std::size_t block, std::byte* element, MPI_Count count, std::size_t bytes, const std::byte* from) {
        int position = 0;
        if (is_dense(block)) {
          std::memcpy(element, from, bytes);
        } else {
          move_elements(element, count, type_of(block), [&](void* first, int number, MPI_Datatype type) {
            check(MPI_Unpack(from, message_bytes(1, bytes), &position, first, number, type, comm),
                  "MPI_Unpack");
          });
        }
      });
}

void Sides::require_valid(std::size_t rank_count, std::size_t rank) {
  received.require_valid(rank_count);
  if (sent.are_in_place()) return;
  if (form() != BlockForm::typed && sent.type() == received.type()) {
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

std::size_t Sides::largest_bytes() const {
  return std::max(outgoing().largest_bytes(), received.largest_bytes());
}

std::optional<std::size_t> Sides::block_bytes() const {
  if (!received.are_equal()) return std::nullopt;
  return static_cast<std::size_t>(std::max<MPI_Count>(received.count(), 0)) * size_of(received.type());
}

void PackedBlocks::set(const Blocks& blocks, const Use& use) {
  which_ = use.is_copied ? Blocks::Packed::all : Blocks::Packed::sparse;
  has_copies_ = use.is_copied || !blocks.are_dense();
  most_bytes_ = use.most_bytes;
  blocks_ = blocks;
  own_types_.clear();
  if (use.outlives_arguments && has_copies_) take_arguments(blocks);
  if (has_copies_) packed_.resize(use.is_copied ? blocks.total_bytes() : blocks.sparse_bytes());
}

/// Copies the arrays, and the datatypes of the blocks that are not dense.
void PackedBlocks::take_arguments(const Blocks& blocks) {
  own_type_array_.assign(blocks.types().begin(), blocks.types().end());
  MPI_Datatype type = blocks.type();
  if (blocks.form() == BlockForm::typed) {
    for (std::size_t block = 0; block < blocks.block_count(); ++block) {
      if (blocks.is_dense(block)) continue;
      own_types_.push_back(OwnedType::duplicate(blocks.types()[block]));
      own_type_array_[block] = own_types_.back().get();
    }
  } else if (!blocks.are_dense()) {
    own_types_.push_back(OwnedType::duplicate(type));
    type = own_types_.back().get();
  }
  blocks_->use_copies(type, own_counts_.set(blocks.counts()), own_displacements_.set(blocks.displacements()),
                      own_type_array_);
}

void PackedBlocks::reserve(const Blocks& blocks, bool is_copied) {
  if (is_copied || !blocks.are_dense())
    packed_.reserve(is_copied ? blocks.total_bytes() : blocks.sparse_bytes());
  offsets_.reserve(blocks.block_count());
  sizes_.reserve(blocks.block_count());
}

std::byte* PackedBlocks::memory() {
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): a run does not write to what is sent
  return has_copies_ ? packed_.data() : static_cast<std::byte*>(const_cast<void*>(blocks_->memory()));
}

const BlockTable& PackedBlocks::table() {
  offsets_.clear();
  sizes_.clear();
  // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): blocks may be in different arrays
  const auto begin = reinterpret_cast<std::uintptr_t>(memory());
  std::size_t next = 0;
  for (std::size_t block = 0; block < blocks_->block_count(); ++block) {
    sizes_.push_back(blocks_->bytes(block));
    if (is_packed(block)) {
      offsets_.push_back(next);
      next += sizes_.back();
    } else {
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast): blocks may be in different arrays
      offsets_.push_back(reinterpret_cast<std::uintptr_t>(blocks_->dense_block(block)) - begin);
    }
  }
  table_ = {offsets_, sizes_};
  return table_;
}

void PackedBlocks::pack(MPI_Comm comm) {
  if (has_copies_) blocks_->pack(packed_.data(), which_, comm, most_bytes_);
}

void PackedBlocks::unpack(MPI_Comm comm) const {
  if (has_copies_) blocks_->unpack(packed_.data(), which_, comm, most_bytes_);
}

}  // namespace cubefold::mpi
