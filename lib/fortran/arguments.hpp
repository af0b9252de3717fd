#pragma once

#include <ISO_Fortran_binding.h>
#include <mpi.h>

#include <initializer_list>
#include <string>

#include "mpi/c_handles.hpp"

/// Arguments of Fortran as values of C. A type of mpi_f08, such as type(MPI_Comm), is one MPI_Fint.
namespace cubefold::fortran {

/// A buffer of a call, and its name in messages.
struct Argument {
  const CFI_cdesc_t* buffer;
  const char* name;
};

/// Throws std::invalid_argument that names the buffer if it is not contiguous, MPI_IN_PLACE or MPI_BOTTOM.
CUBEFOLD_API void require_buffer(const Argument& argument);

/// Returns a text without the blanks at its end.
CUBEFOLD_API std::string text_of(const CFI_cdesc_t& text);

/// An optional text of Fortran as a text of C, or NULL for an absent one.
class OptionalText {
 public:
  explicit OptionalText(const CFI_cdesc_t* text)
      : is_present_(text != nullptr), text_(is_present_ ? text_of(*text) : "") {}
  const char* c_str() const { return is_present_ ? text_.c_str() : nullptr; }

 private:
  bool is_present_;
  std::string text_;
};

/// Takes the status of a C call and stores it for Fortran, unless Fortran passed none or MPI_STATUS_IGNORE.
class StatusOut {
 public:
  explicit StatusOut(MPI_Fint* fortran);
  MPI_Status* c_status() { return fortran_ == nullptr ? MPI_STATUS_IGNORE : &status_; }
  void store() const;

 private:
  MPI_Fint* fortran_;
  MPI_Status status_{};
};

/// Stores the code of a call in *ierror. If that is NULL, a failure calls the error handler of MPI_COMM_WORLD with an
/// error class of MPI whose text is cubefold_last_error(). Prints the text first if that ends the program. While MPI
/// does not run, it prints the text and ends the program, as MPI does for its own functions.
CUBEFOLD_API void report(int code, int* ierror) noexcept;

/// Runs call(), which returns a code of C. Reports that code, or that of an exception.
template <typename Call>
void run(const char* function, int* ierror, Call call) noexcept {
  int code = CUBEFOLD_SUCCESS;
  const int thrown = mpi::guarded(function, [&] { code = call(); });
  report(thrown == CUBEFOLD_SUCCESS ? code : thrown, ierror);
}

/// Does the same for a call with buffers that communicates with nobody if it is refused.
template <typename Call>
void run_with(const char* function, int* ierror, std::initializer_list<Argument> arguments,
              Call call) noexcept {
  run(function, ierror, [&] {
    for (const auto& argument : arguments) require_buffer(argument);
    return call();
  });
}

/// Does the same for an exchange, which notifies the other processes of a buffer that is refused, as C does.
template <typename Call>
void run_exchange(const char* function, int* ierror, cubefold_comm comm,
                  std::initializer_list<Argument> arguments, Call call) noexcept {
  run(function, ierror, [&] {
    try {
      for (const auto& argument : arguments) require_buffer(argument);
    } catch (const std::invalid_argument&) {
      mpi::exchange_on(comm, [](mpi::PlanCache&) { throw; });
    }
    return call();
  });
}

}  // namespace cubefold::fortran
