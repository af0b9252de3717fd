#include "report_line.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <mutex>

#include "cubefold/mpi/error.hpp"
#include "mpi/settings.hpp"

namespace cubefold::preload {

namespace {

struct Reason {
  std::mutex mutex;
  std::string text;
};

Reason& first_reason() {
  static Reason reason;
  return reason;
}

}  // namespace

bool is_turned_off() {
  static const bool is_off = mpi::own_variable("CUBEFOLD") == "off";
  return is_off;
}

void note_reason(const char* reason) noexcept try {
  const std::lock_guard lock(first_reason().mutex);
  if (first_reason().text.empty()) first_reason().text = reason;
} catch (...) {
  return;
}

std::string reason_for_passing_on() {
  const std::lock_guard lock(first_reason().mutex);
  return first_reason().text;
}

std::string text_of_reason() {
  const std::string reason = reason_for_passing_on();
  return reason.empty() ? "" : fmt::format("; passed on: {}", reason);
}

std::string plural(std::uint64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string text_of_seconds_saved(double seconds, std::string_view where) {
  if (seconds == 0) return "";
  const char* verb = seconds > 0 ? "saved" : "lost";
  return fmt::format("; {:.3g} s {} in {} as measured", std::abs(seconds), verb, where);
}

void print_report(std::string (*make_line)()) noexcept try {
  if (mpi::own_variable("CUBEFOLD_QUIET") == "1") return;
  std::fputs(make_line().c_str(), stderr);
} catch (...) {
  return;
}

int report_failure(MPI_Comm comm, const char* function) noexcept {
  const mpi::Failure failure = mpi::current_failure();
  std::fprintf(stderr, "cubefold: %s: %s\n", function, failure.text.c_str());
  MPI_Comm_call_errhandler(comm, MPI_ERR_OTHER);
  return MPI_ERR_OTHER;
}

}  // namespace cubefold::preload
