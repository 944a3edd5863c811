#pragma once

// These turn a scene into what the simulator takes. The scene has been checked.

#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

template <int Dim>
Shape<Dim> shape_of(const ShapeScene<Dim>& scene, MeshFiles& files);

// This says how the shape is turned and moved.
template <int Dim>
Pose<Dim> pose_of(const ShapeScene<Dim>& scene);

// One kind at most may be given.
template <int Dim>
Motion<Dim> motion_of(const MotionScene<Dim>& scene);

// These are the root cells along each axis: as given, or the fewest that are cubes. There is no result
// if there are none, or too many.
template <int Dim>
std::optional<Vec<Dim, int>> roots_of(const DomainScene<Dim>& scene);
template <int Dim>
Domain<Dim> domain_of(const Scene<Dim>& scene);

// Smoke of density 1 stops this much light, 1/m.
template <int Dim>
double extinction_of(const Scene<Dim>& scene);

// These are as simulations and pictures have them; files of meshes are read once.
template <int Dim>
std::vector<Obstacle<Dim>> obstacles_of(const Scene<Dim>& scene, MeshFiles& files);

template <int Dim>
FlowParameters<Dim> flow_of(const Scene<Dim>& scene, MeshFiles& files);

// The simulation is of the scene's kind; it has no state until it is started or restored.
template <int Dim>
std::unique_ptr<Simulation<Dim>> simulation_of(const Scene<Dim>& scene, MeshFiles& files);

// This is what there is at the beginning.
template <int Dim>
FlowStart<Dim> start_of(const Scene<Dim>& scene, MeshFiles& files);

}  // namespace octavo
