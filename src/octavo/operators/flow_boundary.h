#pragma once

// The fluid is bounded by the walls of the box, solids, and a free surface. The views are trivially copyable;
// an empty view means "none of it"; a solid's velocity and the pressure at the surface count only where there
// is a solid or a surface.
//
//   closed wall    nothing passes; its faces keep the velocity they have (zero, or an inflow)
//   open wall      the pressure outside is zero
//   solid          the part 1 - open_area of a face moves with the solid, the rest is open to the
//                  fluid (Batty 2007, Ng 2009). Fractions of 0 and 1 alone give voxelised objects.
//   free surface   leaves with level_set < 0 are liquid, the others air. Where the level set, linear between the
//                  centres, is zero, the pressure takes the value surface_pressure = p_air + sigma kappa, a smooth
//                  function around the surface, known at the leaves on both sides of it.
//
// The level set must be linear where a plane surface is: at the centres of all leaves, wet and dry, large ones and
// those inside of solids, that share a face, or a side of a larger leaf, with leaves on the other side of the
// surface. Still water then stays still to rounding on any tree (pressure_scheme.h: the rows named secant). With
// solids that leave smaller leaves of one large face open to different parts, this needs to know gravity.

#include <array>
#include <cstdint>

#include "octavo/base/parallel.h"
#include "octavo/mesh/mesh.h"

namespace octavo {

// This is a side of the box.
struct Wall {
  bool is_open = false;
  Vec3d velocity{};      // of a closed one, m/s; what is across it flows in, or out
  bool no_slip = false;  // of a closed one: the fluid beside it moves with it

  static const Wall closed, open;
  friend bool operator==(const Wall&, const Wall&) = default;
};
inline constexpr Wall Wall::closed{};
inline constexpr Wall Wall::open{.is_open = true};

template <int Dim, class Real>
struct FlowBoundary {
  static constexpr Real least_opening = static_cast<Real>(1e-9);

  std::array<Wall, static_cast<std::size_t>(side_count<Dim>)> wall{};  // all closed
  View<const Real> open_area;                                          // faces, 0 to 1
  View<const Real> solid_velocity;    // faces, along the face's axis, m/s
  View<const Real> level_set;         // leaf centres, m, negative in the liquid
  View<const Real> surface_pressure;  // leaf centres, Pa
  Vec<Dim> gravity{};                 // m/s^2; asked for beside solids and under a surface only

  constexpr bool has_solids() const { return open_area.size() > 0; }
  constexpr bool has_surface() const { return level_set.size() > 0; }
  constexpr bool is_liquid(LeafId leaf) const { return !has_surface() || level_set[leaf] < 0; }
  // Openings that are there only by rounding are closed.
  constexpr Real open_fraction(FaceId face) const {
    if (!has_solids()) return Real{1};
    const Real open = open_area[face];
    return static_cast<Real>(open > least_opening) * open;  // without a branch nobody could foresee
  }
  double solid_speed(FaceId face) const {
    return solid_velocity.size() > 0 ? static_cast<double>(solid_velocity[face]) : 0.0;
  }

  // Every view has as many values as the mesh has places for it, and open areas are fractions;
  // everything else is an InputError.
  void check(const MeshView<Dim>& mesh) const {
    check_sizes(mesh);
    const View<const Real> open = open_area;
    if (parallel_reduce(
            "check open areas", open.size(), 0,
            [=](std::size_t i) { return open[i] >= 0 && open[i] <= 1 ? 0 : 1; },
            [](int p, int q) { return p | q; }) != 0)
      throw InputError("an open area is not between 0 and 1");
  }
  void check_sizes(const MeshView<Dim>& mesh) const {
    auto fits = [](std::size_t count, std::size_t wanted, const char* what, const char* places) {
      if (count != 0 && count != wanted)
        throw InputError("{} has {} values for {} {}", what, count, wanted, places);
    };
    fits(open_area.size(), mesh.face_count(), "the open area", "faces");
    fits(solid_velocity.size(), mesh.face_count(), "the solid velocity", "faces");
    fits(level_set.size(), mesh.leaf_count(), "the level set", "leaves");
    fits(surface_pressure.size(), mesh.leaf_count(), "the surface pressure", "leaves");
  }
};

}  // namespace octavo
