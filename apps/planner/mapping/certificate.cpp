#include "planner/mapping/certificate.hpp"

#include "planner/options.hpp"

namespace cubefold::planner {

namespace {

using Json = nlohmann::ordered_json;

Json as_json(const DefinedPhase& defined) {
  const Phase& phase = defined.phase;
  Json json{{"name", phase.name}, {"weight", phase.weight}, {"messages", message_count(phase)}};
  json.update(defined.definition.is_null() ? Json::object() : defined.definition);
  return json;
}

void append(Json& json, const MappingValues& values) {
  json["busiest_link"] = values.busiest_link;
  json["busiest_link_together"] = values.busiest_link_together;
  json["average_hops"] = values.average_hops;
  json["hop_bytes"] = values.hop_bytes;
  json["value"] = values.objective;
}

Json as_json(const Candidate& candidate) {
  Json json{{"name", candidate.name}};
  if (candidate.placement.empty()) {
    json["node_of_rank"] = candidate.node_of_rank;
  } else {
    json["placement"] = candidate.placement;
  }
  append(json, candidate.values);
  return json;
}

}  // namespace

Json certificate_of(const MapAnswer& answer) {
  const MapQuestion& question = answer.question;
  Json json{{"grid", to_string(question.allocation.grid)},
            {"per_node", question.allocation.per_node},
            {"routing", "dimension-order"},
            {"tie", to_string(question.tie)},
            {"objective", to_string(question.objective)}};
  auto& phases = json["phases"] = Json::array();
  for (const DefinedPhase& phase : question.phases) phases.push_back(as_json(phase));
  json["placement"] = answer.choice.placement;
  json["node_of_rank"] = answer.choice.node_of_rank;
  append(json, answer.choice.values);
  json["lower_bound"] = answer.bound.value;
  json["bound_source"] = answer.bound.source;
  json["optimal"] = answer.optimal ? Json(*answer.optimal) : Json("unknown");
  auto& compared = json["compared"] = Json::array();
  for (const Candidate& candidate : answer.compared) compared.push_back(as_json(candidate));
  return json;
}

}  // namespace cubefold::planner
