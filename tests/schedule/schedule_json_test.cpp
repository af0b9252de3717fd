#include "schedule/schedule_json.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <string>

#include "support/cc_cube_schedule.hpp"
#include "support/collective_schedules.hpp"
#include "support/message_of.hpp"
#include "support/pairwise_exchange.hpp"

namespace cubefold {
namespace {

using Json = nlohmann::ordered_json;

/// Returns an exchange on a ring. The Gray code puts the ranks 0 1 3 2 on the nodes 0 1 2 3.
ScheduleFile on_a_ring() {
  return {{parse_grid("ring:4"), parse_placement("gray")},
          Ports::one,
          Tie::balanced,
          "cc-cube",
          {3, 2},
          cc_cube_exchange(2)};
}

void expect_equal(const ScheduleFile& a, const ScheduleFile& b) {
  EXPECT_EQ(a.placement.grid(), b.placement.grid());
  EXPECT_EQ(a.placement.rule(), b.placement.rule());
  EXPECT_EQ(a.ports, b.ports);
  EXPECT_EQ(a.tie, b.tie);
  EXPECT_EQ(a.algorithm, b.algorithm);
  EXPECT_EQ(a.bound, b.bound);
  EXPECT_EQ(a.schedule, b.schedule);
  EXPECT_EQ(a.collective, b.collective);
}

TEST(ScheduleJson, has_a_key_a_line_and_a_step_a_line_all_by_node) {
  const ScheduleFile file{{parse_grid("ring:4"), parse_placement("gray")},
                          Ports::all,
                          Tie::positive,
                          "two \"hops\"",
                          {1.5, 2},
                          {4, {{{Rank{2}, Rank{3}, {{Rank{2}, Rank{3}}, {Rank{2}, Rank{1}}}}}, {}}}};
  EXPECT_EQ(schedule_json(file), R"({
  "grid": "ring:4",
  "ports": "all",
  "tie": "positive",
  "placement": "gray",
  "algorithm": "two \"hops\"",
  "bound": {"blocks": 1.5, "startups": 2},
  "steps": [
    [{"from":3,"to":2,"blocks":[[3,2],[3,1]]}],
    []
  ]
}
)");
}

TEST(ScheduleJson, stays_json_whatever_the_algorithm_is_called) {
  ScheduleFile file = on_a_ring();
  file.algorithm = "a\xff\n\"";
  EXPECT_EQ(parse_schedule_json(schedule_json(file)).algorithm, "a\xef\xbf\xbd\n\"");
}

TEST(ScheduleJson, refuses_a_bound_that_is_no_number) {
  ScheduleFile file = on_a_ring();
  file.bound.blocks = std::numeric_limits<double>::infinity();
  EXPECT_EQ(message_of([&] { (void)schedule_json(file); }), "schedule_json: a bound of inf");
}

TEST(ScheduleJson, is_read_back_as_what_was_written) {
  expect_equal(parse_schedule_json(schedule_json(on_a_ring())), on_a_ring());
  for (const char* grid : {"torus:4x4", "mesh:2x8", "hypercube:4", "grid:8wx2"}) {
    for (const char* rule : {"identity", "xor,order=2-0-3-1", "by-weight,bits=cyclic",
                             "nodes=5-4-3-2-1-0-15-14-13-12-11-10-9-8-7-6"}) {
      const ScheduleFile file{{parse_grid(grid), parse_placement(rule)},
                              Ports::all,
                              Tie::positive,
                              "direct",
                              {16, 4},
                              pairwise_exchange(4)};
      expect_equal(parse_schedule_json(schedule_json(file)), file);
    }
  }
}

TEST(ScheduleJson, says_which_messages_reduce) {
  ScheduleFile file = on_a_ring();
  EXPECT_EQ(schedule_json(file).find("reduces"), std::string::npos);
  file.schedule.steps.at(1).at(2).reduces = true;
  expect_equal(parse_schedule_json(schedule_json(file)), file);
  EXPECT_EQ(Json::parse(schedule_json(file)).at("steps").at(1).at(2).at("reduces"), true);
  EXPECT_EQ(message_of([&] {
              std::string text = schedule_json(file);
              (void)parse_schedule_json(text.replace(text.find("true"), 4, "1"));
            }),
            "parse_schedule_json: steps[1][2].reduces: 1 is not true or false");
}

TEST(ScheduleJson, says_which_messages_arrive_left) {
  ScheduleFile file = on_a_ring();
  file.schedule.steps.at(1).at(2).reduces = true;
  EXPECT_EQ(schedule_json(file).find("left"), std::string::npos);
  file.schedule.steps.at(1).at(2).arrives_left = true;
  expect_equal(parse_schedule_json(schedule_json(file)), file);
  EXPECT_EQ(message_of([&] {
              std::string text = schedule_json(file);
              (void)parse_schedule_json(text.replace(text.find(R"("left":true)"), 11, R"("left":"no")"));
            }),
            "parse_schedule_json: steps[1][2].left: \"no\" is not true or false");
}

ScheduleFile file_of(const CollectiveSchedule& made) {
  const auto p = static_cast<std::uint32_t>(made.schedule.rank_count);
  return {{parse_grid("ring:" + std::to_string(p)), parse_placement(p == 4 ? "nodes=2-0-3-1" : "identity")},
          Ports::one,
          Tie::balanced,
          made.name,
          {1, 1},
          made.schedule,
          made.collective};
}

TEST(ScheduleJson, reads_back_all_collectives_under_any_placement) {
  for (const std::uint32_t p : {2U, 3U, 4U, 5U}) {
    for (const CollectiveSchedule& made : collective_schedules(p))
      expect_equal(parse_schedule_json(schedule_json(file_of(made))), file_of(made));
  }
}

TEST(ScheduleJson, counts_chunks_by_the_nodes_of_their_owners) {
  ScheduleFile file = file_of(ring_allgather(4, 2));
  file.schedule.steps = {{{Rank{1}, Rank{2}, {numbered_chunk(2), numbered_chunk(3)}}}};
  const std::string text = schedule_json(file);
  EXPECT_NE(text.find(R"("collective": "allgather",
  "chunks": 8,)"),
            std::string::npos);
  EXPECT_NE(text.find(R"([{"from":0,"to":3,"chunks":[0,1]}])"), std::string::npos) << text;
  file.schedule.steps.at(0).at(0).blocks = {numbered_chunk(8)};
  EXPECT_EQ(message_of([&] { (void)schedule_json(file); }), "schedule_json: there is no chunk 8");
}

TEST(FirstFault, judges_a_file_by_its_collective) {
  for (const std::uint32_t p : {2U, 3U}) EXPECT_EQ(first_fault(file_of(ring_allreduce(p))).value_or(""), "");
  ScheduleFile file = file_of(ring_allreduce(3));
  file.schedule.steps.pop_back();
  EXPECT_EQ(first_fault(file),
            "step 3: rank 0 is left at the end without the contribution of rank 1 to chunk 1");
  file.schedule.steps.clear();
  EXPECT_EQ(first_fault(file), "0 chunks are sent, less than half of the 6 of allreduce");
}

TEST(ParseScheduleJson, refuses_chunks_and_collectives_that_do_not_fit) {
  const std::string text = schedule_json(file_of(ring_allgather(3)));
  const auto complaint = [&](const std::string& from, const std::string& to) {
    std::string changed = text;
    changed.replace(changed.find(from), from.size(), to);
    return message_of([&] { (void)parse_schedule_json(changed); });
  };
  EXPECT_EQ(complaint(R"("chunks":[0])", R"("chunks":[3])"),
            "parse_schedule_json: steps[0][0].chunks[0]: 3 is not below 3, the number of chunks");
  EXPECT_EQ(complaint(R"("chunks":[0])", R"("chunks":["a"])"),
            "parse_schedule_json: steps[0][0].chunks[0]: \"a\" is not a chunk");
  EXPECT_EQ(complaint(R"("chunks":[0])", R"("blocks":[[0,1]])"),
            "parse_schedule_json: steps[0][0].blocks: is for complete exchanges only");
  EXPECT_EQ(complaint(R"("collective": "allgather",)", ""),
            "parse_schedule_json: steps[1][2].chunks: is for files with a collective only");
  EXPECT_EQ(complaint(R"("allgather")", R"("scan")"),
            "parse_schedule_json: collective: 'scan' is not allreduce, reduce-scatter or allgather");
  EXPECT_EQ(complaint(R"("chunks": 3)", R"("chunks": 4)"),
            "parse_schedule_json: collective: 3 ranks cannot have 4 chunks equally");
  EXPECT_EQ(complaint(R"("chunks": 3)", R"("chunks": 0)"),
            "parse_schedule_json: collective: 0 chunks are not 1 to 64 for each of 3 ranks");
}

TEST(ScheduleJson, of_one_node_has_no_steps) {
  const ScheduleFile file{
      {parse_grid("line:1"), parse_placement("identity")}, Ports::one, Tie::positive, "", {0, 0}, {1, {}}};
  expect_equal(parse_schedule_json(schedule_json(file)), file);
}

TEST(ScheduleJson, refuses_a_schedule_that_does_not_fit_its_placement) {
  ScheduleFile file = on_a_ring();
  file.schedule = pairwise_exchange(3);
  EXPECT_EQ(message_of([&] { (void)schedule_json(file); }),
            "schedule_json: the schedule is of 8 ranks, but ring:4 has 4 nodes");
  file.schedule.rank_count = 4;
  EXPECT_EQ(message_of([&] { (void)schedule_json(file); }),
            "schedule_json: rank 4 is not below 4, the number of nodes of ring:4");
}

TEST(ParseScheduleJson, takes_keys_in_any_order_and_leaves_others_out) {
  const Json genuine = Json::parse(schedule_json(on_a_ring()));
  Json turned_round{{"steps", genuine["steps"]}, {"cost", Json::array({1, Json::array({Json::array({2})})})}};
  for (const char* key : {"tie", "bound", "algorithm", "ports", "placement", "grid"})
    turned_round[key] = genuine[key];
  turned_round["steps"][1][0]["seconds"] = 0.5;
  expect_equal(parse_schedule_json(turned_round.dump(1)), on_a_ring());
}

/// Returns the error message of parse_schedule_json() for the file after a change, without the function's name.
template <typename Change>
std::string complaint_after(Change&& change) {
  Json json = Json::parse(schedule_json(on_a_ring()));
  change(json);
  const std::string message = message_of([&] { (void)parse_schedule_json(json.dump()); });
  const std::string function = "parse_schedule_json: ";
  return message.starts_with(function) ? message.substr(function.size()) : message;
}

TEST(ParseScheduleJson, names_the_key_that_is_missing) {
  for (const char* key : {"grid", "ports", "tie", "placement", "algorithm", "bound", "steps"}) {
    EXPECT_EQ(complaint_after([&](Json& file) { file.erase(key); }), std::string(key) + ": is missing");
  }
  for (const char* key : {"blocks", "startups"}) {
    EXPECT_EQ(complaint_after([&](Json& file) { file["bound"].erase(key); }),
              std::string("bound.") + key + ": is missing");
  }
  for (const char* key : {"from", "to", "blocks"}) {
    EXPECT_EQ(complaint_after([&](Json& file) { file["steps"][1][2].erase(key); }),
              std::string("steps[1][2].") + key + ": is missing");
  }
}

TEST(ParseScheduleJson, names_the_place_of_a_value_of_another_type) {
  const auto with = [](const char* pointer, const Json& value) {
    return complaint_after([&](Json& file) { file[Json::json_pointer(pointer)] = value; });
  };
  for (const char* key : {"grid", "ports", "tie", "placement", "algorithm"}) {
    EXPECT_EQ(with((std::string("/") + key).c_str(), 7), std::string(key) + ": 7 is not a text");
  }
  EXPECT_EQ(with("/grid", Json::array({8, 8})), "grid: an array is not a text");
  EXPECT_EQ(with("/bound", 128), "bound: 128 is not an object");
  EXPECT_EQ(with("/bound/blocks", "many"), "bound.blocks: \"many\" is not a number from 0 up");
  EXPECT_EQ(with("/bound/blocks", -1.5), "bound.blocks: -1.5 is not a number from 0 up");
  EXPECT_EQ(with("/bound/startups", 2.5), "bound.startups: 2.5 is not a whole number from 0 up");
  EXPECT_EQ(with("/steps", 3), "steps: is not an array");
  EXPECT_EQ(with("/steps", Json::object()), "steps: is not an array");
  EXPECT_EQ(with("/steps/1", Json::object()), "steps[1]: is not an array");
  EXPECT_EQ(with("/steps/1", nullptr), "steps[1]: is not an array");
  EXPECT_EQ(with("/steps/1/3", 0), "steps[1][3]: is not an object");
  EXPECT_EQ(with("/steps/1/3", Json::array({0, 1})), "steps[1][3]: is not an object");
  EXPECT_EQ(with("/steps/0/1/from", "node 3"), "steps[0][1].from: \"node 3\" is not a node");
  EXPECT_EQ(with("/steps/0/1/to", -1), "steps[0][1].to: -1 is not a node");
  EXPECT_EQ(with("/steps/0/1/to", 1.0), "steps[0][1].to: 1.0 is not a node");
  EXPECT_EQ(with("/steps/0/1/to", Json::object()), "steps[0][1].to: an object is not a node");
  EXPECT_EQ(with("/steps/0/1/blocks", 1), "steps[0][1].blocks: is not an array");
  EXPECT_EQ(with("/steps/0/1/blocks/1", 1), "steps[0][1].blocks[1]: is not [source, destination]");
  EXPECT_EQ(with("/steps/0/1/blocks/1", Json::array({1, 2, 3})),
            "steps[0][1].blocks[1]: is not [source, destination]");
  EXPECT_EQ(with("/steps/0/1/blocks/1/0", true), "steps[0][1].blocks[1][0]: true is not a node");
}

TEST(ParseScheduleJson, names_the_place_of_a_node_that_is_none) {
  const auto with = [](const char* pointer, std::uint64_t node) {
    return complaint_after([&](Json& file) { file[Json::json_pointer(pointer)] = node; });
  };
  EXPECT_EQ(with("/steps/1/2/from", 4), "steps[1][2].from: 4 is not below 4, the number of nodes of ring:4");
  EXPECT_EQ(with("/steps/1/2/to", 4294967295),
            "steps[1][2].to: 4294967295 is not below 4, the number of nodes of ring:4");
  EXPECT_EQ(with("/steps/0/3/to", 4294967296), "steps[0][3].to: 4294967296 is not a node");
  EXPECT_EQ(with("/steps/0/0/blocks/1/0", 9),
            "steps[0][0].blocks[1][0]: 9 is not below 4, the number of nodes of ring:4");
  EXPECT_EQ(with("/steps/0/0/blocks/0/1", 4),
            "steps[0][0].blocks[0][1]: 4 is not below 4, the number of nodes of ring:4");
}

TEST(ParseScheduleJson, hands_on_what_is_said_about_words) {
  const auto with = [](const char* key, const char* word) {
    return complaint_after([&](Json& file) { file[key] = word; });
  };
  EXPECT_EQ(with("ports", "two"), "ports: unknown ports 'two'; known: one, all");
  EXPECT_TRUE(with("tie", "none").starts_with("tie: ")) << with("tie", "none");
  EXPECT_NE(with("tie", "none").find("'none'"), std::string::npos);
  EXPECT_TRUE(with("grid", "taurus:4").starts_with("grid: ")) << with("grid", "taurus:4");
  EXPECT_NE(with("grid", "taurus:4").find("taurus"), std::string::npos);
  EXPECT_TRUE(with("placement", "grey").starts_with("placement: ")) << with("placement", "grey");
  EXPECT_TRUE(with("placement", "nodes=0-1").starts_with("placement: ")) << with("placement", "nodes=0-1");
}

TEST(ParseScheduleJson, refuses_what_is_not_json_or_no_object) {
  const std::string genuine = schedule_json(on_a_ring());
  for (std::size_t length = 0; length + 1 < genuine.size(); ++length) {
    const std::string message = message_of([&] { (void)parse_schedule_json(genuine.substr(0, length)); });
    EXPECT_TRUE(message.starts_with("parse_schedule_json: not JSON at byte ")) << length << ": " << message;
  }
  EXPECT_EQ(message_of([] { (void)parse_schedule_json("[]"); }), "parse_schedule_json: not a JSON object");
  EXPECT_EQ(message_of([] { (void)parse_schedule_json("7"); }), "parse_schedule_json: not a JSON object");
  EXPECT_EQ(message_of([] { (void)parse_schedule_json(R"({"bound": 1e999})"); }),
            "parse_schedule_json: a number is too large");
  EXPECT_EQ(message_of([] { (void)parse_schedule_json(R"({"steps": [], "steps": []})"); }),
            "parse_schedule_json: the key 'steps' stands twice in an object");
  EXPECT_EQ(message_of([] { (void)parse_schedule_json(R"({"bound": {"blocks": 1, "blocks": 2}})"); }),
            "parse_schedule_json: the key 'blocks' stands twice in an object");
  Json many = Json::object();
  for (int i = 0; i <= 100; ++i) many[std::to_string(i)] = i;
  EXPECT_EQ(message_of([&] { (void)parse_schedule_json(many.dump()); }),
            "parse_schedule_json: more than 100 keys in an object");
  EXPECT_EQ(message_of([] { (void)parse_schedule_json(std::string(100'000, '[')); }),
            "parse_schedule_json: nested deeper than 16");
}

}  // namespace
}  // namespace cubefold
