#pragma once

// Pictures of 2D runs: smoke is white, what it is in front of is black.

#include "octavo/io/png.h"
#include "octavo/io/vdb.h"
#include "octavo/render/slice.h"
#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

// From a volume of density, which is one voxel thick. As large as fits into the camera's resolution.
Image smoke_in_plane(const Scene<2>& scene, MeshFiles& files, const VolumeGrid& density,
                     double time);

// The same from a field on nodes.
LeafPicture<2> smoke_drawing(const Scene<2>& scene, const MeshView<2>& mesh,
                             View<const float> density,
                             std::function<double(const Vec2d&)> solid_distance);
inline constexpr SliceOptions whole_plane{
    .lines = false, .legend = false, .paper = false};  // of any size

// How far a point is from the obstacles of a scene at a time, negative inside of one; none if there are none.
template <int Dim>
std::function<double(const Vec<Dim>&)> obstacle_distance(const Scene<Dim>& scene, MeshFiles& files,
                                                         double time);

}  // namespace octavo
