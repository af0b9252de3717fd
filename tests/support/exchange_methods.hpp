#pragma once

#include "cubefold/exchange/method.hpp"

namespace cubefold {

inline const ExchangeMethod direct{ExchangeAlgorithm::direct, {}};
inline const ExchangeMethod linear{ExchangeAlgorithm::linear, {}};

}  // namespace cubefold
