# Configures the core alone and checks that no command of its build mentions the laboratory, the semantics or the
# libraries that only these need. Nothing is compiled.
#
# cmake -DSOURCE=<tree> -DWHOLE=<a build of everything> -DWORK=<folder> -DCOMPILER=... -P core_links.cmake
file(REMOVE_RECURSE "${WORK}")
execute_process(COMMAND "${CMAKE_COMMAND}" -S "${SOURCE}" -B "${WORK}" -G Ninja "-DCMAKE_CXX_COMPILER=${COMPILER}"
                        -DPARAPRINT_BUILD_TESTS=OFF -DPARAPRINT_BUILD_LAB=OFF -DPARAPRINT_BUILD_SEMANTICS=OFF
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
foreach(name IN ITEMS fasttext eigen3 paraprint_lab paraprint_semantics)
  file(STRINGS "${WORK}/build.ninja" in_core REGEX "${name}")
  if(in_core)
    list(GET in_core 0 first)
    message(SEND_ERROR "the build of the core mentions ${name}: ${first}")
  endif()
  # A name that the whole build does not have either is misspelt here, and its check would be empty.
  file(STRINGS "${WHOLE}/build.ninja" in_whole REGEX "${name}")
  if(NOT in_whole)
    message(SEND_ERROR "the build of everything does not mention ${name}")
  endif()
endforeach()
