#include "transform/lowered_program.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "lowered_run.hpp"
#include "support/sanitizers.hpp"
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
  for (const std::size_t process_count : {3U, 4U, end_of_sweep(16U, 8U)})
    for (const std::size_t length : {97U, 1155U, end_of_sweep(3600U, 360U), end_of_sweep(4096U, 256U)})
      for (const Distribution input : {Distribution::block, Distribution::cyclic, Distribution::scrambled})
        for (const Distribution output :
             {Distribution::block, Distribution::cyclic, Distribution::scrambled}) {
          SCOPED_TRACE(std::to_string(length) + " points on " + std::to_string(process_count) + ", " +
                       fmt::format("{} to {}", to_string(input), to_string(output)));
          expect_same_in_all_forms(
              complex_program(length, process_count, {.input = input, .output = output}));
        }
}

TEST(LoweredProgram, gives_the_same_bits_in_all_forms_of_an_array) {
  for (const std::vector<std::size_t>& members : {std::vector<std::size_t>{4}, {3, 2}, {4, 4}})
    for (const bool transposed : {false, true}) {
      SCOPED_TRACE(std::to_string(members.size()) + " process axes");
      expect_same_in_all_forms(array_program({16, 15, 14}, members, {.transposed_output = transposed}));
    }
}

}  // namespace
}  // namespace cubefold::fft
