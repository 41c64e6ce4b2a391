# What `cmake --install` adds to the programs and libraries: the public headers and the package for find_package.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/paraprint")
target_include_directories(paraprint_engine INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(paraprint_engine INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
set_target_properties(paraprint_engine PROPERTIES EXPORT_NAME paraprint)

install(DIRECTORY include/paraprint DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT paraprintTargets NAMESPACE paraprint:: DESTINATION "${package_directory}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/paraprintConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES cmake/paraprintConfig.cmake cmake/LinkedLibraries.cmake
              "${CMAKE_CURRENT_BINARY_DIR}/paraprintConfigVersion.cmake"
        DESTINATION "${package_directory}")
