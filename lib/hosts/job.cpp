#include "job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "host_list.hpp"
#include "text/text_file.hpp"
#include "text/words.hpp"

namespace cubefold {

namespace {

/// A variable that is set, and what it says as a text for errors: NAME=VALUE.
struct Setting {
  std::string name;
  std::string value;

  std::string text() const { return fmt::format("{}={}", name, value); }
};

[[noreturn]] void refuse_contradiction(const Setting& one, const std::string& other) {
  throw std::invalid_argument(fmt::format("{} contradicts {}", one.text(), other));
}

std::optional<Setting> setting(const JobSurroundings& surroundings, const char* name) {
  std::string value = surroundings.variable(name);
  if (value.empty()) return std::nullopt;
  return Setting{name, std::move(value)};
}

std::size_t number_in(const Setting& setting) {
  const auto number = whole_number(setting.value);
  if (number && *number > 0) return *number;
  throw std::invalid_argument(fmt::format("{} is not a positive whole number", setting.text()));
}

/// Calls read(), and puts the setting before its error.
template <typename Read>
auto read_setting(const Setting& setting, Read read) {
  try {
    return read();
  } catch (const std::invalid_argument& error) {
    throw std::invalid_argument(fmt::format("{}: {}", setting.text(), error.what()));
  } catch (const std::system_error& error) {
    throw std::invalid_argument(fmt::format("{}: cannot read: {}", setting.text(), error.code().message()));
  }
}

std::vector<JobHost> hosts_in_file(const JobSurroundings& surroundings, const Setting& file) {
  return read_setting(file, [&] { return parse_host_file(surroundings.content(file.value)); });
}

std::vector<JobHost> hosts_in_list(const Setting& list) {
  return read_setting(list, [&] { return parse_host_file(list.value); });
}

std::size_t slot_count(const std::vector<JobHost>& hosts) {
  std::size_t sum = 0;
  for (const JobHost& host : hosts) sum += host.slots;
  return sum;
}

std::string hosts_text(const Setting& hosts, std::size_t count) {
  return fmt::format("{} ({} hosts)", hosts.text(), count);
}

/// A job while its variables are read.
class JobReader {
 public:
  JobReader(const JobSurroundings& surroundings, std::string scheduler, Setting source,
            std::vector<JobHost> hosts)
      : surroundings_(surroundings),
        source_(std::move(source)),
        job_{fmt::format("{}: {}", std::move(scheduler), source_.text()), std::move(hosts)} {}

  bool has_counts() const { return job_.hosts.front().slots > 0; }

  /// Takes the ranks of every host from a list such as `4(x4)`.
  void take_list(const Setting& list) {
    const auto counts = read_setting(list, [&] { return parse_counts(list.value); });
    if (counts.size() != job_.hosts.size())
      refuse_contradiction(list, hosts_text(source_, job_.hosts.size()));
    for (std::size_t i = 0; i < counts.size(); ++i) job_.hosts[i].slots = counts[i];
    told_by(list);
  }

  /// Takes the number of all ranks, or compares it.
  void take_total(const Setting& total) {
    const std::size_t ranks = number_in(total);
    if (has_counts()) {
      if (slot_count(job_.hosts) != ranks) refuse_contradiction(total, counts_.text());
      return;
    }
    read_setting(total, [&] { spread(ranks, job_.hosts); });
    told_by(total);
  }

  /// Takes the largest number of ranks on a host, which every host has if nothing else is known.
  void take_most(const Setting& most) {
    const std::size_t ranks = number_in(most);
    const auto has_more = [ranks](const JobHost& host) { return host.slots > ranks; };
    if (std::ranges::any_of(job_.hosts, has_more)) {
      refuse_contradiction(most, fmt::format("{} ({} on the hosts)", counts_.text(), slots_text(job_.hosts)));
    }
    if (has_counts()) return;
    for (JobHost& host : job_.hosts) host.slots = ranks;
    told_by(most);
  }

  /// Compares the number of hosts.
  void compare_hosts(const Setting& count) const {
    if (number_in(count) != job_.hosts.size())
      refuse_contradiction(count, hosts_text(source_, job_.hosts.size()));
  }

  template <typename Take>
  JobReader& with(const char* name, Take take) {
    if (const auto found = setting(surroundings_, name)) (this->*take)(*found);
    return *this;
  }

  /// Says that the list of hosts has their ranks.
  JobReader& with_slots_of_list() {
    if (has_counts()) counts_ = source_;
    return *this;
  }

  Job take() { return std::move(job_); }

 private:
  void told_by(const Setting& counts) {
    counts_ = counts;
    job_.source += ", " + counts.text();
  }

  const JobSurroundings& surroundings_;
  Setting source_;
  Setting counts_;
  Job job_;
};

/// Returns whether the numbers of tasks are those of a step on a part of the job's hosts.
bool counts_are_of_a_step(const JobSurroundings& surroundings, const Setting& job_hosts) {
  const auto hosts = setting(surroundings, "SLURM_STEP_NODELIST");
  return hosts && hosts->value != job_hosts.value &&
         surroundings.variable("SLURM_STEP_TASKS_PER_NODE") == surroundings.variable("SLURM_TASKS_PER_NODE");
}

std::optional<Job> job_of_slurm(const JobSurroundings& surroundings) {
  const auto list = setting(surroundings, "SLURM_JOB_NODELIST");
  if (!list) return std::nullopt;
  JobReader reader(surroundings, "Slurm", *list, hosts_in_list(*list));
  if (counts_are_of_a_step(surroundings, *list)) return reader.take();
  return reader.with("SLURM_TASKS_PER_NODE", &JobReader::take_list)
      .with("SLURM_NTASKS", &JobReader::take_total)
      .with("SLURM_NPROCS", &JobReader::take_total)
      .with("SLURM_NTASKS_PER_NODE", &JobReader::take_most)
      .take();
}

/// PBS names a host once for each rank.
std::optional<Job> job_of_pbs(const JobSurroundings& surroundings) {
  const auto file = setting(surroundings, "PBS_NODEFILE");
  if (!file) return std::nullopt;
  JobReader reader(surroundings, "PBS", *file, hosts_in_file(surroundings, *file));
  reader.with_slots_of_list().with("PBS_NP", &JobReader::take_total);
  Job job = reader.take();
  for (JobHost& host : job.hosts) host.slots = std::max<std::size_t>(host.slots, 1);
  return job;
}

/// Returns the hosts of a text such as `n0 4 n1 2`.
std::vector<JobHost> hosts_in_pairs(const Setting& pairs) {
  return read_setting(pairs, [&] {
    const auto words = words_of_line(pairs.value);
    if (words.size() % 2 != 0) throw std::invalid_argument("it is not HOST COUNT HOST COUNT ...");
    std::string lines;
    for (std::size_t i = 0; i < words.size(); i += 2)
      lines += fmt::format("{} slots={}\n", words[i], words[i + 1]);
    return parse_host_file(lines);
  });
}

std::optional<Job> job_of_lsf(const JobSurroundings& surroundings) {
  const auto read = [&](const Setting& source, std::vector<JobHost> hosts) {
    return JobReader(surroundings, "LSF", source, std::move(hosts))
        .with_slots_of_list()
        .with("LSB_DJOB_NUMPROC", &JobReader::take_total)
        .take();
  };
  if (const auto pairs = setting(surroundings, "LSB_MCPU_HOSTS")) return read(*pairs, hosts_in_pairs(*pairs));
  if (const auto file = setting(surroundings, "LSB_DJOB_HOSTFILE"))
    return read(*file, hosts_in_file(surroundings, *file));
  if (const auto list = setting(surroundings, "LSB_HOSTS")) return read(*list, hosts_in_list(*list));
  return std::nullopt;
}

std::optional<Job> job_of_fujitsu(const JobSurroundings& surroundings) {
  const auto file = setting(surroundings, "PJM_O_NODEINF");
  if (!file) return std::nullopt;
  return JobReader(surroundings, "Fujitsu", *file, hosts_in_file(surroundings, *file))
      .with_slots_of_list()
      .with("PJM_NODE", &JobReader::compare_hosts)
      .with("PJM_MPI_PROC", &JobReader::take_total)
      .with("PJM_PROC_BY_NODE", &JobReader::take_most)
      .take();
}

}  // namespace

JobSurroundings own_surroundings() {
  return {[](const char* name) {
            const char* value =
                std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody here sets variables
            return std::string(value == nullptr ? "" : value);
          },
          read_text_file};
}

std::optional<Job> job_of(const JobSurroundings& surroundings) {
  for (const auto read : {job_of_slurm, job_of_pbs, job_of_lsf, job_of_fujitsu})
    if (auto job = read(surroundings)) return job;
  return std::nullopt;
}

void spread(std::size_t ranks, std::vector<JobHost>& hosts) {
  const auto is_limited = [](const JobHost& host) { return host.slots > 0; };
  if (ranks < hosts.size())
    throw std::invalid_argument(fmt::format("{} ranks are fewer than {} hosts", ranks, hosts.size()));
  if (std::ranges::all_of(hosts, is_limited) && slot_count(hosts) < ranks) {
    throw std::invalid_argument(
        fmt::format("{} ranks are more than the slots of the hosts, {}", ranks, slots_text(hosts)));
  }
  const auto taken = [&](const JobHost& host, std::size_t level) {
    return is_limited(host) ? std::min(host.slots, level) : level;
  };
  const auto sum = [&](std::size_t level) {
    std::size_t all = 0;
    for (const JobHost& host : hosts) all += taken(host, level);
    return all;
  };
  std::size_t level = 1;  // the most ranks that all hosts with so many slots can have
  for (std::size_t above = ranks + 1; above - level > 1;) {
    const std::size_t middle = level + (above - level) / 2;
    (sum(middle) <= ranks ? level : above) = middle;
  }
  std::size_t left = ranks - sum(level);
  for (JobHost& host : hosts) {
    const bool has_one_more = left > 0 && taken(host, level + 1) > level;
    host.slots = taken(host, level) + (has_one_more ? 1 : 0);
    left -= has_one_more ? 1 : 0;
  }
}

std::size_t rank_count(const Job& job) {
  return slot_count(job.hosts);
}

std::string slots_text(const std::vector<JobHost>& hosts) {
  std::vector<std::size_t> counts;
  for (const JobHost& host : hosts) counts.push_back(host.slots);
  return counts_text(counts);
}

}  // namespace cubefold
