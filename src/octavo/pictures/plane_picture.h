#pragma once

// These are pictures of 2D runs: smoke is white and a liquid has its colour; what they are in front of is dark.

#include "octavo/draw/slice.h"
#include "octavo/image/image.h"
#include "octavo/io/vdb.h"
#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

// The picture is as large as the camera's resolution says; the whole box is in the middle of it.
Image smoke_in_plane(const Scene<2>& scene, MeshFiles& files, const MeshView<2>& mesh,
                     View<const float> density, double time);

// This draws the same from a volume of density, which is one voxel thick.
Image smoke_in_plane(const Scene<2>& scene, MeshFiles& files, const VolumeGrid& density,
                     double time);

// A liquid is where its level set is negative, m; its edge is as sharp as pixels show it.
Image liquid_in_plane(const Scene<2>& scene, MeshFiles& files, const MeshView<2>& mesh,
                      View<const float> level_set, double time);
Image liquid_in_plane(const Scene<2>& scene, MeshFiles& files, const VolumeGrid& level_set,
                      double time);

// It is how far a point is from the obstacles of a scene at a time, negative inside of one; it is none if
// there are none.
template <int Dim>
std::function<double(const Vec<Dim>&)> obstacle_distance(const Scene<Dim>& scene, MeshFiles& files,
                                                         double time);

}  // namespace octavo
