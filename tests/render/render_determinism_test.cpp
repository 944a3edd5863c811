// The same light for any number of threads.

#include <gtest/gtest.h>

#include "octavo/camera/camera.h"
#include "octavo/render/smoke_medium.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

Picture picture_of(const Mesh<3>& mesh, const NodeField<float>& density, int thread_count) {
  set_threads(thread_count);
  const Lighting lighting{
      .lights = {{normalized(Vec3d{1, 1, -2}), {2, 2, 2}}, {{0, 0, 1}, {0.1f, 0, 0}}}};
  const Surfaces surfaces;
  const SmokeMedium medium({&mesh, density.view(), density.view()},
                           {.extinction = 8, .orders = 3, .glow = Glow{}}, lighting, surfaces);
  const Box<3> box = mesh.tree().domain().box();
  const CameraRays rays(framing(box, {0, 0, 1}, 40, {64, 48}));
  Picture picture(64, 48);
  parallel_for("picture", picture.pixels.size(), [&](std::size_t i) {
    const Marched m =
        medium.march(rays.through(static_cast<double>(i % 64), static_cast<double>(i / 64)), {});
    picture.pixels[i] = {m.light, 1 - m.transmittance};
  });
  set_threads(0);
  return picture;
}

TEST(RenderDeterminism, SamePictureForAnyNumberOfThreads) {
  const Octree<3> tree = test::volume_tree<3>(1, 6);
  const Mesh<3> mesh(tree);
  const NodeField<float> density = test::smoky_field<float>(mesh, 1);
  const Picture one = picture_of(mesh, density, 1);
  float most = 0;
  for (const Picture::Pixel& p : one.pixels) most = std::max(most, p.opacity);
  EXPECT_GT(most, 0.5f);
  for (const int count : {2, 5}) EXPECT_EQ(picture_of(mesh, density, count), one);
}

}  // namespace
}  // namespace octavo
