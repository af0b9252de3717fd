#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>

#include "cubefold/export.h"

namespace cubefold::mpi {

/// The kinds of failure. The C API returns their numbers.
enum class Status : std::uint8_t { success, argument, mpi, memory, internal, timeout };

/// The exception for all failures except invalid arguments, which are std::invalid_argument.
class CUBEFOLD_API Error : public std::runtime_error {
 public:
  Error(Status status, const std::string& text) : std::runtime_error(text), status_(status) {}
  Status status() const { return status_; }

 private:
  Status status_;
};

/// A caught exception as data.
struct Failure {
  Status status = Status::success;
  std::string text;
};

/// Returns the exception that is being handled as data, or a lack of memory if there is none for its text. Call it
/// inside a catch block.
CUBEFOLD_API Failure current_failure() noexcept;

[[noreturn]] CUBEFOLD_API void throw_mpi_error(int code, const char* call);

/// Throws Error "CALL: CLASS: TEXT" unless the code is MPI_SUCCESS, as `MPI_Send: MPI_ERR_RANK: invalid rank`. CLASS is
/// the name of MPI's error class, and TEXT the first line of MPI's own text.
inline void check(int code, const char* call) {
  if (code != 0) throw_mpi_error(code, call);
}

/// Throws what message_bytes() throws.
[[noreturn]] CUBEFOLD_API void throw_too_long(std::size_t count, std::size_t bytes_each);

/// Returns the bytes of one message as an int, which MPI 3.1 requires. Throws std::invalid_argument above 2^31 - 1
/// bytes.
inline int message_bytes(std::size_t count, std::size_t bytes_each) {
  constexpr std::size_t limit = std::numeric_limits<int>::max();
  if (bytes_each != 0 && count > limit / bytes_each) throw_too_long(count, bytes_each);
  return static_cast<int>(count * bytes_each);
}

/// Throws Error unless MPI is initialised and not yet finalised. In other states most MPI calls abort the program.
CUBEFOLD_API void require_mpi_running();

}  // namespace cubefold::mpi
