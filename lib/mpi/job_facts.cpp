#include "job_facts.hpp"

#include <utility>

#include "agreement.hpp"
#include "comm_context.hpp"
#include "cubefold/mpi/virtual_comm.hpp"
#include "node_groups.hpp"
#include "processes.hpp"
#include "settings.hpp"

namespace cubefold::mpi {

JobFacts job_facts(const VirtualComm& comm, const CommContext& context,
                   const std::optional<Machine>& machine) {
  std::optional<JobFacts> facts;
  agree_on_outcome(context.comm(), [&] {
    facts = JobFacts{.placement = comm.placement(),
                     .knows_network = comm.knows_network(),
                     .source = comm.source(),
                     .machine = machine};
    if (comm.sharing() != nullptr) facts->sharing = *comm.sharing();
  });
  facts->host_count = machine ? machine->host_count : host_count(context.comm());
  if (facts->sharing) {
    const auto own_group = static_cast<int>(facts->sharing->group_of(comm.rank()));
    facts->are_groups_on_hosts = NodeGroups::are_on_hosts(context.comm(), own_group);
  }
  facts->requests = requests_of_root(context.comm());
  if (const Hints* hints = comm.hints().get()) {
    facts->requests.round_count = hints->trials.value_or(facts->requests.round_count);
    facts->requests.queues = hints->queues.value_or(facts->requests.queues);
    facts->ports = hints->ports.value_or(facts->ports);
  }
  return std::move(*facts);
}

}  // namespace cubefold::mpi
