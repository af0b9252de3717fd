#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ibnetdiscover_elements.hpp"

namespace cubefold {

/// The adapters of hosts that count in a fabric: those of a name, as `mlx5_0`, and of these one port, as `mlx5_0:1`.
struct AdapterChoice {
  std::string name;  ///< of the device in the description of the adapter; an empty text for all
  std::optional<std::uint32_t> port;  ///< nothing for all

  bool has(const FabricElement& adapter, std::uint32_t number) const;
};

/// Reads a choice such as `mlx5_0` or `mlx5_0:1`, or an empty text for all adapters.
AdapterChoice adapter_choice(std::string_view text);

/// Returns whether an adapter is in a host. Switches have adapters that aggregate data.
bool is_in_host(const FabricElement& element);

/// Returns whether the description of an adapter begins with the name of its host. Adapters that nobody has named have
/// that of their chip, as `MT4129 ConnectX7   Mellanox Technologies`, or `localhost`.
bool names_its_host(const FabricElement& adapter);

/// Returns the name of the device in a description such as `node001 mlx5_0`, or else the identifier of the adapter.
std::string_view device_name(const FabricElement& adapter);

/// Returns the switches that are connected with chosen adapters, and all adapters that have cables to these switches.
/// Throws std::invalid_argument with the names of adapters if none is chosen. If all are, returns all elements.
std::vector<FabricElement> plane_of(const std::vector<FabricElement>& elements, const AdapterChoice& choice);

}  // namespace cubefold
