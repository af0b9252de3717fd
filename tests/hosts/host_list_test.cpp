#include "hosts/host_list.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "hosts/mutations.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

using Names = std::vector<std::string>;

std::string refusal_of_list(const std::string& list) {
  return message_of([&] { expand_host_list(list); });
}

TEST(ExpandHostList, keeps_the_digits_of_the_first_number_of_a_range) {
  EXPECT_EQ(expand_host_list("node[000-002,600],login1"),
            (Names{"node000", "node001", "node002", "node600", "login1"}));
  EXPECT_EQ(expand_host_list("n[8-11]"), (Names{"n8", "n9", "n10", "n11"}));
  EXPECT_EQ(expand_host_list("n[08-10]"), (Names{"n08", "n09", "n10"}));
}

TEST(ExpandHostList, lets_the_last_bracket_vary_fastest) {
  EXPECT_EQ(expand_host_list("r[0-1]n[0-1]x"), (Names{"r0n0x", "r0n1x", "r1n0x", "r1n1x"}));
}

TEST(ExpandHostList, takes_commas_blanks_and_lines_as_separators) {
  EXPECT_EQ(expand_host_list(" a, b\nc[1,2]\r\n,d"), (Names{"a", "b", "c1", "c2", "d"}));
  EXPECT_EQ(expand_host_list(""), Names{});
}

TEST(ExpandHostList, refuses_what_is_no_list) {
  const std::string brackets = "': brackets are not closed, or nested";
  for (const char* list : {"n[0-1", "n]", "n[0[1]]", "n[0-1]]"})
    EXPECT_EQ(refusal_of_list(list), "host list '" + std::string(list) + brackets);
  EXPECT_EQ(refusal_of_list("n[3-1]"),
            "host list 'n[3-1]': '3-1' is not a range of whole numbers below 2^32");
  EXPECT_EQ(refusal_of_list("n[]"), "host list 'n[]': '' is not a range of whole numbers below 2^32");
  EXPECT_EQ(refusal_of_list("n[1-2-3]"),
            "host list 'n[1-2-3]': '1-2-3' is not a range of whole numbers below 2^32");
  EXPECT_EQ(refusal_of_list("n[-1]"), "host list 'n[-1]': '-1' is not a range of whole numbers below 2^32");
}

TEST(ExpandHostList, refuses_lists_that_fill_the_memory) {
  EXPECT_EQ(refusal_of_list("n[0-99999999999]"),
            "host list 'n[0-99999999999]': '0-99999999999' is not a range of whole numbers below 2^32");
  EXPECT_EQ(refusal_of_list("n[0-4294967295]"),
            "host list 'n[0-4294967295]': more than 262144 hosts in a list");
  EXPECT_EQ(refusal_of_list("[0-999][0-999]"),
            "host list '[0-999][0-999]': more than 262144 hosts in a list");
  EXPECT_EQ(refusal_of_list("n[0-262143],m"), "host list 'm': more than 262144 hosts in a list");
  EXPECT_EQ(refusal_of_list("n[0-262142,0-1]"),
            "host list 'n[0-262142,0-1]': more than 262144 hosts in a list");
  EXPECT_EQ(expand_host_list("n[0-262143]").size(), 262144U);
  const std::string long_name(300, 'x');
  EXPECT_EQ(refusal_of_list(long_name),
            "host list '" + std::string(60, 'x') + "...': a name of more than 255 bytes");
  EXPECT_EQ(refusal_of_list("n[" + std::string(300, '0') + "1]").substr(0, 12), "host list 'n");
}

TEST(ExpandHostList, reads_or_refuses_every_mutation) {
  EXPECT_GT(refused_mutations(
                "r[0-1]n[00-11,13],m1 m[2-3]", [](const std::string& text) { expand_host_list(text); }, 4000),
            1000);
}

}  // namespace
}  // namespace cubefold
