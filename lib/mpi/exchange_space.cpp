#include "cubefold/mpi/exchange_space.hpp"

#include <algorithm>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "cubefold/mpi/error.hpp"
#include "exchange_run.hpp"
#include "patience.hpp"
#include "run_space.hpp"

namespace cubefold::mpi {

namespace {

bool is_checked_here() {
  const char* value =
      std::getenv("CUBEFOLD_CHECK");  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
  return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

/// A check is collective, so either all do it or none.
bool is_checked_anywhere(MPI_Comm comm) {
  int checked = is_checked_here() ? 1 : 0;
  check(MPI_Allreduce(MPI_IN_PLACE, &checked, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  return checked != 0;
}

int highest_tag(MPI_Comm comm) {
  int* bound = nullptr;
  int is_set = 0;
  check(MPI_Comm_get_attr(comm, MPI_TAG_UB, static_cast<void*>(&bound), &is_set), "MPI_Comm_get_attr");
  constexpr int least = 32767;  // what the standard promises
  return is_set != 0 ? *bound : least;
}

}  // namespace

ExchangeSpace::ExchangeSpace(MPI_Comm comm)
    : comm_(OwnedComm::duplicate(comm)),
      is_checked_(is_checked_anywhere(comm_.get())),
      tag_bound_(highest_tag(comm_.get())) {}

int ExchangeSpace::next_tag() {
  const std::lock_guard lock(mutex_);
  const int next = next_tag_ > tag_bound_ - 2 * RunSpace::tag_count ? 0 : next_tag_ + RunSpace::tag_count;
  return std::exchange(next_tag_, next);
}

void ExchangeSpace::join(ExchangeRun& run) {
  const std::lock_guard lock(mutex_);
  runs_.push_back(&run);
}

void ExchangeSpace::leave(const ExchangeRun& run) {
  const std::lock_guard lock(mutex_);
  std::erase(runs_, &run);
}

bool ExchangeSpace::advance() {
  const std::lock_guard lock(mutex_);
  bool any = false;
  for (ExchangeRun* run : runs_) any = run->advance() || any;
  std::erase_if(runs_, [](const ExchangeRun* run) { return run->is_over(); });
  return any;
}

bool ExchangeSpace::is_over(const ExchangeRun& run) {
  const std::lock_guard lock(mutex_);
  return run.is_over();
}

bool ExchangeSpace::test(const ExchangeRun& run) {
  advance();
  return is_over(run);
}

void ExchangeSpace::wait(const ExchangeRun& run) {
  Patience patience;
  while (!is_over(run)) {
    patience.wait_after(advance());
  }
}

void ExchangeSpace::drain() {
  const auto is_empty = [&] {
    const std::lock_guard lock(mutex_);
    return runs_.empty();
  };
  Patience patience;
  while (!is_empty()) {
    patience.wait_after(advance());
  }
}

}  // namespace cubefold::mpi
