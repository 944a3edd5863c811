// The same volumes for any number of threads.

#include <gtest/gtest.h>

#include <algorithm>

#include "octavo/volume/volume.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

template <class T>
bool same(const Buffer<T>& p, const Buffer<T>& q) {
  return std::equal(p.begin(), p.end(), q.begin(), q.end());
}

template <class T>
void expect_same(const Volume<T>& p, const Volume<T>& q) {
  EXPECT_TRUE(same(p.blocks, q.blocks));
  EXPECT_TRUE(same(p.values, q.values));
  EXPECT_TRUE(same(p.tiles, q.tiles));
  EXPECT_TRUE(same(p.tile_values, q.tile_values));
}

struct Volumes {
  Volume<float> density, pressure;
  Volume<Vec3f> velocity, on_faces;
};

Volumes make_all(const Mesh<3>& mesh, int thread_count) {
  set_threads(thread_count);
  Volumes v;
  v.density = make_volume(mesh, test::smoky_field<float>(mesh, 1), {.tolerance = 0.2});
  v.pressure = make_volume(mesh, test::random_field<LeafId, float>(mesh, 2));
  const VolumeMask mask({&v.density});
  v.velocity = make_volume(mesh, test::random_field<NodeId, Vec3f>(mesh, 3), {.within = &mask});
  v.on_faces = make_volume(mesh, test::random_field<FaceId, float>(mesh, 4), {.within = &mask});
  set_threads(0);
  return v;
}

TEST(VolumeDeterminism, SameForAnyNumberOfThreads) {
  const Octree<3> tree = test::volume_tree<3>(1, 6);
  const Mesh<3> mesh(tree);
  const Volumes one = make_all(mesh, 1);
  EXPECT_GT(one.density.blocks.size(), 100u);
  EXPECT_GT(one.density.tiles.size() + one.pressure.tiles.size(), 100u);
  EXPECT_GT(one.velocity.blocks.size(), one.density.blocks.size());
  for (const int count : {2, 5}) {
    const Volumes more = make_all(mesh, count);
    expect_same(more.density, one.density);
    expect_same(more.pressure, one.pressure);
    expect_same(more.velocity, one.velocity);
    expect_same(more.on_faces, one.on_faces);
  }
}

}  // namespace
}  // namespace octavo
