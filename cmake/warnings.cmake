# The warnings apply to our own code only, not to programs that include our headers. They are errors in .ci/run only:
# other compilers may warn of more.
function(cubefold_warnings target)
  target_compile_options(${target} PRIVATE
    -Wall -Wextra -Wpedantic
    $<$<COMPILE_LANGUAGE:C,CXX>:-Wshadow -Wconversion -Wsign-conversion -Wcast-qual>
    $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual -Wold-style-cast>)
endfunction()
