#pragma once

#include <mpi.h>

#include <mutex>
#include <vector>

#include "cubefold/export.h"
#include "cubefold/mpi/owned_comm.hpp"

namespace cubefold::mpi {

class ExchangeRun;

/// The message space that exchanges on one set of processes share, and those of them that are under way. Whoever waits for
/// one moves all: another process may wait for another one first. Several threads may use it where MPI_THREAD_MULTIPLE is
/// provided.
class CUBEFOLD_API ExchangeSpace {
 public:
  /// Collective: duplicates the communicator, whose ranks the exchanges will count. If CUBEFOLD_CHECK is set, to anything
  /// but 0, on any process, then block sizes are compared ahead of every exchange.
  explicit ExchangeSpace(MPI_Comm comm);

  MPI_Comm comm() const { return comm_.get(); }
  bool is_checked() const { return is_checked_; }

  /// The first of the tags of a new exchange. They come round again after MPI_TAG_UB / 3 exchanges. Every process has
  /// to make its exchanges in the same order.
  int next_tag();

  /// The run will be advanced with the others, until it is over or leaves.
  void join(ExchangeRun& run);
  void leave(const ExchangeRun& run);

  /// Advances all runs; whether anything happened. Throws nothing: a run keeps what fails in it.
  bool advance();

  /// Advances all runs once; whether this one is over.
  bool test(const ExchangeRun& run);

  /// Advances all until this one is over, and gives way to other processes meanwhile.
  void wait(const ExchangeRun& run);

  /// Waits until nothing is under way. What is collective beside the exchanges may not begin before.
  void drain();

 private:
  bool is_over(const ExchangeRun& run);

  OwnedComm comm_;
  bool is_checked_ = false;
  int tag_bound_ = 0;
  int next_tag_ = 0;
  std::mutex mutex_;
  std::vector<ExchangeRun*> runs_;
};

}  // namespace cubefold::mpi
