#include "cubefold/mpi/error.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <exception>
#include <limits>
#include <new>
#include <string_view>

namespace cubefold::mpi {

static_assert(MPI_SUCCESS == 0, "check() compares with 0");

namespace {

struct ErrorClass {
  int number;
  std::string_view name;
};

#define CUBEFOLD_ERROR_CLASS(name) \
  ErrorClass {                     \
    name, #name                    \
  }

// These are the classes of the calls that this library makes.
constexpr std::array error_classes{
    CUBEFOLD_ERROR_CLASS(MPI_ERR_BUFFER),       CUBEFOLD_ERROR_CLASS(MPI_ERR_COUNT),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_TYPE),         CUBEFOLD_ERROR_CLASS(MPI_ERR_TAG),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_COMM),         CUBEFOLD_ERROR_CLASS(MPI_ERR_RANK),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_REQUEST),      CUBEFOLD_ERROR_CLASS(MPI_ERR_ROOT),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_GROUP),        CUBEFOLD_ERROR_CLASS(MPI_ERR_OP),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_TOPOLOGY),     CUBEFOLD_ERROR_CLASS(MPI_ERR_DIMS),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_ARG),          CUBEFOLD_ERROR_CLASS(MPI_ERR_UNKNOWN),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_TRUNCATE),     CUBEFOLD_ERROR_CLASS(MPI_ERR_OTHER),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_INTERN),       CUBEFOLD_ERROR_CLASS(MPI_ERR_IN_STATUS),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_PENDING),      CUBEFOLD_ERROR_CLASS(MPI_ERR_KEYVAL),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_NO_MEM),       CUBEFOLD_ERROR_CLASS(MPI_ERR_INFO),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_SIZE),         CUBEFOLD_ERROR_CLASS(MPI_ERR_WIN),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_ACCESS),       CUBEFOLD_ERROR_CLASS(MPI_ERR_IO),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_FILE),         CUBEFOLD_ERROR_CLASS(MPI_ERR_NO_SPACE),
    CUBEFOLD_ERROR_CLASS(MPI_ERR_NO_SUCH_FILE),
};

#undef CUBEFOLD_ERROR_CLASS

/// Returns the name of the class of this error, or an empty text for a class that is not listed.
std::string_view class_name(int code) {
  int number = MPI_ERR_UNKNOWN;
  MPI_Error_class(code, &number);
  const auto named =
      std::ranges::find_if(error_classes, [&](const ErrorClass& each) { return each.number == number; });
  return named == error_classes.end() ? "" : named->name;
}

/// Returns the first line of a text without what says that more lines follow.
std::string_view first_line(std::string_view text) {
  text = text.substr(0, text.find('\n'));
  constexpr std::string_view announcement = ", error stack:";
  if (text.ends_with(announcement)) text.remove_suffix(announcement.size());
  return text;
}

/// Returns a text such as `MPI_ERR_RANK: invalid rank`. Open MPI's texts begin with the class, and MPICH's do not.
std::string mpi_error_text(int code) {
  std::array<char, MPI_MAX_ERROR_STRING> buffer{};
  int length = 0;
  MPI_Error_string(code, buffer.data(), &length);
  const std::string_view text = first_line({buffer.data(), static_cast<std::size_t>(length)});
  const std::string_view name = class_name(code);
  return text.starts_with(name) ? std::string(text) : fmt::format("{}: {}", name, text);
}

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
  throw Error(Status::mpi, fmt::format("{}: {}", call, mpi_error_text(code)));
}

void throw_too_long(std::size_t count, std::size_t bytes_each) {
  throw std::invalid_argument(fmt::format("a message of {} x {} bytes is above the limit of {} bytes", count,
                                          bytes_each, std::numeric_limits<int>::max()));
}

void require_mpi_running() {
  int flag = 0;
  MPI_Initialized(&flag);
  if (flag == 0) throw Error(Status::mpi, "MPI is not initialised: call MPI_Init first");
  MPI_Finalized(&flag);
  if (flag != 0) throw Error(Status::mpi, "MPI is finalised: no call is possible any more");
}

}  // namespace cubefold::mpi
