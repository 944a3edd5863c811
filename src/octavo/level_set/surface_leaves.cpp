#include "octavo/level_set/surface_leaves.h"

#include <atomic>
#include <limits>

#include "octavo/mesh/leaves_at_node.h"

namespace octavo {
namespace {

template <int Dim>
double finest_size_at(const MeshView<Dim>& mesh, NodeId node) {
  double size = mesh.tree.domain.root_size;
  for_each_leaf_at(mesh, node, [&](LeafId leaf) { size = std::min(size, mesh.tree.size(leaf)); });
  return size;
}

// Values at a node that are no larger than this are zero: beside the finest leaf there, or so much smaller than others
// around that places on edges could not be told from the node.
template <int Dim, class Real>
double zero_at(const Tetrahedra<Dim, Real>& tetrahedra, NodeId node) {
  constexpr double indistinguishable = 1e-9;
  const MeshView<Dim>& mesh = tetrahedra.mesh;
  Real largest = 0;
  for_each_leaf_at(mesh, node, [&](LeafId leaf) {
    for (int c = 0; c < child_count<Dim>; ++c)
      largest = std::max(largest, std::abs(tetrahedra.raw(mesh.node(leaf, c))));
  });
  return std::max(nearly_zero<Real> * finest_size_at(mesh, node),
                  indistinguishable * static_cast<double>(largest));
}

template <int Dim>
bool is_at_wall(const MeshView<Dim>& mesh, LeafId leaf) {
  const Key<Dim> key = mesh.tree.leaf_key[leaf];
  const Lattice<Dim> lo = mesh.tree.lo(key), extent = mesh.tree.domain.extent();
  for (int a = 0; a < Dim; ++a)
    if (lo[a] == 0 || lo[a] + key.size() == extent[a]) return true;
  return false;
}

template <int Dim, class Real>
ZeroNode judge(const Tetrahedra<Dim, Real>& tetrahedra, NodeId node, NodeLink<Dim>& link) {
  link.clear();
  std::array<LeafId, child_count<Dim>> seen;
  std::size_t seen_count = 0;
  for_each_leaf_at(tetrahedra.mesh, node, [&](LeafId leaf) {
    const auto end = seen.begin() + seen_count;
    if (std::find(seen.begin(), end, leaf) != end) return;
    seen[seen_count++] = leaf;
    auto add = [&](const Simplex<Dim>& s) { link.add(s, node); };
    tetrahedra.for_each_in(leaf, tetrahedra.is_regular(leaf),
                           [&](const Simplex<Dim>& s, double) { add(s); });
    tetrahedra.for_each_on_walls(
        leaf, [&](const auto& t, int) { add(Tetrahedra<Dim, Real>::outer_simplex(t)); });
  });
  return link.judge();
}

// The sign of a hanging node follows from those it depends on, but for rounding.
template <int Dim, class Real>
bool may_differ(View<const Real> value, const HangingNode<Dim>& h) {
  constexpr Real rounding = static_cast<Real>(1e-3);
  Real largest = 0;
  for (const NodeId source : h.source) {
    if ((value[source] < 0) != (value[h.node] < 0)) return true;
    largest = std::max(largest, std::abs(value[source]));
  }
  return std::abs(value[h.node]) <= rounding * largest;
}

}  // namespace

template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::build(const Mesh<Dim>& mesh, const NodeField<Real>& phi,
                                     const NodeField<Real>* solid, Fluid fluid) {
  OCTAVO_CHECK(phi.belongs_to(mesh) && (solid == nullptr || solid->belongs_to(mesh)));
  mesh_ = &mesh;
  phi_ = phi.view();
  solid_ = solid == nullptr ? View<const Real>() : solid->view();
  fluid_ = fluid;
  find_levels();
  settle_zeros();
  fill_leaves();
  mark_around_hanging_nodes();
  list_leaves();
}

// Values that are nearly zero become zero.
template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::find_levels() {
  const std::size_t n = mesh_->node_count();
  level_.resize(n);
  const View<Real> level = level_.view();
  const Tetrahedra<Dim, Real> tetrahedra = this->tetrahedra();
  const double largest = parallel_max(
      "largest level", n, mesh_->tree().domain().root_size,
      [=](std::size_t i) { return static_cast<double>(std::abs(tetrahedra.raw(NodeId(i)))); });
  std::vector<std::vector<NodeId>> zeros(block_count(n));
  parallel_blocks("level at nodes", n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Real value = tetrahedra.raw(NodeId(i));
      level[i] = value;
      const double size = std::abs(static_cast<double>(value));
      if (!(size <= nearly_zero<Real> * largest) || size > zero_at(tetrahedra, NodeId(i))) continue;
      level[i] = 0;
      zeros[block].push_back(NodeId(i));
    }
  });
  if (!all_finite(std::as_const(level_).view()) || !all_finite(solid_))
    throw SimulationError("the level set, or the distance to solids, is not a number somewhere");
  concatenate("collect zeros", zeros, zero_);
}

template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::settle_zeros() {
  const Tetrahedra<Dim, Real> tetrahedra = this->tetrahedra();
  const View<const NodeId> zero = zero_.view();
  const View<Real> level = level_.view();
  Buffer<ZeroNode> verdict(zero.size());
  parallel_blocks(
      "judge zeros", zero.size(),
      [&](std::size_t, std::size_t begin, std::size_t end) {
        NodeLink<Dim> link;
        for (std::size_t i = begin; i < end; ++i) verdict[i] = judge(tetrahedra, zero[i], link);
      },
      std::size_t{256});
  parallel_for("settle zeros", zero.size(), [&](std::size_t i) {
    const double apart = kept_apart * finest_size_at(tetrahedra.mesh, zero[i]);
    level[zero[i]] = static_cast<Real>(static_cast<int>(verdict[i]) * apart);
  });
}

template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::fill_leaves() {
  const MeshView<Dim> mesh = mesh_->view();
  const View<const Real> level = level_.view();
  filling_.resize(mesh.leaf_count());
  const View<Filling> filling = filling_.view();
  parallel_for("fill leaves", mesh.leaf_count(), [=](std::size_t i) {
    int inside = 0;
    for (int c = 0; c < child_count<Dim>; ++c) inside += level[mesh.node(LeafId(i), c)] < 0 ? 1 : 0;
    filling[i] = inside == 0                  ? Filling::dry
                 : inside == child_count<Dim> ? Filling::wet
                                              : Filling::cut;
  });
}

// A leaf whose corners are all on one side may have nodes on its sides that are not: where solids are, or where
// zeros have been settled. Several threads may mark the same leaf, all in the same way.
template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::mark_around_hanging_nodes() {
  const Tetrahedra<Dim, Real> tetrahedra = this->tetrahedra();
  const MeshView<Dim> mesh = tetrahedra.mesh;
  const View<Filling> filling = filling_.view();
  auto mark_around = [=](NodeId node) {
    for_each_leaf_at(mesh, node, [&](LeafId leaf) {
      if (!tetrahedra.is_regular(leaf))
        std::atomic_ref<Filling>(filling[leaf]).store(Filling::cut, std::memory_order_relaxed);
    });
  };
  const View<const NodeId> zero = zero_.view();
  parallel_for("mark around zeros", zero.size(), [=](std::size_t i) { mark_around(zero[i]); });
  parallel_for("mark around hanging nodes", mesh.hanging.size(), [=](std::size_t i) {
    const HangingNode<Dim>& h = mesh.hanging[i];
    if (may_differ(tetrahedra.phi, h) ||
        (tetrahedra.solid.size() > 0 && may_differ(tetrahedra.solid, h)))
      mark_around(h.node);
  });
}

template <int Dim, class Real>
void SurfaceLeaves<Dim, Real>::list_leaves() {
  const Tetrahedra<Dim, Real> tetrahedra = this->tetrahedra();
  const MeshView<Dim> mesh = tetrahedra.mesh;
  auto describe = [&](LeafId leaf) {
    SurfaceLeaf s{leaf, filling_[leaf] == Filling::cut, false, is_at_wall(mesh, leaf), false,
                  false};
    s.is_regular = tetrahedra.is_regular(leaf);
    for (int c = 0; c < child_count<Dim>; ++c) {
      const NodeId node = mesh.node(leaf, c);
      const bool in_solid = tetrahedra.solid.size() > 0 && tetrahedra.solid[node] <= 0;
      s.beside_solid = s.beside_solid || in_solid;
      s.beside_open = s.beside_open || (!in_solid && !(tetrahedra.level[node] < 0));
    }
    return s;
  };
  std::vector<std::vector<SurfaceLeaf>> parts(block_count(mesh.leaf_count()));
  parallel_blocks("list surface leaves", mesh.leaf_count(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                      if (filling_[i] == Filling::cut ||
                          (filling_[i] == Filling::wet && is_at_wall(mesh, LeafId(i))))
                        parts[block].push_back(describe(LeafId(i)));
                  });
  concatenate("collect surface leaves", parts, leaves_);
}

template class SurfaceLeaves<2, float>;
template class SurfaceLeaves<3, float>;
template class SurfaceLeaves<2, double>;
template class SurfaceLeaves<3, double>;

}  // namespace octavo
