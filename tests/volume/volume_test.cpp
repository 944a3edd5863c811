#include "octavo/volume/volume.h"

#include <gtest/gtest.h>

#include <map>

#include "support/dense_volume.h"
#include "support/volume_tree.h"

namespace octavo {
namespace {

using test::center_of;
using test::DenseVolume;
using test::random_field;
using test::smoky_field;
using test::volume_tree;

template <class D>
class VolumeTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(VolumeTest, test::Dims);

constexpr int tree_seeds = 6;

float difference(float x, float y) { return std::abs(x - y); }
float difference(const Vec3f& x, const Vec3f& y) {
  const Vec3f d = x - y;
  return std::max({std::abs(d[0]), std::abs(d[1]), std::abs(d[2])});
}

float as_voxel(double x) { return static_cast<float>(x); }
template <int Dim, class Real>
Vec3f as_voxel(const Vec<Dim, Real>& x) {
  Vec3f r{};
  for (int a = 0; a < Dim; ++a) r[a] = static_cast<float>(x[a]);
  return r;
}

// Every voxel must be what expected(centre) says, within the tolerance, whether it is in the volume or not.
template <int Dim, class T, class Expected>
void expect_voxels(const Volume<T>& volume, float tolerance, Expected&& expected) {
  const DenseVolume<T> dense(volume);
  EXPECT_EQ(dense.mistakes(), 0);
  int wrong = 0;
  dense.for_each([&](const Vec<3, int>& v) {
    const T value = expected(center_of<Dim>(volume, v));
    wrong += !(difference(dense.value(v), value) <= tolerance);
    using Kind = typename DenseVolume<T>::Kind;
    if (Dim == 2 && dense.kind(v) == Kind::tile) ++wrong;
    if (dense.kind(v) != Kind::active && dense.kind(v) != Kind::tile)
      wrong += !(dense.value(v) == volume.background);
  });
  EXPECT_EQ(wrong, 0);
}

template <class T, int Dim>
void expect_samples(const Mesh<Dim>& mesh, const NodeField<T>& field, std::optional<int> level) {
  auto expected = [&](const Vec<Dim>& p) {
    return as_voxel(sample<T>(mesh.view(), field.view(), p));
  };
  expect_voxels<Dim>(make_volume(mesh, field, {.level = level, .tolerance = 0}), 0, expected);
  expect_voxels<Dim>(make_volume(mesh, field, {.level = level}), 1.000001f / 2048, expected);
  expect_voxels<Dim>(make_volume(mesh, field, {.level = level, .tolerance = 0.2}), 0.2000001f,
                     expected);
}

TYPED_TEST(VolumeTest, NodalFieldsAreSampledAtVoxelCenters) {
  constexpr int Dim = TestFixture::dim;
  for (int seed = 0; seed < tree_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Octree<Dim> tree = volume_tree<Dim>(static_cast<std::uint64_t>(seed), 3 + seed % 3);
    const Mesh<Dim> mesh(tree);
    expect_samples(mesh, smoky_field<float>(mesh, 1), {});
    expect_samples(mesh, smoky_field<double>(mesh, 2), {});
    expect_samples(mesh, smoky_field<Vec<Dim, float>>(mesh, 3), {});
    expect_samples(mesh, smoky_field<Vec<Dim, double>>(mesh, 4), {});
  }
}

// Voxels larger than leaves, also than root cells' eighths, and smaller than all leaves.
TYPED_TEST(VolumeTest, VoxelsOfAnyLevel) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = volume_tree<Dim>(11, 4);
  const Mesh<Dim> mesh(tree);
  for (int level = 0; level <= 5; ++level) {
    SCOPED_TRACE(level);
    expect_samples(mesh, smoky_field<float>(mesh, 1), level);
  }
}

// Root cells smaller than a block: several of them in one, and some blocks stick out of the box.
TYPED_TEST(VolumeTest, SmallTrees) {
  constexpr int Dim = TestFixture::dim;
  Domain<Dim> domain{Vec<Dim>::filled(-1.0), 0.25, Vec<Dim, int>::filled(3)};
  domain.roots[0] = 11;
  for (int deepest = 0; deepest <= 2; ++deepest) {
    SCOPED_TRACE(deepest);
    const Random random(5);
    const auto tree = Octree<Dim>::build(domain, [&](const Leaf<Dim>& leaf) {
      return leaf.level < deepest &&
             (test::cell_noise(random, leaf) < 0.5 || leaf.center[0] < -0.9);
    });
    ASSERT_EQ(tree.deepest_level(), deepest);
    const Mesh<Dim> mesh(tree);
    expect_samples(mesh, smoky_field<float>(mesh, 1), {});
    NodeField<float> one(mesh, 1.0f);
    expect_samples(mesh, one, {});
  }
}

TYPED_TEST(VolumeTest, LeafFieldsAreConstantInALeaf) {
  constexpr int Dim = TestFixture::dim;
  for (int seed = 0; seed < tree_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Octree<Dim> tree = volume_tree<Dim>(static_cast<std::uint64_t>(seed), 3 + seed % 3);
    const Mesh<Dim> mesh(tree);
    const auto field = random_field<LeafId, double>(mesh, 3);
    auto expected = [&](const Vec<Dim>& p) { return as_voxel(field[tree.view().leaf_at(p)]); };
    expect_voxels<Dim>(make_volume(mesh, field, {.tolerance = 0}), 0, expected);
    expect_voxels<Dim>(make_volume(mesh, field, {.level = 2, .tolerance = 0}), 0, expected);
    expect_voxels<Dim>(make_volume(mesh, field), 1.0f / 2048, expected);
  }
}

TYPED_TEST(VolumeTest, AnyBackground) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = volume_tree<Dim>(2, 5);
  const Mesh<Dim> mesh(tree);
  NodeField<float> field = smoky_field<float>(mesh, 1);
  for (float& x : field.view()) x += 293;
  const auto volume = make_volume(mesh, field, {.background = 293});
  expect_voxels<Dim>(volume, 1.0001f / 2048, [&](const Vec<Dim>& p) {
    return sample<float>(mesh.view(), std::as_const(field).view(), p);
  });
  const auto without = make_volume(mesh, field);
  EXPECT_LT(volume.blocks.size() + volume.tiles.size(),
            without.blocks.size() + without.tiles.size());
}

// The velocity through a voxel's low side, looked for among all faces of the leaf's sides.
template <int Dim, class Real>
Real staggered_value(const Mesh<Dim>& mesh, const FaceField<Real>& velocity, const Vec<Dim>& center,
                     double voxel_size, int axis) {
  const MeshView<Dim> m = mesh.view();
  const LeafId leaf = m.tree.leaf_at(center);
  auto on_side = [&](int side) {
    for (const FaceId f : m.faces(leaf, side)) {
      bool beside = true;
      for (int a = 0; a < Dim; ++a)
        beside = beside && (a == axis || m.size(f) > m.tree.size(leaf) ||
                            std::abs(m.center(f)[a] - center[a]) < m.size(f) / 2);
      if (beside) return velocity[f];
    }
    ADD_FAILURE() << "no face";
    return Real(0);
  };
  const double low_side = m.tree.center(leaf)[axis] - m.tree.size(leaf) / 2;
  const Real t = static_cast<Real>((center[axis] - voxel_size / 2 - low_side) / m.tree.size(leaf));
  return on_side(2 * axis) * (1 - t) + on_side(2 * axis + 1) * t;
}

TYPED_TEST(VolumeTest, StaggeredVelocitiesAreThoseOfFaces) {
  constexpr int Dim = TestFixture::dim;
  for (int seed = 0; seed < tree_seeds; ++seed) {
    SCOPED_TRACE(seed);
    const Octree<Dim> tree = volume_tree<Dim>(static_cast<std::uint64_t>(seed), 3 + seed % 3);
    const Mesh<Dim> mesh(tree);
    const auto velocity = random_field<FaceId, float>(mesh, 3);
    const auto volume = make_volume(mesh, velocity, {.tolerance = 0});
    EXPECT_TRUE(volume.staggered);
    expect_voxels<Dim>(volume, 0, [&](const Vec<Dim>& p) {
      Vec3f value{};
      for (int a = 0; a < Dim; ++a)
        value[a] = staggered_value(mesh, velocity, p, volume.voxel_size, a);
      return value;
    });
  }
}

// Means over the faces of smaller leaves, and interpolation in larger ones, are exact for this field.
TYPED_TEST(VolumeTest, StaggeredVelocitiesOfAnyLevel) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = volume_tree<Dim>(4, 4);
  const Mesh<Dim> mesh(tree);
  FaceField<double> velocity(mesh);
  for (std::size_t f = 0; f < mesh.face_count(); ++f) {
    const int axis = mesh.view().axis(FaceId(f));
    velocity[FaceId(f)] = (1 + axis) * mesh.view().center(FaceId(f))[axis];
  }
  for (int level = 0; level <= 5; ++level) {
    SCOPED_TRACE(level);
    const auto volume = make_volume(mesh, velocity, {.level = level, .tolerance = 0});
    expect_voxels<Dim>(volume, 0, [&](const Vec<Dim>& p) {
      Vec3f value{};
      for (int a = 0; a < Dim; ++a) value[a] = as_voxel((1 + a) * (p[a] - volume.voxel_size / 2));
      return value;
    });
  }
}

// A velocity that is zero nowhere, kept where a sparse field is.
TYPED_TEST(VolumeTest, MaskKeepsBlocksAroundOthers) {
  constexpr int Dim = TestFixture::dim;
  const Octree<Dim> tree = volume_tree<Dim>(3, Dim == 2 ? 7 : 6);
  const Mesh<Dim> mesh(tree);
  NodeField<float> spot(mesh);
  spot[NodeId(mesh.node_count() / 3)] = 1;
  constrain(mesh, spot);
  const auto density = make_volume(mesh, spot, {.tolerance = 0});
  const VolumeMask mask({&density, &density});
  const auto velocity = random_field<NodeId, Vec<Dim, float>>(mesh, 2);
  const auto masked = make_volume(mesh, velocity, {.tolerance = 0, .within = &mask});
  const auto whole = make_volume(mesh, velocity, {.tolerance = 0});
  EXPECT_EQ(masked.tiles.size(), 0u);
  EXPECT_LT(masked.blocks.size(), whole.blocks.size());

  // Blocks are there exactly where one of the density is beside them, with the values of the whole.
  const DenseVolume<float> rho(density);
  const DenseVolume<Vec3f> part(masked), all(whole);
  EXPECT_EQ(part.mistakes(), 0);
  int wrong = 0;
  part.for_each([&](const Vec<3, int>& v) {
    bool near = false;
    for (int x = -8; x <= 8; x += 8)
      for (int y = -8; y <= 8; y += 8)
        for (int z = -8; z <= 8; z += 8) {
          const Vec<3, int> at = v + Vec<3, int>{x, y, z};
          bool inside = true;
          for (int a = 0; a < 3; ++a) inside = inside && at[a] >= 0 && at[a] < density.size[a];
          near = near || (inside && rho.kind(at) != DenseVolume<float>::Kind::nothing);
        }
    wrong += near != (part.kind(v) != DenseVolume<Vec3f>::Kind::nothing);
    if (near) wrong += !(part.value(v) == all.value(v));
  });
  EXPECT_EQ(wrong, 0);

  // The same for staggered velocities, whose large leaves are then looked at block by block.
  const auto on_faces = random_field<FaceId, float>(mesh, 2);
  const auto some = make_volume(mesh, on_faces, {.tolerance = 0, .within = &mask});
  const DenseVolume<Vec3f> some_faces(some),
      all_faces(make_volume(mesh, on_faces, {.tolerance = 0}));
  EXPECT_EQ(some.blocks.size(), masked.blocks.size());
  some_faces.for_each([&](const Vec<3, int>& v) {
    if (some_faces.kind(v) == DenseVolume<Vec3f>::Kind::active)
      wrong += !(some_faces.value(v) == all_faces.value(v));
  });
  EXPECT_EQ(wrong, 0);
}

// Two root cells of 4096 voxels: one leaf, and one split towards a corner.
TEST(Volume, ConstantLeavesBecomeTilesOfAllSizes) {
  const auto tree = Octree<3>::build({{0, 0, 0}, 1.0, {2, 1, 1}}, [](const Leaf<3>& leaf) {
    return leaf.level < 12 && length(leaf.center - Vec3d::filled(leaf.size / 2)) < 1e-9;
  });
  const Mesh<3> mesh(tree);
  const auto volume = make_volume(mesh, NodeField<float>(mesh, 2.5f));
  EXPECT_EQ(volume.blocks.size(), 0u);
  EXPECT_EQ(volume.size, (Vec<3, int>{8192, 4096, 4096}));
  std::map<int, std::size_t> count;
  double voxels = 0;
  for (std::size_t t = 0; t < volume.tiles.size(); ++t) {
    EXPECT_EQ(volume.tile_values[t], 2.5f);
    const VolumeTile& tile = volume.tiles[t];
    for (int a = 0; a < 3; ++a) ASSERT_EQ(tile.origin[a] % tile.size, 0);
    ++count[tile.size];
    voxels += std::pow(tile.size, 3);
  }
  EXPECT_EQ(voxels, 2 * std::pow(4096.0, 3));
  // Seven leaves each of 2048 ... 128 voxels, and of 64 ... 8; the last block is the eight leaves' below.
  EXPECT_EQ(count,
            (std::map<int, std::size_t>{
                {4096, 1}, {128, 7 * (4096 + 512 + 64 + 8 + 1)}, {8, 7 * (512 + 64 + 8 + 1) + 1}}));
}

// What varies within twice the tolerance is a tile of the middle value; what varies more is not.
TEST(Volume, TilesRespectTheTolerance) {
  const Octree<3> tree =
      Octree<3>::build({}, [](const Leaf<3>& l) { return l.level < 5 && l.center[0] <= 0.5; });
  const Mesh<3> mesh(tree);
  NodeField<float> field(mesh);
  for (std::size_t n = 0; n < mesh.node_count(); ++n)
    field[NodeId(n)] = 1 + 0.1f * static_cast<float>(mesh.view().position(NodeId(n))[0]);
  constrain(mesh, field);
  const auto fine = make_volume(mesh, field, {.tolerance = 0.005});
  EXPECT_EQ(fine.tiles.size(), 0u);
  const auto coarse = make_volume(mesh, field, {.tolerance = 0.02});
  EXPECT_EQ(coarse.blocks.size(), 0u);
  EXPECT_EQ(coarse.tiles.size(), 64u);
  expect_voxels<3>(coarse, 0.022f,
                   [](const Vec3d& p) { return static_cast<float>(1 + 0.1 * p[0]); });
}

TEST(Volume, BackgroundIsLeftOut) {
  const Octree<3> tree = volume_tree<3>(1, 6);
  const Mesh<3> mesh(tree);
  NodeField<float> field(mesh, 7.0f);
  const auto nothing = make_volume(mesh, field, {.background = 7});
  EXPECT_EQ(nothing.blocks.size() + nothing.tiles.size(), 0u);

  // One node in the corner of the box has a block at most; single voxels of it are background.
  field[NodeId(0)] = 8;
  const auto corner = make_volume(mesh, field, {.background = 7, .level = 5});
  EXPECT_LE(corner.tiles.size(), 0u);
  ASSERT_GE(corner.blocks.size(), 1u);
  EXPECT_EQ(corner.blocks[0].origin, (Vec<3, int>{}));
  EXPECT_TRUE(corner.blocks[0].is_active(0));

  // Hardly anything beside something large is left out, too.
  field[NodeId(0)] = 7.0001f;
  field[NodeId(mesh.node_count() - 1)] = 9;
  for (const VolumeBlock& block : make_volume(mesh, field, {.background = 7}).blocks)
    EXPECT_NE(block.origin, (Vec<3, int>{}));
}

TEST(Volume, SaysWhatIsWrong) {
  const Octree<3> tree = volume_tree<3>(1, 4);
  const Mesh<3> mesh(tree);
  NodeField<float> field(mesh, 1.0f);
  EXPECT_THROW(make_volume(mesh, field, {.level = -1}), InputError);
  EXPECT_THROW(make_volume(mesh, field, {.level = 17}), InputError);
  EXPECT_THROW(make_volume(mesh, field, {.tolerance = -1}), InputError);
  EXPECT_THROW(make_volume(mesh, field, {.tolerance = std::nan("")}), InputError);
  const auto varied = smoky_field<float>(mesh, 1);
  EXPECT_THROW(make_volume(mesh, varied, {.level = 16}), InputError);
  for (const float bad : {std::nanf(""), HUGE_VALF, -HUGE_VALF}) {
    field[NodeId(5)] = bad;
    EXPECT_THROW(make_volume(mesh, field), InputError);
    LeafField<float> pressure(mesh);
    pressure[LeafId(5)] = bad;
    EXPECT_THROW(make_volume(mesh, pressure), InputError);
    FaceField<double> velocity(mesh);
    velocity[FaceId(5)] = bad;
    EXPECT_THROW(make_volume(mesh, velocity), InputError);
  }
}

}  // namespace
}  // namespace octavo
