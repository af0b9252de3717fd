#include "cubefold/mpi/complete_exchange.hpp"

#include <gtest/gtest.h>
#include <sys/mman.h>

#include <algorithm>

#include "cubefold/mpi/error.hpp"
#include "support/message_of.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

/// The k-th number of the block from one virtual rank to another; never 0.
int number(int source, int destination, int k) {
  return 1 + k + 1000 * (destination + 100 * source);
}

class CompleteExchangeTest : public testing::Test {
 protected:
  void SetUp() override {
    comm.emplace(MPI_COMM_WORLD, ring_of_world(), world_is_a_cube() ? "xor" : "identity");
    exchange.emplace(
        *comm,
        ExchangeMethod{world_is_a_cube() ? ExchangeAlgorithm::cc_cube : ExchangeAlgorithm::direct, {}});
    rank = static_cast<int>(label(comm->rank()));
    size = world_size();
  }

  std::vector<int> sent(int count) const {
    std::vector<int> numbers;
    for (int j = 0; j < size; ++j) {
      for (int k = 0; k < count; ++k) numbers.push_back(number(rank, j, k));
    }
    return numbers;
  }
  std::vector<int> expected(int count) const {
    std::vector<int> numbers;
    for (int i = 0; i < size; ++i) {
      for (int k = 0; k < count; ++k) numbers.push_back(number(i, rank, k));
    }
    return numbers;
  }

  std::optional<VirtualComm> comm;
  std::optional<CompleteExchange> exchange;
  int rank = 0;
  int size = 0;
};

TEST_F(CompleteExchangeTest, brings_block_i_from_virtual_rank_i) {
  for (const int count : {1, 2, 7, 1000}) {
    const auto send = sent(count);
    std::vector<int> receive(send.size());
    exchange->run(send.data(), count, MPI_INT, receive.data(), count, MPI_INT);
    EXPECT_EQ(receive, expected(count));
    EXPECT_EQ(send, sent(count)) << "the send buffer has changed";
  }
}

TEST_F(CompleteExchangeTest, brings_the_same_by_every_method) {
  for (const auto& method : exchange_methods(comm->placement().grid())) {
    CompleteExchange other(*comm, method);
    for (const int count : {1, 1000}) {
      const auto send = sent(count);
      std::vector<int> receive(send.size());
      other.run(send.data(), count, MPI_INT, receive.data(), count, MPI_INT);
      EXPECT_EQ(receive, expected(count)) << to_string(method);
      other.run(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, receive.data(), count, MPI_INT);
      EXPECT_EQ(receive, sent(count)) << to_string(method);
    }
  }
}

TEST_F(CompleteExchangeTest, runs_by_the_rules_that_it_is_given) {
  RunRules rules;
  rules.pacing = Pacing::clock;
  rules.times = {{{1000, 1}}, 1e-6, 1e-10};
  rules.piece_bytes = 100;
  for (const Ports ports : {Ports::one, Ports::all}) {
    CompleteExchange paced(*comm, {ExchangeAlgorithm::axis_rotated, {}}, {ports, Tie::positive}, rules);
    const auto send = sent(70);
    std::vector<int> receive(send.size());
    paced.run(send.data(), 70, MPI_INT, receive.data(), 70, MPI_INT);
    EXPECT_EQ(receive, expected(70));
  }
}

TEST_F(CompleteExchangeTest, works_in_place) {
  auto buffer = sent(5);
  exchange->run(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, buffer.data(), 5, MPI_INT);
  EXPECT_EQ(buffer, expected(5));
}

TEST_F(CompleteExchangeTest, does_nothing_for_counts_of_0) {
  std::vector<int> receive(static_cast<std::size_t>(size), 7);
  exchange->run(nullptr, 0, MPI_INT, receive.data(), 0, MPI_INT);
  EXPECT_EQ(receive, std::vector<int>(static_cast<std::size_t>(size), 7));
}

TEST_F(CompleteExchangeTest, agrees_with_pairwise_messages_under_every_placement) {
  for (const auto& grid : grids_of_world()) {
    for (const auto& rule : rules_of_world()) {
      const VirtualComm placed(MPI_COMM_WORLD, grid, rule);
      CompleteExchange on_it(placed, exchange_methods(placed.placement().grid()).back());
      const int me = static_cast<int>(label(placed.rank()));
      std::vector<int> send;
      for (int j = 0; j < size; ++j) send.push_back(number(me, j, 0));
      std::vector<int> receive(send.size());
      std::vector<int> oracle(send.size());
      on_it.run(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT);
      for (int j = 0; j < size; ++j) {
        const int to = (me + j) % size;
        const int from = (me - j + size) % size;
        MPI_Sendrecv(&send[static_cast<std::size_t>(to)], 1, MPI_INT, to, 0,
                     &oracle[static_cast<std::size_t>(from)], 1, MPI_INT, from, 0, placed.virtual_comm(),
                     MPI_STATUS_IGNORE);
      }
      EXPECT_EQ(receive, oracle) << grid << ' ' << rule;
    }
  }
}

/// A type that takes every second int.
class EverySecond {
 public:
  explicit EverySecond(int count) {
    MPI_Datatype vector = MPI_DATATYPE_NULL;
    MPI_Type_vector(count, 1, 2, MPI_INT, &vector);
    MPI_Type_create_resized(vector, 0, static_cast<MPI_Aint>(sizeof(int)) * 2 * count, &type_);
    MPI_Type_free(&vector);
    MPI_Type_commit(&type_);
  }
  EverySecond(const EverySecond&) = delete;
  EverySecond& operator=(const EverySecond&) = delete;
  ~EverySecond() { MPI_Type_free(&type_); }
  MPI_Datatype get() const { return type_; }

 private:
  MPI_Datatype type_ = MPI_DATATYPE_NULL;
};

TEST_F(CompleteExchangeTest, leaves_the_gaps_of_a_type_alone) {
  const EverySecond type(3);
  std::vector<int> send(static_cast<std::size_t>(size) * 6, -1);
  std::vector<int> receive(send.size(), -2);
  for (std::size_t i = 0; i < send.size(); i += 2) send[i] = sent(3)[i / 2];
  exchange->run(send.data(), 1, type.get(), receive.data(), 1, type.get());
  for (std::size_t i = 0; i < receive.size(); ++i)
    EXPECT_EQ(receive[i], i % 2 == 0 ? expected(3)[i / 2] : -2);
}

TEST_F(CompleteExchangeTest, works_in_place_on_a_type_with_gaps) {
  const EverySecond type(2);
  std::vector<int> buffer(static_cast<std::size_t>(size) * 4, -1);
  for (std::size_t i = 0; i < buffer.size(); i += 2) buffer[i] = sent(2)[i / 2];
  exchange->run(MPI_IN_PLACE, 1, MPI_INT, buffer.data(), 1, type.get());
  for (std::size_t i = 0; i < buffer.size(); ++i) EXPECT_EQ(buffer[i], i % 2 == 0 ? expected(2)[i / 2] : -1);
}

// The case that Open MPI 4.1.4 gets wrong from 16 processes on: small blocks of unlike type maps.
TEST_F(CompleteExchangeTest, converts_between_unlike_layouts_of_equal_signature) {
  const EverySecond spread(2);
  const auto send = sent(2);
  std::vector<int> receive(static_cast<std::size_t>(size) * 4, -2);
  exchange->run(send.data(), 2, MPI_INT, receive.data(), 1, spread.get());
  for (std::size_t i = 0; i < receive.size(); ++i)
    EXPECT_EQ(receive[i], i % 2 == 0 ? expected(2)[i / 2] : -2);

  std::vector<int> spread_send(static_cast<std::size_t>(size) * 4, -1);
  std::vector<int> packed(static_cast<std::size_t>(size) * 2);
  for (std::size_t i = 0; i < spread_send.size(); i += 2) spread_send[i] = send[i / 2];
  exchange->run(spread_send.data(), 1, spread.get(), packed.data(), 2, MPI_INT);
  EXPECT_EQ(packed, expected(2));
}

TEST_F(CompleteExchangeTest, takes_types_whose_map_runs_backwards) {
  const int lengths[] = {1, 1};
  const MPI_Aint displacements[] = {sizeof(int), 0};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Datatype backwards = MPI_DATATYPE_NULL;
  MPI_Type_create_struct(2, lengths, displacements, types, &backwards);
  MPI_Type_commit(&backwards);
  const auto send = sent(2);
  std::vector<int> receive(send.size());
  exchange->run(send.data(), 1, backwards, receive.data(), 2, MPI_INT);
  for (std::size_t i = 0; i < receive.size(); ++i) EXPECT_EQ(receive[i], expected(2)[i ^ 1]);
  MPI_Type_free(&backwards);
}

TEST_F(CompleteExchangeTest, takes_contiguous_types_and_pairs_with_padding) {
  MPI_Datatype three = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(3, MPI_INT, &three);
  MPI_Type_commit(&three);
  const auto send = sent(6);
  std::vector<int> receive(send.size());
  exchange->run(send.data(), 2, three, receive.data(), 2, three);
  EXPECT_EQ(receive, expected(6));
  MPI_Type_free(&three);

  struct Pair {
    double value;
    int index;
  };
  std::vector<Pair> pairs(static_cast<std::size_t>(size));
  for (int j = 0; j < size; ++j) pairs[static_cast<std::size_t>(j)] = {0.5 + rank, number(rank, j, 0)};
  std::vector<Pair> arrived(pairs.size());
  exchange->run(pairs.data(), 1, MPI_DOUBLE_INT, arrived.data(), 1, MPI_DOUBLE_INT);
  for (int i = 0; i < size; ++i) {
    EXPECT_EQ(arrived[static_cast<std::size_t>(i)].value, 0.5 + i);
    EXPECT_EQ(arrived[static_cast<std::size_t>(i)].index, number(i, rank, 0));
  }
}

// Blocks of 3 GiB extent with one int each: every displacement but the first is beyond an int.
TEST_F(CompleteExchangeTest, reaches_blocks_beyond_4_gib) {
  constexpr MPI_Aint extent = MPI_Aint{3} << 30;
  MPI_Datatype spread = MPI_DATATYPE_NULL;
  MPI_Type_create_resized(MPI_INT, 0, extent, &spread);
  MPI_Type_commit(&spread);
  const auto bytes = static_cast<std::size_t>(extent) * static_cast<std::size_t>(size);
  void* memory =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  ASSERT_NE(memory, MAP_FAILED);
  const auto at = [&](int j) { return reinterpret_cast<int*>(static_cast<std::byte*>(memory) + j * extent); };
  for (int j = 0; j < size; ++j) *at(j) = number(rank, j, 0);
  exchange->run(MPI_IN_PLACE, 1, spread, memory, 1, spread);
  for (int i = 0; i < size; ++i) EXPECT_EQ(*at(i), number(i, rank, 0));
  munmap(memory, bytes);
  MPI_Type_free(&spread);
}

TEST_F(CompleteExchangeTest, takes_types_that_fortran_asks_for_by_precision) {
  MPI_Datatype real = MPI_DATATYPE_NULL;
  MPI_Datatype pair = MPI_DATATYPE_NULL;
  MPI_Type_create_f90_real(15, MPI_UNDEFINED, &real);
  MPI_Type_contiguous(2, real, &pair);
  MPI_Type_commit(&pair);
  std::vector<double> numbers(static_cast<std::size_t>(size) * 2, rank);
  exchange->run(MPI_IN_PLACE, 1, pair, numbers.data(), 1, pair);
  for (int i = 0; i < size; ++i) EXPECT_EQ(numbers[static_cast<std::size_t>(2 * i)], i);
  MPI_Type_free(&pair);
}

TEST_F(CompleteExchangeTest, says_that_another_process_sends_blocks_of_another_size) {
  if (size != 2) GTEST_SKIP() << "written for 2 processes";
  std::vector<int> numbers(8, 7);
  exchange->run(MPI_IN_PLACE, 4, MPI_INT, numbers.data(), 4, MPI_INT);
  std::string text = "nothing thrown";
  try {
    exchange->run(MPI_IN_PLACE, 4, MPI_INT, numbers.data(), rank == 0 ? 4 : 2, MPI_INT);
  } catch (const Error& error) {
    text = error.what();
  }
  if (rank == 0) {
    EXPECT_EQ(text,
              "rank 1 sent 8 bytes where 16 were expected: do all processes exchange blocks of one size?");
  } else {
    EXPECT_NE(text.find("MPI_ERR_TRUNCATE"), std::string::npos) << text;
  }
}

TEST_F(CompleteExchangeTest, does_not_meet_messages_of_the_caller_on_any_communicator) {
  int from_parent = 0;
  int from_virtual = 0;
  MPI_Request requests[2];
  MPI_Irecv(&from_parent, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &requests[0]);
  MPI_Irecv(&from_virtual, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm->virtual_comm(), &requests[1]);
  const auto send = sent(1);
  std::vector<int> receive(send.size());
  exchange->run(send.data(), 1, MPI_INT, receive.data(), 1, MPI_INT);
  EXPECT_EQ(receive, expected(1));
  const int hello = 42;
  MPI_Send(&hello, 1, MPI_INT, (world_rank() + 1) % size, 0, MPI_COMM_WORLD);
  MPI_Send(&hello, 1, MPI_INT, (rank + 1) % size, 0, comm->virtual_comm());
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  EXPECT_EQ(from_parent, 42);
  EXPECT_EQ(from_virtual, 42);
}

TEST_F(CompleteExchangeTest, names_what_is_wrong_with_its_arguments) {
  std::vector<int> buffer(static_cast<std::size_t>(size));
  const auto complaint = [&](const void* send, int send_count, MPI_Datatype send_type, int count,
                             MPI_Datatype type) {
    return message_of([&] { exchange->run(send, send_count, send_type, buffer.data(), count, type); });
  };
  EXPECT_EQ(complaint(buffer.data(), -1, MPI_INT, 1, MPI_INT), "count -1 is negative");
  EXPECT_EQ(complaint(buffer.data(), 1, MPI_DATATYPE_NULL, 1, MPI_INT), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(MPI_IN_PLACE, 1, MPI_INT, 1, MPI_DATATYPE_NULL), "the datatype is MPI_DATATYPE_NULL");
  EXPECT_EQ(complaint(nullptr, 1, MPI_INT, 1, MPI_INT), "the buffer is a null pointer");
  EXPECT_EQ(complaint(buffer.data(), 1, MPI_SHORT, 1, MPI_INT),
            "blocks of 2 bytes are sent but blocks of 4 bytes received");
}

TEST(CompleteExchange, refuses_a_method_that_does_not_fit_the_number_of_processes) {
  if (world_is_a_cube()) GTEST_SKIP() << "needs a number of processes that is no power of two";
  const VirtualComm comm(MPI_COMM_WORLD, ring_of_world(), "identity");
  EXPECT_EQ(
      message_of([&] {
        CompleteExchange exchange(comm, {ExchangeAlgorithm::cc_cube, {}});
      }),
      ring_of_world() + " has " + std::to_string(world_size()) + " nodes; a hypercube needs a power of two");
}

}  // namespace
}  // namespace cubefold::mpi
