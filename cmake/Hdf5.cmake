# hdf5::serial: the C library. CMake's own search for HDF5 wants a C compiler; two files are all it takes.

find_path(HDF5_INCLUDE hdf5.h PATH_SUFFIXES hdf5/serial REQUIRED)
find_library(HDF5_LIBRARY NAMES hdf5_serial hdf5 PATH_SUFFIXES hdf5/serial REQUIRED)
mark_as_advanced(HDF5_INCLUDE HDF5_LIBRARY)
add_library(hdf5::serial UNKNOWN IMPORTED)
set_target_properties(hdf5::serial PROPERTIES
  IMPORTED_LOCATION ${HDF5_LIBRARY} INTERFACE_INCLUDE_DIRECTORIES ${HDF5_INCLUDE})
