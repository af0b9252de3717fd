#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cubefold {

/// One end of a cable as an element of an ibnetdiscover file lists it.
struct ElementPort {
  std::uint32_t number;
  std::optional<std::uint64_t> guid;  ///< of the port of an adapter
  std::string_view peer;              ///< identifier of the element at the other end
  std::uint32_t peer_port;
  std::size_t line;
};

/// A switch, an adapter of a host, or a router, as an ibnetdiscover file lists it. Its texts are parts of the file.
struct FabricElement {
  enum class Kind : std::uint8_t { network_switch, adapter, router };

  Kind kind;
  std::string_view identifier;
  std::string_view description;
  std::size_t line;
  std::vector<ElementPort> ports;
};

/// Returns whether a text has the switch of a fabric.
bool is_ibnetdiscover(std::string_view text);

/// Reads the elements of an ibnetdiscover file, which may be grouped (-g), in their order. Throws std::invalid_argument
/// with the line for one that does not have the form of an element or a port.
std::vector<FabricElement> elements_of_ibnetdiscover(std::string_view text);

/// Throws std::invalid_argument with the line and the rule.
[[noreturn]] void refuse_line(std::size_t line, const std::string& rule);

}  // namespace cubefold
