#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <stdexcept>
#include <utility>

#include "c_requests.hpp"
#include "device_memory.hpp"

using namespace cubefold::mpi;  // NOLINT(google-build-using-namespace): all of this file is about it
using cubefold::label;
using cubefold::PacketCalls;
using cubefold::Rank;

namespace {

cubefold_request_s& valid(cubefold_request request) {
  if (request == nullptr) throw std::invalid_argument("the cubefold_request is NULL");
  return *request;
}

cubefold_request_s& valid_persistent(cubefold_request request) {
  if (!valid(request).is_persistent)
    throw std::invalid_argument("the request is not persistent, so cubefold_wait ends it");
  return *request;
}

/// Frees a request at the end of a scope if it is over and not persistent, also if it has failed.
class FreeWhenOver {
 public:
  explicit FreeWhenOver(cubefold_request* request) : request_(request) {}
  FreeWhenOver(const FreeWhenOver&) = delete;
  FreeWhenOver& operator=(const FreeWhenOver&) = delete;
  ~FreeWhenOver() {
    if ((*request_)->is_persistent || (*request_)->request->is_running()) return;
    delete std::exchange(*request_, nullptr);
  }

 private:
  cubefold_request* request_;
};

bool is_under_way(cubefold_request request) {
  return request != nullptr && request->request->is_running();
}

std::span<cubefold_request> requests_in(int count, cubefold_request* requests) {
  if (count < 0) throw std::invalid_argument(fmt::format("count {} is negative", count));
  if (count > 0 && requests == nullptr) throw std::invalid_argument("the array of requests is NULL");
  return {requests, static_cast<std::size_t>(count)};
}

/// Advances the exchanges of all handles of the requests, because processes may wait for them in another order.
void advance(std::span<const cubefold_request> requests) {
  for (const auto& request : requests)
    if (is_under_way(request)) request->request->context().advance();
}

bool are_on_one_handle(std::span<const cubefold_request> requests) {
  cubefold_comm comm = nullptr;
  for (const auto& request : requests) {
    if (!is_under_way(request)) continue;
    if (comm != nullptr && comm != request->comm) return false;
    comm = request->comm;
  }
  return true;
}

/// Waits for all requests that are under way, and then throws the first failure.
void wait_for_all(std::span<cubefold_request> requests) {
  std::function<void()> look;
  if (!are_on_one_handle(requests)) look = [&] { advance(requests); };
  std::exception_ptr first;
  for (cubefold_request& request : requests) {
    if (!is_under_way(request)) continue;
    const FreeWhenOver free_when_over(&request);
    try {
      request->request->wait(look);
    } catch (...) {
      if (!first) first = std::current_exception();
    }
  }
  if (first) std::rethrow_exception(first);
}

/// Leaves the wait for one request if another one is over.
struct OtherIsOver {
  cubefold_request* request;
};

/// Waits until one of the requests that are under way is over, ends it and sets *index to its place, if there is one.
void wait_for_any(std::span<cubefold_request> requests, int* index) {
  const auto first = std::ranges::find_if(requests, is_under_way);
  if (first == requests.end()) return;
  const auto is_over = [](cubefold_request request) {
    return is_under_way(request) && request->request->has_ended();
  };
  const auto leave_if_any_is_over = [&] {
    const auto over = std::ranges::find_if(requests, is_over);
    if (over != requests.end()) throw OtherIsOver{&*over};
  };
  const auto end = [&](cubefold_request* request, const std::function<void()>& look) {
    *index = static_cast<int>(request - requests.data());
    const FreeWhenOver free_when_over(request);
    (*request)->request->wait(look);
  };
  try {
    leave_if_any_is_over();
    end(&*first, leave_if_any_is_over);
  } catch (const OtherIsOver& other) {
    end(other.request, {});
  }
}

void exchange(cubefold_comm comm, const Sides& sides) {
  exchange_on(comm, [&](PlanCache& plans) {
    agree_on_host_memory(plans.context(),
                         {{sides.sent.memory(), "send"}, {sides.received.memory(), "receive"}});
    plans.for_call(sides)->run(sides);
  });
}

void make(cubefold_comm comm, cubefold_request* request, bool is_persistent, const Sides& sides) {
  make_request(comm, request, is_persistent, [&](PlanCache& plans, std::shared_ptr<Exchange>& exchange) {
    exchange = plans.for_call(sides);
    require_host_memory({{sides.sent.memory(), "send"}, {sides.received.memory(), "receive"}});
    return exchange->prepare(sides);
  });
}

/// Returns the sides of an exchange of unequal blocks. Throws std::invalid_argument if the handle is not valid. Counts
/// and displacements are of int, or of MPI_Count and MPI_Aint.
template <typename Count, typename Place>
Sides unequal_sides(const void* send, const Count* send_counts, const Place* send_displacements,
                    MPI_Datatype send_type, void* receive, const Count* receive_counts,
                    const Place* receive_displacements, MPI_Datatype receive_type, cubefold_comm comm) {
  const auto numbers = [p = cubefold::mpi::valid(comm).placement().rank_count()](const auto* array) {
    return std::span(array, p);
  };
  return {send,    numbers(send_counts),    numbers(send_displacements),    send_type,
          receive, numbers(receive_counts), numbers(receive_displacements), receive_type};
}

/// Returns the sides of an exchange of blocks of several datatypes, as unequal_sides().
template <typename Count, typename Place>
Sides typed_sides(const void* send, const Count* send_counts, const Place* send_displacements,
                  const MPI_Datatype* send_types, void* receive, const Count* receive_counts,
                  const Place* receive_displacements, const MPI_Datatype* receive_types, cubefold_comm comm) {
  const auto all = [p = cubefold::mpi::valid(comm).placement().rank_count()](const auto* array) {
    return std::span(array, p);
  };
  return {send,    all(send_counts),    all(send_displacements),    all(send_types),
          receive, all(receive_counts), all(receive_displacements), all(receive_types)};
}

}  // namespace

int cubefold_alltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                      int receive_count, MPI_Datatype receive_type, cubefold_comm comm) {
  return guarded("cubefold_alltoall", [&] {
    exchange(comm, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_alltoallv(const void* send, const int* send_counts, const int* send_displacements,
                       MPI_Datatype send_type, void* receive, const int* receive_counts,
                       const int* receive_displacements, MPI_Datatype receive_type, cubefold_comm comm) {
  return guarded("cubefold_alltoallv", [&] {
    exchange(comm, unequal_sides(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                 receive_displacements, receive_type, comm));
  });
}

int cubefold_alltoallw(const void* send, const int* send_counts, const int* send_displacements,
                       const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                       const int* receive_displacements, const MPI_Datatype* receive_types,
                       cubefold_comm comm) {
  return guarded("cubefold_alltoallw", [&] {
    exchange(comm, typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                               receive_displacements, receive_types, comm));
  });
}

int cubefold_alltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                        MPI_Count receive_count, MPI_Datatype receive_type, cubefold_comm comm) {
  return guarded("cubefold_alltoall_c", [&] {
    exchange(comm, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_alltoallv_c(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                         MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                         const MPI_Aint* receive_displacements, MPI_Datatype receive_type,
                         cubefold_comm comm) {
  return guarded("cubefold_alltoallv_c", [&] {
    exchange(comm, unequal_sides(send, send_counts, send_displacements, send_type, receive, receive_counts,
                                 receive_displacements, receive_type, comm));
  });
}

int cubefold_alltoallw_c(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                         const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                         const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types,
                         cubefold_comm comm) {
  return guarded("cubefold_alltoallw_c", [&] {
    exchange(comm, typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                               receive_displacements, receive_types, comm));
  });
}

int cubefold_alltoall_packets(size_t block_bytes, cubefold_produce produce, cubefold_consume consume,
                              void* context, cubefold_comm comm) {
  return guarded("cubefold_alltoall_packets", [&] {
    valid_handle(comm);
    PacketCalls calls;
    if (produce != nullptr) {
      calls.produce = [=](Rank destination, std::size_t offset, std::span<std::byte> packet) {
        produce(context, static_cast<int>(label(destination)), offset, packet.size(), packet.data());
      };
    }
    if (consume != nullptr) {
      calls.consume = [=](Rank source, std::size_t offset, std::span<const std::byte> packet) {
        consume(context, static_cast<int>(label(source)), offset, packet.size(), packet.data());
      };
    }
    exchange_on(comm, [&](PlanCache& plans) { plans.for_blocks(block_bytes)->run_packets(calls); });
  });
}

int cubefold_ialltoall(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                       int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                       cubefold_request* request) {
  return guarded("cubefold_ialltoall", [&] {
    make(comm, request, false, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_ialltoallv(const void* send, const int* send_counts, const int* send_displacements,
                        MPI_Datatype send_type, void* receive, const int* receive_counts,
                        const int* receive_displacements, MPI_Datatype receive_type, cubefold_comm comm,
                        cubefold_request* request) {
  return guarded("cubefold_ialltoallv", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         unequal_sides(send, send_counts, send_displacements, send_type, receive, receive_counts,
                       receive_displacements, receive_type, comm));
  });
}

int cubefold_ialltoallw(const void* send, const int* send_counts, const int* send_displacements,
                        const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                        const int* receive_displacements, const MPI_Datatype* receive_types,
                        cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_ialltoallw", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                     receive_displacements, receive_types, comm));
  });
}

int cubefold_ialltoall_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                         MPI_Count receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                         cubefold_request* request) {
  return guarded("cubefold_ialltoall_c", [&] {
    make(comm, request, false, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_ialltoallv_c(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                          MPI_Datatype send_type, void* receive, const MPI_Count* receive_counts,
                          const MPI_Aint* receive_displacements, MPI_Datatype receive_type,
                          cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_ialltoallv_c", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         unequal_sides(send, send_counts, send_displacements, send_type, receive, receive_counts,
                       receive_displacements, receive_type, comm));
  });
}

int cubefold_ialltoallw_c(const void* send, const MPI_Count* send_counts, const MPI_Aint* send_displacements,
                          const MPI_Datatype* send_types, void* receive, const MPI_Count* receive_counts,
                          const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types,
                          cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_ialltoallw_c", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, false,
         typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                     receive_displacements, receive_types, comm));
  });
}

int cubefold_test(cubefold_request* request, int* is_over) {
  return guarded("cubefold_test", [&] {
    valid(*valid_out(request));
    *valid_out(is_over) = 0;
    const FreeWhenOver free_when_over(request);
    *is_over = (*request)->request->test() ? 1 : 0;
  });
}

int cubefold_wait(cubefold_request* request) {
  return guarded("cubefold_wait", [&] {
    valid(*valid_out(request));
    const FreeWhenOver free_when_over(request);
    (*request)->request->wait();
  });
}

int cubefold_waitall(int count, cubefold_request* requests) {
  return guarded("cubefold_waitall", [&] { wait_for_all(requests_in(count, requests)); });
}

int cubefold_waitany(int count, cubefold_request* requests, int* index) {
  return guarded("cubefold_waitany", [&] {
    *valid_out(index) = MPI_UNDEFINED;
    wait_for_any(requests_in(count, requests), index);
  });
}

int cubefold_testall(int count, cubefold_request* requests, int* are_over) {
  return guarded("cubefold_testall", [&] {
    *valid_out(are_over) = 0;
    const auto all = requests_in(count, requests);
    const auto is_not_over = [](cubefold_request request) {
      return is_under_way(request) && !request->request->has_ended();
    };
    // All of them are tested, because a test advances the exchanges of one handle only.
    if (std::ranges::count_if(all, is_not_over) > 0) return;
    *are_over = 1;
    wait_for_all(all);
  });
}

int cubefold_alltoall_init(const void* send, int send_count, MPI_Datatype send_type, void* receive,
                           int receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                           cubefold_request* request) {
  return guarded("cubefold_alltoall_init", [&] {
    make(comm, request, true, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_alltoallw_init(const void* send, const int* send_counts, const int* send_displacements,
                            const MPI_Datatype* send_types, void* receive, const int* receive_counts,
                            const int* receive_displacements, const MPI_Datatype* receive_types,
                            cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_alltoallw_init", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true,
         typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                     receive_displacements, receive_types, comm));
  });
}

int cubefold_alltoall_init_c(const void* send, MPI_Count send_count, MPI_Datatype send_type, void* receive,
                             MPI_Count receive_count, MPI_Datatype receive_type, cubefold_comm comm,
                             cubefold_request* request) {
  return guarded("cubefold_alltoall_init_c", [&] {
    make(comm, request, true, {send, send_count, send_type, receive, receive_count, receive_type});
  });
}

int cubefold_alltoallw_init_c(const void* send, const MPI_Count* send_counts,
                              const MPI_Aint* send_displacements, const MPI_Datatype* send_types,
                              void* receive, const MPI_Count* receive_counts,
                              const MPI_Aint* receive_displacements, const MPI_Datatype* receive_types,
                              cubefold_comm comm, cubefold_request* request) {
  return guarded("cubefold_alltoallw_init_c", [&] {
    if (request != nullptr) *request = nullptr;
    make(comm, request, true,
         typed_sides(send, send_counts, send_displacements, send_types, receive, receive_counts,
                     receive_displacements, receive_types, comm));
  });
}

int cubefold_alltoall_start(cubefold_request request) {
  return guarded("cubefold_alltoall_start", [&] {
    exchange_on(valid(request).comm, [&](PlanCache&) { valid_persistent(request).start(); });
  });
}

int cubefold_alltoall_free(cubefold_request* request) {
  return guarded("cubefold_alltoall_free", [&] {
    if (*valid_out(request) == nullptr) return;
    if (valid_persistent(*request).request->is_running())
      throw std::invalid_argument("the exchange is under way; wait for it before it is freed");
    delete std::exchange(*request, nullptr);
  });
}

int cubefold_explain(cubefold_comm comm, size_t block_bytes, const char** text) {
  return guarded("cubefold_explain", [&] {
    if (text != nullptr) *text = "";
    exchange_on(comm, [&](PlanCache& plans) {
      valid_out(text);
      NeighbourPlans* neighbours = comm->graph.get() == MPI_COMM_NULL ? nullptr : &neighbours_on(comm);
      comm->plan_text = plans.explain(block_bytes);
      if (neighbours != nullptr) comm->plan_text += neighbours->text_for(block_bytes);
      *text = comm->plan_text.c_str();
    });
  });
}
