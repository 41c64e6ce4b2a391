# find_package(paraprint), then link paraprint::paraprint and start with <paraprint/engine.h>.
include("${CMAKE_CURRENT_LIST_DIR}/LinkedLibraries.cmake")
include("${CMAKE_CURRENT_LIST_DIR}/paraprintTargets.cmake")
