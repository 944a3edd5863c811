#pragma once

// This is OpenVDB with the code of its grids taken from its library: compiled once more in each source, that code would
// be most of it, and sanitizers would look at what is not ours. The library has what its own sources use, which is all
// that is virtual; `create()` without a background, for one, it lacks. Where a build of OpenVDB hides what its templates
// make, compile with OCTAVO_OPENVDB_HIDDEN. This is for sources of this folder and for tests.

#include <openvdb/openvdb.h>

#ifndef OCTAVO_OPENVDB_HIDDEN
extern template class openvdb::Grid<openvdb::BoolTree>;
extern template class openvdb::Grid<openvdb::FloatTree>;
extern template class openvdb::Grid<openvdb::DoubleTree>;
extern template class openvdb::Grid<openvdb::Vec3STree>;
extern template class openvdb::Grid<openvdb::Vec3DTree>;
extern template class openvdb::tree::Tree<openvdb::BoolTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::FloatTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::DoubleTree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Vec3STree::RootNodeType>;
extern template class openvdb::tree::Tree<openvdb::Vec3DTree::RootNodeType>;
#endif
