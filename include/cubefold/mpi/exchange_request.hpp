#pragma once

#include <memory>

#include "cubefold/export.h"

namespace cubefold::mpi {

class BoundExchange;

/// An exchange that goes on while the caller does other things: in every test() and wait() of any exchange of its
/// space, and in no thread. Its buffers belong to it while it is under way. It must be over before it is destroyed, or
/// other processes wait for it.
class CUBEFOLD_API ExchangeRequest {
 public:
  ExchangeRequest();
  explicit ExchangeRequest(std::unique_ptr<BoundExchange> exchange);
  ExchangeRequest(ExchangeRequest&&) noexcept;
  ExchangeRequest& operator=(ExchangeRequest&&) noexcept;
  ~ExchangeRequest();

  /// Collective, and in one order on all processes with what else is collective on the space; waits for nobody. The
  /// data to be sent are those that the buffer has now. Throws std::invalid_argument, on this process, if it is under
  /// way.
  void start();

  /// Whether it is over; then what was received is there, and it may be started again. Throws std::invalid_argument if
  /// it was not started, and what has failed, which ends it too.
  bool test();

  /// Returns when it is over. Throws as test().
  void wait();

  bool is_running() const;

 private:
  BoundExchange& bound() const;

  std::unique_ptr<BoundExchange> exchange_;
};

}  // namespace cubefold::mpi
