// The toy simulation goes on from checkpoints, and only from its own.

#include "octavo/io/mesh_import.h"
#include "octavo/output/checkpoint.h"
#include "octavo/scene/build.h"
#include "toy/toy_run.h"

namespace octavo {
namespace {

using namespace test;

template <class D>
class ToyResume : public ToyRun<D> {};
TYPED_TEST_SUITE(ToyResume, Dims);

// All files of the run by the names they have in its folder, but for log and scene, which tell when and where it was
// run, and for what is hidden; and checkpoints, which tell it, too.
std::map<std::string, std::string> files_of(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const fs::path name = fs::relative(entry.path(), folder);
    if (entry.is_regular_file() && name.has_parent_path() && name.extension() != ".h5" &&
        !name.filename().string().starts_with("."))
      files[name.string()] = read_text(entry.path());
  }
  return files;
}

template <int Dim>
void expect_same_state(const fs::path& one, const fs::path& other) {
  const ArchiveReader archive(one), archive_of_other(other);
  const StoredState<Dim> stored(archive, read_checkpoint_header(archive)),
      stored_by_other(archive_of_other, read_checkpoint_header(archive_of_other));
  const SavedState<Dim>&p = stored.state(), &q = stored_by_other.state();
  EXPECT_EQ(p.time, q.time);
  EXPECT_EQ(p.steps, q.steps);
  EXPECT_TRUE(std::ranges::equal(p.leaves, q.leaves));
  EXPECT_EQ(p.arrays.size(), 7u);  // five fields, and places and births of markers
  ASSERT_EQ(p.arrays.size(), q.arrays.size());
  for (const SavedNumber& n : p.numbers) EXPECT_EQ(n.value, q.number(n.name)) << n.name;
  for (const SavedArray& a : p.arrays)
    std::visit(
        [&]<class T>(View<const T> values) {
          EXPECT_GT(values.size(), 0u) << a.name;
          EXPECT_TRUE(std::ranges::equal(values, q.template array<T>(a.name))) << a.name;
        },
        a.values);
}

template <int Dim>
void expect_same_run(const fs::path& one, const fs::path& other) {
  const auto files = files_of(one), others = files_of(other);
  EXPECT_GT(files.size(), 40u);
  for (const auto& [name, bytes] : files)
    EXPECT_TRUE(others.contains(name) && others.at(name) == bytes) << name;
  EXPECT_EQ(files.size(), others.size());
  expect_same_state<Dim>(one / "checkpoint" / "toy.0006.h5", other / "checkpoint" / "toy.0006.h5");
}

// A file of frame 4 cannot be written, which a run finds out before it has a checkpoint of that frame.
TYPED_TEST(ToyResume, ResumesAsIfNothingHadBeen) {
  constexpr int Dim = TestFixture::dim;
  const fs::path broken = *this->folder_ / "broken", in_the_way = broken / "volume/toy.0004.vdb";
  fs::create_directories(in_the_way / "something");
  EXPECT_THROW(run(scene<Dim>(), broken), FileError);
  EXPECT_TRUE(fs::exists(broken / "checkpoint" / "toy.0002.h5"));
  EXPECT_FALSE(fs::exists(broken / "checkpoint" / "toy.0004.h5"));
  fs::remove_all(in_the_way);
  run(scene<Dim>(), broken, true);
  expect_same_run<Dim>(broken, this->out());
}

TYPED_TEST(ToyResume, ResumesWithinAFrame) {
  constexpr int Dim = TestFixture::dim;
  const fs::path half = *this->folder_ / "half";
  fs::copy(this->out(), half, fs::copy_options::recursive);
  for (const auto& [name, bytes] : files_of(half))
    if (name.find(".0005.") != std::string::npos || name.find(".0006.") != std::string::npos)
      fs::remove(half / name);
  fs::remove(half / "checkpoint" / "toy.0006.h5");
  const SceneFile file = scene<Dim>();
  const auto simulation = simulation_of(std::get<Scene<Dim>>(file.scene), *file.files);
  const ArchiveReader archive(half / "checkpoint" / "toy.0004.h5");
  const CheckpointHeader header = read_checkpoint_header(archive);
  EXPECT_EQ(header.simulation, "tracer");
  simulation->restore(StoredState<Dim>(archive, header).state());
  ASSERT_EQ(simulation->substeps_for(1.0 / 24), 2);
  simulation->step(0.5 / 24);
  const fs::path within = half / "checkpoint" / "toy.0004+1.h5";
  write_checkpoint(within, header.simulation, simulation->state(), {{4, 1}, 2, 0.5 / 24},
                   header.scene);
  run(file, half, true);
  fs::remove(within);
  expect_same_run<Dim>(half, this->out());
}

// Points as they were, but for one coordinate.
TYPED_TEST(ToyResume, RefusesMarkersThatMakeNoSense) {
  constexpr int Dim = TestFixture::dim;
  const SceneFile file = scene<Dim>();
  const auto simulation = simulation_of(std::get<Scene<Dim>>(file.scene), *file.files);
  const ArchiveReader archive(this->out() / "checkpoint" / "toy.0006.h5");
  const StoredState<Dim> stored(archive, read_checkpoint_header(archive));
  SavedState<Dim> state = stored.state();
  EXPECT_EQ(state.template array<std::int32_t>("marker births").size(), 6u);
  for (SavedArray& a : state.arrays)
    if (a.name == "marker places")
      a.values = View<const double>(std::get<View<const double>>(a.values).data(), 3 * Dim + 1);
  EXPECT_TRUE(says(complaint([&] { simulation->restore(state); }), {"markers make no sense"}));
  std::erase_if(state.arrays, [](const SavedArray& a) { return a.name == "marker places"; });
  EXPECT_TRUE(says(complaint([&] { simulation->restore(state); }), {"no marker places"}));
}

TYPED_TEST(ToyResume, CheckpointsAreNotForSmoke) {
  if (TestFixture::dim != 2) return;
  const SceneFile smoke = parse_scene(smoke_scene, "toy.toml", ".");
  const std::vector<std::string> both{"[tracer]", "[smoke]", "checkpoint"};
  EXPECT_TRUE(says(complaint([&] { run(smoke, this->out(), true); }), both));
  const RunOptions branch{.folder = *this->folder_ / "branch",
                          .from = BranchPoint{this->out(), 6},
                          .progress = ProgressKind::quiet};
  EXPECT_TRUE(says(complaint([&] { run_scene(smoke, branch); }), both));
  EXPECT_FALSE(fs::exists(branch.folder));
}

TYPED_TEST(ToyResume, GoesOnFromACheckpointElsewhere) {
  constexpr int Dim = TestFixture::dim;
  const fs::path folder = *this->folder_ / "from";
  run_scene(
      scene<Dim>({"tracer.every=1"}),
      {.folder = folder, .from = BranchPoint{this->out(), 4}, .progress = ProgressKind::quiet});
  EXPECT_EQ(read_surface_mesh(folder / "mesh" / "toy.markers.0006.ply").triangles.size(), 8u);
}

TEST(ToyCheckpoint, MarkersAreNotForTheSmokeBefore) {
  const TemporaryFolder folder;
  run(parse_scene(smoke_scene, "toy.toml", "."), folder / "out");
  const std::vector<std::string> both{"[smoke]", "[tracer]", "checkpoint"};
  EXPECT_TRUE(says(complaint([&] { run(scene<2>(), folder / "out", true); }), both));
  const RunOptions branch{.folder = folder / "branch",
                          .from = BranchPoint{folder / "out", 2},
                          .progress = ProgressKind::quiet};
  EXPECT_TRUE(says(complaint([&] { run_scene(scene<2>(), branch); }), both));
}

// The only one leaves through an open wall, and there is nothing to be saved of it, nor to be drawn.
TEST(ToyCheckpoint, MayHaveNoMarkers) {
  const TemporaryFolder folder;
  std::vector<std::string> changes{"walls.default=open", "tracer.motion=drift",
                                   "tracer.release=[0.999, 0.5]", "tracer.every=1000",
                                   "output.picture=[]"};
  for (const int last : {2, 3}) {
    changes.push_back(fmt::format("output.frames=[1, {}]", last));
    run(scene<2>(changes), folder / "out", last == 3);
    const ArchiveReader archive(folder / "out" / "checkpoint" / fmt::format("toy.000{}.h5", last));
    const StoredState<2> stored(archive, read_checkpoint_header(archive));
    EXPECT_EQ(stored.state().array<double>("marker places").size(), 0u);
    EXPECT_EQ(stored.state().number("markers let go"), 1);
  }
  EXPECT_TRUE(fs::exists(folder / "out" / "mesh" / "toy.markers.0003.ply"));
}

}  // namespace
}  // namespace octavo
