# The Debian package, made by `cpack --config cmake/Package.cmake -G DEB` from a staged tree (tools/make_packages.sh
# stages it and passes the PACKAGE_ variables in the environment, because cpack reads this file before its -D).
foreach(variable IN ITEMS VERSION STAGE OUTPUT PRIVATE_LIBRARIES SCRIPTS ARCHITECTURE MAINTAINER)
  if(NOT DEFINED ENV{PACKAGE_${variable}})
    message(FATAL_ERROR "PACKAGE_${variable} is missing; run tools/make_packages.sh")
  endif()
  set(PACKAGE_${variable} "$ENV{PACKAGE_${variable}}")
endforeach()

set(CPACK_PACKAGE_NAME paraprint)
set(CPACK_PACKAGE_VERSION "${PACKAGE_VERSION}")
set(CPACK_PACKAGE_DIRECTORY "${PACKAGE_OUTPUT}")
set(CPACK_PACKAGE_FILE_NAME paraprint)  # CPACK_DEBIAN_FILE_NAME replaces it
set(CPACK_PACKAGING_INSTALL_PREFIX "/")
set(CPACK_INSTALL_CMAKE_PROJECTS "")
set(CPACK_INSTALLED_DIRECTORIES "${PACKAGE_STAGE};/")
set(CPACK_STRIP_FILES FALSE)  # done while staging

set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_ARCHITECTURE "${PACKAGE_ARCHITECTURE}")
set(CPACK_DEBIAN_PACKAGE_MAINTAINER "${PACKAGE_MAINTAINER}")
set(CPACK_DEBIAN_PACKAGE_SECTION web)
set(CPACK_DEBIAN_PACKAGE_PRIORITY optional)
set(CPACK_PACKAGE_DESCRIPTION [[near-duplicate web page detection
Given a crawl, paraprint returns it without near-duplicate pages, and shows
for every removed page which page was kept instead and which paragraphs the
two share. Menus, advertisements and site templates are ignored. Archives
(WARC, ARC, WET, WACZ, HAR) and JSON lines are read and written as they are.
.
The package has the command with its manual pages and completions, a polite
crawler that recognises copies, and a systemd service that answers over HTTP
whether a page has been seen before.]])
# A crawl loads libcurl, so that dpkg-shlibdeps does not see it.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "adduser, libcurl4 (>= 7.88)")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "ca-certificates")
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS "${PACKAGE_PRIVATE_LIBRARIES}")
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION TRUE)
foreach(script IN ITEMS conffiles postinst prerm postrm)
  list(APPEND CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA "${PACKAGE_SCRIPTS}/${script}")
endforeach()
