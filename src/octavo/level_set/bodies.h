#pragma once

// Bodies are the pieces that the liquid is in, each with its volume and what it touches. Leaves with liquid are joined
// where there is liquid on their face; two pieces within a leaf are one. Bodies are numbered by their first leaves along
// the curve, so that numbers do not depend on the number of threads.
//
//   Bodies<3, float> bodies;
//   bodies.find(surface, volume, walls);
//   for (const Body& b : bodies.list()) ...
//
// With surface leaves and volumes of Fluid::air the bodies are the pieces of the air: pockets, if no wall of theirs
// is open.

#include <array>
#include <span>
#include <vector>

#include "octavo/level_set/liquid_volume.h"
#include "octavo/operators/flow_boundary.h"

namespace octavo {

using BodyId = Id<struct BodyTag>;

struct Body {
  LeafId first_leaf{};
  double volume = 0;        // m^3, in 2D m^2
  double open_area = 0;     // of the surface towards the other fluid, m^2, in 2D m
  double open_size = 0;     // of the smallest leaf with a part of that, m; 0 if there is none
  double volume_apart = 0;  // in leaves that touch no solid
  bool touches_solid = false, touches_open_wall = false, touches_closed_wall = false;

  bool touches_open() const { return open_area > 0; }
  bool is_sealed() const { return !touches_open() && !touches_open_wall; }
};

template <int Dim, class Real>
class Bodies {
 public:
  using Walls = std::array<Wall, static_cast<std::size_t>(side_count<Dim>)>;

  void find(const SurfaceLeaves<Dim, Real>& surface, const LiquidVolume<Dim, Real>& volume,
            const Walls& walls);

  std::span<const Body> list() const { return list_; }
  const LeafField<BodyId>& of_leaves() const { return body_; }  // none where there is no liquid
  std::size_t bytes() const { return body_.bytes() + root_.bytes(); }

 private:
  using Pair = std::array<std::uint32_t, 2>;

  void join_within_blocks(const SurfaceLeaves<Dim, Real>& surface, View<const double> volume);
  void join_blocks();
  void number_bodies(View<const double> volume);
  void describe(const SurfaceLeaves<Dim, Real>& surface, const LiquidVolume<Dim, Real>& volume,
                const Walls& walls);

  Buffer<std::uint32_t> root_;             // of each leaf: one of its body that is not after it
  std::vector<std::vector<Pair>> across_;  // leaves of two blocks that are joined
  LeafField<BodyId> body_;
  std::vector<Body> list_;
};

extern template class Bodies<2, float>;
extern template class Bodies<3, float>;
extern template class Bodies<2, double>;
extern template class Bodies<3, double>;

}  // namespace octavo
