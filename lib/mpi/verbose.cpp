#include "verbose.hpp"

#include <mpi.h>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <mutex>
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

bool is_verbose() {
  return own_variable("CUBEFOLD_VERBOSE") == "1" && job_comm() != MPI_COMM_NULL && rank_in(job_comm()) == 0;
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

/// The reports that are not printed yet.
struct OpenReports {
  std::mutex mutex;
  std::vector<EndReport*> reports;
};

OpenReports& open_reports() {
  static OpenReports reports;
  return reports;
}

/// MPI calls this in MPI_Finalize, since it deletes the attributes of MPI_COMM_SELF first. Where there are only
/// sessions of MPI, reports are printed when they are destroyed.
int print_open_reports(MPI_Comm, int, void*, void*) {
  std::vector<EndReport*> reports;
  {
    const std::lock_guard lock(open_reports().mutex);
    reports = std::exchange(open_reports().reports, {});
  }
  for (EndReport* report : reports) report->print();
  return MPI_SUCCESS;
}

void add(EndReport* report) {
  const std::lock_guard lock(open_reports().mutex);
  static bool is_called_at_end = false;
  if (!is_called_at_end && job_comm() == MPI_COMM_WORLD) {
    int key = MPI_KEYVAL_INVALID;
    is_called_at_end =
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, print_open_reports, &key, nullptr) == MPI_SUCCESS &&
        MPI_Comm_set_attr(MPI_COMM_SELF, key, nullptr) == MPI_SUCCESS;
  }
  open_reports().reports.push_back(report);
}

}  // namespace

void print_job_once(const JobNodes& job, std::size_t process_count, const char* placement) noexcept try {
  static std::atomic<bool> is_printed = false;
  if (is_printed || !is_verbose() || is_printed.exchange(true)) return;
  print(to_string(summary_of(job, process_count, placement), "cubefold: "));
} catch (...) {
  return;
}

EndReport::EndReport(std::function<std::string()> text) noexcept {
  if (!is_verbose()) return;
  try {
    add(this);
  } catch (...) {
    return;
  }
  text_ = std::move(text);
}

EndReport::~EndReport() {
  if (!text_) return;
  {
    const std::lock_guard lock(open_reports().mutex);
    std::erase(open_reports().reports, this);
  }
  print();
}

void EndReport::print() noexcept try {
  if (const auto text = std::exchange(text_, nullptr)) mpi::print(text());
} catch (...) {
  return;
}

}  // namespace cubefold::mpi
