#include "cubefold/schedule/pacing.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "cubefold/names/known_names.hpp"

namespace cubefold {

std::string_view to_string(Pacing pacing) {
  switch (pacing) {
    case Pacing::data:
      return "data";
    case Pacing::clock:
      return "clock";
    case Pacing::tokens:
      return "tokens";
    case Pacing::barriers:
      break;
  }
  return "barriers";
}

Pacing parse_pacing(std::string_view text) {
  for (const Pacing pacing : all_pacings) {
    if (text == to_string(pacing)) return pacing;
  }
  throw std::invalid_argument(unknown_name("pacing", text, {"data", "clock", "tokens", "barriers"}));
}

}  // namespace cubefold
