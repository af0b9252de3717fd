#pragma once

#include <stdexcept>
#include <string>

namespace cubefold {

/// The text of the std::invalid_argument that the work throws; other exceptions pass, none gives "nothing
/// thrown".
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
