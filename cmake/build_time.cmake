# Two ways to build in less time. Every source includes all the headers that it needs all the same: the presets `bench`,
# `core` and `simgrid` use neither.

# cubefold_precompile(TARGET KIND [HEADER...]) precompiles these headers and some of the standard library for the first
# target of a kind. Later targets of this kind use the same file, so their options must agree with those of the first.
function(cubefold_precompile target kind)
  get_property(first GLOBAL PROPERTY cubefold_precompiled_${kind})
  if(first)
    target_precompile_headers(${target} REUSE_FROM ${first})
  else()
    set_property(GLOBAL PROPERTY cubefold_precompiled_${kind} ${target})
    target_precompile_headers(${target} PRIVATE <algorithm> <functional> <map> <optional> <stdexcept> <string>
                                                <utility> <vector> ${ARGN})
  endif()
endfunction()

# cubefold_unite(TARGET) compiles up to twelve sources as one, if CUBEFOLD_UNITE is on: that is less than half of the
# work of compiling each alone, and after a change of one file the build takes seconds. Names in the anonymous
# namespaces of a target's sources have to differ for this. A local name may be one of another source, and a type in
# such a namespace may be part of another one, which compilers warn of in headers only. Call cubefold_warnings before.
function(cubefold_unite target)
  get_target_property(sources ${target} SOURCES)
  set(count 0)
  foreach(source IN LISTS sources)
    math(EXPR group "${count} / 12")
    math(EXPR count "${count} + 1")
    set_source_files_properties(${source} PROPERTIES UNITY_GROUP sources_${group})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${CUBEFOLD_UNITE} UNITY_BUILD_MODE GROUP)
  if(CUBEFOLD_UNITE)
    target_compile_options(${target} PRIVATE -Wno-shadow
      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  endif()
endfunction()
