#pragma once

#include <mpi.h>

#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "cubefold/export.h"
#include "cubefold/mpi/error.hpp"

namespace cubefold::mpi {

/// Says how a process knows of a failure: all have agreed on it, or the process that has failed has told this one. That
/// process throws an exception of its own, and a process that has not heard of it yet throws none.
enum class KnownBy { agreement, notice };

/// Base of the exceptions that agree() throws. If the failure is known by agreement, every process throws one, so no
/// process waits for another. Any other exception may be thrown by one process alone.
class CUBEFOLD_API Agreed {
 public:
  Agreed(Status status, KnownBy known_by) : agreed_status_(status), known_by_(known_by) {}
  virtual ~Agreed() = default;

  /// Returns the kind of failure, which is the same on all processes.
  Status agreed_status() const { return agreed_status_; }

  KnownBy known_by() const { return known_by_; }

 private:
  Status agreed_status_;
  KnownBy known_by_;
};

class CUBEFOLD_API AgreedArgument : public std::invalid_argument, public Agreed {
 public:
  AgreedArgument(const std::string& text, KnownBy known_by)
      : std::invalid_argument(text), Agreed(Status::argument, known_by) {}
};

class CUBEFOLD_API AgreedError : public Error, public Agreed {
 public:
  AgreedError(Status status, const std::string& text, KnownBy known_by)
      : Error(status, text), Agreed(status, known_by) {}
};

/// A process throws this instead of the other two if it has no memory for their text.
class CUBEFOLD_API AgreedWithoutText : public std::bad_alloc, public Agreed {
 public:
  using Agreed::Agreed;
};

/// Throws AgreedArgument or AgreedError with the text that make_text() returns, or AgreedWithoutText. Call it only
/// where all other processes do the same, or for a failure that is known by a notice.
template <typename MakeText>
[[noreturn]] void throw_agreed(Status status, MakeText make_text, KnownBy known_by = KnownBy::agreement) {
  try {
    const std::string text = make_text();
    if (status == Status::argument) throw AgreedArgument(text, known_by);
    throw AgreedError(status, text, known_by);
  } catch (const std::bad_alloc&) {
  }
  throw AgreedWithoutText(status, known_by);
}

/// Collective: every process passes its failure, or nothing. If any process has a failure, all throw the failure of the
/// lowest such rank as AgreedArgument or AgreedError. The text of the failure is cut to 1000 characters, and the
/// process is named unless all have failed. Costs one or two small collectives, O(log p). Takes no memory while any
/// process waits for this one.
CUBEFOLD_API void agree(MPI_Comm comm, const std::optional<Failure>& failure);

/// Runs work() and returns its exception as data, or nothing if it throws none.
template <typename Work>
std::optional<Failure> failure_of(Work&& work) {
  try {
    std::forward<Work>(work)();
    return std::nullopt;
  } catch (...) {
    return current_failure();
  }
}

/// Collective: runs work() and returns what it returns. If it throws on any process, all processes throw, as agree()
/// does. If work() communicates, it must not leave other processes waiting when it throws on one.
template <typename Work>
auto agree_on_outcome(MPI_Comm comm, Work&& work) {
  using Result = std::invoke_result_t<Work>;
  if constexpr (std::is_void_v<Result>) {
    agree(comm, failure_of(std::forward<Work>(work)));
  } else {
    std::optional<Result> result;
    agree(comm, failure_of([&] { result.emplace(std::forward<Work>(work)()); }));
    return std::move(*result);
  }
}

/// Collective: runs work(), which is collective on the processes of one part of `comm`, such as a line of the grid. If
/// the processes of a part agree on a failure, all processes of `comm` throw it. Any other exception, such as that of
/// an MPI call on one process, leaves at once: the other processes of the part still wait in work().
template <typename Work>
void agree_on_outcome_of_parts(MPI_Comm comm, Work&& work) {
  std::optional<Failure> failure;
  try {
    std::forward<Work>(work)();
  } catch (const Agreed&) {
    failure = current_failure();
  }
  agree(comm, failure);
}

/// Runs work(), and returns false if it throws an Agreed exception because a process has no memory. All processes must
/// call this, and all get the same answer.
template <typename Work>
bool has_memory_for(Work&& work) {
  try {
    std::forward<Work>(work)();
    return true;
  } catch (const Agreed& failure) {
    if (failure.agreed_status() != Status::memory) throw;
    return false;
  }
}

/// Collective: all processes throw the failure of rank 0, if it passes one. The failures of other ranks are ignored.
CUBEFOLD_API void agree_with_root(MPI_Comm comm, const std::optional<Failure>& failure);

/// Collective: runs work() on rank 0 only. If it throws there, all processes throw.
template <typename Work>
void root_try(MPI_Comm comm, Work&& work) {
  int rank = 0;
  check(MPI_Comm_rank(comm, &rank), "MPI_Comm_rank");
  agree_with_root(comm, rank == 0 ? failure_of(std::forward<Work>(work)) : std::nullopt);
}

/// Collective: throws std::invalid_argument on all processes unless all pass the same text. The exception names the
/// first process that differs from rank 0. Costs O(log p).
CUBEFOLD_API void require_equal_everywhere(MPI_Comm comm, std::string_view what, std::string_view text);

/// Collective: replaces the text of every process by that of rank 0. Throws on all processes if one has no memory.
CUBEFOLD_API void share_text_of_root(MPI_Comm comm, std::string& text);

/// Collective: returns the text that make() returns on rank 0. Only rank 0 calls make(). If make() throws, all
/// processes throw its failure.
template <typename Make>
std::string text_of_root(MPI_Comm comm, Make&& make) {
  std::string text;
  root_try(comm, [&] { text = std::forward<Make>(make)(); });
  share_text_of_root(comm, text);
  return text;
}

}  // namespace cubefold::mpi
