// This finds hanging nodes and their stencils.
//
// A node hangs if it lies inside an edge or face of a larger leaf that touches it. Its value is
// then the multilinear interpolation of the corners of that edge or face, for any difference of
// levels: so a trilinear field is continuous across it (Losasso et al. 2004, section 3; Westermann
// et al. 1999). Of several larger leaves the largest is taken; the others agree with it, because
// what two cells share is a whole face, edge or corner of the smaller one.
//
// The corners used may hang themselves, but only on leaves larger still. Sorting by the level of
// the leaf a node hangs on gives an order in which all can be resolved, level after level.

#include "octavo/mesh/mesh.h"
#include "octavo/tree/surroundings.h"

namespace octavo {
namespace {

// This is the largest leaf on which the node hangs, or none.
template <int Dim>
LeafId find_support(const MeshView<Dim>& mesh, NodeId node) {
  const auto at = mesh.corner_of(node);
  const LeafSurroundings<Dim> leaf(mesh.around, at.leaf);
  const CornerSurroundings<Dim> corner(mesh.tree, leaf, at.corner);
  if (corner.corner_level() == 0) return LeafId::none();
  LeafId support;
  int coarsest = corner.corner_level();
  for (int octant = 0; octant < child_count<Dim>; ++octant) {
    const Cell c = corner.cell(octant);
    if (!c.is_leaf()) continue;
    const int level = mesh.tree.level(c.leaf());
    if (level >= coarsest) continue;
    support = c.leaf();
    coarsest = level;
  }
  return support;
}

template <int Dim>
HangingNode<Dim> make_stencil(const MeshView<Dim>& mesh, NodeId node, LeafId support) {
  HangingNode<Dim> h{};
  h.node = node;
  const Lattice<Dim> p = mesh.lattice(node), lo = mesh.tree.lo(support);
  const std::uint32_t size = mesh.tree.leaf_key[support].size();

  // Along some axes the node is inside the leaf, along the others at one of its ends.
  int end = 0, inside[Dim - 1], inside_count = 0;
  for (int a = 0; a < Dim; ++a) {
    const std::uint32_t offset = p[a] - lo[a];
    if (offset == size) end |= 1 << a;
    if (offset == 0 || offset == size) continue;
    OCTAVO_ASSERT(inside_count < Dim - 1);
    h.fraction[inside_count] = static_cast<float>(offset) / static_cast<float>(size);
    inside[inside_count++] = a;
  }
  for (int j = 0; j < HangingNode<Dim>::source_count; ++j) {
    int corner = end;
    for (int k = 0; k < inside_count; ++k)
      if ((j >> k) & 1) corner |= 1 << inside[k];
    h.source[j] = mesh.node(support, corner);
  }
  return h;
}

}  // namespace

template <int Dim>
void Mesh<Dim>::build_hanging() {
  const MeshView<Dim> mesh = view();
  const std::size_t n = mesh.node_count();
  support_.resize(n);
  const View<LeafId> support = support_.view();

  // This is a counting sort by level, stable and in fixed blocks.
  using Counts = std::array<std::size_t, hanging_groups>;
  std::vector<Counts> next(block_count(n), Counts{});
  parallel_blocks("find hanging nodes", n,
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    Counts count{};
                    for (std::size_t i = begin; i < end; ++i) {
                      support[i] = find_support(mesh, NodeId(i));
                      if (support[i].is_none()) continue;
                      ++count[static_cast<std::size_t>(mesh.tree.level(support[i]))];
                    }
                    next[block] = count;
                  });
  std::size_t total = 0;
  for (std::size_t g = 0; g < hanging_groups; ++g) {
    hanging_begin_[g] = total;
    for (auto& counts : next) total += std::exchange(counts[g], total);
  }
  hanging_begin_[hanging_groups] = total;

  hanging_.resize(total);
  const View<HangingNode<Dim>> hanging = hanging_.view();
  parallel_blocks("write hanging nodes", n,
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    Counts place = next[block];
                    for (std::size_t i = begin; i < end; ++i) {
                      if (support[i].is_none()) continue;
                      const auto g = static_cast<std::size_t>(mesh.tree.level(support[i]));
                      hanging[place[g]++] = make_stencil(mesh, NodeId(i), support[i]);
                    }
                  });
}

template void Mesh<2>::build_hanging();
template void Mesh<3>::build_hanging();

}  // namespace octavo
