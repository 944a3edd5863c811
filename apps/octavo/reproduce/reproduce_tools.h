#pragma once

// This is what the tests of `octavo reproduce` have in common.

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "octavo/base/error.h"
#include "octavo/base/random.h"
#include "octavo/mesh/mesh.h"
#include "octavo/pressure/projection.h"

namespace octavo {

// It is for a person who waits; files and pipes are spared.
inline void show_progress(const std::string& text) {
  if (isatty(STDERR_FILENO) == 1) fmt::print(stderr, "{}\n", text);
}

// A figure that comes from an unfinished solve would be taken for the scheme's.
inline void require_converged(const PressureReport& report, PressureScheme scheme) {
  if (!report.converged())
    throw std::runtime_error(fmt::format("{}: {}", name(scheme.scheme), report.sentence()));
}

// It is a number in [0, 1) that depends on nothing but the cell: the random tree is the same
// everywhere.
template <int Dim>
double noise(const Random& random, const Leaf<Dim>& leaf) {
  const Lattice<Dim> at = Domain<Dim>{}.lattice(leaf.center);
  return random.uniform((std::uint64_t{at[0]} << 32) + at[1], Dim == 3 ? at[Dim - 1] : 0,
                        static_cast<std::uint32_t>(leaf.level));
}

// The leaves of this tree are `jump` times as large as the finest, of which `resolution` lie across the unit box, or
// smaller: each cell is split or not at random.
template <int Dim>
Octree<Dim> scattered_tree(int resolution, int jump, std::uint64_t seed) {
  const Random random(seed);
  return Octree<Dim>::build({}, [=](const Leaf<Dim>& leaf) {
    const double cells = 1 / leaf.size;
    if (cells < resolution / static_cast<double>(jump)) return true;
    return cells < resolution && noise(random, leaf) < 0.5;
  });
}

inline int power_of_two(int resolution, int least) {
  if (resolution < least || (resolution & (resolution - 1)) != 0)
    throw InputError("--resolution must be a power of two, {} or more, and is {}", least,
                     resolution);
  return resolution;
}

// It is the largest difference in level of two leaves that share a face and for which wanted(leaf)
// is true.
template <int Dim, class Wanted>
int largest_jump_across_faces(const MeshView<Dim>& mesh, Wanted&& wanted) {
  return parallel_reduce(
      "largest jump", mesh.face_count(), 0,
      [&](std::size_t i) {
        const auto [low, high] = mesh.face_leaf[i];
        if (low.is_none() || high.is_none() || !wanted(low) || !wanted(high)) return 0;
        return std::abs(mesh.tree.level(low) - mesh.tree.level(high));
      },
      [](int p, int q) { return std::max(p, q); });
}

}  // namespace octavo
