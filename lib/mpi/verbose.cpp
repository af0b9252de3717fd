#include "verbose.hpp"

#include <mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include "cubefold/simulation/machine.hpp"
#include "hosts/job.hpp"
#include "job_files.hpp"
#include "job_nodes.hpp"
#include "plan/job_summary.hpp"
#include "processes.hpp"
#include "settings.hpp"

namespace cubefold::mpi {

namespace {

bool is_first_process() {
  return job_comm() != MPI_COMM_NULL && rank_in(job_comm()) == 0;
}

bool is_verbose() {
  return own_variable("CUBEFOLD_VERBOSE") == "1" && is_first_process();
}

bool has_summary() {
  return !own_variable("CUBEFOLD_SUMMARY").empty() && is_first_process();
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stderr);
}

/// Returns what the scheduler says of the hosts, or why that cannot be read.
std::string hosts_here() {
  try {
    return hosts_text(job_of(own_surroundings()));
  } catch (const std::exception& error) {
    return error.what();
  }
}

std::string machine_here() {
  const std::string file = own_variable("CUBEFOLD_MACHINE");
  if (file.empty()) return "none";
  try {
    return summary_of(read_machine(file));
  } catch (const std::exception& error) {
    return error.what();
  }
}

JobSummary summary_of(const JobNodes& job, std::size_t process_count, const char* placement) {
  const std::string tuning = own_variable("CUBEFOLD_TUNING");
  const std::string nodes = job.is_known ? fmt::format(" on {} nodes", job.network.node_count()) : "";
  return {job.is_known ? to_string(job.network) : "unknown",
          job.source,
          hosts_here(),
          fmt::format("{}{}", process_count, nodes),
          placement,
          machine_here(),
          tuning.empty() ? "none" : tuning,
          library_name()};
}

/// The reports that are open, and the choices of closed ones.
struct Reports {
  std::mutex mutex;
  std::vector<EndReport*> open;
  std::vector<CallChoice> closed;
};

Reports& reports() {
  static Reports reports;
  return reports;
}

/// Adds choices, each in the place of an earlier one for the same calls.
void add(std::vector<CallChoice> more, std::vector<CallChoice>& choices) {
  for (CallChoice& choice : more) {
    const auto same = std::ranges::find_if(choices, [&](const CallChoice& other) {
      return std::tie(other.nodes, other.title) == std::tie(choice.nodes, choice.title);
    });
    if (same == choices.end()) {
      choices.push_back(std::move(choice));
    } else {
      *same = std::move(choice);
    }
  }
}

/// MPI calls this in MPI_Finalize, since it deletes the attributes of MPI_COMM_SELF first. Where there are only
/// sessions of MPI, reports are closed when they are destroyed.
int close_reports(MPI_Comm, int, void*, void*) {
  std::vector<EndReport*> open;
  {
    const std::lock_guard lock(reports().mutex);
    open = std::exchange(reports().open, {});
  }
  for (EndReport* report : open) report->close();
  return MPI_SUCCESS;
}

void add(EndReport* report) {
  const std::lock_guard lock(reports().mutex);
  static bool is_called_at_end = false;
  if (!is_called_at_end && job_comm() == MPI_COMM_WORLD) {
    int key = MPI_KEYVAL_INVALID;
    is_called_at_end =
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, close_reports, &key, nullptr) == MPI_SUCCESS &&
        MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  }
  reports().open.push_back(report);
}

}  // namespace

void print_job_once(const JobNodes& job, std::size_t process_count, const char* placement) noexcept try {
  static std::atomic<bool> is_printed = false;
  if (is_printed || !is_verbose() || is_printed.exchange(true)) return;
  print(to_string(summary_of(job, process_count, placement), "cubefold: "));
} catch (...) {
  return;
}

EndReport::EndReport(Choices choices) noexcept {
  prints_ = is_verbose();
  if (!prints_ && !has_summary()) return;
  try {
    add(this);
  } catch (...) {
    return;
  }
  choices_ = std::move(choices);
}

EndReport::~EndReport() {
  if (!choices_) return;
  {
    const std::lock_guard lock(reports().mutex);
    std::erase(reports().open, this);
  }
  close();
}

void EndReport::close() noexcept try {
  const auto choices = std::exchange(choices_, nullptr);
  if (!choices) return;
  auto all = choices();
  for (const CallChoice& choice : all)
    if (prints_) print(fmt::format("cubefold: {}: {}: {}\n", choice.nodes, choice.title, choice.text));
  const std::lock_guard lock(reports().mutex);
  add(std::move(all), reports().closed);
} catch (...) {
  return;
}

std::vector<CallChoice> reported_choices() {
  const std::lock_guard lock(reports().mutex);
  std::vector<CallChoice> choices = reports().closed;
  for (const EndReport* report : reports().open) add(report->choices(), choices);
  return choices;
}

}  // namespace cubefold::mpi
