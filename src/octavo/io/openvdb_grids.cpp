#include "octavo/io/openvdb_grids.h"

// What OpenVDB's library has only within other functions, and we call.
#ifndef OCTAVO_OPENVDB_HIDDEN
#define OCTAVO_NAMES_OF(Tree)                              \
  template const openvdb::Name& openvdb::Tree::treeType(); \
  template void openvdb::Tree::getNodeLog2Dims(std::vector<openvdb::Index>&)
OCTAVO_NAMES_OF(BoolTree);
OCTAVO_NAMES_OF(FloatTree);
OCTAVO_NAMES_OF(DoubleTree);
OCTAVO_NAMES_OF(Vec3STree);
OCTAVO_NAMES_OF(Vec3DTree);
#undef OCTAVO_NAMES_OF
#endif
