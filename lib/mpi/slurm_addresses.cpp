#include "slurm_addresses.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <numeric>
#include <sstream>
#include <string>
#include <system_error>

#include "agreement.hpp"
#include "cubefold/hosts/host_map.hpp"
#include "cubefold/mpi/error.hpp"
#include "processes.hpp"
#include "settings.hpp"
#include "text/text_file.hpp"

namespace cubefold::mpi {

namespace {

/// Returns the name of this host and Slurm's variables, a line each, which is empty for a variable that is not set.
std::string slurm_lines() {
  return fmt::format("{}\n{}\n{}\n", host_name(), own_variable("SLURM_TOPOLOGY_ADDR"),
                     own_variable("SLURM_TOPOLOGY_ADDR_PATTERN"));
}

/// Returns the files in which Slurm may keep its topology: beside the settings that the job was started with, or where
/// a node has its settings or copies of them. Other settings than those that are named may be those of another cluster.
std::vector<std::filesystem::path> topology_files() {
  const std::filesystem::path settings = own_variable("SLURM_CONF");
  std::vector<std::filesystem::path> folders{"/etc/slurm", "/run/slurm/conf"};
  if (!settings.empty()) folders = {settings.parent_path()};
  for (auto& folder : folders) folder /= "topology.yaml";
  return folders;
}

/// Collective: gathers the texts of all processes of which `text` is not empty, one after the other, on process 0.
std::string gather_texts(MPI_Comm comm, const std::string& text) {
  const int length = message_bytes(1, text.size());
  std::vector<int> lengths;
  std::vector<int> begins;
  std::string all;
  root_try(comm, [&] {
    lengths.resize(process_count(comm));
    begins.resize(lengths.size());
  });
  check(MPI_Gather(&length, 1, MPI_INT, lengths.data(), 1, MPI_INT, 0, comm), "MPI_Gather");
  root_try(comm, [&] {
    std::exclusive_scan(lengths.begin(), lengths.end(), begins.begin(), 0);
    all.resize(static_cast<std::size_t>(std::accumulate(lengths.begin(), lengths.end(), 0)));
  });
  check(MPI_Gatherv(text.data(), length, MPI_CHAR, all.data(), lengths.data(), begins.data(), MPI_CHAR, 0,
                    comm),
        "MPI_Gatherv");
  return all;
}

/// Returns the addresses of all hosts from the lines of slurm_lines().
std::vector<SlurmAddress> addresses_in(const std::string& lines) {
  std::vector<SlurmAddress> addresses;
  std::istringstream text(lines);
  SlurmAddress next;
  while (std::getline(text, next.host) && std::getline(text, next.address) &&
         std::getline(text, next.pattern))
    addresses.push_back(next);
  return addresses;
}

}  // namespace

bool has_slurm_addresses(MPI_Comm comm) {
  int has = own_variable("SLURM_TOPOLOGY_ADDR").empty() ? 0 : 1;
  check(MPI_Allreduce(MPI_IN_PLACE, &has, 1, MPI_INT, MPI_MAX, comm), "MPI_Allreduce");
  return has != 0;
}

std::vector<SlurmAddress> gather_slurm_addresses(MPI_Comm comm) {
  const bool is_first_on_host = rank_in(comm_on_host(comm).get()) == 0;
  const auto own = agree_on_outcome(comm, [&] { return is_first_on_host ? slurm_lines() : std::string(); });
  const std::string lines = gather_texts(comm, own);
  std::vector<SlurmAddress> addresses;
  root_try(comm, [&] { addresses = addresses_in(lines); });
  return addresses;
}

std::string slurm_topology() {
  for (const auto& file : topology_files()) {
    try {
      return read_text_file(file);
    } catch (const std::system_error&) {  // the next one may be there
    }
  }
  return "";
}

SlurmComparison compare_with_slurm(MPI_Comm comm, const std::string& json) {
  SlurmComparison found;
  if (!has_slurm_addresses(comm)) return found;
  const std::vector<SlurmAddress> addresses = gather_slurm_addresses(comm);
  found.contradiction =
      text_of_root(comm, [&] { return contradiction(parse_host_map(json), addresses).value_or(""); });
  found.remark = text_of_root(comm, [&] { return unreadable_address(addresses).value_or(""); });
  return found;
}

}  // namespace cubefold::mpi
