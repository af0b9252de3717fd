#include "calibrate/check/command.hpp"

#include <fmt/format.h>
#include <mpi.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "calibrate/check/job_hosts.hpp"
#include "calibrate/check/map_check.hpp"
#include "calibrate/check/measurement.hpp"
#include "calibrate/check/report.hpp"
#include "mpi/agreement.hpp"
#include "program/mpi_program.hpp"
#include "program/program.hpp"

namespace cubefold::map_check {

namespace {

constexpr int exit_contradicted = 1;

/// Returns a text with a line for each round: the numbers of the hosts at the ends of its streams.
std::string text_of(const std::vector<Round>& rounds) {
  std::string text;
  for (const Round& round : rounds) {
    for (const auto& [from, to] : round) text += fmt::format("{} {} ", from, to);
    text += '\n';
  }
  return text;
}

/// Returns the rounds of text_of().
std::vector<Round> rounds_in(const std::string& text) {
  std::vector<Round> rounds;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    Round& round = rounds.emplace_back();
    std::istringstream numbers(line);
    for (HostStream stream{}; numbers >> stream.from >> stream.to;) round.push_back(stream);
  }
  return rounds;
}

/// Measures the rounds that the check of the first host asks for. The lowest process of every host must call this.
void measure_all(const JobHosts& job, const CheckOptions& options, MapCheck& check,
                 program::Progress& progress) {
  const HostProcesses hosts{job.comm.get(), job.ranks};
  StreamLength length{};
  while (true) {
    progress.show("plan of the measurements");
    const auto rounds =
        rounds_in(mpi::text_of_root(hosts.comm, [&] { return text_of(check.next_rounds()); }));
    if (rounds.empty()) return;
    if (length.message_count == 0)
      length = length_lasting(hosts, options.stream_seconds, rounds.front().front());
    auto observations = measure({hosts, length, options.repetitions, progress}, rounds);
    mpi::root_try(hosts.comm, [&] { check.add(std::move(observations)); });
  }
}

}  // namespace

int check_hosts(const CheckOptions& options) {
  const JobHosts job = hosts_of_job(MPI_COMM_WORLD, options.file);
  program::JsonFile json(options.json);
  MapCheck check(job.map.network(), job.nodes());
  program::Progress progress(program::is_first_process());
  if (job.comm.get() != MPI_COMM_NULL) measure_all(job, options, check, progress);
  progress.wipe();
  Judgement judgement;
  mpi::root_try(MPI_COMM_WORLD, [&] { judgement = check.judgement(); });
  json.write([&] { return report_as_json(job, options.file, check, judgement); });
  program::print_on_first({options.json}, [&] {
    if (options.table) fmt::print("{}\n", table_of_streams(job, check));
    fmt::print("{}", judgement_text(job, options.file, check, judgement));
  });
  int status = judgement.verdict == Verdict::agrees ? 0 : exit_contradicted;
  mpi::check(MPI_Bcast(&status, 1, MPI_INT, 0, MPI_COMM_WORLD), "MPI_Bcast");
  return status;
}

}  // namespace cubefold::map_check
