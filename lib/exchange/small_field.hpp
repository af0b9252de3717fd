#pragma once

#include <cstdint>

namespace cubefold {

/// Computes in the field of q elements, where q is a prime, 4 or 9. An element is the number a0 + p a1 for the
/// polynomial a0 + a1 x, where p is the prime that divides q; x^2 is x + 1 for q = 4 and 2 for q = 9. The values below
/// a prime q are the integers mod q.
class SmallField {
 public:
  explicit SmallField(std::uint32_t q) : q_(q), p_(q == 4 ? 2 : q == 9 ? 3 : q) {}

  std::uint32_t add(std::uint32_t a, std::uint32_t b) const {
    return (a + b) % p_ + (a / p_ + b / p_) % p_ * p_;
  }
  std::uint32_t negative(std::uint32_t a) const { return (p_ - a % p_) % p_ + (p_ - a / p_) % p_ * p_; }
  std::uint32_t subtract(std::uint32_t a, std::uint32_t b) const { return add(a, negative(b)); }

  std::uint32_t multiply(std::uint32_t a, std::uint32_t b) const {
    const std::uint32_t squared = a / p_ * (b / p_);  // coefficient of x^2
    const std::uint32_t low = a % p_ * (b % p_) + squared * (q_ == 4 ? 1 : 2);
    const std::uint32_t high = a % p_ * (b / p_) + a / p_ * (b % p_) + squared * (q_ == 4 ? 1 : 0);
    return low % p_ + high % p_ * p_;
  }

  /// Requires b > 0. Costs O(q).
  std::uint32_t divide(std::uint32_t a, std::uint32_t b) const {
    std::uint32_t quotient = 0;
    while (multiply(quotient, b) != a) ++quotient;
    return quotient;
  }

 private:
  std::uint32_t q_;
  std::uint32_t p_;
};

}  // namespace cubefold
