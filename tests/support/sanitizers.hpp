#pragma once

namespace cubefold {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;  ///< whether the address sanitizer watches this program
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;  ///< whether the address sanitizer watches this program
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

/// Returns the end of a long sweep, which is `whole`, or `sanitized_end` with sanitizers, because they make the sweep
/// ten times as slow. The small cases run all code, and sanitizers check code. Builds without sanitizers check all
/// values.
template <typename T>
constexpr T end_of_sweep(T whole, T sanitized_end) {
  return sanitized ? sanitized_end : whole;
}

}  // namespace cubefold
