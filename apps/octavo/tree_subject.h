#pragma once

// `octavo tree` builds a tree around this: a shape, its box, its motion, and how fine it wants to be.

#include <fmt/format.h>

#include <cmath>
#include <functional>
#include <memory>
#include <string>

#include "octavo/adapt/adapt.h"
#include "octavo/base/free_room.h"
#include "octavo/io/mesh_import.h"
#include "octavo/shapes/implicit.h"
#include "octavo/shapes/mesh_distance.h"
#include "tree_command.h"

namespace octavo {

// It is a shape in the box it is looked at in.
template <int Dim>
struct Subject {
  Domain<Dim> domain;
  std::function<bool(const Vec<Dim>& point, double radius)> near;  // is its surface within radius?
};

// It is a box of root cells around a given one, with a tenth of its largest extent as margin on each side.
template <int Dim>
Domain<Dim> domain_around(const Box<Dim>& box, const Vec<Dim, int>& roots) {
  Domain<Dim> domain;
  domain.roots = roots;
  domain.root_size = 0;
  for (int a = 0; a < Dim; ++a)
    domain.root_size = std::max(domain.root_size, 1.2 * box.size()[a] / roots[a]);
  domain.origin = box.center() - roots.template cast<double>() * (0.5 * domain.root_size);
  return domain;
}

template <int Dim, class Shape>
Subject<Dim> implicit_subject(const Domain<Dim>& domain, const Shape& shape) {
  return {domain, [shape](const Vec<Dim>& p, double r) { return std::abs(shape(p)) <= r; }};
}

template <int Dim>
Subject<Dim> make_subject(const TreeOptions& options, const Vec<Dim, int>& roots) {
  Domain<Dim> domain;  // the shortest side of the box is one metre
  domain.roots = roots;
  domain.root_size = 1.0 / *std::min_element(roots.v, roots.v + Dim);
  domain.check();
  const Vec<Dim> center = domain.box().center();
  if (options.shape == "sphere") return implicit_subject(domain, SphereShape<Dim>{center, 0.3});
  if (options.shape == "box")
    return implicit_subject(domain, BoxShape<Dim>{center, Vec<Dim>::filled(0.25)});
  if (options.shape == "torus") return implicit_subject(domain, TorusShape<Dim>{center, 0.3, 0.1});

  if constexpr (Dim == 3) {
    const auto mesh = std::make_shared<MeshDistance>(read_triangle_mesh(options.shape));
    return {domain_around(mesh->bounds(), roots),
            [mesh](const Vec3d& p, double r) { return mesh->within(p, r); }};
  } else {
    throw InputError("in two dimensions the shape is sphere, box or torus, not '{}'",
                     options.shape);
  }
}

// The shape goes round in a circle, once in all frames.
template <int Dim>
Vec<Dim> offset_at(const TreeOptions& options, const Domain<Dim>& domain, int frame) {
  Vec<Dim> offset{};
  if (options.frames == 1) return offset;
  const double angle = 2 * 3.14159265358979323846 * frame / options.frames;
  const double radius = 0.1 * domain.root_size * domain.roots[0];
  offset[0] = radius * std::cos(angle);
  offset[Dim - 1] = radius * std::sin(angle);
  return offset;
}

template <int Dim>
auto criterion_at(const Subject<Dim>& subject, const TreeOptions& options, int finest,
                  const Vec<Dim>& offset) {
  const double band = options.band * subject.domain.size(finest);
  auto near = [&subject, offset, band, finest](const Leaf<Dim>& leaf) {
    const double radius = std::sqrt(static_cast<double>(Dim)) * leaf.reach + band;
    return subject.near(leaf.center - offset, radius) ? finest : 0;
  };
  return clamp_level(near, options.min_level, finest);
}

// Refuses trees that would not fit into memory, before they are built.
template <int Dim>
class MemoryGuard {
 public:
  // It counts octree, mesh and what making them takes; a tree that changes exists twice.
  explicit MemoryGuard(const TreeOptions& options)
      : bytes_per_leaf_((Dim == 2 ? 130 : 220) * (options.frames > 1 ? 2 : 1)) {}

  bool fits(double leaves) const {
    return leaves * bytes_per_leaf_ <= available_ && leaves < std::ldexp(1.0, 32 - Dim);
  }
  void require(double leaves, const std::string& advice) const {
    if (!fits(leaves))
      throw InputError(
          "this tree would have about {:.2g} leaves and need {:.2g} GiB; {:.1f} GiB are free. {}",
          leaves, leaves * bytes_per_leaf_ / (1 << 30), available_ / (1 << 30), advice);
  }

 private:
  double bytes_per_leaf_;
  double available_ = static_cast<double>(available_memory());
};

// Builds the tree level after level, so that one that would not fit is noticed while it is small:
// the number of leaves grows from level to level as it did from the last one to this.
template <int Dim>
Octree<Dim> build_tree(const Subject<Dim>& subject, const TreeOptions& options) {
  const MemoryGuard<Dim> guard(options);
  const Vec<Dim> offset = offset_at(options, subject.domain, 0);
  guard.require(subject.domain.root_count() * std::ldexp(1.0, Dim * options.min_level),
                "Choose a smaller --min-level or fewer --roots");
  double before = 0;
  for (int finest = options.min_level;; ++finest) {
    const auto criterion = criterion_at(subject, options, finest, offset);
    auto tree = Octree<Dim>::build(subject.domain,
                                   [&](const Leaf<Dim>& l) { return criterion(l) > l.level; });
    if (options.grading > 0) grade(tree, options.grading);
    if (finest == options.max_level) return tree;

    const auto now = static_cast<double>(tree.leaf_count());
    const double growth = before > 0 ? std::max(1.0, now / before) : 1.0;
    auto leaves_at = [&](int level) { return now * std::pow(growth, level - finest); };
    int largest = finest;
    while (largest < options.max_level && guard.fits(leaves_at(largest + 1))) ++largest;
    guard.require(leaves_at(options.max_level),
                  fmt::format("Choose a smaller --max-level: {} fits", largest));
    before = now;
  }
}

}  // namespace octavo
