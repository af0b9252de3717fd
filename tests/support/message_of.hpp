#pragma once

#include <stdexcept>
#include <string>

namespace cubefold {

/// Returns the text of the std::invalid_argument that work() throws, or "nothing thrown". Other exceptions propagate.
template <typename Work>
std::string message_of(Work&& work) {
  try {
    work();
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "nothing thrown";
}

}  // namespace cubefold
