#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "mpi/alltoall_request.hpp"
#include "mpi/plan_cache.hpp"
#include "support/counted_calls.hpp"
#include "support/exchange_world.hpp"
#include "support/failing_mpi.hpp"
#include "support/message_of.hpp"
#include "support/spread_type.hpp"
#include "support/unequal_exchange.hpp"

namespace cubefold::mpi {
namespace {

/// A part of an array of two dimensions of ints.
class PartOfArray {
 public:
  PartOfArray(int rows, int columns, int part_rows, int part_columns, int row, int column) {
    const int sizes[] = {rows, columns};
    const int parts[] = {part_rows, part_columns};
    const int begins[] = {row, column};
    MPI_Type_create_subarray(2, sizes, parts, begins, MPI_ORDER_C, MPI_INT, &type_);
    MPI_Type_commit(&type_);
  }
  PartOfArray(PartOfArray&& other) noexcept : type_(std::exchange(other.type_, MPI_DATATYPE_NULL)) {}
  PartOfArray(const PartOfArray&) = delete;
  PartOfArray& operator=(const PartOfArray&) = delete;
  PartOfArray& operator=(PartOfArray&&) = delete;
  ~PartOfArray() {
    if (type_ != MPI_DATATYPE_NULL) MPI_Type_free(&type_);
  }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

/// The arguments of one side of an exchange of blocks of several datatypes.
struct TypedSide {
  std::vector<int> counts;
  std::vector<int> displacements;
  std::vector<MPI_Datatype> types;

  void add(int count, int displacement, MPI_Datatype type) {
    counts.push_back(count);
    displacements.push_back(displacement);
    types.push_back(type);
  }
  void overwrite() {
    std::ranges::fill(counts, -1);
    std::ranges::fill(displacements, 1 << 20);
    std::ranges::fill(types, MPI_DATATYPE_NULL);
  }
};

Sides sides_of(const void* send, const TypedSide& sent, void* receive, const TypedSide& received) {
  return {send,    sent.counts,     sent.displacements,     sent.types,
          receive, received.counts, received.displacements, received.types};
}

class TypedExchangeTest : public testing::TestWithParam<const char*>, protected ExchangeWorld {
 protected:
  TypedExchangeTest()
      : ExchangeWorld(grids_of_world().back(), "identity"),
        context(CommContext::on(comm.virtual_comm())),
        exchange(unequal_exchange(comm, context, {setup()}, nullptr, CallKind::typed)) {}

  static AlltoallSetup setup() {
    AlltoallSetup setup = setup_for(parse_candidate(GetParam()));
    setup.piece_bytes = 40;
    return setup;
  }

  bool uses_mpi() const { return setup().backend == Backend::mpi; }

  /// Redistributes a matrix with `height` rows and `width` columns of each process from rows to columns and back, with
  /// one part of an array for each process, as transforms of arrays do.
  void expect_redistributed(int height, int width) {
    const int rows = size * height;
    const int columns = size * width;
    const auto value = [&](int row, int column) { return 1 + row * columns + column; };
    std::vector<int> by_rows;
    for (int row = rank * height; row < (rank + 1) * height; ++row)
      for (int column = 0; column < columns; ++column) by_rows.push_back(value(row, column));
    std::vector<int> by_columns;
    for (int row = 0; row < rows; ++row)
      for (int column = rank * width; column < (rank + 1) * width; ++column)
        by_columns.push_back(value(row, column));

    std::vector<PartOfArray> parts;
    TypedSide of_rows;
    TypedSide of_columns;
    for (int other = 0; other < size; ++other) {
      parts.emplace_back(height, columns, height, width, 0, other * width);
      of_rows.add(1, 0, parts.back().get());
      parts.emplace_back(rows, width, height, width, other * height, 0);
      of_columns.add(1, 0, parts.back().get());
    }
    std::vector<int> received(by_columns.size(), -1);
    exchange->run(sides_of(by_rows.data(), of_rows, received.data(), of_columns));
    EXPECT_EQ(received, by_columns);
    std::ranges::fill(received, -1);
    received.resize(by_rows.size());
    exchange->run(sides_of(by_columns.data(), of_columns, received.data(), of_rows));
    EXPECT_EQ(received, by_rows);
  }

  /// Exchanges count(from, to) ints, which are spread out on one side and consecutive on the other, and which of both
  /// differs for each pair of processes. Empty blocks have no datatype.
  template <typename Count, typename Run>
  void expect_mixed_types_exchanged(Count count, Run run) const {
    constexpr int most = 60;
    std::vector<std::unique_ptr<SpreadType>> spread;
    for (int k = 0; k <= most; ++k) spread.push_back(std::make_unique<SpreadType>(std::max(k, 1)));
    std::vector<int> send(static_cast<std::size_t>(2 * most * size), -2);
    std::vector<int> wanted = send;
    std::vector<int> receive = send;
    TypedSide sent;
    TypedSide received;
    const auto add = [&](TypedSide& side, std::vector<int>& memory, int other, int from, int to) {
      const int ints = count(from, to);
      const bool is_spread = (from + 2 * to + (from == rank ? 1 : 0)) % 2 == 0;
      const int place = 2 * most * (size - 1 - other);
      for (int k = 0; k < ints; ++k)
        memory[static_cast<std::size_t>(place + (is_spread ? 2 * k : k))] = number(from, to, k);
      if (ints == 0) return side.add(0, place * 4, MPI_DATATYPE_NULL);
      if (is_spread) return side.add(1, place * 4, spread[static_cast<std::size_t>(ints)]->get());
      side.add(ints, place * 4, MPI_INT);
    };
    for (int other = 0; other < size; ++other) {
      add(sent, send, other, rank, other);
      add(received, wanted, other, other, rank);
    }
    run(send, sent, receive, received, [&] { spread.clear(); });
    EXPECT_EQ(receive, wanted);
  }
  template <typename Count>
  void expect_mixed_types_exchanged(Count count) const {
    expect_mixed_types_exchanged(count, [&](auto& send, auto& sent, auto& receive, auto& received, auto) {
      exchange->run(sides_of(send.data(), sent, receive.data(), received));
    });
  }

  std::shared_ptr<CommContext> context;
  std::shared_ptr<Exchange> exchange;
};

TEST_P(TypedExchangeTest, redistributes_arrays) {
  expect_redistributed(3, 2);
  expect_redistributed(1, 7);
}

TEST_P(TypedExchangeTest, brings_blocks_of_types_that_differ_for_each_rank_and_side) {
  for (int call = 0; call < 5; ++call)
    expect_mixed_types_exchanged([&](int i, int j) { return (3 * i + 5 * j + call) % 9; });
}

TEST_P(TypedExchangeTest, brings_blocks_most_of_which_are_empty) {
  for (int call = 0; call < 5; ++call)
    expect_mixed_types_exchanged([&](int i, int j) { return j == (i + 1) % size ? 50 : 0; });
  expect_mixed_types_exchanged([](int, int) { return 0; });
}

TEST_P(TypedExchangeTest, agrees_in_the_first_call_and_in_every_one_of_a_power_of_two) {
  const FailingMpi agreements("MPI_Iallreduce", FailingMpi::never);
  std::vector<unsigned> with_agreement;
  for (unsigned call = 1; call <= 20; ++call) {
    const auto before = agreements.count();
    expect_mixed_types_exchanged([](int i, int j) { return 1 + (i + j) % 2; });
    if (agreements.count() > before) with_agreement.push_back(call);
  }
  EXPECT_EQ(with_agreement, (std::vector<unsigned>{1, 2, 4, 8, 16}));
}

TEST_P(TypedExchangeTest, sends_a_message_for_each_block_that_is_not_empty) {
  if (uses_mpi()) GTEST_SKIP() << "MPI sends the messages";
  const auto count = [](int i, int j) { return (i + j) % 3 == 0 ? 5 : 0; };
  int filled = 0;
  for (int other = 0; other < size; ++other)
    if (other != rank && count(rank, other) > 0) ++filled;
  for (int call = 0; call < 2; ++call) expect_mixed_types_exchanged(count);
  for (int call = 0; call < 2; ++call) {
    counted_calls().reset();
    expect_mixed_types_exchanged(count);
    EXPECT_EQ(counted_calls().messages, filled);
  }
}

TEST_P(TypedExchangeTest, sends_blocks_that_are_consecutive_from_where_they_are) {
  if (uses_mpi()) GTEST_SKIP() << "MPI sends the messages";
  constexpr int width = 3;
  const std::vector<int> send(static_cast<std::size_t>(size * width), rank);
  std::vector<int> receive(send.size(), -1);
  std::vector<PartOfArray> parts;
  TypedSide side;
  for (int other = 0; other < size; ++other) {
    parts.emplace_back(size, width, 1, width, other, 0);
    side.add(1, 0, parts.back().get());
  }
  std::size_t seen = 0;
  sees_message = [&](const void* data) {
    const auto* begin = static_cast<const int*>(data);
    if (send.data() <= begin && begin < send.data() + send.size()) ++seen;
  };
  exchange->run(sides_of(send.data(), side, receive.data(), side));
  sees_message = nullptr;
  EXPECT_EQ(seen, static_cast<std::size_t>(size - 1));
  for (int other = 0; other < size; ++other)
    EXPECT_EQ(receive[static_cast<std::size_t>(other * width)], other);
}

TEST_P(TypedExchangeTest, works_in_place) {
  for (int call = 0; call < 4; ++call) {
    const SpreadType pair(2);
    const SpreadType three(3);
    TypedSide side;
    std::vector<int> buffer(static_cast<std::size_t>(6 * size), -2);
    std::vector<int> wanted = buffer;
    for (int other = 0; other < size; ++other) {
      const int ints = (rank + other) % 4;
      const MPI_Datatype spread = ints == 2 ? pair.get() : three.get();
      const int place = 6 * (size - 1 - other);
      side.add(ints > 1 ? 1 : ints, place * 4, ints > 1 ? spread : MPI_INT);
      for (int k = 0; k < ints; ++k) {
        buffer[static_cast<std::size_t>(place + 2 * k)] = number(rank, other, k);
        wanted[static_cast<std::size_t>(place + 2 * k)] = number(other, rank, k);
      }
    }
    exchange->run(sides_of(MPI_IN_PLACE, {}, buffer.data(), side));
    EXPECT_EQ(buffer, wanted);
  }
}

TEST_P(TypedExchangeTest, takes_types_with_absolute_addresses) {
  std::vector<int> send = sent(1);
  std::vector<int> receive(send.size(), -1);
  const auto at = [](std::vector<int>& memory, int block) {
    MPI_Aint address = 0;
    MPI_Get_address(&memory[static_cast<std::size_t>(block)], &address);
    const int one = 1;
    MPI_Datatype type = MPI_DATATYPE_NULL;
    MPI_Type_create_hindexed(1, &one, &address, MPI_INT, &type);
    MPI_Type_commit(&type);
    return type;
  };
  TypedSide of_sent;
  TypedSide of_received;
  for (int other = 0; other < size; ++other) {
    of_sent.add(1, 0, at(send, other));
    of_received.add(1, 0, at(receive, other));
  }
  exchange->run(sides_of(MPI_BOTTOM, of_sent, MPI_BOTTOM, of_received));
  EXPECT_EQ(receive, expected(1));
  for (TypedSide* side : {&of_sent, &of_received})
    for (MPI_Datatype& type : side->types) MPI_Type_free(&type);
}

// The arrays are overwritten and the types freed before the exchange begins.
TEST_P(TypedExchangeTest, goes_on_after_calls_that_do_not_wait) {
  const auto count = [](int i, int j) { return (3 * i + 5 * j) % 7; };
  for (int call = 0; call < 2; ++call) {
    expect_mixed_types_exchanged(
        count, [&](auto& send, auto& sent, auto& receive, auto& received, auto free) {
          const auto request = exchange->prepare(sides_of(send.data(), sent, receive.data(), received));
          sent.overwrite();
          received.overwrite();
          free();
          exchange->start(*request);
          request->wait();
          std::ranges::fill(receive, -2);
          exchange->start(*request);
          request->wait();
        });
  }
}

TEST_P(TypedExchangeTest, names_what_is_wrong_with_its_arguments) {
  int numbers = 0;
  const auto complaint = [&](int count, MPI_Datatype expected_type) {
    TypedSide sent;
    TypedSide received;
    for (int other = 0; other < size; ++other) {
      sent.add(count, 0, MPI_INT);
      received.add(count, 0, expected_type);
    }
    return message_of([&] { exchange->run(sides_of(&numbers, sent, &numbers, received)); });
  };
  // Processes agree on what is wrong until a call has succeeded.
  EXPECT_EQ(complaint(-1, MPI_INT), "count -1 is negative");
  EXPECT_EQ(complaint(1, MPI_DATATYPE_NULL), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(1, MPI_SHORT), "the process has 4 bytes for itself where it expects 2");
  EXPECT_EQ(message_of([&] { exchange->run(sides_of(&numbers, {}, &numbers, {})); }),
            "an array of counts, displacements or types is NULL");
  for (int call = 0; call < 2; ++call) expect_mixed_types_exchanged([](int, int) { return 1; });
  // From here on a process looks at its own arguments alone, unless it hears of those of another process first.
  const std::string text = complaint(-1, MPI_INT);
  EXPECT_TRUE(text.ends_with("count -1 is negative")) << text;
  EXPECT_EQ(complaint(0, MPI_INT), earlier + text);
}

INSTANTIATE_TEST_SUITE_P(Candidates, TypedExchangeTest,
                         testing::Values("MPI's own all-to-all", "linear at once", "direct",
                                         "direct with 16 steps ahead"));

}  // namespace
}  // namespace cubefold::mpi
