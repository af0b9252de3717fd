#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
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
  bool whole = dense;  ///< true if the bytes of one element are consecutive, in the order of its packed form
  MPI_Aint begin_bytes = 0;  ///< distance from an element's address to its first byte
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

/// The forms of the arguments of MPI's functions: those of MPI_Alltoall, MPI_Alltoallv and MPI_Alltoallw.
enum class BlockForm : std::uint8_t { equal, unequal, typed };

/// The blocks of one side of an exchange, one for each rank, as the arguments of MPI's functions describe them. They
/// borrow the caller's memory, arrays and datatypes. pack() and unpack() alone touch the memory.
class CUBEFOLD_API Blocks {
 public:
  /// Blocks of `count` elements, one after the other.
  Blocks(const void* memory, int count, MPI_Datatype type) : memory_(memory), count_(count), type_(type) {}

  /// Blocks of counts[i] elements, displacements[i] elements from the beginning of the buffer.
  Blocks(const void* memory, std::span<const int> counts, std::span<const int> displacements,
         MPI_Datatype type)
      : memory_(memory),
        counts_(counts),
        displacements_(displacements),
        type_(type),
        form_(BlockForm::unequal) {}

  /// Blocks of counts[i] elements of types[i], displacements[i] bytes from the beginning of the buffer.
  Blocks(const void* memory, std::span<const int> counts, std::span<const int> displacements,
         std::span<const MPI_Datatype> types)
      : memory_(memory),
        counts_(counts),
        displacements_(displacements),
        type_(MPI_DATATYPE_NULL),
        types_(types),
        form_(BlockForm::typed) {}

  /// Does the same with displacements as those of neighbours are.
  Blocks(const void* memory, std::span<const int> counts, std::span<const MPI_Aint> displacements,
         std::span<const MPI_Datatype> types)
      : memory_(memory),
        counts_(counts),
        far_displacements_(displacements),
        type_(MPI_DATATYPE_NULL),
        types_(types),
        form_(BlockForm::typed) {}

  /// These return the arguments.
  const void* memory() const { return memory_; }
  int count() const { return count_; }
  std::span<const int> counts() const { return counts_; }
  std::span<const int> displacements() const { return displacements_; }
  std::span<const MPI_Aint> far_displacements() const { return far_displacements_; }
  MPI_Datatype type() const { return type_; }
  std::span<const MPI_Datatype> types() const { return types_; }

  BlockForm form() const { return form_; }

  /// Returns whether all blocks have count() elements.
  bool are_equal() const { return form_ == BlockForm::equal; }

  /// Returns whether is_true(type) holds for the datatypes of all blocks that have elements.
  template <typename Predicate>
  bool all_types(Predicate is_true) const {
    if (form_ != BlockForm::typed) return is_true(type_);
    if (types_.data() == nullptr || counts_.data() == nullptr) return true;
    for (std::size_t block = 0; block < types_.size(); ++block) {
      const bool is_known = block > 0 && counts_[block - 1] > 0 && types_[block] == types_[block - 1];
      if (counts_[block] > 0 && !is_known && !is_true(types_[block])) return false;
    }
    return true;
  }

  /// Returns whether the memory is MPI_IN_PLACE. Other arguments are ignored then.
  bool are_in_place() const { return memory_ == MPI_IN_PLACE; }

  /// Sets the number of blocks, and looks at the datatypes. Throws std::invalid_argument for a negative count, a null
  /// type of a block with elements, a null array, and a null buffer if it is needed. The following functions require
  /// this. Costs nothing for blocks that are valid, and otherwise some calls of MPI for each datatype.
  void require_valid(std::size_t block_count);

  /// Does the same with the layout of other blocks of the same datatype, without asking MPI.
  void require_valid(const Blocks& like);

  /// Returns whether every block in memory equals its packed form.
  bool are_dense() const { return are_dense_; }

  /// Returns whether this block does. It is the same for all blocks of one datatype.
  bool is_dense(std::size_t block) const;
  std::size_t block_count() const { return block_count_; }

  /// Returns the size of the block's packed form.
  std::size_t bytes(std::size_t block) const {
    return static_cast<std::size_t>(count_of(block)) * layout_of_block(block).size_bytes;
  }

  /// Returns the sum of the sizes of all blocks, or of those that are not dense.
  std::size_t total_bytes() const;
  std::size_t sparse_bytes() const;

  /// Returns the size of the longest block.
  std::size_t largest_bytes() const;

  /// Returns the address of a block's first element, which may be outside of the buffer for a block of 0 elements.
  std::byte* first_element(std::size_t block) const;

  /// Returns the address of the first byte of a dense block. It may be outside of the buffer for a block of 0 bytes.
  std::byte* dense_block(std::size_t block) const;

  /// Replaces the datatypes and the arrays by copies of them.
  void use_copies(MPI_Datatype type, std::span<const int> counts, std::span<const int> displacements,
                  std::span<const MPI_Aint> far_displacements, std::span<const MPI_Datatype> types) {
    type_ = type;
    counts_ = counts;
    displacements_ = displacements;
    far_displacements_ = far_displacements;
    types_ = types;
  }

  /// The blocks that are packed.
  enum class Packed : std::uint8_t { all, sparse };

  /// These copy all blocks, or those that are not dense, to packed memory, one after the other, or from there.
  void pack(std::byte* packed, Packed which, MPI_Comm comm) const;
  void unpack(const std::byte* packed, Packed which, MPI_Comm comm) const;

 private:
  int count_of(std::size_t block) const { return are_equal() ? count_ : counts_[block]; }
  MPI_Datatype type_of(std::size_t block) const { return form_ == BlockForm::typed ? types_[block] : type_; }
  MPI_Aint displacement_of(std::size_t block) const {
    return far_displacements_.data() == nullptr ? MPI_Aint{displacements_[block]} : far_displacements_[block];
  }
  const TypeLayout& layout_of_block(std::size_t block) const {
    return form_ == BlockForm::typed ? layouts_[block] : layout_;
  }
  void require_arrays(std::size_t block_count) const;
  void require_memory(std::size_t block) const;
  void take_layout(const TypeLayout& layout, std::size_t block_count);
  void take_layouts(std::size_t block_count);
  int elements_per_call(std::size_t block) const;
  template <typename Byte, typename Move>
  void for_each_part(Byte* packed, Packed which, Move move) const;

  const void* memory_;
  int count_ = 0;
  std::span<const int> counts_;
  std::span<const int> displacements_;
  std::span<const MPI_Aint> far_displacements_;  ///< in place of them if it is an array
  MPI_Datatype type_;
  std::span<const MPI_Datatype> types_;
  BlockForm form_ = BlockForm::equal;
  std::size_t block_count_ = 0;
  TypeLayout layout_{0, 0, true};    ///< of blocks of one datatype
  std::vector<TypeLayout> layouts_;  ///< of the blocks of several datatypes
  bool are_dense_ = true;
};

/// The blocks that a process sends and those that it receives, as the arguments of MPI_Alltoall, MPI_Alltoallv or
/// MPI_Alltoallw.
struct CUBEFOLD_API Sides {
  Sides(const void* send, int send_count, MPI_Datatype send_type, void* receive, int receive_count,
        MPI_Datatype receive_type)
      : sent(send, send_count, send_type), received(receive, receive_count, receive_type) {}
  Sides(const void* send, std::span<const int> send_counts, std::span<const int> send_displacements,
        MPI_Datatype send_type, void* receive, std::span<const int> receive_counts,
        std::span<const int> receive_displacements, MPI_Datatype receive_type)
      : sent(send, send_counts, send_displacements, send_type),
        received(receive, receive_counts, receive_displacements, receive_type) {}
  Sides(const void* send, std::span<const int> send_counts, std::span<const int> send_displacements,
        std::span<const MPI_Datatype> send_types, void* receive, std::span<const int> receive_counts,
        std::span<const int> receive_displacements, std::span<const MPI_Datatype> receive_types)
      : sent(send, send_counts, send_displacements, send_types),
        received(receive, receive_counts, receive_displacements, receive_types) {}

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

  BlockForm form() const { return received.form(); }

  /// Returns the size of the longest block that this process sends or receives. Requires valid sides.
  std::size_t largest_bytes() const;

  /// Calls equal() with the arguments of MPI_Alltoall, unequal() with those of MPI_Alltoallv, or typed() with those of
  /// MPI_Alltoallw, and then with `others`. Returns what the function returns.
  template <typename Equal, typename Unequal, typename Typed, typename... Others>
  int pass_to(Equal equal, Unequal unequal, Typed typed, Others... others) const {
    switch (form()) {
      case BlockForm::equal:
        return equal(sent.memory(), sent.count(), sent.type(), receive_memory(), received.count(),
                     received.type(), others...);
      case BlockForm::unequal:
        return unequal(sent.memory(), sent.counts().data(), sent.displacements().data(), sent.type(),
                       receive_memory(), received.counts().data(), received.displacements().data(),
                       received.type(), others...);
      case BlockForm::typed:
        break;
    }
    return typed(sent.memory(), sent.counts().data(), sent.displacements().data(), sent.types().data(),
                 receive_memory(), received.counts().data(), received.displacements().data(),
                 received.types().data(), others...);
  }

  Blocks sent;
  Blocks received;
};

/// Packed copies of blocks, one after the other, and the own memory of those that need no copy. Memory is kept for the
/// next blocks.
class PackedBlocks {
 public:
  /// The caller's demands on the blocks.
  struct Use {
    bool is_copied = false;           ///< the blocks are copied even if they are dense
    bool outlives_arguments = false;  ///< the datatypes and the arrays may be freed while the blocks are used
  };

  /// Sets valid blocks, and takes memory for a copy if they need one. Throws std::bad_alloc, and Error if MPI fails.
  void set(const Blocks& blocks, const Use& use);

  /// Takes the memory that set() and table() need for such blocks.
  void reserve(const Blocks& blocks, bool is_copied);

  /// Returns the copies if there are any, or else the memory of the blocks.
  std::byte* memory();

  /// Returns the offset of each block from memory(), and its size, in bytes. A block that is not copied may come before
  /// the copies; its offset is then that of an address modulo 2^64.
  const BlockTable& table();

  /// Returns the memory of the copy and gives up its ownership.
  std::vector<std::byte> release() { return std::exchange(packed_, {}); }

  /// These do nothing if there is no copy.
  void pack(MPI_Comm comm);
  void unpack(MPI_Comm comm) const;

 private:
  void take_arguments(const Blocks& blocks);
  bool is_packed(std::size_t block) const {
    return which_ == Blocks::Packed::all || !blocks_->is_dense(block);
  }

  std::optional<Blocks> blocks_;
  std::vector<OwnedType> own_types_;
  std::vector<int> own_counts_;
  std::vector<int> own_displacements_;
  std::vector<MPI_Aint> own_far_displacements_;
  std::vector<MPI_Datatype> own_type_array_;
  bool has_copies_ = false;
  Blocks::Packed which_ = Blocks::Packed::sparse;  ///< blocks that are copied
  std::vector<std::byte> packed_;
  std::vector<std::size_t> offsets_;
  std::vector<std::size_t> sizes_;
  BlockTable table_;
};

}  // namespace cubefold::mpi
