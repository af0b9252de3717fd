#pragma once

#include <mpi.h>

#include <cstddef>
#include <utility>
#include <vector>

#include "cubefold/mpi/owned_comm.hpp"

/// Exchanges blocks by MPI_Alltoall on the lines of one axis after the other. Derived datatypes say which blocks go to
/// which process of the line, so that no block is copied by hand. The communicators of the lines, the scratch memory
/// and the datatypes of the last block size are kept. Source: Traeff, arXiv 2605.29970, from its description.
class AxisAlltoall {
 public:
  /// All processes of a Cartesian communicator must call this. Blocks are in the order of its ranks.
  explicit AxisAlltoall(MPI_Comm cart);

  /// Exchanges blocks of this size. All processes must call this. Throws std::invalid_argument on all processes if all
  /// blocks together have more than 2^31 - 1 bytes.
  void run(const std::byte* send, std::byte* receive, int block_bytes);

 private:
  /// A datatype that is freed with this object.
  class OwnedType {
   public:
    OwnedType() = default;
    OwnedType(OwnedType&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
    OwnedType& operator=(OwnedType&& other) noexcept {
      std::swap(type_, other.type_);
      return *this;
    }
    OwnedType(const OwnedType&) = delete;
    OwnedType& operator=(const OwnedType&) = delete;
    ~OwnedType();

    /// Returns a type of `count` runs of `length` bytes, `stride` bytes apart. The next element begins `length` bytes
    /// later.
    static OwnedType of_runs(int count, int length, int stride);

    MPI_Datatype get() const { return type_; }

   private:
    MPI_Datatype type_ = MPI_DATATYPE_NULL;
  };

  /// One axis of more than one process, with the numbers of blocks that a type has to step over.
  struct Line {
    cubefold::mpi::OwnedComm comm;
    int extent;
    int before;  ///< product of the extents of the axes before this one
    int behind;  ///< product of the extents of the axes behind this one, which count faster
    OwnedType blocks{};
  };

  void prepare(int block_bytes);

  std::vector<Line> lines_;
  std::size_t process_count_;
  int block_bytes_ = 0;  ///< of the types
  std::vector<std::byte> scratch_;
};
