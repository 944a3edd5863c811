#include "octavo/multigrid/sibling_blocks.h"

namespace octavo {
namespace {

// This is a box of cells in an order with x fastest.
template <int Dim>
struct CellBox {
  Vec<Dim, int> size;

  std::size_t count() const { return static_cast<std::size_t>(product(size)); }
  bool contains(const Vec<Dim, int>& p) const {
    for (int a = 0; a < Dim; ++a)
      if (p[a] < 0 || p[a] >= size[a]) return false;
    return true;
  }
  std::size_t index(const Vec<Dim, int>& p) const {
    int i = 0;
    for (int a = Dim - 1; a >= 0; --a) i = i * size[a] + p[a];
    return static_cast<std::size_t>(i);
  }
  Vec<Dim, int> position(std::size_t index) const {
    Vec<Dim, int> p{};
    auto i = static_cast<int>(index);
    for (int a = 0; a < Dim; ++a) {
      p[a] = i % size[a];
      i /= size[a];
    }
    return p;
  }
  CellBox halved() const {
    CellBox half{};
    for (int a = 0; a < Dim; ++a) half.size[a] = (size[a] + 1) / 2;
    return half;
  }
};

template <int Dim>
Vec<Dim, int> member_position(const Vec<Dim, int>& sibling_block, int digit) {
  Vec<Dim, int> p{};
  for (int a = 0; a < Dim; ++a) p[a] = 2 * sibling_block[a] + ((digit >> a) & 1);
  return p;
}

}  // namespace

template <int Dim>
void SiblingBlocks<Dim>::build(const Mesh<Dim>& mesh) {
  mesh_ = &mesh;
  const Octree<Dim>& tree = mesh.tree();
  const std::size_t branches = tree.branch_count();

  // This counts the sibling blocks of root cells: boxes of cells are halved until one is left.
  std::size_t total = branches;
  CellBox<Dim> box{tree.domain().roots};
  do {
    box = box.halved();
    total += box.count();
  } while (box.count() > 1);
  if ((total + 1) * child_count<Dim> >= Cell::branch_bit)
    throw InputError("the tree has too many leaves for the pressure solver: {}", tree.leaf_count());

  nothing_ = SiblingBlockId(total);
  neighbor_.resize((total + 1) * side_count<Dim>);
  parent_.resize(total + 1);
  leaf_members_.resize(total + 1);
  levels_.clear();
  build_root_sibling_blocks(tree.domain());
  for (int level = 0; level < max_level; ++level) {
    const auto [begin, end] = tree.branches_of_level(level);
    if (begin == end) break;
    levels_.push_back({begin, end, level + 1, tree.domain().size(level + 1)});
  }

  const MeshView<Dim> m = mesh.view();
  const View<SiblingBlockId> neighbor = neighbor_.view();
  const View<LevelCellId> parent = parent_.view();
  const View<const LevelCellId> root_cell = root_cell_.view();
  const View<std::uint8_t> leaf_members = leaf_members_.view();
  const SiblingBlockId nothing = nothing_;
  using Set = SiblingBlocksView<Dim>;
  parallel_for("link sibling blocks", branches, [=](std::size_t b) {
    unsigned leaves = 0;
    for (int slot = 0; slot < child_count<Dim>; ++slot)
      if (m.tree.child_of(BranchId(b), Set::digit_at(slot)).is_leaf()) leaves |= 1u << slot;
    leaf_members[b] = static_cast<std::uint8_t>(leaves);
    const Key<Dim> key = m.tree.branch_key[b];
    const BranchId above = m.tree.branch_parent[b];
    parent[b] = above.is_none()
                    ? root_cell[key.root_index()]
                    : Set::level_cell(SiblingBlockId(above.value), Set::slot_of(key.digit()));
    for (int side = 0; side < side_count<Dim>; ++side) {
      const Cell c =
          m.around
              .row[b * direction_count<Dim> + static_cast<std::size_t>(side_direction<Dim>(side))];
      neighbor[b * side_count<Dim> + static_cast<std::size_t>(side)] =
          c.is_branch() ? SiblingBlockId(c.branch().value) : nothing;
    }
  });
  for (std::size_t s = 0; s < side_count<Dim>; ++s) neighbor[total * side_count<Dim> + s] = nothing;
  parent[total] = LevelCellId::none();
  leaf_members[total] = 0;
}

template <int Dim>
void SiblingBlocks<Dim>::build_root_sibling_blocks(const Domain<Dim>& domain) {
  const OctreeView<Dim> tree = mesh_->tree().view();
  const std::size_t branches = tree.branch_count();
  constexpr auto width = static_cast<std::size_t>(child_count<Dim>);
  root_member_.resize((nothing_ - branches) * width);
  root_cell_.resize(domain.root_count());

  std::size_t first = branches;  // sibling block of the current box's first cell
  CellBox<Dim> members{domain.roots};
  double size = domain.root_size;
  std::vector<SiblingLevel> upward;
  for (bool roots = true; roots || members.count() > 1; roots = false) {
    const CellBox<Dim> box = members.halved();
    const std::size_t below =
        first - members.count();  // sibling blocks that are members, if not roots
    for (std::size_t i = 0; i < box.count(); ++i) {
      const Vec<Dim, int> at = box.position(i);
      for (int slot = 0; slot < child_count<Dim>; ++slot) {
        const Vec<Dim, int> p = member_position(at, SiblingBlocksView<Dim>::digit_at(slot));
        const auto level_cell = SiblingBlocksView<Dim>::level_cell(SiblingBlockId(first + i), slot);
        if (slot == 0) leaf_members_[first + i] = 0;
        Cell& cell = root_member_[level_cell - branches * width];
        cell = Cell::outside();
        if (!members.contains(p)) continue;
        const std::size_t index = members.index(p);
        cell = roots ? tree.root[index] : Cell::branch(below + index);
        (roots ? root_cell_[index] : parent_[below + index]) = level_cell;
        if (cell.is_leaf())
          leaf_members_[first + i] =
              static_cast<std::uint8_t>(leaf_members_[first + i] | 1u << slot);
      }
      for (int side = 0; side < side_count<Dim>; ++side) {
        Vec<Dim, int> next = at;
        next[side / 2] += side % 2 == 1 ? 1 : -1;
        neighbor_[(first + i) * side_count<Dim> + static_cast<std::size_t>(side)] =
            box.contains(next) ? SiblingBlockId(first + box.index(next)) : nothing_;
      }
    }
    upward.push_back({first, first + box.count(), roots ? 0 : upward.back().depth - 1, size});
    first += box.count();
    members = box;
    size *= 2;
  }
  parent_[first - 1] = LevelCellId::none();
  levels_.assign(upward.rbegin(), upward.rend());
}

template <int Dim>
SiblingBlocksView<Dim> SiblingBlocks<Dim>::view() const {
  return {mesh_->tree().view(), root_member_.view(), neighbor_.view(), parent_.view(),
          leaf_members_.view(), root_cell_.view(),   nothing_};
}

template class SiblingBlocks<2>;
template class SiblingBlocks<3>;

}  // namespace octavo
