#pragma once

#include <mpi.h>

#include <cstdint>
#include <string>
#include <string_view>

// The preloaded libraries report one line on standard error when the program ends.

namespace cubefold::preload {

/// Returns whether CUBEFOLD is `off`: every call of the program is passed on, and nothing is reported.
bool is_turned_off();

/// Keeps the first reason why calls are passed on. Without memory there is none.
void note_reason(const char* reason) noexcept;

/// Returns "; passed on: " and the first reason, or an empty text if there is none.
std::string text_of_reason();

/// Returns the first reason why calls are passed on, or an empty text.
std::string reason_for_passing_on();

/// Returns the number and the noun, with an s for other numbers than 1.
std::string plural(std::uint64_t count, std::string_view noun);

/// Returns a text such as "; 12.8 s saved in MPI_Alltoall as measured", or an empty text for 0 seconds. Negative
/// seconds are lost.
std::string text_of_seconds_saved(double seconds, std::string_view where);

/// Prints the line that make_line() returns on standard error, unless CUBEFOLD_QUIET is 1. Without memory it prints
/// nothing.
void print_report(std::string (*make_line)()) noexcept;

/// Reports the exception that is being handled on standard error and through the error handler of the program's
/// communicator, and returns what the function of MPI returns.
int report_failure(MPI_Comm comm, const char* function) noexcept;

}  // namespace cubefold::preload
