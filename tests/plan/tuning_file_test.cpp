#include "plan/tuning_file.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Json = nlohmann::ordered_json;

const MachineUse place{parse_grid("torus:4x4"), 16, "Open MPI v4.1.4"};
const TunedExchange exchange{"torus:4x4 xor", "blocking", 11};
const TunedChoice choice{exchange, parse_candidate("direct"), 1.25e-3 / 3, 1500};

/// A folder that is removed with all its files.
class TuningFile : public testing::Test {
 protected:
  TuningFile() { std::filesystem::create_directories(folder); }
  ~TuningFile() override { std::filesystem::remove_all(folder); }

  const std::filesystem::path folder =
      std::filesystem::temp_directory_path() / ("tuning-" + std::to_string(getpid()));
  const std::string file = folder / "tuning.json";
};

/// Returns the error message for the example with one key changed.
std::string refusal(const std::string& key, const Json& value) {
  Json json = Json::parse(to_json(TuningTable{place, {choice}}));
  json[key] = value;
  return message_of([&] { parse_tuning(json.dump(), place, "t.json"); });
}

TEST(TuningTable, reads_back_as_the_same_choices) {
  TuningTable table{place, {choice}};
  table.add({{"torus:4x4 xor", "overlapped", 11}, parse_candidate("linear"), 0.5, 1024});
  const TuningTable read = parse_tuning(to_json(table), place, "t.json");
  EXPECT_EQ(read.choices, table.choices);
}

TEST(TuningTable, keeps_the_slots_of_a_candidate_by_the_clock_and_reads_choices_without_them) {
  TunedChoice by_clock = choice;
  by_clock.candidate = parse_candidate("direct by clock");
  by_clock.candidate.slot_tau_seconds = 1e-6 / 3;
  const auto read = [](const Json& json) { return parse_tuning(json.dump(), place, "t.json").choices.at(0); };
  Json json = Json::parse(to_json(TuningTable{place, {by_clock}}));
  EXPECT_EQ(read(json).candidate.slot_tau_seconds, by_clock.candidate.slot_tau_seconds);
  json["choices"][0].erase("slot_tau_seconds");
  EXPECT_EQ(read(json), by_clock);
  EXPECT_EQ(read(json).candidate.slot_tau_seconds, std::nullopt);
}

TEST(TuningTable, finds_the_choice_for_the_same_exchanges_only) {
  const TuningTable table{place, {choice}};
  ASSERT_NE(table.find(exchange), nullptr);
  EXPECT_EQ(*table.find(exchange), choice);
  EXPECT_EQ(table.find({"torus:4x4 gray", "blocking", 11}), nullptr);
  EXPECT_EQ(table.find({"torus:4x4 xor", "overlapped", 11}), nullptr);
  EXPECT_EQ(table.find({"torus:4x4 xor", "blocking", 12}), nullptr);
}

TEST(TuningTable, keeps_the_last_choice_for_the_same_exchanges) {
  TuningTable table{place, {choice}};
  table.add({exchange, parse_candidate("bruck:2"), 1e-4, 1025});
  ASSERT_EQ(table.choices.size(), 1U);
  EXPECT_EQ(table.find(exchange)->candidate, parse_candidate("bruck:2"));
}

TEST(TuningTable, is_refused_with_the_reason_at_another_place) {
  EXPECT_EQ(refusal("grid", "mesh:4x4"), "tuning file t.json: made for mesh:4x4, not torus:4x4");
  EXPECT_EQ(refusal("hosts", 8), "tuning file t.json: made on 8 hosts, not on 16");
  EXPECT_EQ(refusal("mpi", "MPICH v4.0"), "tuning file t.json: made with MPICH v4.0, not Open MPI v4.1.4");
  EXPECT_EQ(refusal("cubefold", "0.0.1").rfind("tuning file t.json: made by cubefold 0.0.1, not ", 0), 0U);
  EXPECT_EQ(refusal("tuning_format_version", 1), "tuning file t.json: made in format 1, not 2");
}

TEST(TuningTable, is_refused_if_the_network_had_other_links_or_routes) {
  const MachineUse here{parse_grid("torus:4x4,cut=0-1"), 16, "Open MPI v4.1.4"};
  Json json = Json::parse(to_json(TuningTable{here, {choice}}));
  EXPECT_EQ(parse_tuning(json.dump(), here, "t.json").choices.size(), 1U);
  json["routes_digest"] = "0123456789abcdef";
  EXPECT_EQ(message_of([&] { parse_tuning(json.dump(), here, "t.json"); }),
            "tuning file t.json: made when torus:4x4,cut=0-1 had other links or routes");
}

TEST(TuningTable, is_refused_with_the_reason_if_it_is_none) {
  const auto refused = [](const std::string& text) {
    return message_of([&] { parse_tuning(text, place, "t.json"); });
  };
  EXPECT_EQ(refused(""), "tuning file t.json: not JSON at byte 1");
  EXPECT_EQ(refused("[]"), "tuning file t.json: not a JSON object");
  EXPECT_EQ(refused("{}"), "tuning file t.json: tuning_format_version is missing");
  EXPECT_EQ(refusal("choices", 3), "tuning file t.json: choices is not a list");
  EXPECT_EQ(refusal("choices", Json::array({3})), "tuning file t.json: not a JSON object");
  EXPECT_EQ(refusal("choices", Json::array({Json::object()})), "tuning file t.json: processes is missing");
  EXPECT_EQ(refusal("grid", "4x"), message_of([] {
              try {
                parse_grid("4x");
              } catch (const std::invalid_argument& error) {
                throw std::invalid_argument(std::string("tuning file t.json: ") + error.what());
              }
            }));
}

TEST_F(TuningFile, is_empty_where_there_is_none) {
  EXPECT_TRUE(read_tuning(file, place).choices.empty());
}

TEST_F(TuningFile, keeps_what_others_have_added) {
  add_to_file(file, place, choice);
  const TunedChoice other{{"torus:4x4 xor", "blocking", 12}, parse_candidate("linear"), 1e-3, 2048};
  add_to_file(file, place, other);
  EXPECT_EQ(read_tuning(file, place).choices, (std::vector<TunedChoice>{choice, other}));
  const auto files = std::filesystem::directory_iterator(folder);
  EXPECT_EQ(std::distance(begin(files), end(files)), 1) << "a temporary file is left";
}

TEST_F(TuningFile, that_cannot_be_read_or_written_is_refused) {
  EXPECT_EQ(message_of([&] {
              read_tuning(folder, place);
            }).rfind("tuning file " + folder.string() + ": cannot read: ", 0),
            0U);
  const std::string nowhere = folder / "no" / "t.json";
  EXPECT_EQ(message_of([&] { add_to_file(nowhere, place, choice); }),
            "tuning file " + nowhere + ": cannot write: No such file or directory");
}

}  // namespace
}  // namespace cubefold
