#include "forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace cubefold::soak {
namespace {

void check(int error, const char* call) {
  if (error != CUBEFOLD_SUCCESS) throw std::runtime_error(fmt::format("{}: {}", call, cubefold_last_error()));
}

/// Returns a grid with this number of nodes.
std::string drawn_grid(int size, Choices& choices) {
  switch (choices.between(0, 2)) {
    case 0:
      return fmt::format("ring:{}", size);
    case 1:
      return fmt::format("line:{}", size);
    default:
      return size % 2 == 0 ? fmt::format("grid:{}wx2", size / 2) : fmt::format("hyperx:{}", size);
  }
}

/// What a form needs: a handle, the choices, and the number of the exchange.
struct Turn {
  Handle& handle;
  Choices& choices;
  std::uint64_t exchange;
  bool has_threads;

  Exchange equal() const { return {exchange, handle.rank, handle.size, choices.count()}; }
};

void blocking(const Turn& turn) {
  Exchange exchange = turn.equal();
  const int count = exchange.sent.counts[0];
  check(cubefold_alltoall(exchange.sent.numbers.data(), count, MPI_INT, exchange.received.numbers.data(),
                          count, MPI_INT, turn.handle.handle),
        "cubefold_alltoall");
  exchange.compare("cubefold_alltoall");
}

void in_place(const Turn& turn) {
  Exchange exchange = turn.equal();
  check(cubefold_alltoall(MPI_IN_PLACE, 0, MPI_INT, exchange.sent.numbers.data(), exchange.sent.counts[0],
                          MPI_INT, turn.handle.handle),
        "cubefold_alltoall in place");
  exchange.compare("cubefold_alltoall in place", exchange.sent);
}

void unequal(const Turn& turn) {
  const int base = turn.choices.count();
  std::vector<int> sent;
  std::vector<int> received;
  for (int other = 0; other < turn.handle.size; ++other) {
    sent.push_back(base * (turn.handle.rank + 2 * other) % 100);
    received.push_back(base * (other + 2 * turn.handle.rank) % 100);
  }
  Exchange exchange(turn.exchange, turn.handle.rank, std::move(sent), std::move(received));
  check(cubefold_alltoallv(exchange.sent.numbers.data(), exchange.sent.counts.data(),
                           exchange.sent.offsets.data(), MPI_INT, exchange.received.numbers.data(),
                           exchange.received.counts.data(), exchange.received.offsets.data(), MPI_INT,
                           turn.handle.handle),
        "cubefold_alltoallv");
  exchange.compare("cubefold_alltoallv");
}

// Every third call has blocks for one process only.
void typed(const Turn& turn) {
  const int base = turn.choices.count();
  const bool is_sparse = turn.exchange % 3 == 0;
  const int size = turn.handle.size;
  const auto count = [&](int from, int to) {
    return is_sparse && to != (from + 1) % size ? 0 : base * (from + 2 * to) % 100;
  };
  std::vector<int> sent;
  std::vector<int> received;
  for (int other = 0; other < size; ++other) {
    sent.push_back(count(turn.handle.rank, other));
    received.push_back(count(other, turn.handle.rank));
  }
  Exchange exchange(turn.exchange, turn.handle.rank, std::move(sent), std::move(received));
  const std::vector<MPI_Datatype> types(exchange.sent.counts.size(), MPI_INT);
  const auto bytes = [](std::vector<int> offsets) {
    for (int& offset : offsets) offset *= static_cast<int>(sizeof(int));
    return offsets;
  };
  check(cubefold_alltoallw(exchange.sent.numbers.data(), exchange.sent.counts.data(),
                           bytes(exchange.sent.offsets).data(), types.data(),
                           exchange.received.numbers.data(), exchange.received.counts.data(),
                           bytes(exchange.received.offsets).data(), types.data(), turn.handle.handle),
        "cubefold_alltoallw");
  exchange.compare("cubefold_alltoallw");
}

void packets(const Turn& turn) {
  Exchange exchange = turn.equal();
  const auto produce = [](void* context, int to, std::size_t offset, std::size_t bytes, void* packet) {
    const auto* block = reinterpret_cast<const char*>(&static_cast<Exchange*>(context)->sent(to, 0));
    std::copy_n(block + offset, bytes, static_cast<char*>(packet));
  };
  const auto consume = [](void* context, int from, std::size_t offset, std::size_t bytes,
                          const void* packet) {
    auto* block = reinterpret_cast<char*>(&static_cast<Exchange*>(context)->received(from, 0));
    std::copy_n(static_cast<const char*>(packet), bytes, block + offset);
  };
  check(cubefold_alltoall_packets(sizeof(int) * at(exchange.sent.counts[0]), produce, consume, &exchange,
                                  turn.handle.handle),
        "cubefold_alltoall_packets");
  exchange.compare("cubefold_alltoall_packets");
}

// Three exchanges are under way at once. Where there are threads, another one waits for the first of them.
void requests(const Turn& turn) {
  std::vector<Exchange> exchanges;
  for (int i = 0; i < 3; ++i) exchanges.push_back(turn.equal());
  for (Exchange& exchange : exchanges) {
    const int count = exchange.sent.counts[0];
    check(cubefold_ialltoall(exchange.sent.numbers.data(), count, MPI_INT, exchange.received.numbers.data(),
                             count, MPI_INT, turn.handle.handle, &exchange.request),
          "cubefold_ialltoall");
  }
  const auto wait = [](Exchange& exchange) {
    check(cubefold_wait(&exchange.request), "cubefold_wait");
    exchange.compare("cubefold_ialltoall");
  };
  std::exception_ptr failure;
  std::thread other;
  if (turn.has_threads) {
    other = std::thread([&] {
      try {
        wait(exchanges[0]);
      } catch (...) {
        failure = std::current_exception();
      }
    });
  }
  for (int is_over = 0; is_over == 0;) check(cubefold_test(&exchanges[2].request, &is_over), "cubefold_test");
  exchanges[2].compare("cubefold_ialltoall");
  wait(exchanges[1]);
  if (turn.has_threads) {
    other.join();
    if (failure) std::rethrow_exception(failure);
  } else {
    wait(exchanges[0]);
  }
}

// A persistent exchange is under way while others begin and end.
void persistent(const Turn& turn) {
  if (turn.handle.is_under_way) return turn.handle.end_persistent();
  turn.handle.persistent->fill(turn.exchange);
  check(cubefold_alltoall_start(turn.handle.persistent->request), "cubefold_alltoall_start");
  turn.handle.is_under_way = true;
}

// Each rank sends its block to the rank some places further on.
void messages(const Turn& turn) {
  const int distance = turn.choices.between(0, turn.handle.size - 1);
  const int to = (turn.handle.rank + distance) % turn.handle.size;
  const int from = (turn.handle.rank + turn.handle.size - distance) % turn.handle.size;
  Exchange exchange = turn.equal();
  const int count = exchange.sent.counts[0];
  check(cubefold_v_sendrecv(&exchange.sent(to, 0), count, MPI_INT, to, 5, &exchange.received(from, 0), count,
                            MPI_INT, from, 5, turn.handle.handle, MPI_STATUS_IGNORE),
        "cubefold_v_sendrecv");
  exchange.compare_from(from, "cubefold_v_sendrecv", exchange.received);
}

}  // namespace

Handle::Handle(MPI_Comm all, Choices& choices) {
  int rank_of_all = 0;
  MPI_Comm_rank(all, &rank_of_all);
  MPI_Comm_split(all, rank_of_all % choices.between(1, 2), 0, &comm_);
  MPI_Comm_size(comm_, &size);
  const std::string grid = drawn_grid(size, choices);
  const bool is_xor = choices.between(0, 1) == 1 && std::has_single_bit(static_cast<unsigned>(size));
  check(cubefold_comm_create(comm_, grid.c_str(), is_xor ? "xor" : "identity", &handle),
        "cubefold_comm_create");
  check(cubefold_comm_rank(handle, &rank), "cubefold_comm_rank");
  const int count = choices.count();
  persistent = std::make_unique<Exchange>(0, rank, size, count);
  check(cubefold_alltoall_init(persistent->sent.numbers.data(), count, MPI_INT,
                               persistent->received.numbers.data(), count, MPI_INT, handle,
                               &persistent->request),
        "cubefold_alltoall_init");
}

void Handle::free() {
  if (is_under_way) end_persistent();
  check(cubefold_alltoall_free(&persistent->request), "cubefold_alltoall_free");
  check(cubefold_comm_free(&handle), "cubefold_comm_free");
  MPI_Comm_free(&comm_);
}

void Handle::end_persistent() {
  check(cubefold_wait(&persistent->request), "cubefold_wait");
  persistent->compare("cubefold_alltoall_start");
  is_under_way = false;
}

void set_drawn_method(Choices& choices) {
  constexpr std::array methods{
      "", "", "mpi", "direct", "bruck:2", "linear", "shifted", "store-and-forward", "cc-cube"};
  setenv("CUBEFOLD_ALLTOALL", methods[at(choices.between(0, static_cast<int>(methods.size()) - 1))], 1);
}

void exchange_on(Handle& handle, Choices& choices, std::uint64_t exchange, bool has_threads) {
  const Turn turn{handle, choices, exchange, has_threads};
  switch (choices.between(0, 9)) {
    case 0:
      in_place(turn);
      break;
    case 1:
      unequal(turn);
      break;
    case 2:
      packets(turn);
      break;
    case 3:
      requests(turn);
      break;
    case 4:
      persistent(turn);
      break;
    case 5:
      messages(turn);
      break;
    case 6:
      typed(turn);
      break;
    default:
      blocking(turn);
  }
}

}  // namespace cubefold::soak
