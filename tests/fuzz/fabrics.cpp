#include "fuzz/host_sources.hpp"
#include "hosts/fabric_grid.hpp"
#include "hosts/forwarding_tables.hpp"
#include "hosts/link_use.hpp"

namespace cubefold::fuzz {

namespace {

/// Two switches with a host each.
constexpr std::string_view two_switches = R"(Switch	2 "S-1"		# "sw one" base port 0
[1]	"H-1"[1](a1)
[2]	"S-2"[2]
Switch	2 "S-2"		# "sw two" base port 0
[1]	"H-2"[1](a2)
[2]	"S-1"[2]
Ca	1 "H-1"		# "n1 HCA-1"
[1](a1)	"S-1"[1]
Ca	1 "H-2"		# "n2 HCA-1"
[1](a2)	"S-2"[1]
)";

void read_ibnetdiscover(std::string_view text) {
  const std::string adapter = text.find("mlx5_0") == std::string_view::npos ? "" : "mlx5_0";
  const Fabric fabric = parse_ibnetdiscover(text, adapter);
  require(fabric.switches.size() == fabric.ports.size(), "a switch has no ports");
  remarks_on(fabric);
  read_by_source(ibnetdiscover_source, {{{"text", std::string(text)}}, {}, {}, adapter});
}

void read_forwarding_tables(std::string_view text) {
  static const Fabric fabric = parse_ibnetdiscover(two_switches);
  const ForwardingTables tables = parse_forwarding_tables(text);
  require(!tables.tables.empty(), "there is no table");
  const LinkUse use = use_of_links(fabric, table_routes(fabric, tables));
  require(use.messages == std::vector<std::uint64_t>{1, 1}, "a link has not the message of its host");
}

}  // namespace

const FuzzedParser ibnetdiscover_parser{"ibnetdiscover", read_ibnetdiscover};
const FuzzedParser forwarding_tables_parser{"forwarding_tables", read_forwarding_tables};

}  // namespace cubefold::fuzz
