#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "schedule/good_schedules.hpp"
#include "schedule/mutations.hpp"
#include "schedule/schedule_json.hpp"
#include "support/message_of.hpp"
#include "support/sweep.hpp"

namespace cubefold {
namespace {

using namespace mutations;

/// Returns why the text is refused: what parse_schedule_json() says or else the first fault of its schedule, if any.
std::string refusal_of(const std::string& text) {
  std::optional<std::string> fault;
  const std::string message = message_of([&] { fault = first_fault(parse_schedule_json(text)); });
  return fault.value_or(message);
}

TEST(FileMutation, of_any_number_in_a_file_is_refused) {
  using Json = nlohmann::json;
  const ScheduleFile file = file_of("grid:4wx2", "xor", cc_cube_exchange(3));
  const Json genuine = Json::parse(schedule_json(file)).flatten();
  std::vector<std::pair<std::string, std::uint32_t>> changes;
  for (const auto& [pointer, value] : genuine.items()) {
    for (std::uint32_t node = 0; node <= 8; ++node) {
      if (pointer.starts_with("/steps/") && value != node) changes.emplace_back(pointer, node);
    }
  }
  EXPECT_EQ(changes.size(), std::size_t{3 * 8 * (2 + 2 * 4) * 8});
  for (const auto& [pointer, node] : some_of(std::move(changes), 5)) {
    Json doctored = genuine;
    doctored[pointer] = node;
    const std::string text = doctored.unflatten().dump();
    ASSERT_NE(refusal_of(text), "nothing thrown") << pointer << " -> " << node;
  }
}

TEST(FileMutation, of_any_number_into_something_else_is_refused_with_its_place) {
  using Json = nlohmann::json;
  const ScheduleFile file = file_of("ring:4", "xor", cc_cube_exchange(2));
  const Json genuine = Json::parse(schedule_json(file));
  const Json flat = genuine.flatten();
  for (const auto& [pointer, value] : flat.items()) {
    if (!pointer.starts_with("/steps/")) continue;
    const std::string message_place =
        std::string("parse_schedule_json: steps[") + pointer[7] + "][" + pointer[9] + "].";
    for (const Json& other :
         {Json(nullptr), Json(-1), Json(0.5), Json("0"), Json(true), Json::array(), Json::object()}) {
      Json doctored = genuine;
      doctored[Json::json_pointer(pointer)] = other;
      const std::string message = refusal_of(doctored.dump());
      EXPECT_TRUE(message.starts_with(message_place)) << pointer << ": " << message;
    }
  }
}

TEST(FileMutation, of_any_character_in_a_file_is_refused_or_harmless) {
  const ScheduleFile file = file_of("ring:4", "xor", cc_cube_exchange(2));
  const std::string genuine = schedule_json(file);
  std::mt19937 chance(5);
  for (std::size_t i = 0; i < genuine.size(); ++i) {
    std::string text = genuine;
    text[i] = static_cast<char>(any_below(256, chance));
    const std::string message = refusal_of(text);
    if (message == "nothing thrown") {
      EXPECT_EQ(parse_schedule_json(text).schedule.rank_count, 4U) << text;
    }
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace
}  // namespace cubefold
