#pragma once

// From a scene to what the simulator takes. The scene has been checked.

#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

template <int Dim>
Shape<Dim> shape_of(const ShapeScene<Dim>& scene, MeshFiles& files);

// How the shape is turned and moved.
template <int Dim>
Pose<Dim> pose_of(const ShapeScene<Dim>& scene);

// One kind at most may be given.
template <int Dim>
Motion<Dim> motion_of(const MotionScene<Dim>& scene);

// The root cells along each axis: as given, or the fewest that are cubes. None if there are none, or too
// many.
template <int Dim>
std::optional<Vec<Dim, int>> roots_of(const DomainScene<Dim>& scene);
template <int Dim>
Domain<Dim> domain_of(const Scene<Dim>& scene);

// How much light smoke of density 1 stops, 1/m.
template <int Dim>
double extinction_of(const Scene<Dim>& scene);

// As simulations and pictures have them; files of meshes are read once.
template <int Dim>
std::vector<Obstacle<Dim>> obstacles_of(const Scene<Dim>& scene, MeshFiles& files);

template <int Dim>
FlowParameters<Dim> flow_of(const Scene<Dim>& scene, MeshFiles& files);

// Of the scene's kind; it has no state until it is started or restored.
template <int Dim>
std::unique_ptr<Simulation<Dim>> simulation_of(const Scene<Dim>& scene, MeshFiles& files);

// What is there at the beginning.
template <int Dim>
FlowStart<Dim> start_of(const Scene<Dim>& scene, MeshFiles& files);

}  // namespace octavo
