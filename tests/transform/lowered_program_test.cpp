#include "transform/lowered_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <tuple>
#include <utility>
#include <vector>

#include "lowered_run.hpp"
#include "support/sweep.hpp"
#include "transform/programs.hpp"

namespace cubefold::fft {
namespace {

/// Expects bitwise the same result in all lowered forms.
void expect_same_in_all_forms(const Program& program) {
  const Numbers input = random_numbers(program.input.point_count(), 6);
  const Numbers expected = lowered_result(program, lowered_forms[0], input);
  for (const LoweredForm& form : lowered_forms)
    EXPECT_TRUE(lowered_result(program, form, input) == expected)
        << (form.in_place ? "in place " : "") << (form.in_packets ? "in packets " : "")
        << (form.in_slabs ? "in slabs " : "");
}

TEST(LoweredProgram, gives_the_same_bits_in_all_forms_of_a_line) {
  constexpr std::array distributions{Distribution::block, Distribution::cyclic, Distribution::scrambled};
  using Case = std::tuple<std::size_t, std::size_t, Distribution, Distribution>;
  std::vector<Case> cases;
  for (const std::size_t process_count : {3U, 4U, 16U})
    for (const std::size_t length : {97U, 256U, 1155U, 3600U, 4096U})
      for (const Distribution input : distributions)
        for (const Distribution output : distributions)
          cases.emplace_back(length, process_count, input, output);
  const auto is_small = [](const Case& each) { return std::get<0>(each) <= 256 && std::get<1>(each) <= 4; };
  for (const auto& [length, process_count, input, output] :
       small_and_some_of(std::move(cases), is_small, 4)) {
    SCOPED_TRACE(std::to_string(length) + " points on " + std::to_string(process_count) + ", " +
                 fmt::format("{} to {}", to_string(input), to_string(output)));
    expect_same_in_all_forms(complex_program(length, process_count, {.input = input, .output = output}));
  }
}

TEST(LoweredProgram, gives_the_same_bits_in_all_forms_of_an_array) {
  for (const std::vector<std::size_t>& members : {std::vector<std::size_t>{4}, {3, 2}, {4, 4}})
    for (const bool transposed : {false, true}) {
      SCOPED_TRACE(std::to_string(members.size()) + " process axes");
      expect_same_in_all_forms(array_program({16, 15, 14}, members, {.transposed_output = transposed}));
      for (const Transform transform : {Transform::forward, Transform::inverse}) {
        expect_same_in_all_forms(array_program({16, 15, 14}, members,
                                               {.transform = transform,
                                                .kind = Kind::real,
                                                .transposed_output = transposed,
                                                .padded_rows = true}));
      }
    }
}

}  // namespace
}  // namespace cubefold::fft
