#include "octavo/solvers/components.h"

#include "octavo/operators/divergence.h"

namespace octavo {
namespace {

constexpr std::size_t join_block = 65536;

// The lowest leaf that is known to be in the same component; paths are halved on the way.
std::uint32_t lowest(View<std::uint32_t> parent, std::uint32_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

void unite(View<std::uint32_t> parent, std::uint32_t i, std::uint32_t j) {
  i = lowest(parent, i);
  j = lowest(parent, j);
  if (i < j)
    parent[j] = i;
  else
    parent[i] = j;
}

// Calls f(j) for the leaves j < i that share an open face with leaf i.
template <int Dim, class Real, class F>
void for_each_lower_neighbor(const PressureFaces<Dim, Real>& faces, std::size_t i, F&& f) {
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId face : faces.mesh.faces(LeafId(i), side)) {
      const FaceLeaves leaves = faces.mesh.face_leaf[face];
      const LeafId other = leaves.low == i ? leaves.high : leaves.low;
      if (!other.is_none() && other < i && faces.link(face).kind == FaceLink::pair) f(other.value);
    }
}

template <int Dim, class Real>
bool meets_known_pressure(const PressureFaces<Dim, Real>& faces, std::size_t i) {
  for (int side = 0; side < side_count<Dim>; ++side)
    for (const FaceId face : faces.mesh.faces(LeafId(i), side))
      if (faces.link(face).kind == FaceLink::surface) return true;
  return false;
}

}  // namespace

template <int Dim, class Real>
void ClosedComponents<Dim, Real>::build(const PressureFaces<Dim, Real>& faces) {
  mesh_ = faces.mesh;
  volume_.clear();
  label_.resize(0);
  const auto& boundary = faces.boundary;
  if (boundary.has_solids() || boundary.has_surface()) {
    join(faces);
    number(faces);
  } else {
    // All of the box is one component.
    for (const Wall wall : boundary.wall)
      if (wall == Wall::open) return;
    volume_.assign(1, mesh_.tree.domain.volume());
  }
}

// Every leaf is given the lowest leaf of its component: within blocks, then between them.
template <int Dim, class Real>
void ClosedComponents<Dim, Real>::join(const PressureFaces<Dim, Real>& faces) {
  const std::size_t n = mesh_.leaf_count();
  label_.resize(n);
  const View<std::uint32_t> parent = label_.view();
  std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> links(
      block_count(n, join_block));
  parallel_blocks(
      "join leaves", n,
      [&](std::size_t b, std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) parent[i] = static_cast<std::uint32_t>(i);
        for (std::size_t i = begin; i < end; ++i)
          if (faces.boundary.is_liquid(LeafId(i)))
            for_each_lower_neighbor(faces, i, [&](std::uint32_t j) {
              if (j >= begin)
                unite(parent, static_cast<std::uint32_t>(i), j);
              else
                links[b].emplace_back(static_cast<std::uint32_t>(i), j);
            });
      },
      join_block);
  for (const auto& block : links)
    for (const auto& [i, j] : block) unite(parent, i, j);
}

// Numbers the components that meet no known pressure, in the order of their lowest leaves.
template <int Dim, class Real>
void ClosedComponents<Dim, Real>::number(const PressureFaces<Dim, Real>& faces) {
  const std::size_t n = mesh_.leaf_count();
  const View<std::uint32_t> parent = label_.view();
  auto root_of = [&](std::size_t i) {
    auto r = static_cast<std::uint32_t>(i);
    while (parent[r] != r) r = parent[r];
    return r;
  };
  std::vector<std::vector<std::uint32_t>> roots(block_count(n)), open_roots(block_count(n));
  parallel_blocks("find components", n, [&](std::size_t b, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      if (!faces.boundary.is_liquid(LeafId(i))) continue;
      const std::uint32_t root = root_of(i);
      if (root == i) roots[b].push_back(root);
      if ((open_roots[b].empty() || open_roots[b].back() != root) && meets_known_pressure(faces, i))
        open_roots[b].push_back(root);
    }
  });
  std::vector<std::uint32_t> id(n, 0);  // 0: not a root; 1: open; k + 2: closed, number k
  for (const auto& block : open_roots)
    for (const std::uint32_t root : block) id[root] = 1;
  std::uint32_t count = 0;
  for (const auto& block : roots)
    for (const std::uint32_t root : block)
      if (id[root] == 0) id[root] = 2 + count++;

  Buffer<std::uint32_t> label(n);
  const View<std::uint32_t> out = label.view();
  parallel_for("label components", n, [&](std::size_t i) {
    const std::uint32_t k = faces.boundary.is_liquid(LeafId(i)) ? id[root_of(i)] : 1;
    out[i] = k < 2 ? open : k - 2;
  });
  label_.swap(label);
  volume_.assign(count, 0.0);
  const MeshView<Dim> mesh = mesh_;
  volume_ = sums([=](LeafId leaf) { return volume(mesh, leaf); });
}

template class ClosedComponents<2, float>;
template class ClosedComponents<3, float>;
template class ClosedComponents<2, double>;
template class ClosedComponents<3, double>;

}  // namespace octavo
