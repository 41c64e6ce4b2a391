# Functions that define the targets: one library per folder under src/, one test program per folder under tests/.

add_library(paraprint_flags INTERFACE)
target_compile_options(paraprint_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wconversion
                       -Wno-sign-conversion $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
                       # GCC 12 sees overlapping copies in its own std::string::operator+ (its bug 105651).
                       $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
                       # Functions of position-independent code can be replaced at load time, so GCC would not inline
                       # them within their own file. Ours are never replaced.
                       -fno-semantic-interposition
                       # Fused multiplication and addition, GCC's default on arm64, rounds once instead of twice. Every
                       # processor must compute the same bytes.
                       -ffp-contract=off)
if(PARAPRINT_UNITY_BUILD)
  # A member whose type is local to its source is not in the main file here, so that GCC takes it for one in a header.
  target_compile_options(paraprint_flags INTERFACE
                         $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endif()
target_include_directories(paraprint_flags INTERFACE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)")
  # Vectors of SVE have no size before the program runs, so that they can be neither members nor elements of arrays, as
  # those of our loops are. NEON, which every arm64 processor has, remains. As the only target it also runs on
  # processors without the AES instructions that Highway would otherwise demand for it.
  target_compile_definitions(paraprint_flags INTERFACE
                             "HWY_DISABLED_TARGETS=(HWY_SVE|HWY_SVE2|HWY_SVE_256|HWY_SVE2_128)")
endif()
if(PARAPRINT_SANITIZE)
  target_compile_options(paraprint_flags INTERFACE -fsanitize=${PARAPRINT_SANITIZE} -fno-omit-frame-pointer
                         -fno-sanitize-recover=all)
  target_link_options(paraprint_flags INTERFACE -fsanitize=${PARAPRINT_SANITIZE})
  if(CMAKE_CXX_COMPILER_ID MATCHES Clang)
    target_compile_options(paraprint_flags INTERFACE
                           "-fsanitize-ignorelist=${PROJECT_SOURCE_DIR}/cmake/sanitizer_ignorelist.txt")
  endif()
endif()
if(PARAPRINT_BUILD_FUZZERS)
  target_compile_options(paraprint_flags INTERFACE -fsanitize=fuzzer-no-link)
  target_link_options(paraprint_flags INTERFACE -fsanitize=fuzzer-no-link)
endif()
if(PARAPRINT_FUZZ_COST)
  # Each region of the sources counts how often it runs, in 64 bits. The file would be written when a program ends.
  target_compile_options(paraprint_flags INTERFACE -fprofile-instr-generate=/dev/null)
  target_link_options(paraprint_flags INTERFACE -fprofile-instr-generate=/dev/null)
endif()

# paraprint_library(<folder> SOURCES <files> [DEPENDS <targets>]): the library paraprint_<folder>.
function(paraprint_library name)
  cmake_parse_arguments(PARSE_ARGV 1 LIBRARY "" "" "SOURCES;DEPENDS")
  add_library(paraprint_${name} STATIC ${LIBRARY_SOURCES})
  # Warnings and source folders apply to this build only, not to users of the installed library.
  target_link_libraries(paraprint_${name} PUBLIC $<BUILD_INTERFACE:paraprint_flags> ${LIBRARY_DEPENDS})
  install(TARGETS paraprint_${name} EXPORT paraprintTargets ARCHIVE)
  set_property(GLOBAL APPEND PROPERTY PARAPRINT_LIBRARIES paraprint_${name})
endfunction()

# paraprint_compile_alone(<sources>): keeps them out of unity builds. For sources that Highway includes once for each
# instruction set, and for those whose macros or local names would reach others.
function(paraprint_compile_alone)
  set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# paraprint_definition_check(): the program paraprint_definitions, whose linking fails if two sources define one type
# differently (preset odr). It has every object of all libraries and of the command line: a real program takes only the
# members that it needs from each archive, so that its linker sees some definitions only.
function(paraprint_definition_check)
  get_property(libraries GLOBAL PROPERTY PARAPRINT_LIBRARIES)
  set(objects "$<TARGET_OBJECTS:paraprint>" "$<TARGET_OBJECTS:paraprint_command_arguments>")
  foreach(library IN LISTS libraries)
    list(APPEND objects "$<TARGET_OBJECTS:${library}>")
  endforeach()
  add_executable(paraprint_definitions EXCLUDE_FROM_ALL ${objects})
  set_target_properties(paraprint_definitions PROPERTIES LINKER_LANGUAGE CXX)
  target_link_libraries(paraprint_definitions PRIVATE ${libraries})  # for the third-party libraries
  target_link_options(paraprint_definitions PRIVATE -Werror=odr -Werror=lto-type-mismatch)
endfunction()

# paraprint_enable_parts(<target>): enables the optional parts of the library in a program that links both.
function(paraprint_enable_parts target)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  if("paraprint_lab" IN_LIST libraries AND "paraprint_semantics" IN_LIST libraries)
    target_sources(${target} PRIVATE $<TARGET_OBJECTS:paraprint_enabled_parts>)
  endif()
endfunction()

# paraprint_test(<folder> SOURCES <files> DEPENDS <targets>): the GoogleTest program paraprint_<folder>_test.
function(paraprint_test name)
  cmake_parse_arguments(PARSE_ARGV 1 TEST "" "" "SOURCES;DEPENDS")
  add_executable(paraprint_${name}_test ${TEST_SOURCES})
  target_link_libraries(paraprint_${name}_test PRIVATE paraprint_flags ${TEST_DEPENDS} GTest::gmock GTest::gtest_main)
  # The tests themselves: at -O3 they would take twice as long to compile. What they test is optimised as ever.
  target_compile_options(paraprint_${name}_test PRIVATE $<$<CONFIG:Release>:-O1>)
  paraprint_enable_parts(paraprint_${name}_test)
  gtest_discover_tests(paraprint_${name}_test TEST_PREFIX "${name}." DISCOVERY_TIMEOUT 60
                       PROPERTIES LABELS ${name} TIMEOUT 300)
endfunction()

# paraprint_paths_for(<file> <NAME>=<path> ...): paths as macros of this source only, so that all others have the same
# command in every clone and hit a compiler cache.
function(paraprint_paths_for source)
  foreach(path IN LISTS ARGN)
    string(REGEX REPLACE "^([A-Z_]+)=(.*)$" "\\1=\"\\2\"" definition "${path}")
    set_property(SOURCE ${source} APPEND PROPERTY COMPILE_DEFINITIONS "${definition}")
  endforeach()
endfunction()

# paraprint_fuzzer(<name> DEPENDS <targets>): the libFuzzer program fuzz_<name> from <name>.cc, seeds in corpus/<name>/.
function(paraprint_fuzzer name)
  cmake_parse_arguments(PARSE_ARGV 1 FUZZER "" "" "DEPENDS")
  add_executable(fuzz_${name} ${name}.cc)
  target_include_directories(fuzz_${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests")  # temporary_folder.h
  target_link_libraries(fuzz_${name} PRIVATE paraprint_flags ${FUZZER_DEPENDS})
  target_link_options(fuzz_${name} PRIVATE -fsanitize=fuzzer)
  paraprint_enable_parts(fuzz_${name})
endfunction()
