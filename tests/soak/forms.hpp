#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>

#include "blocks.hpp"

namespace cubefold::soak {

/// A handle on all processes or on every second one, with a persistent request.
class Handle {
 public:
  /// Collective, as all functions of this file are.
  Handle(MPI_Comm all, Choices& choices);

  /// Frees the handle and its communicator.
  void free();

  void end_persistent();

  cubefold_comm handle = nullptr;
  int rank = 0;  ///< the virtual rank
  int size = 0;
  std::unique_ptr<Exchange> persistent;
  bool is_under_way = false;

 private:
  MPI_Comm comm_ = MPI_COMM_NULL;
};

/// Draws the exchange of the next handle. None is tuning: processes with one thread count as several hosts. The
/// environment is the same for all threads, so several threads leave it as it is.
void set_drawn_method(Choices& choices);

/// Exchanges blocks in a drawn form, and compares what arrives. With threads, another thread waits for some requests.
/// Throws std::runtime_error if a call fails or a number is wrong.
void exchange_on(Handle& handle, Choices& choices, std::uint64_t exchange, bool has_threads);

}  // namespace cubefold::soak
