# Installs the public headers and the package for find_package(), in addition to programs and libraries.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(package_directory "${CMAKE_INSTALL_LIBDIR}/cmake/paraprint")
target_include_directories(paraprint_api INTERFACE $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
target_compile_features(paraprint_api INTERFACE $<INSTALL_INTERFACE:cxx_std_20>)
set_target_properties(paraprint_api PROPERTIES EXPORT_NAME paraprint)
foreach(part lab semantics)
  if(TARGET paraprint_${part})
    set_target_properties(paraprint_${part} PROPERTIES EXPORT_NAME ${part})
  endif()
endforeach()
configure_file(cmake/paraprintConfig.cmake.in paraprintConfig.cmake @ONLY)

install(DIRECTORY include/paraprint DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT paraprintTargets NAMESPACE paraprint:: DESTINATION "${package_directory}")
write_basic_package_version_file("${CMAKE_CURRENT_BINARY_DIR}/paraprintConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${CMAKE_CURRENT_BINARY_DIR}/paraprintConfig.cmake" cmake/LinkedLibraries.cmake
              "${CMAKE_CURRENT_BINARY_DIR}/paraprintConfigVersion.cmake"
        DESTINATION "${package_directory}")

# Manual pages and completions are printed by the program, so only a build for this machine installs them. The component
# `program` is what tools/make_packages.sh packs: the command and these.
if(NOT CMAKE_CROSSCOMPILING)
  foreach(shell_path IN ITEMS bash=bash-completion/completions/paraprint zsh=zsh/site-functions/_paraprint
                              fish=fish/vendor_completions.d/paraprint.fish)
    string(REPLACE "=" ";" shell_path "${shell_path}")
    list(GET shell_path 0 shell)
    list(GET shell_path 1 path)
    install(CODE "
      set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/${path}\")
      cmake_path(GET file PARENT_PATH folder)
      file(MAKE_DIRECTORY \"\${folder}\")
      execute_process(COMMAND \"$<TARGET_FILE:paraprint>\" completion ${shell}
                      OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
  endforeach()
  install(CODE "
    execute_process(COMMAND \"$<TARGET_FILE:paraprint>\" manual --out
                            \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR}/man1\"
                    COMMAND_ERROR_IS_FATAL ANY)" COMPONENT program)
endif()
