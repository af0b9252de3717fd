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

/// Base of what agree() throws. Every process throws it, so none is left waiting for another; any other exception may
/// be one process's own.
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

/// Throws the failure as AgreedArgument or AgreedError. For what the other processes throw too.
[[noreturn]] CUBEFOLD_API void throw_agreed(const Failure& failure);

/// Collective: every process brings its failure, or nothing. If any has one, all throw that of the lowest rank
/// as AgreedArgument or AgreedError, with the process named where others had none, and of a long text its first 1000
/// characters. Two small collectives at most; O(log p). Takes no memory while any process waits for this one.
CUBEFOLD_API void agree(MPI_Comm comm, const std::optional<Failure>& failure);

/// What work() throws, as data.
template <typename Work>
std::optional<Failure> failure_of(Work&& work) {
  try {
    std::forward<Work>(work)();
    return std::nullopt;
  } catch (...) {
    return current_failure();
  }
}

/// Collective: runs work() and throws on every process alike if it throws on any. What work() communicates,
/// if anything, must not be waited for by a process whose own work() throws.
template <typename Work>
void together(MPI_Comm comm, Work&& work) {
  agree(comm, failure_of(std::forward<Work>(work)));
}

/// Collective: all throw the failure of rank 0, if it brings one; those of others are ignored.
CUBEFOLD_API void agree_with_first(MPI_Comm comm, const std::optional<Failure>& failure);

/// Collective: runs work() on rank 0, for all, and throws on every process alike if it throws there.
template <typename Work>
void on_first(MPI_Comm comm, Work&& work) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  agree_with_first(comm, rank == 0 ? failure_of(std::forward<Work>(work)) : std::nullopt);
}

/// Collective: throws std::invalid_argument on all processes unless all bring the same text, and names the
/// first process that differs from rank 0. O(log p).
CUBEFOLD_API void require_equal_everywhere(MPI_Comm comm, std::string_view what, std::string_view text);

/// Collective: replaces every process's text by that of rank 0. Throws on all processes if one has no memory for it.
CUBEFOLD_API void share_text_of_first(MPI_Comm comm, std::string& text);

/// Collective: the text that make() gives on rank 0, which alone calls it. Throws on all processes what it throws.
template <typename Make>
std::string text_of_first(MPI_Comm comm, Make&& make) {
  std::string text;
  on_first(comm, [&] { text = std::forward<Make>(make)(); });
  share_text_of_first(comm, text);
  return text;
}

}  // namespace cubefold::mpi
