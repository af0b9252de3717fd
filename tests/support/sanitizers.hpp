#pragma once

namespace cubefold {

#if defined(__SANITIZE_ADDRESS__)
constexpr bool sanitized = true;  ///< Whether the address sanitizer watches this program.
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
constexpr bool sanitized = true;  ///< Whether the address sanitizer watches this program.
#else
constexpr bool sanitized = false;
#endif
#else
constexpr bool sanitized = false;
#endif

/// Returns how far a long sweep goes: to its end, or where sanitizers watch, which make it ten times as slow, only so
/// far. Sanitizers look at what the code does, for which the small cases do; builds without them check all the values.
template <typename T>
constexpr T end_of_sweep(T whole, T sanitized_end) {
  return sanitized ? sanitized_end : whole;
}

}  // namespace cubefold
