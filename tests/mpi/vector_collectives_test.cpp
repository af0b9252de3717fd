// Vectors are reduced and gathered as MPI does it, by all methods, forms, types and operations.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <random>
#include <string>
#include <type_traits>
#include <vector>

#include "cubefold/cubefold.h"
#include "support/spread_type.hpp"
#include "support/variable.hpp"
#include "support/vector_calls.hpp"
#include "support/world.hpp"

namespace cubefold::mpi {
namespace {

using VectorBytes = std::vector<std::byte>;

/// A handle of processes for the time of a test.
class VectorHandle {
 public:
  explicit VectorHandle(const std::string& grid, MPI_Comm comm = MPI_COMM_WORLD,
                        const char* placement = nullptr) {
    EXPECT_EQ(cubefold_comm_create(comm, grid.empty() ? nullptr : grid.c_str(), placement, &comm_),
              CUBEFOLD_SUCCESS)
        << cubefold_last_error();
    cubefold_comm_size(comm_, &size);
    cubefold_comm_rank(comm_, &rank);
  }
  VectorHandle(const VectorHandle&) = delete;
  VectorHandle& operator=(const VectorHandle&) = delete;
  ~VectorHandle() { EXPECT_EQ(cubefold_comm_free(&comm_), CUBEFOLD_SUCCESS) << cubefold_last_error(); }

  cubefold_comm get() const { return comm_; }
  MPI_Comm virtual_comm() const { return cubefold_comm_virtual(comm_); }

  int size = 0;
  int rank = 0;

 private:
  cubefold_comm comm_ = nullptr;
};

/// Returns the methods that CUBEFOLD_ALLREDUCE may name on a grid. Those that do not fit are ignored.
const std::vector<std::string> vector_methods_of_tests{"bucket",          "bucket:3",      "halving-cube",
                                                       "halving-swing:4", "whole-cube:2",  "whole-swing",
                                                       "halving-ordered", "whole-ordered", "mpi"};

/// Calls visit(handle) for all methods, on the ring and the grid with most axes of that many nodes.
void for_all_vector_methods(const std::function<void(const VectorHandle&)>& visit) {
  std::vector<std::string> grids{ring_of_world()};
  if (grids_of_world().back() != grids.front() && world_size() > 3) grids.push_back(grids_of_world().back());
  for (const std::string& grid : grids) {
    for (const std::string& method : vector_methods_of_tests) {
      SCOPED_TRACE(grid + ' ' + method);
      const Variable variable("CUBEFOLD_ALLREDUCE", method);
      visit(VectorHandle(grid, MPI_COMM_WORLD, world_is_a_cube() ? "xor" : "identity"));
    }
  }
}

/// Returns the bytes of a number that count. Those of a long double end before its memory does.
template <typename T>
constexpr std::size_t bytes_of_number = std::is_same_v<T, long double>
                                            ? std::numeric_limits<T>::digits / 8 + 2
                                            : sizeof(T);

/// Fills a buffer with small values of a type, which are others on each rank.
template <typename T>
void fill_with(VectorBytes& bytes, int rank) {
  for (std::size_t i = 0; i + sizeof(T) <= bytes.size(); i += sizeof(T)) {
    const auto number = static_cast<float>(1 + (i / sizeof(T) * 7 + static_cast<std::size_t>(rank) * 5) % 3);
    const T value(static_cast<T>(number));
    std::memcpy(bytes.data() + i, &value, bytes_of_number<T>);
  }
}

using FillVector = std::function<void(VectorBytes&, int rank)>;

/// A datatype, an operation and the values of a vector on each rank.
struct VectorOperand {
  MPI_Datatype type;
  std::size_t extent_bytes;
  MPI_Op op;
  FillVector fill;
};

const VectorOperand sum_of_long{MPI_INT64_T, 8, MPI_SUM, fill_with<std::int64_t>};

/// Expects what MPI gives, in place and from a buffer.
void expect_as_mpi(const VectorHandle& handle, VectorFunction function, int count,
                   const VectorOperand& operand, CallForm form) {
  for (const bool is_in_place : {false, true}) {
    VectorBuffers ours(function, count, operand.type, operand.extent_bytes, operand.op, handle.size,
                       handle.rank);
    operand.fill(ours.send(), handle.rank);
    VectorBuffers theirs = ours;
    const VectorBytes sent = ours.send();
    ASSERT_EQ(perform(is_in_place ? ours.in_place() : ours.arguments(), handle.get(), form), CUBEFOLD_SUCCESS)
        << cubefold_last_error();
    // MPICH 4.0.2 copies the result of a long MPI_Reduce_scatter in place between ranges that overlap.
    const bool is_wrong_in_place =
        runs_with_mpich() && function == VectorFunction::reduce_scatter && count > 1 << 16;
    const VectorArguments expected =
        is_in_place && !is_wrong_in_place ? theirs.in_place() : theirs.arguments();
    ASSERT_EQ(expected.pass_to(FunctionsOfMpi(), handle.virtual_comm()), MPI_SUCCESS);
    if (is_in_place && function != VectorFunction::allreduce && expected.reduces()) {
      // The rest of the buffer is undefined.
      const std::size_t own =
          operand.extent_bytes *
          static_cast<std::size_t>(function == VectorFunction::reduce_scatter
                                       ? expected.counts[static_cast<std::size_t>(handle.rank)]
                                       : count);
      ours.receive().resize(own);
      theirs.receive().resize(own);
    }
    EXPECT_EQ(ours.receive(), theirs.receive())
        << name_of_mpi(function) << " of " << count << (is_in_place ? " in place, form " : ", form ")
        << static_cast<int>(form);
    EXPECT_EQ(ours.send(), sent) << "the send buffer has changed";
  }
}

TEST(VectorCollectives, give_what_mpi_gives_for_all_counts_methods_and_forms) {
  const int p = world_size();
  for_all_vector_methods([&](const VectorHandle& handle) {
    for (const VectorFunction function : all_vector_functions) {
      for (const int count : {0, 1, p - 1, p, p + 1, 1000})
        expect_as_mpi(handle, function, count, sum_of_long, CallForm::blocking);
      for (const CallForm form : {CallForm::started, CallForm::persistent})
        expect_as_mpi(handle, function, p + 1, sum_of_long, form);
    }
  });
}

TEST(VectorCollectives, give_what_mpi_gives_for_vectors_that_travel_in_pieces) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "halving-cube");
  const VectorHandle handle(grids_of_world().back());
  for (const VectorFunction function : all_vector_functions) {
    const bool is_whole = function == VectorFunction::allreduce;
    expect_as_mpi(handle, function, is_whole ? (5 << 20) + 1 : (5 << 20) / world_size(), sum_of_long,
                  CallForm::blocking);
  }
}

/// Fills a buffer of zeros with pairs of a number and a rank, as MPI_MINLOC takes them.
template <typename T, typename Place = int>
void fill_pairs_of(VectorBytes& bytes, int rank) {
  struct Pair {
    T value;
    Place place;
  };
  for (std::size_t i = 0; i + sizeof(Pair) <= bytes.size(); i += sizeof(Pair)) {
    const auto value = static_cast<T>((i / sizeof(Pair) + static_cast<std::size_t>(rank)) % 3);
    const auto place = static_cast<Place>(rank);
    std::memcpy(bytes.data() + i + offsetof(Pair, value), &value, bytes_of_number<T>);
    std::memcpy(bytes.data() + i + offsetof(Pair, place), &place, sizeof place);
  }
}

/// A datatype of MPI, and values of it.
struct PredefinedType {
  MPI_Datatype type;
  std::size_t extent_bytes;
  FillVector fill;
};

template <typename T>
PredefinedType predefined(MPI_Datatype type) {
  return {type, sizeof(T), fill_with<T>};
}

template <typename T, typename Place = int>
PredefinedType predefined_pair(MPI_Datatype type) {
  struct Pair {
    T value;
    Place place;
  };
  return {type, sizeof(Pair), fill_pairs_of<T, Place>};
}

std::vector<PredefinedType> integers_of_c() {
  return {predefined<int>(MPI_INT),
          predefined<long>(MPI_LONG),
          predefined<short>(MPI_SHORT),
          predefined<unsigned short>(MPI_UNSIGNED_SHORT),
          predefined<unsigned>(MPI_UNSIGNED),
          predefined<unsigned long>(MPI_UNSIGNED_LONG),
          predefined<long long>(MPI_LONG_LONG_INT),
          predefined<unsigned long long>(MPI_UNSIGNED_LONG_LONG),
          predefined<signed char>(MPI_SIGNED_CHAR),
          predefined<unsigned char>(MPI_UNSIGNED_CHAR),
          predefined<std::int8_t>(MPI_INT8_T),
          predefined<std::int16_t>(MPI_INT16_T),
          predefined<std::int32_t>(MPI_INT32_T),
          predefined<std::int64_t>(MPI_INT64_T),
          predefined<std::uint8_t>(MPI_UINT8_T),
          predefined<std::uint16_t>(MPI_UINT16_T),
          predefined<std::uint32_t>(MPI_UINT32_T),
          predefined<std::uint64_t>(MPI_UINT64_T)};
}

std::vector<PredefinedType> other_integers() {
  return {predefined<int>(MPI_INTEGER),           predefined<std::int8_t>(MPI_INTEGER1),
          predefined<std::int16_t>(MPI_INTEGER2), predefined<std::int32_t>(MPI_INTEGER4),
          predefined<std::int64_t>(MPI_INTEGER8), predefined<MPI_Aint>(MPI_AINT),
          predefined<MPI_Offset>(MPI_OFFSET),     predefined<MPI_Count>(MPI_COUNT)};
}

std::vector<PredefinedType> floating_numbers() {
  return {predefined<float>(MPI_FLOAT),
          predefined<double>(MPI_DOUBLE),
          predefined<long double>(MPI_LONG_DOUBLE),
          predefined<float>(MPI_REAL),
          predefined<double>(MPI_DOUBLE_PRECISION),
          predefined<float>(MPI_REAL4),
          predefined<double>(MPI_REAL8)};
}

std::vector<PredefinedType> complex_numbers() {
  return {predefined<std::complex<float>>(MPI_COMPLEX),
          predefined<std::complex<float>>(MPI_C_FLOAT_COMPLEX),
          predefined<std::complex<float>>(MPI_COMPLEX8),
          predefined<std::complex<double>>(MPI_C_DOUBLE_COMPLEX),
          predefined<std::complex<double>>(MPI_COMPLEX16),
          predefined<std::complex<double>>(MPI_DOUBLE_COMPLEX),
          {MPI_C_LONG_DOUBLE_COMPLEX, 2 * sizeof(long double), fill_with<long double>}};
}

std::vector<PredefinedType> pairs() {
  return {predefined_pair<float>(MPI_FLOAT_INT),    predefined_pair<double>(MPI_DOUBLE_INT),
          predefined_pair<long>(MPI_LONG_INT),      predefined_pair<int>(MPI_2INT),
          predefined_pair<short>(MPI_SHORT_INT),    predefined_pair<long double>(MPI_LONG_DOUBLE_INT),
          predefined_pair<float, float>(MPI_2REAL), predefined_pair<double, double>(MPI_2DOUBLE_PRECISION),
          predefined_pair<int>(MPI_2INTEGER)};
}

/// Calls visit(operand) for all operations of MPI on all types that MPI allows with them, if this MPI has the type.
void for_predefined_operands(const std::function<void(const VectorOperand&)>& visit) {
  using Ops = std::initializer_list<MPI_Op>;
  const auto with_all = [&](const std::vector<PredefinedType>& types, Ops ops) {
    for (const auto& [type, extent_bytes, fill] : types) {
      if (type == MPI_DATATYPE_NULL) continue;
      for (const MPI_Op op : ops) visit({type, extent_bytes, op, fill});
    }
  };
  const Ops of_numbers{MPI_MAX, MPI_MIN, MPI_SUM, MPI_PROD};
  const Ops of_truths{MPI_LAND, MPI_LOR, MPI_LXOR};
  const Ops of_bits{MPI_BAND, MPI_BOR, MPI_BXOR};
  with_all(integers_of_c(), of_numbers);
  with_all(integers_of_c(), of_truths);
  with_all(integers_of_c(), of_bits);
  with_all(other_integers(), of_numbers);
  with_all(other_integers(), of_bits);
  with_all(floating_numbers(), of_numbers);
  with_all(complex_numbers(), {MPI_SUM, MPI_PROD});
  with_all({predefined<bool>(MPI_C_BOOL), predefined<int>(MPI_LOGICAL)}, of_truths);
  with_all({predefined<unsigned char>(MPI_BYTE)}, of_bits);
  with_all(pairs(), {MPI_MINLOC, MPI_MAXLOC});
}

TEST(VectorCollectives, give_what_mpi_gives_for_all_operations_and_types_of_mpi) {
  for (const char* method : {"bucket:2", "whole-swing"}) {
    const Variable variable("CUBEFOLD_ALLREDUCE", method);
    const VectorHandle handle(grids_of_world().back());
    for_predefined_operands([&](const VectorOperand& operand) {
      expect_as_mpi(handle, VectorFunction::allreduce, 2 * handle.size + 1, operand, CallForm::blocking);
    });
  }
}

TEST(VectorCollectives, give_what_mpi_gives_for_the_exactness_of_each_kind) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket:2");
  const VectorHandle handle(grids_of_world().back());
  for (const VectorFunction function : all_vector_functions) {
    for (const MPI_Op op : {MPI_MAX, MPI_PROD, MPI_LXOR, MPI_BXOR}) {
      expect_as_mpi(handle, function, 2 * handle.size + 1, {MPI_UINT16_T, 2, op, fill_with<std::uint16_t>},
                    CallForm::blocking);
    }
    expect_as_mpi(handle, function, 2 * handle.size + 1,
                  {MPI_C_DOUBLE_COMPLEX, 16, MPI_SUM, fill_with<std::complex<double>>}, CallForm::blocking);
    expect_as_mpi(handle, function, 2 * handle.size + 1, {MPI_2INT, 8, MPI_MINLOC, fill_with<int>},
                  CallForm::blocking);
  }
}

// The elements have gaps, which MPI may leave alone, and which are 0 everywhere here.
TEST(VectorCollectives, leave_elements_with_gaps_to_mpi) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket");
  const VectorHandle handle(ring_of_world());
  for (const VectorFunction function : all_vector_functions) {
    for (const CallForm form : all_call_forms) {
      expect_as_mpi(handle, function, 5, {MPI_DOUBLE_INT, 16, MPI_MINLOC, fill_pairs_of<double>}, form);
    }
  }
}

/// Multiplies 2x2 matrices of 32-bit numbers, which does not commute.
void multiply_matrices(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  auto* left = static_cast<std::uint32_t*>(in);
  auto* right = static_cast<std::uint32_t*>(inout);
  for (int i = 0; i < *count; ++i, left += 4, right += 4) {
    const std::uint32_t product[] = {
        left[0] * right[0] + left[1] * right[2], left[0] * right[1] + left[1] * right[3],
        left[2] * right[0] + left[3] * right[2], left[2] * right[1] + left[3] * right[3]};
    std::copy(std::begin(product), std::end(product), right);
  }
}

/// Adds with an error that depends on the order of the operands, as rounding may. The program says that it commutes.
void add_roughly(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  auto* left = static_cast<double*>(in);
  auto* right = static_cast<double*>(inout);
  for (int i = 0; i < *count; ++i) right[i] += left[i] * (1 + 1e-12);
}

void add_spread(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  auto* left = static_cast<int*>(in);
  auto* right = static_cast<int*>(inout);
  for (int i = 0; i < 4 * *count; i += 2) right[i] += left[i];
}

/// An operation of the program and, unless it has one, a type.
class OwnVectorOperation {
 public:
  OwnVectorOperation(MPI_User_function* function, bool commutes, int elements, MPI_Datatype element) {
    MPI_Op_create(function, commutes ? 1 : 0, &op);
    MPI_Type_contiguous(elements, element, &type);
    MPI_Type_commit(&type);
  }
  OwnVectorOperation(const OwnVectorOperation&) = delete;
  OwnVectorOperation& operator=(const OwnVectorOperation&) = delete;
  ~OwnVectorOperation() {
    MPI_Op_free(&op);
    MPI_Type_free(&type);
  }
  MPI_Op op = MPI_OP_NULL;
  MPI_Datatype type = MPI_DATATYPE_NULL;
};

TEST(VectorCollectives, give_what_mpi_gives_for_operations_of_the_program) {
  const OwnVectorOperation matrices(multiply_matrices, false, 4, MPI_UINT32_T);
  const OwnVectorOperation commuting(multiply_matrices, true, 4, MPI_UINT32_T);
  const OwnVectorOperation spread(add_spread, true, 1, MPI_INT);
  const SpreadType type(2);
  const auto equal_matrices = [](VectorBytes& bytes, int /*rank*/) { fill_with<std::uint32_t>(bytes, 0); };
  for_all_vector_methods([&](const VectorHandle& handle) {
    for (const VectorFunction function : all_vector_functions) {
      for (const CallForm form : all_call_forms) {
        const int count = handle.size + 1;
        expect_as_mpi(handle, function, count, {matrices.type, 16, matrices.op, fill_with<std::uint32_t>},
                      form);
        expect_as_mpi(handle, function, count, {commuting.type, 16, commuting.op, equal_matrices}, form);
        expect_as_mpi(handle, function, count, {type.get(), 16, spread.op, fill_with<int>}, form);
      }
    }
  });
}

/// Combines numbers so that the result shows the order and the pairs of all reductions.
void hash_in_order(void* in, void* inout, int* count, MPI_Datatype* /*type*/) {
  auto* left = static_cast<std::uint64_t*>(in);
  auto* right = static_cast<std::uint64_t*>(inout);
  for (int i = 0; i < *count; ++i) right[i] = (left[i] * 31 + right[i] * 17 + 7) * 0x9e3779b97f4a7c15U;
}

/// Returns the value that a rank has of an element before a reduction.
std::uint64_t hash_of_rank(std::uint64_t rank, std::uint64_t element) {
  return rank * 1'000'003 + element;
}

/// Returns what all ranks reduce in their order: of 2^d + e ranks, the first 2 e by pairs, and then all by halves.
std::uint64_t hash_of_ranks(std::uint64_t rank_count, std::uint64_t element) {
  std::vector<std::uint64_t> values;
  for (std::uint64_t r = 0; r < rank_count; ++r) values.push_back(hash_of_rank(r, element));
  std::uint64_t pairs = rank_count - std::bit_floor(rank_count);
  if (pairs == 0) pairs = rank_count / 2;
  while (values.size() > 1) {
    int one = 1;
    for (std::uint64_t i = 0; i < pairs; ++i)
      hash_in_order(&values[2 * i], &values[2 * i + 1], &one, nullptr);
    for (std::uint64_t i = 0; i < pairs; ++i) values.erase(values.begin() + static_cast<std::ptrdiff_t>(i));
    pairs = values.size() / 2;
  }
  return values.front();
}

/// Expects that a reduction by hash_in_order() gives the values of the ranks' own tree.
void expect_own_tree(const VectorHandle& handle, VectorFunction function, int count, MPI_Op op,
                     CallForm form) {
  for (const bool is_in_place : {false, true}) {
    VectorBuffers buffers(function, count, MPI_UINT64_T, 8, op, handle.size, handle.rank);
    for (std::size_t i = 0; i < buffers.send().size() / 8; ++i) {
      const std::uint64_t value = hash_of_rank(static_cast<std::uint64_t>(handle.rank), i);
      std::memcpy(buffers.send().data() + i * 8, &value, 8);
    }
    const VectorArguments arguments = is_in_place ? buffers.in_place() : buffers.arguments();
    ASSERT_EQ(perform(arguments, handle.get(), form), CUBEFOLD_SUCCESS) << cubefold_last_error();
    std::uint64_t first = 0;
    auto received = static_cast<std::uint64_t>(count);
    if (function == VectorFunction::reduce_scatter_block)
      first = received * static_cast<std::uint64_t>(handle.rank);
    if (function == VectorFunction::reduce_scatter) {
      for (int r = 0; r < handle.rank; ++r)
        first += static_cast<std::uint64_t>(arguments.counts[static_cast<std::size_t>(r)]);
      received = static_cast<std::uint64_t>(arguments.counts[static_cast<std::size_t>(handle.rank)]);
    }
    for (std::uint64_t i = 0; i < received; ++i) {
      std::uint64_t value = 0;
      std::memcpy(&value, buffers.receive().data() + i * 8, 8);
      ASSERT_EQ(value, hash_of_ranks(static_cast<std::uint64_t>(handle.size), first + i))
          << name_of_mpi(function) << " of " << count << (is_in_place ? " in place, element " : ", element ")
          << i << ", form " << static_cast<int>(form);
    }
  }
}

TEST(VectorCollectives, reduce_in_the_order_of_the_ranks_on_all_placements) {
  const OwnVectorOperation hash(hash_in_order, false, 1, MPI_UINT64_T);
  std::string last_first = "nodes=";
  for (int node = world_size(); node-- > 0;) last_first += std::to_string(node) + (node > 0 ? "-" : "");
  for (const char* method : {"halving-ordered", "whole-ordered"}) {
    const Variable variable("CUBEFOLD_ALLREDUCE", method, Variable::Where::everywhere);
    for (const std::string& placement :
         {std::string("identity"), std::string(world_is_a_cube() ? "xor" : "identity"), last_first}) {
      SCOPED_TRACE(method + (' ' + placement));
      const VectorHandle handle(grids_of_world().back(), MPI_COMM_WORLD, placement.c_str());
      for (const CallForm form : all_call_forms) {
        for (const int count : {0, 1, world_size() + 1, 9001})
          expect_own_tree(handle, VectorFunction::allreduce, count, hash.op, form);
        if (std::string(method) == "whole-ordered") continue;
        expect_own_tree(handle, VectorFunction::reduce_scatter_block, 3, hash.op, form);
        expect_own_tree(handle, VectorFunction::reduce_scatter, 5, hash.op, form);
      }
    }
  }
}

TEST(VectorCollectives, gather_blocks_of_unlike_layouts_and_leave_gaps_alone) {
  const SpreadType spread(2);
  for_all_vector_methods([&](const VectorHandle& handle) {
    for (const CallForm form : all_call_forms) {
      const int sent[] = {handle.rank + 1, handle.rank + 101};
      std::vector<int> received(static_cast<std::size_t>(handle.size) * 4, -2);
      const auto arguments = VectorArguments::allgather(sent, 2, MPI_INT, received.data(), 1, spread.get());
      ASSERT_EQ(perform(arguments, handle.get(), form), CUBEFOLD_SUCCESS) << cubefold_last_error();
      for (int i = 0; i < handle.size * 4; ++i)
        EXPECT_EQ(received[static_cast<std::size_t>(i)], i % 2 == 1 ? -2 : i / 4 + 1 + i % 4 / 2 * 100);
    }
  });
}

/// Expects that all ranks have the same bytes.
void expect_equal_everywhere(const VectorBytes& own) {
  VectorBytes first = own;
  MPI_Bcast(first.data(), static_cast<int>(first.size()), MPI_BYTE, 0, MPI_COMM_WORLD);
  EXPECT_TRUE(own == first) << "ranks have different bits";
}

void fill_randomly(VectorBytes& bytes, int rank) {
  std::mt19937 random(static_cast<unsigned>(rank) + 1);
  std::uniform_real_distribution<double> value(-1, 1);
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(double)) {
    const double number = value(random);
    std::memcpy(bytes.data() + i, &number, sizeof number);
  }
}

/// Expects the same bits of calls on all ranks. With schedules calls in all forms, in place and not, have the same, and
/// with MPI's own functions equal calls.
void expect_same_bits(const VectorHandle& handle, MPI_Op op, bool have_schedules) {
  VectorBytes first;
  for (std::size_t call = 0; call < 6; ++call) {
    VectorBuffers buffers(VectorFunction::allreduce, 1003, MPI_DOUBLE, 8, op, handle.size, handle.rank);
    fill_randomly(buffers.send(), handle.rank);
    const bool is_in_place = have_schedules && call % 2 == 1;
    ASSERT_EQ(perform(is_in_place ? buffers.in_place() : buffers.arguments(), handle.get(),
                      all_call_forms[call / 2]),
              CUBEFOLD_SUCCESS)
        << cubefold_last_error();
    expect_equal_everywhere(buffers.receive());
    if (call == 0 || (call % 2 == 0 && !have_schedules)) first = buffers.receive();
    EXPECT_TRUE(buffers.receive() == first) << "call " << call << " has other bits";
  }
}

TEST(VectorCollectives, give_all_ranks_and_all_calls_the_same_bits) {
  for_all_vector_methods([](const VectorHandle& handle) {
    expect_same_bits(handle, MPI_SUM, false);
    expect_same_bits(handle, MPI_PROD, false);
  });
}

// MPI's own functions do not promise that.
TEST(VectorCollectives, give_all_ranks_the_same_bits_by_operations_that_round_by_the_order_of_operands) {
  const OwnVectorOperation roughly(add_roughly, true, 1, MPI_DOUBLE);
  std::vector<std::string> methods{"bucket", "bucket:2"};
  if (world_is_a_cube()) methods.insert(methods.end(), {"halving-cube:2", "halving-swing", "whole-ordered"});
  for (const std::string& method : methods) {
    SCOPED_TRACE(method);
    const Variable variable("CUBEFOLD_ALLREDUCE", method);
    const VectorHandle handle(ring_of_world());
    expect_same_bits(handle, roughly.op, true);
    expect_same_bits(handle, MPI_SUM, true);
  }
}

TEST(VectorCollectives, serve_unknown_networks_and_those_without_axes) {
  std::vector<std::string> networks = other_networks_of_world();
  networks.emplace_back();
  for (const std::string& network : networks) {
    const VectorHandle handle(network);
    for (const VectorFunction function : all_vector_functions)
      for (const CallForm form : all_call_forms) expect_as_mpi(handle, function, 100, sum_of_long, form);
  }
}

TEST(VectorCollectives, serve_several_ranks_of_a_node) {
  if (world_size() % 2 != 0) GTEST_SKIP() << "needs an even number of processes";
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket");
  const VectorHandle handle("ring:" + std::to_string(world_size() / 2));
  for (const VectorFunction function : all_vector_functions)
    for (const CallForm form : all_call_forms) expect_as_mpi(handle, function, 100, sum_of_long, form);
}

TEST(VectorCollectives, serve_sub_communicators) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket:2");
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, world_rank() % 2, -world_rank(), &half);
  int size = 0;
  MPI_Comm_size(half, &size);
  {
    const VectorHandle handle("ring:" + std::to_string(size), half);
    for (const VectorFunction function : all_vector_functions)
      for (const CallForm form : all_call_forms) expect_as_mpi(handle, function, 77, sum_of_long, form);
  }
  MPI_Comm_free(&half);
}

TEST(VectorCollectives, may_be_under_way_together_and_end_in_any_order) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "halving-cube:2");
  const OwnVectorOperation matrices(multiply_matrices, false, 4, MPI_UINT32_T);
  const VectorHandle handle(grids_of_world().back());
  std::vector<VectorBuffers> ours;
  for (const VectorFunction function : all_vector_functions) {
    ours.emplace_back(function, 50, MPI_INT64_T, 8, MPI_SUM, handle.size, handle.rank);
    fill_with<std::int64_t>(ours.back().send(), handle.rank);
    ours.emplace_back(function, 50, matrices.type, 16, matrices.op, handle.size, handle.rank);
    fill_with<std::uint32_t>(ours.back().send(), handle.rank);
  }
  std::vector<VectorBuffers> theirs = ours;
  std::vector<cubefold_request> requests(ours.size());
  for (std::size_t i = 0; i < ours.size(); ++i) {
    ASSERT_EQ(ours[i].arguments().pass_to(StartedCalls(), handle.get(), &requests[i]), CUBEFOLD_SUCCESS)
        << cubefold_last_error();
  }
  if (handle.rank % 2 == 0) std::ranges::reverse(requests);
  for (auto& request : requests)
    EXPECT_EQ(cubefold_wait(&request), CUBEFOLD_SUCCESS) << cubefold_last_error();
  for (std::size_t i = 0; i < ours.size(); ++i) {
    theirs[i].arguments().pass_to(FunctionsOfMpi(), handle.virtual_comm());
    EXPECT_EQ(ours[i].receive(), theirs[i].receive()) << i;
  }
}

/// Expects that all processes refuse a call for this reason.
void expect_vector_refused(const VectorArguments& arguments, const char* reason) {
  for (const CallForm form : all_call_forms) {
    const VectorHandle handle(ring_of_world());
    EXPECT_EQ(perform(arguments, handle.get(), form), CUBEFOLD_ERROR_ARGUMENT);
    const std::string text = cubefold_last_error();
    EXPECT_NE(text.find(reason), std::string::npos) << text;
  }
}

TEST(VectorCollectives, refuse_arguments_that_mpi_does_not_take) {
  std::vector<double> send(100);
  std::vector<double> receive(100);
  const auto reduce = [&](int count, MPI_Datatype type, MPI_Op op) {
    return VectorArguments::allreduce(send.data(), receive.data(), count, type, op);
  };
  expect_vector_refused(reduce(-1, MPI_DOUBLE, MPI_SUM), "count -1 is negative");
  expect_vector_refused(reduce(1, MPI_DATATYPE_NULL, MPI_SUM), "the datatype is MPI_DATATYPE_NULL");
  expect_vector_refused(reduce(1, MPI_DOUBLE, MPI_OP_NULL), "the operation is MPI_OP_NULL");
  expect_vector_refused(reduce(1, MPI_DOUBLE, MPI_BAND),
                        "the operation is not one for elements of the datatype");
  expect_vector_refused(VectorArguments::allreduce(nullptr, receive.data(), 1, MPI_DOUBLE, MPI_SUM),
                        "the buffer is a null pointer");
  expect_vector_refused(VectorArguments::allreduce(send.data(), MPI_IN_PLACE, 1, MPI_DOUBLE, MPI_SUM),
                        "the receive buffer is MPI_IN_PLACE");
  expect_vector_refused(VectorArguments::allgather(send.data(), 2, MPI_DOUBLE, receive.data(), 1, MPI_DOUBLE),
                        "the process sends 16 bytes where all receive 8");
  expect_vector_refused(VectorArguments::reduce_scatter(send.data(), receive.data(), {}, MPI_DOUBLE, MPI_SUM),
                        "an array of counts or displacements is NULL");
  expect_vector_refused(
      VectorArguments::allgatherv(send.data(), 0, MPI_DOUBLE, receive.data(), {}, {}, MPI_DOUBLE),
      "an array of counts or displacements is NULL");
}

TEST(VectorCollectives, fail_on_all_processes_if_one_makes_a_mistake) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket");
  for (const CallForm form : all_call_forms) {
    const VectorHandle handle(ring_of_world());
    std::vector<double> send(100);
    std::vector<double> receive(100);
    const void* given = handle.rank == handle.size - 1 ? nullptr : send.data();
    const auto arguments = VectorArguments::allreduce(given, receive.data(), 100, MPI_DOUBLE, MPI_SUM);
    EXPECT_EQ(perform(arguments, handle.get(), form), CUBEFOLD_ERROR_ARGUMENT);
    const std::string text = cubefold_last_error();
    EXPECT_NE(text.find("the buffer is a null pointer"), std::string::npos) << text;
  }
}

TEST(VectorCollectives, compare_the_bytes_of_vectors_with_cubefold_check) {
  if (world_size() == 1) GTEST_SKIP() << "needs several processes";
  const Variable check("CUBEFOLD_CHECK", "1");
  const Variable variable("CUBEFOLD_ALLREDUCE", "bucket");
  const VectorHandle handle(ring_of_world());
  std::vector<double> send(100);
  std::vector<double> receive(100);
  const int count = handle.rank == 1 ? 9 : 10;
  EXPECT_EQ(cubefold_allreduce(send.data(), receive.data(), count, MPI_DOUBLE, MPI_SUM, handle.get()),
            CUBEFOLD_ERROR_ARGUMENT);
  const std::string text = cubefold_last_error();
  EXPECT_NE(text.find("vector size '72' differs from '80'"), std::string::npos) << text;
  EXPECT_EQ(cubefold_allreduce(send.data(), receive.data(), 10, MPI_DOUBLE, MPI_SUM, handle.get()),
            CUBEFOLD_SUCCESS);
}

TEST(VectorCollectives, refuse_an_unknown_method) {
  const Variable variable("CUBEFOLD_ALLREDUCE", "fast");
  cubefold_comm comm = nullptr;
  ASSERT_EQ(cubefold_comm_create(MPI_COMM_WORLD, ring_of_world().c_str(), nullptr, &comm), CUBEFOLD_SUCCESS);
  double value = 1;
  EXPECT_EQ(cubefold_allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_SUM, comm), CUBEFOLD_ERROR_ARGUMENT);
  const std::string text = cubefold_last_error();
  EXPECT_NE(text.find("CUBEFOLD_ALLREDUCE: 'fast' is not bucket"), std::string::npos) << text;
  cubefold_comm_free(&comm);
}

}  // namespace
}  // namespace cubefold::mpi
