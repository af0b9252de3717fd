#include "cubefold/mpi/error.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <array>
#include <exception>
#include <limits>
#include <new>

namespace cubefold::mpi {

static_assert(MPI_SUCCESS == 0, "check() compares with 0");

namespace {

/// Throws std::bad_alloc if there is no memory for the text.
Failure caught_failure() {
  try {
    throw;
  } catch (const Error& error) {
    return {error.status(), error.what()};
  } catch (const std::invalid_argument& error) {
    return {Status::argument, error.what()};
  } catch (const std::bad_alloc&) {
    return {Status::memory, "out of memory"};
  } catch (const std::length_error&) {
    return {Status::memory, "out of memory"};
  } catch (const std::exception& error) {
    return {Status::internal, error.what()};
  } catch (...) {
    return {Status::internal, "an exception of unknown type"};
  }
}

}  // namespace

Failure current_failure() noexcept {
  try {
    return caught_failure();
  } catch (const std::bad_alloc&) {
    return {Status::memory, "out of memory"};  // too short to need any
  }
}

void throw_mpi_error(int code, const char* call) {
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(code, text.data(), &length);
  throw Error(Status::mpi,
              fmt::format("{}: {}", call, std::string_view(text.data(), static_cast<std::size_t>(length))));
}

int message_bytes(std::size_t count, std::size_t bytes_each) {
  constexpr std::size_t limit = std::numeric_limits<int>::max();
  if (bytes_each != 0 && count > limit / bytes_each) {
    throw std::invalid_argument(
        fmt::format("a message of {} x {} bytes is above the limit of {} bytes", count, bytes_each, limit));
  }
  return static_cast<int>(count * bytes_each);
}

void require_mpi_running() {
  int flag = 0;
  MPI_Initialized(&flag);
  if (flag == 0) throw Error(Status::mpi, "MPI is not initialised: call MPI_Init first");
  MPI_Finalized(&flag);
  if (flag != 0) throw Error(Status::mpi, "MPI is finalised: no call is possible any more");
}

}  // namespace cubefold::mpi
