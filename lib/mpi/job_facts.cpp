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
  std::string exchange = variable_of_root(exchange_variable, context.comm());
  const std::string trials = variable_of_root(trials_variable, context.comm());
  agree_on_outcome(context.comm(), [&] {
    facts->requested = parse_requested_exchange(std::move(exchange));
    facts->round_count = parse_trials(trials);
    if (const Hints* hints = comm.hints().get()) {
      facts->round_count = hints->trials.value_or(facts->round_count);
      facts->ports = hints->ports.value_or(facts->ports);
    }
  });
  return std::move(*facts);
}

}  // namespace cubefold::mpi
