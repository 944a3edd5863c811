#include "octavo/level_set/liquid_volume.h"

namespace octavo {
namespace {

double area_of(const std::array<Vec2d, 2>& p) { return length(p[1] - p[0]); }
double area_of(const std::array<Vec3d, 3>& p) {
  return 0.5 * length(cross(p[1] - p[0], p[2] - p[0]));
}

// These are the places of a leaf's corners, seen from the lowest; what is no corner is looked up.
template <int Dim, class Real>
class Places {
 public:
  Places(const Tetrahedra<Dim, Real>& tetrahedra, LeafId leaf)
      : tetrahedra_(tetrahedra),
        leaf_(leaf),
        origin_(tetrahedra.mesh.tree.domain.position(tetrahedra.mesh.tree.lo(leaf))),
        size_(tetrahedra.mesh.tree.size(leaf)) {}

  Vec<Dim> operator()(std::uint32_t id) const {
    for (int c = 0; c < child_count<Dim>; ++c)
      if (tetrahedra_.mesh.node(leaf_, c) == id)
        return Box<Dim>{{}, Vec<Dim>::filled(size_)}.corner(c);
    return tetrahedra_.position_of(id) - origin_;
  }
  Vec<Dim> operator()(const SurfacePoint& p) const {
    const Vec<Dim> inside = (*this)(p.inside.id);
    return inside + ((*this)(p.outside.id) - inside) * p.part();
  }

 private:
  const Tetrahedra<Dim, Real>& tetrahedra_;
  LeafId leaf_;
  Vec<Dim> origin_;
  double size_;
};

template <int Dim, class Real>
double area_of(const SurfacePiece<Dim>& piece, const Places<Dim, Real>& place) {
  std::array<Vec<Dim>, Dim> corner;
  for (std::size_t i = 0; i < Dim; ++i) corner[i] = place(piece[i]);
  return area_of(corner);
}

}  // namespace

template <int Dim, class Real>
void LiquidVolume<Dim, Real>::measure(const SurfaceLeaves<Dim, Real>& surface) {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  const View<const SurfaceLeaf> leaves = surface.leaves();
  const View<const Filling> filling = surface.filling();
  volume_.resize(surface.mesh());
  area_.resize(leaves.size());
  const View<double> volume = volume_.view(), area = area_.view();
  parallel_for("volume of leaves", volume.size(), [=](std::size_t i) {
    volume[i] = filling[i] == Filling::wet ? tetrahedra.mesh.tree.volume(LeafId(i)) : 0;
  });
  parallel_blocks(
      "volume of surface leaves", leaves.size(),
      [=](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
          const SurfaceLeaf& s = leaves[i];
          area[i] = 0;
          if (!s.is_cut) continue;
          const Places<Dim, Real> place(tetrahedra, s.leaf);
          double inside = 0;
          tetrahedra.for_each_in(s.leaf, s.is_regular,
                                 [&](const Simplex<Dim>& simplex, double whole) {
                                   inside += inner_part(simplex) * whole;
                                   for_each_piece(simplex, [&](const SurfacePiece<Dim>& piece) {
                                     area[i] += area_of(piece, place);
                                   });
                                 });
          volume[s.leaf] = inside;
        }
      },
      std::size_t{256});
  total_ =
      parallel_sum("volume of the liquid", volume.size(), [=](std::size_t i) { return volume[i]; });
  surface_area_ =
      parallel_sum("area of the surface", area.size(), [=](std::size_t i) { return area[i]; });
}

template class LiquidVolume<2, float>;
template class LiquidVolume<3, float>;
template class LiquidVolume<2, double>;
template class LiquidVolume<3, double>;

}  // namespace octavo
