#pragma once

// A tracker owns the surface of a liquid and carries it along the flow, from one mesh to the next or on the same one.
// Whatever it is made of, it can be asked for the signed distance to the surface on the nodes of the mesh: negative in
// the liquid, hanging nodes constrained.
//
//   tracker.start(mesh, distance);                    // distance(point), of the shape to begin with
//   TrackerReport r = tracker.advance(paths, change); // for paths.dt, from change.from to change.to
//   const NodeField<float>& phi = tracker.signed_distance();
//
// paths are those along which all else in the flow is carried; a path that leads through an open wall leads into air.
// What a tracker saves is all that its next steps depend on beside the mesh and the paths: they are the same bit for
// bit after it has been restored, with any number of threads.

#include <concepts>

#include "octavo/advection/advection.h"
#include "octavo/base/saved_values.h"
#include "octavo/mesh/solid_mark.h"

namespace octavo {

// Trackers know this of solids on a mesh; there are none if it is empty.
template <class Real>
struct TrackedSolids {
  View<const SolidMark> inside{};             // nodes
  const NodeField<Real>* distance = nullptr;  // m, negative inside
};

// This is what a tracker has done in a step.
struct TrackerReport {
  std::size_t elements = 0;   // of what it is made of: particles
  std::size_t escaped = 0;    // particles found on the wrong side
  std::size_t corrected = 0;  // nodes to which they gave another value
  std::size_t gone = 0;       // particles that left through open walls
  std::size_t added = 0, deleted = 0;
  struct Seconds {
    double level_set = 0, particles = 0, correction = 0, redistance = 0, reseeding = 0;
    double total() const { return level_set + particles + correction + redistance + reseeding; }
  } seconds;
};

template <class Tracker, int Dim, class Real>
concept SurfaceTracker = requires(Tracker tracker, const Tracker& now, const Mesh<Dim>& mesh,
                                  double (*distance)(const Vec<Dim>&),
                                  const Characteristics<Dim, Real>& paths,
                                  const MeshChange<Dim>& change, std::vector<SavedArray>& arrays,
                                  std::vector<SavedNumber>& numbers) {
  tracker.start(mesh, distance);
  { tracker.advance(paths, change) } -> std::same_as<TrackerReport>;
  { now.signed_distance() } -> std::same_as<const NodeField<Real>&>;
  now.save(arrays, numbers);
  tracker.restore(mesh, std::as_const(arrays), std::as_const(numbers));
  { now.bytes() } -> std::same_as<std::size_t>;
};

}  // namespace octavo
