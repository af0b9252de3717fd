#pragma once

#include <mpi.h>

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

#include "cubefold/export.h"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// Base of the exceptions that agree() throws. Every process throws one, so no process waits for another; any other
/// exception may be thrown by one process alone.
struct CUBEFOLD_API Agreed {
  virtual ~Agreed() = default;
};

class CUBEFOLD_API AgreedArgument : public std::invalid_argument, public Agreed {
 public:
  using std::invalid_argument::invalid_argument;
};

class CUBEFOLD_API AgreedError : public Error, public Agreed {
 public:
  using Error::Error;
};

/// Throws the failure as AgreedArgument or AgreedError. Call it only where all other processes do the same.
[[noreturn]] CUBEFOLD_API void throw_agreed(const Failure& failure);

/// Collective: every process brings its failure, or nothing. If any has one, all throw the failure of the lowest such
/// rank as AgreedArgument or AgreedError. The text has 1000 characters at most, and names the process unless all have
/// failed. Costs one or two small collectives, O(log p). Takes no memory while any process waits for this one.
CUBEFOLD_API void agree(MPI_Comm comm, const std::optional<Failure>& failure);

/// Runs work() and returns what it throws as data.
template <typename Work>
std::optional<Failure> failure_of(Work&& work) {
  try {
    std::forward<Work>(work)();
    return std::nullopt;
  } catch (...) {
    return current_failure();
  }
}

/// Collective: runs work(), and throws on every process alike if it throws on any, as agree() does. If work()
/// communicates, no process may be left waiting for one whose work() throws.
template <typename Work>
void collective_try(MPI_Comm comm, Work&& work) {
  agree(comm, failure_of(std::forward<Work>(work)));
}

/// Collective: all processes throw the failure of rank 0, if it brings one. The failures of others are ignored.
CUBEFOLD_API void agree_with_root(MPI_Comm comm, const std::optional<Failure>& failure);

/// Collective: runs work() on rank 0 alone, and throws on every process alike if it throws there.
template <typename Work>
void root_try(MPI_Comm comm, Work&& work) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  agree_with_root(comm, rank == 0 ? failure_of(std::forward<Work>(work)) : std::nullopt);
}

/// Collective: throws std::invalid_argument on all processes unless all bring the same text, and names the
/// first process that differs from rank 0. O(log p).
CUBEFOLD_API void require_equal_everywhere(MPI_Comm comm, std::string_view what, std::string_view text);

/// Collective: replaces every process's text by that of rank 0. Throws on all processes if one has no memory for it.
CUBEFOLD_API void share_text_of_root(MPI_Comm comm, std::string& text);

/// Collective: returns the text that make() returns on rank 0, which alone calls it. Throws on all processes what
/// make() throws.
template <typename Make>
std::string text_of_root(MPI_Comm comm, Make&& make) {
  std::string text;
  root_try(comm, [&] { text = std::forward<Make>(make)(); });
  share_text_of_root(comm, text);
  return text;
}

}  // namespace cubefold::mpi
