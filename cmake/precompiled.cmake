# Headers that most sources of a target read are compiled once, which shortens a build. Every source includes all the
# headers that it needs all the same, and the presets `bench`, `core`, `quick` and `simgrid` precompile none.
#
# cubefold_precompile(TARGET [HEADER...]) precompiles these headers and some of the standard library.
function(cubefold_precompile target)
  target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <optional> <stdexcept> <string> <utility>
                                              <vector> ${ARGN})
endfunction()
