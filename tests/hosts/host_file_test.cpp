#include "hosts/host_file.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hosts/mutations.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Hosts = std::vector<JobHost>;
using Counts = std::vector<std::size_t>;

const Hosts four_with_two_slots{{"r1i0n0", 2}, {"r1i0n1", 2}, {"r1i0n2", 2}, {"r1i0n3", 2}};

TEST(ParseHostFile, counts_the_lines_of_a_host_as_its_slots) {
  EXPECT_EQ(parse_host_file("r1i0n0\nr1i0n0\nr1i0n1\nr1i0n1\nr1i0n2\nr1i0n2\nr1i0n3\nr1i0n3\n"),
            four_with_two_slots);
  EXPECT_EQ(parse_host_file("a\nb\na\n"), (Hosts{{"a", 2}, {"b", 1}}));
}

TEST(ParseHostFile, reads_the_numbers_of_hydra_and_slurm) {
  EXPECT_EQ(parse_host_file("r1i0n0:2\nr1i0n1:2\nr1i0n2:2\nr1i0n3:2\n"), four_with_two_slots);
  EXPECT_EQ(parse_host_file("r1i0n[0-3]*2"), four_with_two_slots);
}

TEST(ParseHostFile, reads_the_words_of_open_mpi) {
  EXPECT_EQ(parse_host_file("# Open MPI's own example, with max_slots\n"
                            "r1i0n0 slots=2 max_slots=4   # login-like node\n"
                            "r1i0n1 slots=2 max-slots=4\r\n"
                            "r1i0n2\tslots=2\tmax_slots=2\n\n"
                            "joe@r1i0n3 slots = 2 port=22\n"),
            four_with_two_slots);
  EXPECT_EQ(parse_host_file("a max_slots=4"), (Hosts{{"a", 4}}));
}

TEST(ParseHostFile, knows_no_slots_where_nothing_says_them) {
  EXPECT_EQ(parse_host_file("b\na\n"), (Hosts{{"b", 0}, {"a", 0}}));
  EXPECT_EQ(parse_host_file("b\na slots=3\n"), (Hosts{{"b", 1}, {"a", 3}}));
}

TEST(ParseHostFile, takes_lists_in_the_order_of_the_file) {
  EXPECT_EQ(parse_host_file("n[0,2]\nn[1,3]\n"), (Hosts{{"n0"}, {"n2"}, {"n1"}, {"n3"}}));
  EXPECT_EQ(parse_host_file("n[0-1]:2,n2"), (Hosts{{"n0", 2}, {"n1", 2}, {"n2", 1}}));
}

TEST(ParseHostFile, takes_names_that_differ_in_case_for_one_host) {
  EXPECT_EQ(parse_host_file("N0.site\nn0.Site\n"), (Hosts{{"N0.site", 2}}));
}

TEST(ParseHostFile, names_the_line_and_the_rule) {
  const auto refusal = [](const std::string& text) { return message_of([&] { parse_host_file(text); }); };
  EXPECT_EQ(refusal("# nothing\n"), "it names no host");
  EXPECT_EQ(refusal("a\nb cores=2\n"), "line 2: 'cores=2' behind the host is not slots=N or max_slots=N");
  EXPECT_EQ(refusal("a slots=two"), "line 1: the number of slots 'two' is not a positive whole number");
  EXPECT_EQ(refusal("a:0"), "line 1: the number of slots '0' is not a positive whole number");
  EXPECT_EQ(refusal("a 0 0"), "line 1: '0' behind the host is not slots=N");
  EXPECT_EQ(refusal("a slots=4 max_slots=2"), "line 1: slots=4 is above max_slots=2");
  EXPECT_EQ(refusal("a:2 slots=3"), "line 1: host 'a' has 2 slots and 3 slots");
  EXPECT_EQ(refusal("slots=4"), "line 1: 'slots=4' has no host before it");
  EXPECT_EQ(refusal(":4"), "line 1: a number of slots has no host before it");
  EXPECT_EQ(refusal("n[0"), "line 1: host list 'n[0': brackets are not closed, or nested");
  EXPECT_EQ(refusal("a\x01"), "line 1: the host 'a\x01' has control characters, or characters beyond ASCII");
}

TEST(ParseHostFile, refuses_lists_that_fill_the_memory) {
  EXPECT_EQ(message_of([] { parse_host_file("n[0-262143]\nm\n"); }), "line 2: more than 262144 hosts");
}

TEST(ParseHostFile, reads_or_refuses_every_mutation) {
  const auto read = [](const std::string& text) { parse_host_file(text); };
  EXPECT_GT(refused_mutations("joe@n0 slots = 2 max_slots=4\nn[1-2]:3\nn3*2,n4 # c\n", read, 4000), 1000);
}

TEST(ParseCounts, reads_what_it_writes) {
  EXPECT_EQ(parse_counts("4"), Counts{4});
  EXPECT_EQ(parse_counts("4(x4)"), (Counts{4, 4, 4, 4}));
  EXPECT_EQ(parse_counts("3(x2),2(x2),5"), (Counts{3, 3, 2, 2, 5}));
  EXPECT_EQ(counts_text({3, 3, 2, 2, 5}), "3(x2),2(x2),5");
  EXPECT_EQ(counts_text({}), "");
}

TEST(ParseCounts, refuses_what_is_no_list_of_counts) {
  for (const std::string text : {"", "0", "4(x0)", "4(4)", "4(x2", "4x2", "-1", "3,,2", "4(x999999)"}) {
    EXPECT_EQ(message_of([&] { parse_counts(text); }),
              "'" + text + "' is not a list of counts such as 4 or 3(x2),2");
  }
}

}  // namespace
}  // namespace cubefold
