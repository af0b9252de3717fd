#pragma once

#include <cstdio>
#include <cstdlib>
#include <optional>

#include "rank_of_environment.hpp"

namespace cubefold {

/// Keeps a FailingAllocation or a FailingMpi for the time of a process, as an environment variable RANK:NUMBER:REST
/// says. Only the process of that rank has one, which make(optional, number, rest) puts into an optional. When the
/// process ends normally, it writes the number of counted calls to standard error.
template <typename Failing>
class FailingByEnvironment {
 public:
  template <typename Make>
  FailingByEnvironment(const char* variable, const char* counted, Make make) : counted_(counted) {
    const char* setting = std::getenv(variable);
    int rank = 0;
    unsigned long number = 0;
    int read = 0;
    if (setting == nullptr || std::sscanf(setting, "%d:%lu:%n", &rank, &number, &read) != 2 || read == 0)
      return;
    if (rank_of_environment() == rank) make(failing_, number, setting + read);
  }
  FailingByEnvironment(const FailingByEnvironment&) = delete;
  FailingByEnvironment& operator=(const FailingByEnvironment&) = delete;
  ~FailingByEnvironment() {
    if (failing_) std::fprintf(stderr, "%s that count: %lu\n", counted_, failing_->count());
  }

 private:
  const char* counted_;
  std::optional<Failing> failing_;
};

}  // namespace cubefold
