#include "waiting.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <system_error>

#include "agreement.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"
#include "settings.hpp"

namespace cubefold::mpi {

namespace {

constexpr const char* variable = "CUBEFOLD_TIMEOUT";
constexpr std::size_t most_named_ranks = 8;

double own_limit() {
  const std::string text = own_variable(variable);
  double seconds = std::numeric_limits<double>::infinity();
  if (text.empty()) return seconds;
  const char* end = text.data() + text.size();
  const auto [read, error] = std::from_chars(text.data(), end, seconds);
  if (error != std::errc() || read != end || !std::isfinite(seconds) || seconds <= 0)
    throw std::invalid_argument(fmt::format("{} '{}' is no number of seconds above 0", variable, text));
  return seconds;
}

/// Returns "rank 7", "ranks 1 and 7", "ranks 1, 3 and 7", or eight ranks and the number of the others.
std::string ranks_text(const std::vector<int>& ranks) {
  if (ranks.empty()) return "other ranks";
  const std::size_t named = std::min(ranks.size(), most_named_ranks);
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < named; ++i) {
    const bool is_last = i + 1 == ranks.size();
    text += fmt::format("{}{}", i == 0 ? "" : is_last ? " and " : ", ", ranks[i]);
  }
  if (ranks.size() > named) text += fmt::format(" and {} others", ranks.size() - named);
  return text;
}

}  // namespace

TimeLimit TimeLimit::on(MPI_Comm comm) {
  TimeLimit limit;
  agree_on_outcome(comm, [&] { limit.seconds_ = own_limit(); });
  check(MPI_Allreduce(MPI_IN_PLACE, &limit.seconds_, 1, MPI_DOUBLE, MPI_MIN, comm), "MPI_Allreduce");
  return limit;
}

void throw_timeout(MPI_Comm comm, TimeLimit limit, const Awaited& awaited) {
  std::vector<int> ranks = ranks_in_job(comm, awaited.ranks);
  for (std::size_t i = 0; i < ranks.size(); ++i)
    if (ranks[i] == MPI_UNDEFINED) ranks[i] = awaited.ranks[i];
  std::ranges::sort(ranks);
  ranks.erase(std::unique(ranks.begin(), ranks.end()), ranks.end());
  throw Error(
      Status::timeout,
      fmt::format("{}rank {} waited {} s for {} of {}{}", awaited.where, rank_in(job_comm()), limit.seconds(),
                  ranks_text(ranks),
                  job_comm() == MPI_COMM_WORLD ? "MPI_COMM_WORLD" : "the first communicator", awaited.step));
}

}  // namespace cubefold::mpi
