#include "cubefold/exchange/direct.hpp"

#include "cubefold/exchange/mixed_radix.hpp"

namespace cubefold {

Schedule direct_exchange(const Placement& placement, Ports ports, Tie tie) {
  return mixed_radix_exchange(placement, {whole_phase(placement.grid())}, ports, tie);
}

Schedule direct_exchange_part(const Placement& placement, Ports ports, Tie tie, Rank rank) {
  return mixed_radix_exchange_part(placement, {whole_phase(placement.grid())}, ports, tie, rank);
}

}  // namespace cubefold
