#include "hosts/forwarding_tables.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "hosts/fabric_routes.hpp"
#include "hosts/fabric_text.hpp"
#include "hosts/forwarding_text.hpp"
#include "hosts/link_use.hpp"
#include "hosts/mutations.hpp"
#include "support/message_of.hpp"

namespace cubefold {
namespace {

const std::string two_tables = R"(Unicast lids [0-3] of switch Lid 3 guid 0x0000000000000001 ('sw one'):
0x0001 001 # Channel Adapter portguid 0x0000000000000a01: 'a HCA-1'
0x0002 002 # Channel Adapter portguid 0x0000000000000a02: 'b HCA-1'
0x0003 000 # Switch portguid 0x0000000000000001: 'sw one'
3 lids dumped
Unicast lids [0x0-0x3] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000002 (sw two):
  Lid  Out   Destination
       Port     Info 
0x0001 002 : (Channel Adapter portguid 0x0000000000000a01: 'a HCA-1')
0x0002 001 : (Channel Adapter portguid 0x0000000000000a02: 'b HCA-1')
0x0004 002 # unknown node and type
3 valid lids dumped 
)";

/// The fabric of these tables.
const std::string fabric_of_two_switches = R"(Switch	2 "S-1"		# "sw one" base port 0
[1]	"H-1"[1]		# "a HCA-1"
[2]	"S-2"[2]		# "sw two"
Switch	3 "S-2"		# "sw two" base port 0
[1]	"H-2"[1](2)		# "b HCA-1"
[2]	"S-1"[2]		# "sw one"
Ca	1 "H-1"		# "a HCA-1"
[1](a01) 	"S-1"[1]		# lid 1
Ca	1 "H-2"		# "b HCA-1"
[1](a02) 	"S-2"[1]		# lid 2
)";

std::string changed(std::string text, const std::string& old_part, const std::string& new_part) {
  return text.replace(text.find(old_part), old_part.size(), new_part);
}

TEST(ParseForwardingTables, reads_what_opensm_and_dump_fts_write) {
  const ForwardingTables tables = parse_forwarding_tables(two_tables);
  ASSERT_EQ(tables.tables.size(), 2);
  EXPECT_EQ(tables.tables[0], (ForwardingTable{1, 1, {{1, 1, 2}, {2, 2, 3}}}));
  EXPECT_EQ(tables.tables[1], (ForwardingTable{2, 6, {{1, 2, 9}, {2, 1, 10}}}));
  EXPECT_EQ(tables.adapter_ports, (std::map<std::uint32_t, std::uint64_t>{{1, 0xa01}, {2, 0xa02}}));
}

/// The second table by `dump_fts -a`, with entries that lead nowhere.
const std::string all_entries =
    R"(Unicast lids [0x0-0x4] of switch DR path slid 0; dlid 0; 0,1 guid 0x0000000000000002 (sw two):
  Lid  Out   Destination
       Port     Info 
0x0000 255 : (illegal port)
0x0001 002 : (Channel Adapter portguid 0x0000000000000a01: 'a HCA-1')
0x0002 001 : (Channel Adapter portguid 0x0000000000000a02: 'b HCA-1')
0x0003 100 : (illegal port)
0x0004 255 : (path #1 - illegal port)
5 lids dumped 
)";
const std::string first_table = two_tables.substr(0, two_tables.find("Unicast lids [0x0"));

using Entries = std::vector<ForwardingEntry>;

TEST(ParseForwardingTables, leaves_out_entries_without_a_port) {
  const ForwardingTables tables = parse_forwarding_tables(first_table + all_entries);
  EXPECT_EQ(tables.tables[1].entries, (Entries{{1, 2, 10}, {2, 1, 11}}));
  EXPECT_EQ(tables.adapter_ports, parse_forwarding_tables(two_tables).adapter_ports);
}

TEST(ParseForwardingTables, reads_around_warnings_wherever_they_are) {
  const std::string warning =
      "ibwarn: [812] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,5)\n";
  const ForwardingTables without_warnings = parse_forwarding_tables(two_tables);
  for (std::size_t place = 0; place <= two_tables.size(); ++place) {
    const std::string text = two_tables.substr(0, place) + warning + warning + two_tables.substr(place);
    const ForwardingTables tables = parse_forwarding_tables("a.c:227; umad failed\n" + text);
    ASSERT_EQ(tables.tables.size(), 2U) << place;
    for (std::size_t i = 0; i < 2; ++i) {
      const Entries& expected = without_warnings.tables[i].entries;
      EXPECT_TRUE(std::ranges::equal(
          tables.tables[i].entries, expected,
          [](const auto& one, const auto& other) { return one.lid == other.lid && one.port == other.port; }))
          << place;
    }
  }
}

// dump_fts prints the ports of the part before in place of a part that it could not read.
TEST(ParseForwardingTables, leaves_out_the_part_of_a_table_that_was_not_read) {
  const std::string warning =
      "SubnGet(LFT) failed on switch 'sw two' DR path slid 0; dlid 0; 0,1 Node GUID 0x2 SMA LID 4; MAD "
      "status 0x6e AM ";
  const auto entries = [&](const char* part) {
    return parse_forwarding_tables(two_tables + warning + part + "\n").tables[1].entries.size();
  };
  EXPECT_EQ(entries("0x0"), 0U);
  EXPECT_EQ(entries("0x1"), 2U);
}

TEST(ParseForwardingTables, reads_no_multicast_tables) {
  const std::string multicast =
      "Multicast mlids [0xc000-0xc3ff] of switch DR path slid 0; dlid 0; 0 guid 0x1 (sw one):\n MLid\n0xc000 "
      "     x\n";
  EXPECT_EQ(parse_forwarding_tables(multicast + two_tables).tables.size(), 2U);
  EXPECT_EQ(message_of([&] { parse_forwarding_tables(multicast); }),
            "it has no forwarding table of a switch");
}

TEST(ParseForwardingTables, says_that_entries_name_no_adapters) {
  EXPECT_EQ(message_of([] {
              parse_forwarding_tables("Unicast lids [0x0-0x2] of switch guid 0x1 (sw):\n0x0001 002 \n");
            }),
            "no entry names the adapter to which it leads, as by dump_fts -n; write the tables without this "
            "option");
}

TEST(ParseForwardingTables, names_the_line_that_is_wrong) {
  const auto refused = [](const std::string& old_part, const std::string& new_part) {
    return message_of([&] { parse_forwarding_tables(changed(two_tables, old_part, new_part)); });
  };
  EXPECT_EQ(message_of([] { parse_forwarding_tables(""); }), "it has no forwarding table of a switch");
  EXPECT_EQ(message_of([] { parse_forwarding_tables(fabric_of_two_switches); }),
            "line 1: it is neither `Unicast lids ... guid GUID` nor `LID PORT # DESTINATION`");
  EXPECT_EQ(message_of([] { parse_forwarding_tables("0x0001 001 # Switch"); }),
            "line 1: an entry before the first table");
  EXPECT_EQ(refused("guid 0x0000000000000001", "guid sw"), "line 1: the table of a switch without its GUID");
  EXPECT_EQ(refused("guid 0x0000000000000002", "guid 0x1"),
            "line 6: the switch 0x0000000000000001 has a table in line 1, too");
  EXPECT_EQ(refused("0x0002 002", "0x0002 255"), "line 3: it is not a LID up to 0xffff and a port up to 254");
  EXPECT_EQ(refused("0x0002 002", "0x10002 002"),
            "line 3: it is not a LID up to 0xffff and a port up to 254");
  EXPECT_EQ(refused("0x0002 002", "0x0002"), "line 3: it is not a LID up to 0xffff and a port up to 254");
  EXPECT_EQ(refused("0x0002 002", "0x0001 002"), "line 3: LID 0x0001 comes after 0x0001");
  EXPECT_EQ(refused("portguid 0x0000000000000a02", "port"),
            "line 3: a channel adapter without the GUID of its port");
  EXPECT_EQ(refused("portguid 0x0000000000000a02: 'b HCA-1')", "portguid 0xa01: 'b HCA-1')"),
            "line 10: LID 0x0002 is port 0x0000000000000a02 in another table");
}

TEST(TableRoutes, follows_the_ports_of_the_tables) {
  const Fabric fabric = parse_ibnetdiscover(fabric_of_two_switches);
  const FabricRoutes routes = table_routes(fabric, parse_forwarding_tables(two_tables));
  EXPECT_EQ(routes(0), (std::vector<std::uint32_t>{no_link, 1}));
  EXPECT_EQ(routes(1), (std::vector<std::uint32_t>{0, no_link}));
}

TEST(TableRoutes, names_what_does_not_fit_the_fabric) {
  const auto refused = [](const std::string& fabric, const std::string& tables) {
    return message_of([&] { table_routes(parse_ibnetdiscover(fabric), parse_forwarding_tables(tables)); });
  };
  const auto with_tables = [&](const std::string& old_part, const std::string& new_part) {
    return refused(fabric_of_two_switches, changed(two_tables, old_part, new_part));
  };
  EXPECT_EQ(with_tables("guid 0x0000000000000002", "guid 0x7"),
            "line 6: the fabric has no switch 0x0000000000000007");
  EXPECT_EQ(refused(fabric_of_two_switches, two_tables.substr(0, two_tables.find("Unicast lids [0x0"))),
            "there is no table of sw two (S-2)");
  EXPECT_EQ(refused(changed(fabric_of_two_switches, "(a02)", "(a03)"), two_tables),
            "LID 0x0002 is port 0x0000000000000a02, which no adapter of the fabric has");
  const std::string for_host_a = "\n0x0001 001 # Channel Adapter portguid 0xa01: 'a HCA-1'\n";
  EXPECT_EQ(refused(fabric_of_two_switches,
                    "Unicast lids guid 0x1" + for_host_a + "Unicast lids guid 0x2" + for_host_a),
            "there is no LID of host 'b'");
  EXPECT_EQ(with_tables("0x0002 002 # Channel Adapter portguid 0x0000000000000a02: 'b HCA-1'\n", ""),
            "the table of sw one (S-1) has no entry for host 'b'");
  EXPECT_EQ(with_tables("0x0002 002", "0x0002 003"), "line 3: port 3 of sw one (S-1) has no cable");
  EXPECT_EQ(with_tables("0x0002 002", "0x0002 001"),
            "line 3: port 1 of sw one (S-1) does not lead to host 'b'");
  EXPECT_EQ(with_tables("0x0001 001", "0x0001 002"),
            "line 2: port 2 of sw one (S-1) does not lead to host 'a'");
}

TEST(TableRoutes, reads_back_the_routes_that_a_dump_was_made_of) {
  for (const char* name : {"torus:3x4", "mesh:2x3x2", "hypercube:4"}) {
    for (const int hosts : {1, 3}) {
      const Fabric fabric = parse_ibnetdiscover(
          FabricText(parse_grid(name), {.seed = 5, .hosts_per_switch = hosts, .cables_per_pair = 2}).text());
      const FabricRoutes written = first_port_routes(fabric, {});
      const FabricRoutes read =
          table_routes(fabric, parse_forwarding_tables(forwarding_text(fabric, written)));
      for (std::uint32_t host = 0; host < fabric.hosts.size(); ++host)
        ASSERT_EQ(read(host), written(host)) << name;
    }
  }
}

TEST(TableRoutes, reads_or_refuses_every_mutation) {
  const Fabric fabric = parse_ibnetdiscover(fabric_of_two_switches);
  const auto use = [&](const Fabric& of, const std::string& text) {
    use_of_links(of, table_routes(of, parse_forwarding_tables(text)));
  };
  EXPECT_GT(refused_mutations(
                two_tables, [&](const std::string& text) { use(fabric, text); }, 3000),
            500);
  const Fabric torus = parse_ibnetdiscover(FabricText(parse_grid("torus:3x3"), {}).text());
  const std::string text = forwarding_text(torus, first_port_routes(torus, {}));
  EXPECT_GT(refused_mutations(
                text, [&](const std::string& changed) { use(torus, changed); }, 1000),
            200);
}

}  // namespace
}  // namespace cubefold
