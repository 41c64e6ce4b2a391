# Finds every third-party library, once. scripts/install_dependencies.sh installs them on Debian and Ubuntu.
include(LinkedLibraries)
find_package(Python3 REQUIRED COMPONENTS Interpreter)
find_package(CLI11 REQUIRED)
find_path(RAPIDJSON_INCLUDE rapidjson/writer.h REQUIRED)
if(PARAPRINT_BUILD_SEMANTICS)
  find_package(Eigen3 3.4 REQUIRED NO_MODULE)  # headers only
endif()
find_path(BOOST_INCLUDE boost/beast/http/parser.hpp REQUIRED)  # Beast and Asio: headers only

if(PARAPRINT_BUILD_TESTS)
  find_package(GTest REQUIRED)
  find_package(rapidcheck REQUIRED)
  include(GoogleTest)
endif()
if(PARAPRINT_BUILD_BENCHMARKS)
  find_package(benchmark REQUIRED)
  # Optional: one benchmark compares with it.
  pkg_check_modules(UCHARDET IMPORTED_TARGET GLOBAL uchardet)
endif()
