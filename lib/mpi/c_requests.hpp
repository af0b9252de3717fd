#pragma once

#include <memory>
#include <stdexcept>
#include <utility>

#include "alltoall_request.hpp"
#include "c_handles.hpp"
#include "exchange.hpp"

struct cubefold_request_s {
  /// `exchange` is null for requests that reduce or gather a vector.
  cubefold_request_s(cubefold_comm made_on, std::shared_ptr<cubefold::mpi::Exchange> of,
                     std::unique_ptr<cubefold::mpi::AlltoallRequest> made, bool persistent)
      : comm(made_on), exchange(std::move(of)), request(std::move(made)), is_persistent(persistent) {
    ++comm->request_count;
  }
  cubefold_request_s(const cubefold_request_s&) = delete;
  cubefold_request_s& operator=(const cubefold_request_s&) = delete;
  ~cubefold_request_s() { --comm->request_count; }

  /// Collective: starts the request.
  void start() { exchange ? exchange->start(*request) : request->start(); }

  cubefold_comm comm;
  std::shared_ptr<cubefold::mpi::Exchange> exchange;
  std::unique_ptr<cubefold::mpi::AlltoallRequest> request;
  bool is_persistent;
};

namespace cubefold::mpi {

/// Collective: makes a request by prepare(plans, exchange), which returns an AlltoallRequest and may set the exchange,
/// and starts it unless it is persistent. Sets *request to null if anything fails.
template <typename Prepare>
void make_request(cubefold_comm comm, cubefold_request* request, bool is_persistent, Prepare prepare) {
  if (request != nullptr) *request = nullptr;
  exchange_on(comm, [&](PlanCache& plans) {
    if (request == nullptr) throw std::invalid_argument("the pointer for the request is NULL");
    std::shared_ptr<Exchange> exchange;
    auto prepared = prepare(plans, exchange);
    auto made =
        std::make_unique<cubefold_request_s>(comm, std::move(exchange), std::move(prepared), is_persistent);
    if (!is_persistent) made->start();
    *request = made.release();
  });
}

}  // namespace cubefold::mpi
