#include "cubefold/hosts/slurm.hpp"

#include "fuzz/host_sources.hpp"

namespace cubefold::fuzz {

namespace {

void read_slurm(std::string_view text) {
  read_by_source(slurm_source, {{{"text", std::string(text)}}, {}, {}});
}

/// Texts that the source would take for others are read all the same, as they follow an entry that it recognises.
void read_slurm_yaml(std::string_view text) {
  read_by_source(slurm_source, {{{"text", "- topology:\n" + std::string(text)}}, {}, {}});
}

}  // namespace

// A list of hosts of some bytes names up to 2^18 hosts with names of up to 255 bytes.
const FuzzedParser slurm_parser{"slurm", read_slurm, Refusals::invalid_argument, std::size_t{512} << 20};
const FuzzedParser slurm_yaml_parser{"slurm_yaml", read_slurm_yaml, Refusals::invalid_argument,
                                     std::size_t{512} << 20};

}  // namespace cubefold::fuzz
