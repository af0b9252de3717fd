#pragma once

#include <mpi.h>

#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The properties of a datatype that an exchange uses.
struct TypeLayout {
  std::size_t size_bytes;  ///< bytes of data in one element
  MPI_Aint extent_bytes;   ///< distance from one element to the next
  bool dense;              ///< true if an element in memory equals its packed form, without gaps
};

/// Returns the bytes of data in one element. Throws std::invalid_argument for MPI_DATATYPE_NULL.
CUBEFOLD_API std::size_t size_of(MPI_Datatype type);

/// Returns the properties of a datatype. Throws std::invalid_argument for MPI_DATATYPE_NULL, for which MPI itself would
/// abort.
CUBEFOLD_API TypeLayout layout_of(MPI_Datatype type);

/// A derived datatype that is freed with its owner.
class CUBEFOLD_API OwnedType {
 public:
  explicit OwnedType(MPI_Datatype type) : type_(type) {}
  OwnedType(OwnedType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  OwnedType(const OwnedType&) = delete;
  OwnedType& operator=(const OwnedType&) = delete;
  ~OwnedType();

  /// Returns a committed copy of a datatype, which stays valid when the caller frees the datatype. It is not
  /// MPI_Type_dup, which calls functions of the program that copy attributes.
  static OwnedType duplicate(MPI_Datatype type);

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// The blocks of a caller's buffer, one for each rank, as elements of one datatype.
class TypedBlocks {
 public:
  TypedBlocks() = default;

  /// Makes blocks of `count` elements, one after the other. Throws std::invalid_argument for a negative count, a null
  /// type, and a null buffer if it is needed.
  TypedBlocks(const void* memory, int count, MPI_Datatype type, std::size_t block_count);

  /// Makes blocks of counts[i] elements, displacements[i] elements from the beginning of the buffer. Throws
  /// std::invalid_argument for a negative count, a null type, and a null buffer if it is needed.
  TypedBlocks(const void* memory, std::span<const int> counts, std::span<const int> displacements,
              MPI_Datatype type);

  /// Returns blocks of `count` elements of the same datatype in another buffer, one after the other. Throws as the
  /// constructors do.
  TypedBlocks elsewhere(const void* memory, int count) const;

  /// Returns whether a block in memory equals its packed form.
  bool is_dense() const { return layout_.dense; }
  std::size_t block_count() const { return counts_.empty() ? block_count_ : counts_.size(); }

  /// Returns the size of the block's packed form.
  std::size_t block_bytes(std::size_t block) const {
    return static_cast<std::size_t>(count(block)) * layout_.size_bytes;
  }
  std::size_t total_bytes() const;

  /// Returns the bytes from the beginning of the buffer to the block's first element.
  MPI_Aint offset(std::size_t block) const;

  const std::byte* memory() const { return memory_; }

  /// These copy all blocks to total_bytes() of packed memory, one after the other, or from there.
  void pack(std::byte* packed, MPI_Comm comm) const;
  void unpack(const std::byte* packed, MPI_Comm comm) const;

 private:
  int count(std::size_t block) const { return counts_.empty() ? count_ : counts_[block]; }
  int elements_per_call(std::size_t block) const;
  template <typename Byte, typename Move>
  void for_each_part(Byte* packed, Move move) const;

  const std::byte* memory_ = nullptr;
  std::size_t block_count_ = 0;
  int count_ = 0;
  std::vector<int> counts_;         ///< empty if all blocks have count_ elements
  std::vector<int> displacements_;  ///< empty if blocks follow one another without gaps
  TypeLayout layout_{0, 0, true};
  std::shared_ptr<const OwnedType> type_;  ///< set only for blocks that are not dense
};

}  // namespace cubefold::mpi
