// The same bytes for any number of threads: contours, volumes and bodies.

#include <gtest/gtest.h>

#include "octavo/level_set/contour.h"
#include "octavo/level_set/volume_feedback.h"
#include "support/level_set_cases.h"

namespace octavo {
namespace {

template <class T>
std::string bytes_of(View<T> values) {
  return std::string(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
}

// Drops of many sizes, some on nodes, on a tree with leaves of three sizes at their surfaces.
template <int Dim>
std::vector<std::string> run(int thread_count) {
  set_threads(thread_count);
  const Random random(5);
  const int level = (Dim == 2 ? 6 : 4) - (test::sanitized ? 1 : 0);
  const Octree<Dim> tree = Octree<Dim>::build({}, [&](const Leaf<Dim>& l) {
    return l.level < level || (l.level < level + 2 && test::cell_noise(random, l) < 0.5);
  });
  const Mesh<Dim> mesh(tree);
  EXPECT_GT(tree.leaf_count(), test::sanitized ? 5000u : 20000u);
  auto phi = test::nodal<Dim, float>(mesh, [&](NodeId, const Vec<Dim>& x) {
    double value = 1;
    for (std::uint32_t drop = 0; drop < 40; ++drop) {
      Vec<Dim> at{};
      for (int a = 0; a < Dim; ++a)
        at[a] = random.below(16, drop, static_cast<std::uint32_t>(a)) / 16.0;
      value = std::min(value, length(x - at) - random.below(8, drop, 9) / 64.0);
    }
    return value;
  });
  constrain(mesh, phi);
  SurfaceLeaves<Dim, float> surface;
  Contour<Dim, float> contour;
  LiquidVolume<Dim, float> volume;
  Bodies<Dim, float> bodies;
  Buffer<Vec<Dim, float>> normals;
  VolumeFeedback feedback;
  surface.build(mesh, phi);
  contour.build(surface);
  contour.normals(surface, normals);
  volume.measure(surface);
  bodies.find(surface, volume, {});
  feedback.begin(bodies.list());
  feedback.follow(bodies.list(), bodies.of_leaves(), bodies.of_leaves(), volume.in_leaves());
  EXPECT_GT(bodies.list().size(), 5u);
  std::vector<std::string> all{bytes_of(contour.vertices()), bytes_of(contour.triangles()),
                               bytes_of(normals.view()), bytes_of(volume.in_leaves().view()),
                               bytes_of(bodies.of_leaves().view())};
  for (std::size_t b = 0; b < bodies.list().size(); ++b) {
    const Body& body = bodies.list()[b];
    const double sums[] = {body.volume, body.open_area, body.open_size, body.volume_apart,
                           feedback.accounts()[b].booked};
    all.push_back(bytes_of(View<const double>(sums, 5)));
  }
  return all;
}

template <class D>
class ContourDeterminism : public test::BothDims<D> {};
TYPED_TEST_SUITE(ContourDeterminism, test::Dims);

TYPED_TEST(ContourDeterminism, Threads) {
  const auto one = run<TestFixture::dim>(1);
  EXPECT_TRUE(one == run<TestFixture::dim>(2));
  EXPECT_TRUE(one == run<TestFixture::dim>(5));
}

}  // namespace
}  // namespace octavo
