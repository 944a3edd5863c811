#pragma once

// The surface may pass through a node whose value is zero: then the triangles around the node, which is outside,
// shrink to a point. That changes nothing else if they form a disk, whose inside is what the node sees of the
// inside. So the *link* of the node, the sphere (in 2D circle) of simplices that face it, decides:
//
//   what is inside of the link, and what is not, each is in one piece. Otherwise two bodies of liquid, or two
//   parts of the air, touch at the node.
//   around an edge to another node that is zero, what is inside is in one piece. Otherwise edges fall into one.
//   no triangle between three nodes that are zero has the inside on both sides: it would be a film without thickness.
//
// Then the surface stays a closed manifold, each of whose triangles has three vertices and which has one edge between
// two vertices at most.

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "octavo/level_set/cut_simplex.h"

namespace octavo {

// This says where the surface passes a node whose value is zero.
enum class ZeroNode : std::int8_t { inside = -1, on_surface = 0, outside = 1 };

template <int Dim>
class NodeLink {
 public:
  void clear() {
    facets_.clear();
    vertices_.clear();
  }

  // This takes a simplex into account if the node is one of its vertices.
  void add(const Simplex<Dim>& simplex, std::uint32_t node) {
    Facet facet{};
    std::size_t count = 0;
    for (const SimplexVertex& v : simplex)
      if (v.id != node && count < Dim) facet[count++] = v;
    const bool has_node = std::any_of(simplex.begin(), simplex.end(),
                                      [=](const SimplexVertex& v) { return v.id == node; });
    if (!has_node) return;
    facets_.push_back(facet);
    vertices_.insert(vertices_.end(), facet.begin(), facet.end());
  }

  ZeroNode judge() {
    sort_vertices();
    const auto inside = static_cast<std::size_t>(std::count_if(
        vertices_.begin(), vertices_.end(), [](const SimplexVertex& v) { return v.is_inside(); }));
    if (inside == 0) return ZeroNode::on_surface;
    if (inside == vertices_.size()) return ZeroNode::inside;
    return pieces() == 2 && edges_stay_apart() && !has_film() ? ZeroNode::on_surface
                                                              : ZeroNode::outside;
  }

 private:
  using Facet = std::array<SimplexVertex, static_cast<std::size_t>(Dim)>;

  void sort_vertices() {
    std::sort(vertices_.begin(), vertices_.end(),
              [](const SimplexVertex& p, const SimplexVertex& q) { return p.id < q.id; });
    vertices_.erase(
        std::unique(vertices_.begin(), vertices_.end(),
                    [](const SimplexVertex& p, const SimplexVertex& q) { return p.id == q.id; }),
        vertices_.end());
  }
  std::size_t index_of(std::uint32_t id) const {
    return static_cast<std::size_t>(
        std::lower_bound(vertices_.begin(), vertices_.end(), id,
                         [](const SimplexVertex& v, std::uint32_t i) { return v.id < i; }) -
        vertices_.begin());
  }
  std::size_t root_of(std::size_t i) const {
    while (root_[i] != i) i = root_[i];
    return i;
  }

  // Counts the pieces of what is inside and of what is not, both together.
  std::size_t pieces() {
    std::size_t count = vertices_.size();
    root_.resize(count);
    for (std::size_t i = 0; i < count; ++i) root_[i] = i;
    for (const Facet& facet : facets_)
      for (std::size_t i = 0; i < Dim; ++i)
        for (std::size_t j = 0; j < i; ++j) {
          if (facet[i].is_inside() != facet[j].is_inside()) continue;
          const std::size_t p = root_of(index_of(facet[i].id)), q = root_of(index_of(facet[j].id));
          if (p == q) continue;
          root_[std::max(p, q)] = std::min(p, q);
          --count;
        }
    return count;
  }

  // Around the edge to another node, facets are passed one by one; in 2D there are two.
  bool edges_stay_apart() {
    changes_.assign(vertices_.size(), 0);
    for (const Facet& facet : facets_)
      for (std::size_t i = 0; i < Dim; ++i) {
        if (facet[i].value != 0) continue;
        const SimplexVertex &p = facet[(i + 1) % Dim], &q = facet[(i + 2) % Dim];
        if (Dim == 2 ? p.is_inside() : p.is_inside() != q.is_inside())
          ++changes_[index_of(facet[i].id)];
      }
    return std::all_of(changes_.begin(), changes_.end(), [](int n) { return n <= Dim - 1; });
  }

  // A film has a facet with two nodes that are zero on both of its sides.
  bool has_film() {
    if constexpr (Dim == 3) {
      pairs_.clear();
      for (const Facet& facet : facets_)
        for (std::size_t i = 0; i < 3; ++i) {
          const SimplexVertex &p = facet[(i + 1) % 3], &q = facet[(i + 2) % 3];
          if (facet[i].is_inside() && p.value == 0 && q.value == 0)
            pairs_.emplace_back(std::min(p.id, q.id), std::max(p.id, q.id));
        }
      std::sort(pairs_.begin(), pairs_.end());
      return std::adjacent_find(pairs_.begin(), pairs_.end()) != pairs_.end();
    }
    return false;
  }

  std::vector<Facet> facets_;
  std::vector<SimplexVertex> vertices_;
  std::vector<std::size_t> root_;
  std::vector<int> changes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;
};

}  // namespace octavo
