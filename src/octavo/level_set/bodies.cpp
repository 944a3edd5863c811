// Bodies are the connected components of the graph whose nodes are leaves with liquid and whose edges are wet faces:
// union-find (Tarjan 1975) within blocks of leaves, then between blocks. A root is the first leaf of its tree, whatever
// the order in which trees are joined.

#include "octavo/level_set/bodies.h"

#include <algorithm>

namespace octavo {
namespace {

std::uint32_t root_of(View<std::uint32_t> root, std::uint32_t i) {
  while (root[i] != i) i = root[i] = root[root[i]];
  return i;
}

void join(View<std::uint32_t> root, std::uint32_t i, std::uint32_t j) {
  const std::uint32_t p = root_of(root, i), q = root_of(root, j);
  root[std::max(p, q)] = std::min(p, q);
}

template <int Dim, class Real>
bool is_wet(const Tetrahedra<Dim, Real>& tetrahedra, View<const Filling> filling, FaceId face) {
  const auto [low, high] = tetrahedra.mesh.face_leaf[face];
  for (const LeafId leaf : {low, high})
    if (leaf.is_here() && filling[leaf] == Filling::wet) return true;
  bool wet = false;
  tetrahedra.for_each_on(face, [&](const auto& t, double) {
    for (const SimplexVertex& v : t) wet = wet || v.is_inside();
  });
  return wet;
}

}  // namespace

template <int Dim, class Real>
void Bodies<Dim, Real>::find(const SurfaceLeaves<Dim, Real>& surface,
                             const LiquidVolume<Dim, Real>& volume, const Walls& walls) {
  OCTAVO_CHECK(volume.in_leaves().belongs_to(surface.mesh()));
  join_within_blocks(surface, volume.in_leaves().view());
  join_blocks();
  body_.resize(surface.mesh());
  number_bodies(volume.in_leaves().view());
  describe(surface, volume, walls);
}

// Leaves across low sides come earlier along the curve: looking there meets each face once.
template <int Dim, class Real>
void Bodies<Dim, Real>::join_within_blocks(const SurfaceLeaves<Dim, Real>& surface,
                                           View<const double> volume) {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  const MeshView<Dim>& mesh = tetrahedra.mesh;
  root_.resize(volume.size());
  const View<std::uint32_t> root = root_.view();
  across_.resize(block_count(volume.size()));
  parallel_blocks("join leaves", volume.size(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    std::vector<Pair>& across = across_[block];
                    across.clear();
                    for (std::size_t i = begin; i < end; ++i) {
                      root[i] = static_cast<std::uint32_t>(i);
                      if (!(volume[i] > 0)) continue;
                      for (int side = 0; side < side_count<Dim>; side += 2)
                        for (const FaceId face : mesh.faces(LeafId(i), side)) {
                          const LeafId other = mesh.face_leaf[face].low;
                          if (!other.is_here() || !(volume[other] > 0) ||
                              !is_wet(tetrahedra, surface.filling(), face))
                            continue;
                          if (other >= begin)
                            join(root, static_cast<std::uint32_t>(i), other);
                          else
                            across.push_back({static_cast<std::uint32_t>(i), other});
                        }
                    }
                  });
}

// Most of what is joined across blocks is the same two trees again and again.
template <int Dim, class Real>
void Bodies<Dim, Real>::join_blocks() {
  const View<std::uint32_t> root = root_.view();
  auto settled = [=](std::uint32_t i) {
    while (root[i] != i) i = root[i];
    return i;
  };
  parallel_blocks(
      "reduce joins", across_.size(),
      [&](std::size_t b, std::size_t, std::size_t) {
        for (Pair& pair : across_[b]) pair = {settled(pair[0]), settled(pair[1])};
        std::sort(across_[b].begin(), across_[b].end());
        across_[b].erase(std::unique(across_[b].begin(), across_[b].end()), across_[b].end());
      },
      std::size_t{1});
  for (const auto& pairs : across_)
    for (const Pair& pair : pairs) join(root, pair[0], pair[1]);
}

template <int Dim, class Real>
void Bodies<Dim, Real>::number_bodies(View<const double> volume) {
  const View<const std::uint32_t> root = std::as_const(root_).view();
  const View<BodyId> body = body_.view();
  std::vector<std::vector<LeafId>> firsts(block_count(volume.size()));
  parallel_blocks("find first leaves", volume.size(),
                  [&](std::size_t block, std::size_t begin, std::size_t end) {
                    for (std::size_t i = begin; i < end; ++i)
                      if (root[i] == i && volume[i] > 0) firsts[block].push_back(LeafId(i));
                  });
  list_.clear();
  for (const auto& block : firsts)
    for (const LeafId leaf : block) {
      body[leaf] = BodyId(list_.size());
      list_.push_back({.first_leaf = leaf});
    }
  parallel_for("name bodies", volume.size(), [=](std::size_t i) {
    if (!(volume[i] > 0)) {
      body[i] = BodyId::none();
    } else if (root[i] != i) {
      std::uint32_t r = root[i];
      while (root[r] != r) r = root[r];
      body[i] = body[r];
    }
  });
}

namespace {

// This adds up what is known of the leaves in a run of one body.
struct Run {
  BodyId body;
  Body sum;
};

void add(Body& to, const Body& more) {
  if (more.open_size > 0)
    to.open_size = to.open_size > 0 ? std::min(to.open_size, more.open_size) : more.open_size;
  to.volume += more.volume;
  to.open_area += more.open_area;
  to.volume_apart += more.volume_apart;
  to.touches_solid = to.touches_solid || more.touches_solid;
  to.touches_open_wall = to.touches_open_wall || more.touches_open_wall;
  to.touches_closed_wall = to.touches_closed_wall || more.touches_closed_wall;
}

// Calls leaf(i) for i in 0..n, which gives a Run of one, and adds up block after block.
template <class Leaf>
void add_up(const char* label, std::size_t n, std::vector<Body>& list, Leaf&& leaf) {
  std::vector<std::vector<Run>> runs(block_count(n));
  parallel_blocks(label, n, [&](std::size_t block, std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const Run one = leaf(i);
      if (one.body.is_none()) continue;
      std::vector<Run>& here = runs[block];
      if (here.empty() || here.back().body != one.body)
        here.push_back(one);
      else
        add(here.back().sum, one.sum);
    }
  });
  for (const auto& block : runs)
    for (const Run& run : block) add(list[run.body], run.sum);
}

}  // namespace

template <int Dim, class Real>
void Bodies<Dim, Real>::describe(const SurfaceLeaves<Dim, Real>& surface,
                                 const LiquidVolume<Dim, Real>& volume, const Walls& walls) {
  const Tetrahedra<Dim, Real> tetrahedra = surface.tetrahedra();
  const View<const BodyId> body = std::as_const(body_).view();
  const View<const SurfaceLeaf> leaves = surface.leaves();
  const View<const double> in_leaves = volume.in_leaves().view(),
                           area = volume.area_in_surface_leaves();
  add_up("volume of bodies", body.size(), list_, [=](std::size_t i) {
    return Run{body[i], {.volume = in_leaves[i], .volume_apart = in_leaves[i]}};
  });
  add_up("surface of bodies", leaves.size(), list_, [&](std::size_t i) {
    const SurfaceLeaf& s = leaves[i];
    Run run{body[s.leaf], {.touches_solid = s.beside_solid}};
    if (run.body.is_none()) return run;
    if (s.beside_solid) run.sum.volume_apart = -in_leaves[s.leaf];
    if (s.beside_open && area[i] > 0) {
      run.sum.open_area = area[i];
      run.sum.open_size = tetrahedra.mesh.tree.size(s.leaf);
    }
    if (s.is_at_wall)
      tetrahedra.for_each_on_walls(s.leaf, [&](const auto& t, int side) {
        if (std::none_of(t.begin(), t.end(), [](const auto& v) { return v.is_inside(); })) return;
        const bool open = walls[static_cast<std::size_t>(side)].is_open;
        (open ? run.sum.touches_open_wall : run.sum.touches_closed_wall) = true;
      });
    return run;
  });
}

template class Bodies<2, float>;
template class Bodies<3, float>;
template class Bodies<2, double>;
template class Bodies<3, double>;

}  // namespace octavo
