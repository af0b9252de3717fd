#include "cubefold/mpi/exchange_request.hpp"

#include <stdexcept>
#include <utility>

#include "bound_exchange.hpp"

namespace cubefold::mpi {

ExchangeRequest::ExchangeRequest() = default;
ExchangeRequest::ExchangeRequest(std::unique_ptr<BoundExchange> exchange) : exchange_(std::move(exchange)) {}
ExchangeRequest::ExchangeRequest(ExchangeRequest&&) noexcept = default;
ExchangeRequest& ExchangeRequest::operator=(ExchangeRequest&&) noexcept = default;
ExchangeRequest::~ExchangeRequest() = default;

BoundExchange& ExchangeRequest::bound() const {
  if (!exchange_) throw std::invalid_argument("the request is of no exchange");
  return *exchange_;
}

void ExchangeRequest::start() {
  BoundExchange& exchange = bound();
  exchange.space().collectively([&] { exchange.start(); });
}

bool ExchangeRequest::test() {
  return bound().test();
}

void ExchangeRequest::wait() {
  bound().wait();
}

bool ExchangeRequest::is_running() const {
  return exchange_ && exchange_->is_running();
}

}  // namespace cubefold::mpi
