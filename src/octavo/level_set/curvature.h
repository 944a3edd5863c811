#pragma once

// The curvature of the surface, in 1/m, at the centres of the leaves beside it: positive where the liquid is convex, 1/R
// for a circle and 2/R for a ball of it. Leaves count as beside the surface if it passes through them, or between their
// centre and that of a leaf across a face; the others have zero.
//
//   least_squares   a polynomial of third degree is fitted to the nodes around the centre, those that do not hang, within
//                   2.6 of the largest leaf there (its own, or across a face); its slope and second derivatives give
//                   the principal curvatures k at the centre, and moved to the surface along the normal, k / (1 - k phi).
//                   Second order for exact distances, whatever sizes meet: a square fit without the cubes is of first
//                   order, and differences of face gradients have errors that do not fall at all.
//   losasso04       as Losasso, Gibou, Fedkiw 2004, section 6: phi at centres, slopes on faces, their mean at the centre
//                   made the normal, differences of that on faces, their mean. The value belongs to the centre.
//
// No curvature is sharper than a leaf: each of the principal ones is clipped to 1/h.

#include <string_view>

#include "octavo/level_set/leaf_centers.h"
#include "octavo/operators/pressure_scheme.h"

namespace octavo {

enum class CurvatureScheme { least_squares, losasso04 };

inline constexpr std::array<std::string_view, 2> curvature_scheme_names{"least_squares",
                                                                        "losasso04"};

constexpr std::string_view name(CurvatureScheme s) {
  return curvature_scheme_names[static_cast<std::size_t>(s)];
}
inline CurvatureScheme curvature_scheme_named(std::string_view wanted) {
  return value_named<CurvatureScheme>(curvature_scheme_names, wanted, "scheme of curvature");
}

struct CurvatureReport {
  std::size_t leaves = 0;   // beside the surface
  std::size_t clipped = 0;  // of these, to 1/h
  std::size_t failed = 0;   // of these, without enough nodes around for a fit; they have zero
};

template <int Dim, class Real>
class Curvature {
 public:
  // Distances must be right within three of the largest leaves at the surface.
  CurvatureReport operator()(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                             LeafField<Real>& curvature,
                             CurvatureScheme scheme = CurvatureScheme::least_squares);

  std::size_t bytes() const { return center_.bytes() + normal_.bytes() + hangs_.bytes(); }

 private:
  struct AtCenter {
    Real value;
    enum Kind : std::uint8_t { elsewhere, found, clipped, failed } kind;
  };
  class Fit;
  struct Averages;

  void mark_hanging(const MeshView<Dim>& mesh);

  LeafField<Real> center_;
  Buffer<Vec<Dim, Real>> normal_;
  Buffer<std::uint8_t> hangs_;
};

extern template class Curvature<2, float>;
extern template class Curvature<2, double>;
extern template class Curvature<3, float>;
extern template class Curvature<3, double>;

}  // namespace octavo
