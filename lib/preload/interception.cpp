#include "interception.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>

#include "mpi/settings.hpp"

namespace cubefold::preload {

namespace {

std::atomic<bool> has_ended = false;

void add_count(std::string& text, const CallCount& count) {
  text +=
      fmt::format("{}{} of {} {}", text.empty() ? "" : ", ", count.ours.load(), count.all(), count.function);
}

}  // namespace

bool may_replace() {
  return !is_turned_off() && !has_ended && !InsideLibrary::is_active();
}

void end_replacing() {
  has_ended = true;
}

bool may_reorder() {
  return mpi::own_variable("CUBEFOLD_REORDER") == "on";
}

void announce_reordering(const char* function) noexcept {
  static std::atomic<bool> is_announced = false;
  if (is_announced.exchange(true)) return;
  std::fprintf(
      stderr,
      "cubefold: %s gives processes new ranks, as CUBEFOLD_REORDER=on asks; ranks of the communicator before "
      "it are others\n",
      function);
}

void for_each_replaced(const std::function<void(const CallCount&)>& see) {
  const auto see_if_called = [&](const CallCount& count) {
    if (count.all() > 0) see(count);
  };
#define CUBEFOLD_SEE(function) \
  see_if_called(report().function);  // NOLINT(bugprone-macro-parentheses): it is a name
  CUBEFOLD_FUNCTIONS(CUBEFOLD_SEE, CUBEFOLD_NO_FUNCTION, CUBEFOLD_SEE)
  CUBEFOLD_FUNCTIONS_OF_MPI_4(CUBEFOLD_SEE, CUBEFOLD_NO_FUNCTION, CUBEFOLD_SEE)
#undef CUBEFOLD_SEE
}

std::string text_of_report() {
  const Report& counts = report();
  std::string calls;
  // Most programs make many calls of these with short vectors, which are of no interest.
  const std::array if_any_is_ours{&counts.Allreduce,
                                  &counts.Reduce_scatter_block,
                                  &counts.Reduce_scatter,
                                  &counts.Allgather,
                                  &counts.Allgatherv,
                                  &counts.Iallreduce,
                                  &counts.Ireduce_scatter_block,
                                  &counts.Ireduce_scatter,
                                  &counts.Iallgather,
                                  &counts.Iallgatherv};
  const auto add = [&](const CallCount& count) {
    if (count.ours > 0 || std::ranges::find(if_any_is_ours, &count) == if_any_is_ours.end())
      add_count(calls, count);
  };
  for_each_replaced(add);
  if (calls.empty()) return "";
  std::string text =
      fmt::format("cubefold: {} by cubefold; {}, {} of them on the grid", calls,
                  plural(counts.communicators, "communicator"), counts.communicators_on_grid.load());
  text += text_of_seconds_saved(counts.Alltoall.seconds_saved, "MPI_Alltoall");
  if (counts.with_device_memory > 0)
    text += fmt::format("; {} with memory of devices passed on", plural(counts.with_device_memory, "call"));
  return text + text_of_reason() + "\n";
}

}  // namespace cubefold::preload
