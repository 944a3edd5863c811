#include "octavo/obstacles/solids.h"

#include "octavo/mesh/leaves_at_node.h"
#include "octavo/operators/open_area.h"

namespace octavo {
namespace {

// This is the size of the largest leaf at a node that a solid reaches into, or 0 if there is none.
template <int Dim>
double largest_cut(const MeshView<Dim>& mesh, View<const Cut> cut, NodeId node) {
  double largest = 0;
  for_each_leaf_at(mesh, node, [&](LeafId leaf) {
    if (cut[leaf] != Cut::none) largest = std::max(largest, mesh.tree.size(leaf));
  });
  return largest;
}

// The open part of a leaf's side follows from the distances at its corners.
template <int Dim>
double open_part_of(const MeshView<Dim>& mesh, View<const float> distance, LeafId leaf, int side) {
  double corner[side_child_count<Dim>];
  int n = 0;
  for (int c = 0; c < child_count<Dim>; ++c)
    if (((c >> (side / 2)) & 1) == side % 2)
      corner[n++] = static_cast<double>(distance[mesh.node(leaf, c)]);
  if constexpr (Dim == 2)
    return open_part(corner[0], corner[1]);
  else
    return open_part(corner[0], corner[1], corner[2], corner[3]);
}

// This tells whether a solid is between any two corners of a leaf's side, none of which is inside of it.
template <int Dim>
bool intersects(const MeshView<Dim>& mesh, const PosedObstacles<Dim>& posed, LeafId leaf,
                int side) {
  for (int c = 0; c < child_count<Dim>; ++c)
    for (int d = c + 1; d < child_count<Dim>; ++d) {
      if (((c >> (side / 2)) & 1) != side % 2 || ((d >> (side / 2)) & 1) != side % 2) continue;
      const Vec<Dim> p = mesh.tree.domain.position(mesh.lattice(leaf, c));
      const Vec<Dim> q = mesh.tree.domain.position(mesh.lattice(leaf, d));
      if (PosedObstacles<Dim>::is_between(&posed, p, q)) return true;
    }
  return false;
}

}  // namespace

template <int Dim, class Real>
void Solids<Dim, Real>::measure(const Mesh<Dim>& mesh, const PosedObstacles<Dim>& obstacles) {
  posed_ = obstacles;
  if (!any()) return;
  clearance_.resize(mesh);
  cut_.resize(mesh);
  distance_.resize(mesh);
  inside_.resize(mesh);
  const MeshView<Dim> m = mesh.view();
  widest_ = measure_leaves(m);
  measure_nodes(m, widest_);
  find_split_leaves(m);
}

// Returns the diagonal of the largest leaf that the surface of a solid may pass through.
template <int Dim, class Real>
double Solids<Dim, Real>::measure_leaves(const MeshView<Dim>& mesh) {
  const View<float> clearance = clearance_.view();
  const View<Cut> cut = cut_.view();
  constexpr std::size_t block = 1024;
  std::vector<double> largest(block_count(mesh.leaf_count(), block), 0.0);
  parallel_blocks(
      "solids: leaves", mesh.leaf_count(),
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        Vec<Dim> asked{};
        double answer = -1;  // the ball around `asked` in which there is no solid
        for (std::size_t i = begin; i < end; ++i) {
          const Vec<Dim> c = mesh.tree.center(LeafId(i));
          const double r = 0.5 * diagonal<Dim>(mesh.tree.size(LeafId(i)));
          double free = answer > 0 ? answer - length(c - asked) - r : -1;
          if (free <= 0) {
            answer = posed_.distance(c);
            asked = c;
            free = answer - r;
          }
          clearance[i] = static_cast<float>(free * (1 - 1e-6));
          cut[i] = free <= 0 ? Cut::cut : Cut::none;
          if (free <= 0 && answer >= -r) largest[b] = std::max(largest[b], 2 * r);
        }
      },
      block);
  return *std::max_element(largest.begin(), largest.end());
}

// A node whose leaf is clear by more than `band` is no corner of any leaf with a solid's surface in it.
template <int Dim, class Real>
void Solids<Dim, Real>::measure_nodes(const MeshView<Dim>& mesh, double band) {
  const View<const float> clearance = std::as_const(clearance_).view();
  const View<SolidMark> inside = inside_.view();
  const View<float> distance = distance_.view();
  parallel_for("solids: nodes", mesh.node_count(), [&](std::size_t i) {
    const NodeId node(i);
    const auto free = static_cast<double>(clearance[mesh.corner_of(node).leaf]);
    inside[i] = 0;
    distance[i] = std::numeric_limits<float>::max();
    if (free > band) return;
    const auto nearest = posed_.nearest(mesh.position(node));
    distance[i] = static_cast<float>(nearest.distance);
    if (nearest.distance < 0) inside[i] = solid_mark(nearest.index, posed_.heats(nearest.index));
  });
}

// A leaf is split if not all of its corners outside can be seen from the one farthest from the solid. Two
// points can see each other if together they are farther from it than from each other.
template <int Dim, class Real>
void Solids<Dim, Real>::find_split_leaves(const MeshView<Dim>& mesh) {
  const View<const SolidMark> inside = std::as_const(inside_).view();
  const View<const float> distance = std::as_const(distance_).view();
  const View<Cut> cut = cut_.view();
  parallel_for("solids: split leaves", mesh.leaf_count(), [&](std::size_t i) {
    if (cut[i] == Cut::none) return;
    const LeafId leaf(i);
    auto free = [&](int c) { return static_cast<double>(distance[mesh.node(leaf, c)]); };
    auto position = [&](int c) { return mesh.tree.domain.position(mesh.lattice(leaf, c)); };
    int best = 0;
    for (int c = 1; c < child_count<Dim>; ++c)
      if (free(c) > free(best)) best = c;
    if (free(best) < 0) return;
    for (int c = 0; c < child_count<Dim>; ++c) {
      if (c == best || inside[mesh.node(leaf, c)] != 0) continue;
      if (free(c) + free(best) >= length(position(c) - position(best))) continue;
      if (PosedObstacles<Dim>::is_between(&posed_, position(c), position(best))) {
        cut[i] = Cut::split;
        return;
      }
    }
  });
}

template <int Dim, class Real>
void SolidFaces<Dim, Real>::measure(const Mesh<Dim>& m, const Solids<Dim, Real>& solids,
                                    ObstacleTreatment treatment) {
  const PosedObstacles<Dim>& posed = solids.posed();
  const bool moves = posed.any_moves();
  open_area_.resize(solids.any() ? m.face_count() : 0);
  solid_velocity_.resize(moves ? m.face_count() : 0);
  const MeshView<Dim> mesh = m.view();
  const View<const Cut> cut = solids.cut_.view();
  const View<const float> distance = solids.distance_.view();
  const View<Real> open = open_area_.view(), speed = solid_velocity_.view();
  parallel_for("solids: faces", open.size(), [&](std::size_t i) {
    const FaceId face(i);
    open[i] = 1;
    if (moves) speed[i] = 0;
    const auto [leaf, side] = mesh.finer(face);
    if (cut[leaf] == Cut::none) return;
    double part = open_part_of(mesh, distance, leaf, side);
    if (treatment == ObstacleTreatment::voxel)
      part = part < 1 || intersects(mesh, posed, leaf, side) ? 0 : 1;
    open[i] = static_cast<Real>(part);
    if (part >= 1 || !moves) return;
    const Vec<Dim> c = mesh.center(face);
    speed[i] = static_cast<Real>(posed.velocity(posed.nearest(c).index, c)[side / 2]);
  });
}

template <int Dim, class Real>
void SolidFaces<Dim, Real>::impose(FaceField<Real>& velocity) const {
  const View<const Real> open = open_area_.view(), speed = solid_velocity_.view();
  const View<Real> u = velocity.view();
  parallel_for("solids: impose", open.size(), [=](std::size_t i) {
    if (open[i] <= FlowBoundary<Dim, Real>::least_opening)
      u[i] = speed.size() > 0 ? speed[i] : Real{0};
  });
}

template <int Dim, class Real>
void Solids<Dim, Real>::separate(const Mesh<Dim>& mesh, NodeField<Vec<Dim, Real>>& nodal) const {
  if (!any()) return;
  const MeshView<Dim> m = mesh.view();
  const View<const SolidMark> inside = inside_.view();
  const View<const float> distance = distance_.view();
  const View<const Cut> cut = cut_.view();
  const View<Vec<Dim, Real>> u = nodal.view();
  parallel_for("solids: separate", mesh.node_count(), [&](std::size_t i) {
    if (static_cast<double>(distance[i]) > widest_) return;
    const double layer = largest_cut(m, cut, NodeId(i));
    if (static_cast<double>(distance[i]) > layer) return;
    const Vec<Dim> p = m.position(NodeId(i));
    const Vec<Dim> n = posed_.normal(p, 0.25 * layer);
    const Vec<Dim> now = u[i].template cast<double>();
    const Vec<Dim> solid = posed_.velocity(posed_.nearest(p).index, p);
    const double into = dot(solid - now, n);
    if (into <= 0) return;

    // A node inside loses all of it, one outside the less the farther away it is.
    const double part =
        inside[i] != 0 ? 1.0 : std::max(0.0, 1.0 - static_cast<double>(distance[i]) / layer);
    u[i] = (now + n * (into * part)).template cast<Real>();
  });
  constrain(mesh, nodal);
}

template <int Dim, class Real>
void Solids<Dim, Real>::distance(const Mesh<Dim>& mesh, NodeField<Real>& out) const {
  OCTAVO_CHECK(distance_.belongs_to(mesh));
  out.resize(mesh);
  const View<Real> to = out.view();
  const View<const float> from = distance_.view();
  parallel_for("solids: distance", to.size(),
               [=](std::size_t i) { to[i] = static_cast<Real>(from[i]); });
}

template <int Dim, class Real>
void Solids<Dim, Real>::fill(NodeField<Real>& field, const std::vector<Real>& values) const {
  if (!any()) return;
  const View<const SolidMark> inside = inside_.view();
  const View<Real> f = field.view();
  parallel_for("solids: fill", f.size(), [&](std::size_t i) {
    if (inside[i] != 0) f[i] = values[std::min(marked_index(inside[i]), values.size() - 1)];
  });
}

template class Solids<2, float>;
template class Solids<3, float>;
template class Solids<2, double>;
template class Solids<3, double>;
template class SolidFaces<2, float>;
template class SolidFaces<3, float>;
template class SolidFaces<2, double>;
template class SolidFaces<3, double>;

}  // namespace octavo
