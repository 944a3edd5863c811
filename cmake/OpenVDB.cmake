# OpenVDB::openvdb. Debian's OpenVDB comes with a find module but without a package file, and the module
# lies where CMake does not look; what it does comes down to this.

find_path(OPENVDB_INCLUDE_DIR openvdb/openvdb.h)
find_library(OPENVDB_LIBRARY openvdb)
find_path(BOOST_INCLUDE_DIR boost/version.hpp)  # OpenVDB's headers include some of Boost's
mark_as_advanced(OPENVDB_INCLUDE_DIR OPENVDB_LIBRARY BOOST_INCLUDE_DIR)
if(NOT OPENVDB_INCLUDE_DIR OR NOT OPENVDB_LIBRARY OR NOT BOOST_INCLUDE_DIR)
  message(FATAL_ERROR "OpenVDB or the headers of Boost are missing (libopenvdb-dev, libboost-dev)")
endif()
find_package(Imath REQUIRED)

add_library(OpenVDB::openvdb UNKNOWN IMPORTED)
set_target_properties(OpenVDB::openvdb PROPERTIES
  IMPORTED_LOCATION ${OPENVDB_LIBRARY}
  INTERFACE_INCLUDE_DIRECTORIES "${OPENVDB_INCLUDE_DIR};${BOOST_INCLUDE_DIR}"
  INTERFACE_LINK_LIBRARIES "TBB::tbb;Imath::Imath")
