#include "plan/requested_exchange.hpp"

#include <gtest/gtest.h>

#include "support/message_of.hpp"

namespace cubefold {
namespace {

TEST(RequestedExchange, is_empty_without_a_text) {
  EXPECT_EQ(parse_requested_exchange(""), RequestedExchange{});
}

TEST(RequestedExchange, is_mpis_own_exchange_or_a_method_and_the_processes_that_use_it) {
  const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
  EXPECT_EQ(parse_requested_exchange("mpi"), (RequestedExchange{"mpi", Backend::mpi, std::nullopt}));
  EXPECT_EQ(parse_requested_exchange("direct"), (RequestedExchange{"direct", Backend::schedule, direct}));
  EXPECT_EQ(parse_requested_exchange("nodes:direct"),
            (RequestedExchange{"nodes:direct", Backend::nodes, direct}));
  EXPECT_EQ(
      parse_requested_exchange("slots:bruck:4"),
      (RequestedExchange{"slots:bruck:4", Backend::slots, ExchangeMethod{ExchangeAlgorithm::bruck, {4}}}));
}

TEST(RequestedExchange, refuses_a_text_that_names_no_exchange) {
  for (const std::string text : {"x", "bruck", "direct:2", "MPI", " mpi"}) {
    const auto refusal = message_of([&] { parse_exchange_method(text); });
    EXPECT_EQ(message_of([&] { parse_requested_exchange(text); }),
              "CUBEFOLD_ALLTOALL: " + refusal + "; or 'mpi'; or 'nodes:' or 'slots:' and a method");
    EXPECT_NE(refusal.find(text), std::string::npos);
    EXPECT_EQ(refusal.find('\n'), std::string::npos);
  }
  for (const char* text : {"nodes:", "nodes:mpi", "slots:nodes:direct", "slots:x"})
    EXPECT_NE(message_of([&] { parse_requested_exchange(text); }), "nothing thrown") << text;
}

TEST(RequestedTrials, are_a_number_from_0_to_1000_or_3_without_a_text) {
  EXPECT_EQ(parse_trials(""), std::nullopt);
  EXPECT_EQ(parse_trials("0"), 0U);
  EXPECT_EQ(parse_trials("25"), 25U);
  EXPECT_EQ(parse_trials("1000"), 1000U);
}

TEST(RequestedTrials, refuse_other_texts) {
  for (const std::string text : {"x", "-1", "3x", " 3", "1001", "2147483647", "99999999999"}) {
    EXPECT_EQ(message_of([&] { parse_trials(text); }),
              "CUBEFOLD_TRIALS '" + text + "' is no number of trials from 0 to 1000");
  }
}

TEST(RequestedTrials, are_refused_by_the_name_of_their_source) {
  EXPECT_EQ(message_of([] { parse_trials("x", "hints: trials"); }),
            "hints: trials 'x' is no number of trials from 0 to 1000");
}

}  // namespace
}  // namespace cubefold
