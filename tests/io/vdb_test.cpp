#include "octavo/io/vdb.h"
#include "octavo/io/openvdb_grids.h"

#include <gtest/gtest.h>
#include <openvdb/io/Stream.h>

#include <thread>

#include "file_size_limit.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/vdb_tag.h"
#include "support/dense_volume.h"
#include "support/sanitized.h"
#include "support/volume_tree.h"
#include "temporary_folder.h"

// Whether other programs understand the files is the question of tests/clients/read_vdb.py.

namespace octavo {
namespace {

using test::center_of;
using test::DenseVolume;

// A tree with fields on it, as volumes.
struct Scene {
  Octree<3> tree = test::volume_tree<3>(1, 5);
  Mesh<3> mesh{tree};
  Volume<float> density = make_volume(mesh, test::smoky_field<float>(mesh, 1));
  Volume<Vec3f> velocity = make_volume(mesh, test::smoky_field<Vec3f>(mesh, 2));
  Volume<Vec3f> on_faces = make_volume(mesh, test::random_field<FaceId, float>(mesh, 3));

  VdbFile file(const VdbOptions& options = {}) const {
    return make_vdb({{"density", density, {{"unit", "kg/m3"}}},
                     {"velocity", velocity},
                     {"velocity_on_faces", on_faces}},
                    {{"frame", 12}, {"time", 0.5}, {"program", "octavo"}}, options);
  }
};

std::filesystem::path write(const std::filesystem::path& path, const VdbFile& file) {
  write_vdb(path, file);
  return path;
}

template <class F>
std::string input_error(F&& f) {
  try {
    f();
  } catch (const InputError& error) {
    return error.what();
  }
  return "no error";
}

void expect_says(const std::string& message, const std::string& text) {
  EXPECT_NE(message.find(text), std::string::npos) << message;
}

TEST(Vdb, SameBytesEveryTime) {
  TemporaryFolder folder;
  std::string first;
  for (const int count : {1, 2, 5}) {
    set_threads(count);
    const Scene scene;
    const VdbFile file = scene.file();
    const std::string once = read_text(write(folder / "a.vdb", file));
    std::string again;
    std::thread([&] { again = read_text(write(folder / "b.vdb", file)); }).join();
    if (first.empty()) first = once;
    EXPECT_GT(once.size(), 10000u);
    EXPECT_TRUE(once == first);
    EXPECT_TRUE(again == first);
  }
  set_threads(0);
  EXPECT_EQ(folder.file_count(), 2u);
}

// Other contents have another tag, and the tag is the one of the contents.
TEST(Vdb, TagTellsContents) {
  TemporaryFolder folder;
  const Scene scene;
  const std::string half = read_text(write(folder / "half.vdb", scene.file()));
  const std::string full = read_text(write(folder / "full.vdb", scene.file({.half = false})));
  EXPECT_NE(half.substr(vdb_tag_begin, vdb_tag_size), full.substr(vdb_tag_begin, vdb_tag_size));
  EXPECT_EQ(half.substr(vdb_tag_begin, vdb_tag_size), vdb_tag(half));
  EXPECT_EQ(check_vdb_tag(half), VdbTagCheck::right);
  EXPECT_EQ(check_vdb_tag(half + "x"), VdbTagCheck::wrong);
  EXPECT_EQ(check_vdb_tag("text"), VdbTagCheck::foreign);
}

TEST(Vdb, ReadsBackWhatWasWritten) {
  TemporaryFolder folder;
  const Scene scene;
  for (const bool half : {true, false}) {
    const float rounding = half ? 0x1p-11f : 0;
    const auto path = write(folder / "a.vdb", scene.file({.half = half, .compress = half}));
    const VolumeGrid density = read_vdb_grid(path, "density");
    const VolumeGrid velocity = read_vdb_grid(path, "velocity");
    EXPECT_FALSE(density.is_vector());
    EXPECT_TRUE(velocity.is_vector());
    const DenseVolume<float> rho(scene.density);
    const DenseVolume<Vec3f> u(scene.velocity);
    int wrong = 0;
    rho.for_each([&](const Vec<3, int>& v) {
      const Vec3d p = center_of<3>(scene.density, v);
      wrong += !(std::abs(density.number_at(p) - rho.value(v)) <= rounding + 1e-6f);
      const Vec3d error = velocity.vector_at(p) - u.value(v).cast<double>();
      wrong += !(length(error) <= 2 * rounding + 1e-6f);
    });
    EXPECT_EQ(wrong, 0);
  }
}

TEST(Vdb, InterpolatesBetweenVoxels) {
  TemporaryFolder folder;
  const Octree<3> tree =
      Octree<3>::build({{1, 2, 3}, 2.0, {1, 1, 1}}, [](const Leaf<3>& l) { return l.level < 4; });
  const Mesh<3> mesh(tree);
  NodeField<float> nodal(mesh);
  FaceField<float> on_faces(mesh);
  auto linear = [](const Vec3d& p) { return p[0] + 2 * p[1] - 4 * p[2]; };
  for (std::size_t n = 0; n < mesh.node_count(); ++n)
    nodal[NodeId(n)] = static_cast<float>(linear(mesh.view().position(NodeId(n))));
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    on_faces[FaceId(f)] = static_cast<float>(linear(mesh.view().center(FaceId(f))));
  const auto path =
      write(folder / "a.vdb", make_vdb({{"number", make_volume(mesh, nodal, {.background = -9})},
                                        {"velocity", make_volume(mesh, on_faces)}},
                                       {}, {.half = false}));
  const VolumeGrid number = read_vdb_grid(path, "number"),
                   velocity = read_vdb_grid(path, "velocity");
  const Random random(3);
  for (std::uint32_t i = 0; i < 100; ++i) {
    const Vec3d p = Vec3d{1.2, 2.2, 3.2} +
                    1.6 * Vec3d{random.uniform(i), random.uniform(i, 1), random.uniform(i, 2)};
    EXPECT_NEAR(number.number_at(p), linear(p), 1e-5);
    for (int a = 0; a < 3; ++a) EXPECT_NEAR(velocity.vector_at(p)[a], linear(p), 1e-5);
  }
  const double nan = std::nan("");
  for (const Vec3d& far :
       {Vec3d{0, 0, 0}, Vec3d{1e300, 2, 3}, Vec3d{nan, 2, 3}, Vec3d{2, 2, -HUGE_VAL}}) {
    EXPECT_EQ(number.number_at(far), -9);
    EXPECT_EQ(velocity.vector_at(far), Vec3d{});
  }
  expect_says(input_error([&] { number.vector_at({}); }), "'number' has numbers");
  expect_says(input_error([&] { velocity.number_at({}); }), "'velocity' has vectors");
}

// A quadtree is a slab around z = 0, where the reader finds it.
TEST(Vdb, Quadtree) {
  TemporaryFolder folder;
  const Octree<2> tree = test::volume_tree<2>(3, 5);
  const Mesh<2> mesh(tree);
  const auto field = test::smoky_field<float>(mesh, 1);
  const auto volume = make_volume(mesh, field);
  const auto path = write(folder / "a.vdb", make_vdb({{"density", volume}}));
  const VolumeGrid grid = read_vdb_grid(path, "density");
  DenseVolume<float>(volume).for_each([&](const Vec<3, int>& v) {
    const Vec2d p = center_of<2>(volume, v);
    EXPECT_NEAR(grid.number_at({p[0], p[1], 0}), sample<float>(mesh.view(), field.view(), p), 1e-3);
  });
  const VdbContents contents = vdb_contents(path);
  EXPECT_EQ(contents.grids[0].lo[2], 0);
  EXPECT_EQ(contents.grids[0].hi[2], 0);
}

TEST(Vdb, TellsContents) {
  TemporaryFolder folder;
  const Scene scene;
  const VdbContents contents = vdb_contents(write(folder / "a.vdb", scene.file()));
  EXPECT_EQ(contents.metadata.at("frame"), "12");
  EXPECT_EQ(contents.metadata.at("time"), "0.5");
  EXPECT_EQ(contents.metadata.at("program"), "octavo");
  ASSERT_EQ(contents.grids.size(), 3u);
  const VdbGridInfo& density = contents.grids[0];
  EXPECT_EQ(density.name, "density");
  EXPECT_EQ(density.type, "float");
  EXPECT_EQ(density.grid_class, "fog volume");
  EXPECT_TRUE(density.half);
  EXPECT_EQ(density.voxel_size, Vec3d::filled(scene.density.voxel_size));
  EXPECT_EQ(density.metadata.at("unit"), "kg/m3");
  EXPECT_EQ(contents.grids[1].name, "velocity");
  EXPECT_EQ(contents.grids[1].type, "vec3s");
  EXPECT_EQ(contents.grids[1].grid_class, "unknown");
  EXPECT_EQ(contents.grids[2].grid_class, "staggered");

  std::uint64_t voxels = 0;
  Vec<3, int> lo = Vec<3, int>::filled(1 << 30), hi{};
  const DenseVolume<float> dense(scene.density);
  dense.for_each([&](const Vec<3, int>& v) {
    using Kind = DenseVolume<float>::Kind;
    if (dense.kind(v) != Kind::active && dense.kind(v) != Kind::tile) return;
    ++voxels;
    lo = min(lo, v);
    hi = max(hi, v);
  });
  EXPECT_EQ(density.active_voxels, voxels);
  EXPECT_EQ(density.lo, lo);
  EXPECT_EQ(density.hi, hi);
  EXPECT_GT(density.memory_bytes, 4 * scene.density.values.size());
  EXPECT_GT(density.bytes, scene.density.values.size());
  EXPECT_LT(density.bytes, 3 * scene.density.values.size());
}

// Half numbers are used only where they are good enough.
TEST(Vdb, KeepsWhatHalfWouldSpoil) {
  TemporaryFolder folder;
  const Octree<3> tree = test::volume_tree<3>(1, 5);
  const Mesh<3> mesh(tree);
  const NodeField<float> smoke = test::smoky_field<float>(mesh, 1);
  auto half_of = [&](float factor, float background) {
    NodeField<float> field = smoke;
    for (float& x : field.view()) x = x * factor + background;
    const auto volume = make_volume(mesh, field, {.background = background});
    write_vdb(folder / "a.vdb", make_vdb({{"x", volume}}));
    return vdb_contents(folder / "a.vdb").grids.at(0).half;
  };
  EXPECT_TRUE(half_of(1, 0));
  EXPECT_TRUE(half_of(500, 293));
  EXPECT_FALSE(half_of(10, 293));
  EXPECT_FALSE(half_of(1e5f, 0));
  EXPECT_FALSE(half_of(1e-5f, 0));
}

TEST(Vdb, EmptyFilesAndGrids) {
  TemporaryFolder folder;
  EXPECT_TRUE(vdb_contents(write(folder / "a.vdb", make_vdb({}))).grids.empty());
  const Octree<3> tree;
  const Mesh<3> mesh(tree);
  const auto nothing = make_volume(mesh, NodeField<float>(mesh));
  const VdbContents contents = vdb_contents(write(folder / "a.vdb", make_vdb({{"x", nothing}})));
  EXPECT_EQ(contents.grids.at(0).active_voxels, 0u);
  EXPECT_GT(contents.grids[0].lo[0], contents.grids[0].hi[0]);
  EXPECT_EQ(read_vdb_grid(folder / "a.vdb", "x").number_at({0.5, 0.5, 0.5}), 0);
}

TEST(Vdb, RefusesWhatItCannotWrite) {
  TemporaryFolder folder;
  const Scene scene;
  EXPECT_THROW(make_vdb({{"a", scene.density}, {"a", scene.velocity}}), InputError);
  const VdbFile file = scene.file();
  EXPECT_THROW(write_vdb(folder / "none/a.vdb", file), FileError);
  put_text(folder / "a.vdb", "old");
  {
    const FileSizeLimit limit(5000);
    EXPECT_THROW(write_vdb(folder / "a.vdb", file), FileError);
  }
  EXPECT_EQ(read_text(folder / "a.vdb"), "old");
  EXPECT_EQ(folder.file_count(), 1u);
}

// OpenVDB has no place for voxels that are much smaller, and other programs could not read them.
TEST(Vdb, SmallestVoxels) {
  TemporaryFolder folder;
  for (const double size : {smallest_vdb_voxel, 1e-5, 1e-6, 1e-9}) {
    const Octree<3> tree = Octree<3>::build({{1, 2, 3}, 4 * size, {1, 1, 1}},
                                            [](const Leaf<3>& l) { return l.level < 2; });
    const Mesh<3> mesh(tree);
    const auto volume = make_volume(mesh, NodeField<float>(mesh));
    if (size == smallest_vdb_voxel)
      EXPECT_NEAR(
          vdb_contents(write(folder / "a.vdb", make_vdb({{"x", volume}}))).grids[0].voxel_size[0],
          size, 1e-9 * size);
    else
      expect_says(input_error([&] { make_vdb({{"x", volume}}); }), "1.5e-05 m is the least");
  }
}

TEST(Vdb, SaysWhatIsWrongWithAFile) {
  TemporaryFolder folder;
  const Scene scene;
  const auto path = write(folder / "a.vdb", scene.file());
  auto says = [&](const std::filesystem::path& file, const std::string& text) {
    for (const std::string& message : {input_error([&] { read_vdb_grid(file, "density"); }),
                                       input_error([&] { vdb_contents(file); })}) {
      expect_says(message, text);
      expect_says(message, file.string());
    }
  };
  says(folder / "none.vdb", "does not exist");
  says(folder.path(), "is not a file");
  says(put_text(folder / "empty.vdb", ""), "ends too early");
  says(put_text(folder / "text.vdb", "These are not the voxels you are looking for."),
       "cannot be read");
  expect_says(input_error([&] { read_vdb_grid(path, "fuel"); }),
              "has no grid 'fuel'; it has 'density', 'velocity', 'velocity_on_faces'");
}

// Files of ours that have changed anywhere are refused, whatever OpenVDB would make of them.
TEST(Vdb, DamagedFiles) {
  TemporaryFolder folder;
  const Scene scene;
  const std::string good =
      read_text(write(folder / "good.vdb", make_vdb({{"density", scene.density}})));
  auto refused = [&](const std::string& contents) {
    const auto path = put_text(folder / "bad.vdb", contents);
    const std::string message = input_error([&] { read_vdb_grid(path, "density"); });
    return message.find(path.string()) != std::string::npos &&
           input_error([&] { vdb_contents(path); }) != "no error";
  };
  for (std::size_t bytes = 0; bytes < good.size(); bytes += 1 + bytes / 8)
    EXPECT_TRUE(refused(good.substr(0, bytes))) << bytes;
  EXPECT_TRUE(refused(good + "more"));
  for (std::size_t at = 0; at < good.size(); at += 1 + at / 16) {
    std::string bad = good;
    bad[at] = static_cast<char>(bad[at] ^ 0x10);
    const bool in_mark =
        at >= vdb_tag_begin && at < vdb_tag_begin + 9;  // looks like another program's
    EXPECT_TRUE(refused(bad) || in_mark) << at;
  }
}

// Files without a tag of ours that end too early are refused as well; OpenVDB itself would read some of them.
TEST(Vdb, TruncatedFilesOfOthers) {
  TemporaryFolder folder;
  const Scene scene;
  std::string good = read_text(write(folder / "good.vdb", scene.file()));
  good.replace(vdb_tag_begin, 8, "01234567");
  EXPECT_FALSE(read_vdb_grid(put_text(folder / "good.vdb", good), "density").is_vector());
  for (std::size_t bytes = 0; bytes < good.size(); bytes += 1 + bytes / (test::sanitized ? 3 : 8)) {
    const auto path = put_text(folder / "bad.vdb", good.substr(0, bytes));
    expect_says(input_error([&] { read_vdb_grid(path, "velocity_on_faces"); }), path.string());
    expect_says(input_error([&] { vdb_contents(path); }), path.string());
  }
}

// A file of another program with all that OpenVDB does not check: lengths, numbers of nodes, compressed blocks.
std::string foreign_file(const TemporaryFolder& folder, std::uint32_t compression, bool positions) {
  openvdb::initialize();
  const auto density = openvdb::FloatGrid::create(0.0f);
  density->setName("density");
  density->tree().root().sparseFill({{0, 0, 0}, {20, 30, 200}}, 1.0f);
  for (int i = 0; i < 500; ++i)
    density->tree().setValue({i % 7, i % 31, i}, 0.01f * static_cast<float>(i));
  std::ofstream out(folder / "foreign.vdb", std::ios::binary);
  openvdb::io::Stream stream(out);
  stream.setCompression(compression);
  if (!positions) {
    stream.write(openvdb::GridCPtrVec{density});
  } else {
    openvdb::io::File file((folder / "foreign.vdb").string());
    file.setCompression(compression);
    file.write(openvdb::GridCPtrVec{density});
  }
  out.close();
  return read_text(folder / "foreign.vdb");
}

// Each in a process of its own, so that a crash does not end all tests: whatever the bytes are, there is a grid or a
// sentence.
TEST(Vdb, DamagedFilesOfOthers) {
  TemporaryFolder folder;
  const Random random(7);
  std::uint64_t n = 0;
  auto below = [&](std::size_t most) {
    return static_cast<std::size_t>(random.below(static_cast<std::uint32_t>(most), n++));
  };
  for (const int compression : {0 + openvdb::io::COMPRESS_NONE,
                                openvdb::io::COMPRESS_ZIP | openvdb::io::COMPRESS_ACTIVE_MASK,
                                openvdb::io::COMPRESS_BLOSC | openvdb::io::COMPRESS_ACTIVE_MASK}) {
    const auto kind = static_cast<std::uint32_t>(compression);
    const std::string placed = foreign_file(folder, kind, true),
                      streamed = foreign_file(folder, kind, false);
    for (int i = 0; i < (test::sanitized ? 12 : 40); ++i) {
      std::string bad = i % 4 != 0 ? placed : streamed;
      const std::size_t first = below(i % 2 == 0 ? 2000 : bad.size() - 8);
      for (std::size_t at = first; at < first + 1 + below(8); ++at)
        bad[at] = static_cast<char>(below(256));
      const auto path = put_text(folder / "bad.vdb", bad);
      try {
        vdb_contents(path);
        read_vdb_grid(path, "density").number_at({3, 3, 3});
      } catch (const InputError& error) {
        expect_says(error.what(), path.string());
      }
    }
  }
}

// Grids of other programs: without statistics, in double precision, of other types.
TEST(Vdb, OtherKindsOfGrids) {
  TemporaryFolder folder;
  openvdb::initialize();
  const auto number = openvdb::DoubleGrid::create(1.5);
  number->setName("number");
  number->tree().setValue({1, 2, 3}, 4.0);
  const auto vector = openvdb::Vec3DGrid::create(openvdb::Vec3d(0));
  vector->setName("vector");
  vector->tree().setValue({1, 2, 3}, {1.0, 2.0, 3.0});
  const auto flag = openvdb::BoolGrid::create(false);
  flag->setName("flag");
  openvdb::io::File file((folder / "a.vdb").string());
  file.setGridStatsMetadataEnabled(false);
  file.write(openvdb::GridCPtrVec{number, vector, flag});
  EXPECT_EQ(read_vdb_grid(folder / "a.vdb", "number").number_at({1, 2, 3}), 4);
  EXPECT_EQ(read_vdb_grid(folder / "a.vdb", "number").number_at({1, 2, 2.5}), 2.75);
  EXPECT_EQ(read_vdb_grid(folder / "a.vdb", "vector").vector_at({1, 2, 3}), (Vec3d{1, 2, 3}));
  expect_says(input_error([&] { read_vdb_grid(folder / "a.vdb", "flag"); }), "type bool");
  const VdbContents contents = vdb_contents(folder / "a.vdb");
  ASSERT_EQ(contents.grids.size(), 3u);
  EXPECT_EQ(contents.grids[1].name, "number");
  EXPECT_EQ(contents.grids[1].type, "double");
  EXPECT_EQ(contents.grids[1].active_voxels, 1u);
  EXPECT_EQ(contents.grids[1].lo, (Vec<3, int>{1, 2, 3}));
}

}  // namespace
}  // namespace octavo
