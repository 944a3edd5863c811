#pragma once

// The view decides on the next octree: how much thresholds rise with the distance, how fine leaves may be, and
// how fine they have to be where smoke is seen.
//
//   ViewDependence<3> view(parameters, domain, finest_level);
//   view.look(time, mesh, visibility, obstacles);
//   threshold *= view.weight(leaf.center);
//   level = std::min(level, view.finest_allowed(region, ViewDependence<3>::refine).level);
//
// There may be several cameras, and one that moves counts as several: where it is at the end of the step and
// where it will be within the time it looks ahead. Of all of them the one decides that sees most. So detail is
// there before a camera arrives, and what is out of sight is let go.
//
// The weights are those of Bunlutangtum, Kanongchaiyos 2011; what can be told from pixels, from the sides of
// the picture and from what hides what is left open there.

#include <functional>
#include <vector>

#include "octavo/adapt/view_weight.h"
#include "octavo/camera/frustum.h"
#include "octavo/camera/sight_map.h"
#include "octavo/mesh/mesh.h"
#include "octavo/obstacles/posed_obstacles.h"
#include "octavo/refinement/view_parameters.h"
#include "octavo/refinement/visibility.h"

namespace octavo {

// One of these is why leaves may not be finer.
enum class ViewLimit { none, pixels, outside, hidden };

struct AllowedLevel {
  int level;
  ViewLimit by;
};

template <int Dim>
class ViewDependence {
 public:
  // The view is asked whether to split, or whether to keep what is there. What was split because it appeared
  // large enough is not merged before it appears smaller by so much.
  static constexpr double refine = 1, keep = 1.4;

  ViewDependence(const ViewParameters& parameters, const Domain<Dim>& domain, int finest);

  bool any() const { return !parameters_.cameras.empty(); }
  bool weighs() const { return any() && parameters_.weighs(); }
  bool limits() const { return any() && parameters_.limits(); }
  bool asks() const { return any() && parameters_.coarsest_pixels > 0; }

  // Puts the cameras where they are at a time and later.
  void look(double time, const Mesh<Dim>& mesh, const FindVisibility<Dim>& visibility,
            const PosedObstacles<Dim>& obstacles);

  // Thresholds are multiplied by this at a point; it is 1 if the view does not count.
  double weight(const Vec<Dim>& point) const;

  // This is the finest level that leaves may have anywhere in a region.
  AllowedLevel finest_allowed(const Leaf<Dim>& region, double slack) const;

  // This is how much of a leaf's contents is noticed; it is to be asked only if the view asks().
  double shown(LeafId leaf) const { return visibility_[leaf].shows; }

  // A leaf with something to see in it has to have this level; it is 0 if the leaf is not seen.
  int needed(const Leaf<Dim>& leaf) const;

  double seen_density() const { return parameters_.seen_density; }
  std::size_t bytes() const;

 private:
  struct Viewpoint {
    Camera camera;
    Frustum frustum;
    ViewWeight weight;
    SightMap sight;
  };

  double front_of(const Camera& camera) const;
  AllowedLevel allowed(const Viewpoint& viewpoint, const Region& region, double slack) const;
  int level_of_size(double size) const;
  void place_cameras(double time);
  void look_through(const Mesh<Dim>& mesh, const PosedObstacles<Dim>& obstacles);

  const ViewParameters& parameters_;
  Domain<Dim> domain_;
  int finest_;
  std::vector<Viewpoint> viewpoints_;
  Buffer<Visibility> visibility_;
};

}  // namespace octavo
