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

const FuzzedParser slurm_parser{"slurm", read_slurm};
const FuzzedParser slurm_yaml_parser{"slurm_yaml", read_slurm_yaml};

}  // namespace cubefold::fuzz
