#include "octavo/tree/colleagues.h"

namespace octavo {

template <int Dim>
void Colleagues<Dim>::build(const Octree<Dim>& octree) {
  constexpr std::size_t directions = direction_count<Dim>;
  const OctreeView<Dim> tree = octree.view();
  const Domain<Dim> domain = tree.domain;
  root_row_.resize(domain.root_count() * directions);
  row_.resize(tree.branch_count() * directions);
  const View<Cell> root_row = root_row_.view(), row = row_.view();
  const ColleaguesView<Dim> known = view(octree);

  parallel_for("root colleagues", domain.root_count(), [=](std::size_t r) {
    const auto root = domain.root_position(static_cast<std::uint32_t>(r));
    for (int d = 0; d < direction_count<Dim>; ++d) {
      Vec<Dim, std::uint32_t> other = root;
      bool inside = true;
      for (int a = 0; a < Dim; ++a) {
        other[a] += static_cast<std::uint32_t>(d / power_of_3(a) % 3) - 1u;
        inside = inside && other[a] < static_cast<std::uint32_t>(domain.roots[a]);
      }
      root_row[r * directions + static_cast<std::size_t>(d)] =
          inside ? tree.root[domain.root_index(other)] : Cell::outside();
    }
  });

  for (int level = 0; level < max_level; ++level) {
    const auto [first, last] = octree.branches_of_level(level);
    parallel_for("branch colleagues", last - first, [=, first = first](std::size_t i) {
      const BranchId b(first + i);
      const Key<Dim> key = tree.branch_key[b];
      for (int d = 0; d < direction_count<Dim>; ++d)
        row[b * directions + static_cast<std::size_t>(d)] =
            level == 0 ? root_row[key.root_index() * directions + static_cast<std::size_t>(d)]
                       : known.of_child(tree.branch_parent[b], key.digit(level), d);
    });
  }
}

template class Colleagues<2>;
template class Colleagues<3>;

}  // namespace octavo
