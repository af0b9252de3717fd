#pragma once

#include <mpi.h>

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cubefold/export.h"
#include "schedule/packing.hpp"

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
  OwnedType& operator=(OwnedType&&) = delete;
  ~OwnedType();

  /// Returns a committed copy of a datatype, which stays valid when the caller frees the datatype. It is not
  /// MPI_Type_dup, which calls functions of the program that copy attributes.
  static OwnedType duplicate(MPI_Datatype type);

  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_;
};

/// The blocks of one side of an exchange, one for each rank, as the arguments of MPI's functions describe them. They
/// borrow the caller's memory, arrays and datatype. pack() and unpack() alone touch the memory.
class CUBEFOLD_API Blocks {
 public:
  /// Blocks of `count` elements, one after the other.
  Blocks(const void* memory, int count, MPI_Datatype type) : memory_(memory), count_(count), type_(type) {}

  /// Blocks of counts[i] elements, displacements[i] elements from the beginning of the buffer.
  Blocks(const void* memory, std::span<const int> counts, std::span<const int> displacements,
         MPI_Datatype type)
      : memory_(memory), counts_(counts), displacements_(displacements), type_(type), are_equal_(false) {}

  /// These return the arguments.
  const void* memory() const { return memory_; }
  int count() const { return count_; }
  std::span<const int> counts() const { return counts_; }
  std::span<const int> displacements() const { return displacements_; }
  MPI_Datatype type() const { return type_; }

  /// Returns whether all blocks have count() elements.
  bool are_equal() const { return are_equal_; }

  /// Returns whether is_true(type) holds for the datatypes of all blocks.
  template <typename Predicate>
  bool all_types(Predicate is_true) const {
    return is_true(type_);
  }

  /// Returns whether the memory is MPI_IN_PLACE. Other arguments are ignored then.
  bool are_in_place() const { return memory_ == MPI_IN_PLACE; }

  /// Sets the number of blocks, and looks at the datatype. Throws std::invalid_argument for a negative count, a null
  /// type or array, and a null buffer if it is needed. The following functions require this. Costs nothing for blocks
  /// that are valid.
  void require_valid(std::size_t block_count);

  /// Does the same with the layout of other blocks of the same datatype, without asking MPI.
  void require_valid(const Blocks& like);

  /// Returns whether a block in memory equals its packed form.
  bool are_dense() const { return layout_.dense; }
  std::size_t block_count() const { return block_count_; }

  /// Returns the size of the block's packed form.
  std::size_t bytes(std::size_t block) const {
    return static_cast<std::size_t>(count_of(block)) * layout_.size_bytes;
  }
  std::size_t total_bytes() const;

  /// Returns the bytes from the beginning of the buffer to the block's first element.
  MPI_Aint offset(std::size_t block) const;

  /// Replaces the datatype and the arrays by copies of them.
  void use_copies(MPI_Datatype type, std::span<const int> counts, std::span<const int> displacements) {
    type_ = type;
    counts_ = counts;
    displacements_ = displacements;
  }

  /// These copy all blocks to total_bytes() of packed memory, one after the other, or from there.
  void pack(std::byte* packed, MPI_Comm comm) const;
  void unpack(const std::byte* packed, MPI_Comm comm) const;

 private:
  int count_of(std::size_t block) const { return are_equal_ ? count_ : counts_[block]; }
  void take_layout(const TypeLayout& layout, std::size_t block_count);
  int elements_per_call(std::size_t block) const;
  template <typename Byte, typename Move>
  void for_each_part(Byte* packed, Move move) const;

  const void* memory_;
  int count_ = 0;
  std::span<const int> counts_;
  std::span<const int> displacements_;
  MPI_Datatype type_;
  bool are_equal_ = true;
  std::size_t block_count_ = 0;
  TypeLayout layout_{0, 0, true};
};

/// The blocks that a process sends and those that it receives, as the arguments of MPI_Alltoall or MPI_Alltoallv.
struct CUBEFOLD_API Sides {
  Sides(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
        MPI_Datatype receive_type)
      : sent(send, send_count, send_type), received(receive, receive_count, receive_type) {}
  Sides(const void* send, std::span<const int> send_counts, std::span<const int> send_displacements,
        MPI_Datatype send_type, void* receive, std::span<const int> receive_counts,
        std::span<const int> receive_displacements, MPI_Datatype receive_type)
      : sent(send, send_counts, send_displacements, send_type),
        received(receive, receive_counts, receive_displacements, receive_type) {}

  /// Does this on both sides, and throws std::invalid_argument if the block of this rank for itself has two sizes.
  void require_valid(std::size_t rank_count, std::size_t rank);

  /// Returns the bytes of a received block of equal blocks, or 0 for a negative count, or nothing if blocks may have
  /// unequal sizes. Throws std::invalid_argument for a null type of equal blocks. Does not require valid sides.
  std::optional<std::size_t> block_bytes() const;

  /// Returns the receive buffer, which the caller has passed as void*.
  void* receive_memory() const {
    return const_cast<void*>(received.memory());  // NOLINT(cppcoreguidelines-pro-type-const-cast)
  }

  /// Returns the blocks that are sent, which are those of the receive buffer in an exchange in place.
  const Blocks& outgoing() const { return sent.are_in_place() ? received : sent; }

  /// Returns whether a block has to be packed before it can be sent or after it is received.
  bool need_copies() const { return sent.are_in_place() || !sent.are_dense() || !received.are_dense(); }

  /// Calls equal() with the arguments of MPI_Alltoall, or unequal() with those of MPI_Alltoallv, and then with
  /// `others`. Returns what the function returns.
  template <typename Equal, typename Unequal, typename... Others>
  int pass_to(Equal equal, Unequal unequal, Others... others) const {
    if (received.are_equal()) {
      return equal(sent.memory(), sent.count(), sent.type(), receive_memory(), received.count(),
                   received.type(), others...);
    }
    return unequal(sent.memory(), sent.counts().data(), sent.displacements().data(), sent.type(),
                   receive_memory(), received.counts().data(), received.displacements().data(),
                   received.type(), others...);
  }

  Blocks sent;
  Blocks received;
};

/// A packed copy of blocks, one after the other, or their own memory if they need no copy. Memory is kept for the next
/// blocks.
class PackedBlocks {
 public:
  /// The caller's demands on the blocks.
  struct Use {
    bool is_copied = false;           ///< the blocks are copied even if they are dense
    bool outlives_arguments = false;  ///< the datatype and the arrays may be freed while the blocks are used
  };

  /// Sets valid blocks, and takes memory for a copy if they need one. Throws std::bad_alloc, and Error if MPI fails.
  void set(const Blocks& blocks, const Use& use);

  /// Takes the memory that set() and table() need for such blocks.
  void reserve(const Blocks& blocks, bool is_copied);

  std::byte* memory();

  /// Returns the offset of each block from memory(), and its size, in bytes.
  const BlockTable& table();

  /// Returns the memory of the copy and gives up its ownership.
  std::vector<std::byte> release() { return std::exchange(packed_, {}); }

  /// These do nothing if there is no copy.
  void pack(MPI_Comm comm);
  void unpack(MPI_Comm comm) const;

 private:
  std::optional<Blocks> blocks_;
  std::optional<OwnedType> own_type_;
  std::vector<int> own_counts_;
  std::vector<int> own_displacements_;
  bool is_packed_ = false;
  std::vector<std::byte> packed_;
  std::vector<std::size_t> offsets_;
  std::vector<std::size_t> sizes_;
  BlockTable table_;
};

}  // namespace cubefold::mpi
