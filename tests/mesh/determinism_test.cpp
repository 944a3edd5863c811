// The same bytes for any number of threads: trees, meshes, and fields carried through changes.

#include <gtest/gtest.h>

#include <cstring>

#include "octavo/adapt/adapt.h"
#include "octavo/mesh/nodal_velocity.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

// A running hash of everything that is fed to it (FNV-1a).
class Digest {
 public:
  template <class T>
  void add(View<const T> values) {
    const auto* bytes = reinterpret_cast<const unsigned char*>(values.data());
    for (std::size_t i = 0; i < values.size() * sizeof(T); ++i)
      hash_ = (hash_ ^ bytes[i]) * 1099511628211ull;
  }
  std::uint64_t value() const { return hash_; }

 private:
  std::uint64_t hash_ = 14695981039346656037ull;
};

template <int Dim>
void add_mesh(Digest& digest, const Mesh<Dim>& mesh) {
  const MeshView<Dim> m = mesh.view();
  digest.add(m.tree.leaf_key);
  digest.add(m.tree.leaf_parent);
  digest.add(m.tree.branch_key);
  digest.add(m.tree.child);
  digest.add(m.tree.table);
  digest.add(m.leaf_node);
  digest.add(m.leaf_face);
  digest.add(m.face_leaf);
  digest.add(m.face_info);
  digest.add(m.extra_node);
  digest.add(m.hanging);
}

// A sphere that moves through a grid large enough for many blocks, with every kind of field on it.
template <int Dim>
std::uint64_t run(int thread_count) {
  set_threads(thread_count);
  const int finest = (Dim == 2 ? 11 : 7) - (test::sanitized ? 1 : 0);
  auto criterion = [&](double t) {
    const Vec<Dim> center = Vec<Dim>::filled(0.45 + 0.05 * t);
    const auto shape = [=](const Vec<Dim>& p) { return length(p - center) - 0.3; };
    return clamp_level(near_surface<Dim>(shape, finest), 2, finest);
  };
  Grid<Dim> grid{
      Octree<Dim>::build({}, [&](const Leaf<Dim>& l) { return criterion(0)(l) > l.level; })};
  EXPECT_GT(grid.tree().leaf_count(), test::sanitized ? 5000u : 10000u);
  FaceField<float> velocity(grid.mesh());
  NodeField<float> density(grid.mesh());
  LeafField<float> pressure(grid.mesh());
  const Random random(12);
  for (std::size_t i = 0; i < velocity.size(); ++i)
    velocity.view()[i] = static_cast<float>(random.uniform(i));
  for (std::size_t i = 0; i < density.size(); ++i)
    density.view()[i] = static_cast<float>(random.uniform(i, 1));
  for (std::size_t i = 0; i < pressure.size(); ++i)
    pressure.view()[i] = static_cast<float>(random.uniform(i, 2));
  FieldSet<Dim> fields;
  fields.add(velocity);
  fields.add(density);
  fields.add(pressure);

  Digest digest;
  for (int step = 0; step < 4; ++step) {
    add_mesh(digest, grid.mesh());
    digest.add(std::as_const(velocity).view());
    digest.add(std::as_const(density).view());
    digest.add(std::as_const(pressure).view());
    const auto nodal = nodal_velocity(grid.mesh(), velocity);
    digest.add(nodal.view());
    EXPECT_TRUE(adapt(grid, fields, criterion(step + 1)).changed);
  }
  set_threads(0);
  return digest.value();
}

TEST(Determinism, SameBytesForAnyNumberOfThreads2D) {
  const std::uint64_t one = run<2>(1);
  EXPECT_EQ(run<2>(2), one);
  EXPECT_EQ(run<2>(5), one);
}

TEST(Determinism, SameBytesForAnyNumberOfThreads3D) {
  const std::uint64_t one = run<3>(1);
  EXPECT_EQ(run<3>(2), one);
  EXPECT_EQ(run<3>(5), one);
}

}  // namespace
}  // namespace octavo
