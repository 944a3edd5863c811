#include "octavo/output/checkpoint_grid.h"

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "octavo/output/checkpoint.h"
#include "octavo/scene/build.h"
#include "support/random_tree.h"

namespace octavo {
namespace {

template <class D>
class CheckpointGridTest : public test::BothDims<D> {};
TYPED_TEST_SUITE(CheckpointGridTest, test::Dims);

// Smoke that has moved for two steps in a box of its own size and place, with a further scalar.
template <int Dim>
SceneFile scene() {
  const std::string vector = Dim == 2 ? "[{}, {}]" : "[{0}, {1}, {1}]";
  auto point = [&](double x, double y) { return fmt::format(fmt::runtime(vector), x, y); };
  return parse_scene(
      fmt::format("title = \"It's \\\"smoke\\\"\"\nup = \"y\"\n[domain]\nsize = {}\norigin = {}\n"
                  "[grid]\nmin_level = 2\nmax_level = 4\n[[refine]]\nby = \"sources\"\n"
                  "[[scalar]]\nname = \"soot\"\n[[source]]\n"
                  "shape = {{ sphere = {{ center = {}, radius = 0.2 }} }}\n"
                  "density = 1.0\ntemperature = 3.0\nscalars = {{ soot = 0.5 }}\n",
                  point(0.6, 0.3), point(-1, 0.7), point(-0.7, 0.8)),
      "a.toml", ".");
}

template <class Place>
void expect_same(const Field<Place, float>& read, const Field<Place, float>& kept) {
  const auto a = read.view(), b = kept.view();
  EXPECT_GT(a.size(), 0u);
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin(), b.end()));
}

TYPED_TEST(CheckpointGridTest, IsTheGridOfTheSimulation) {
  constexpr int Dim = TestFixture::dim;
  const TemporaryFolder folder;
  const SceneFile file = scene<Dim>();
  const auto& s = std::get<Scene<Dim>>(file.scene);
  const auto smoke = simulation_of(s, *file.files);
  smoke->start(start_of(s, *file.files));
  smoke->step(0.05);
  smoke->step(0.05);
  write_checkpoint(folder / "a.h5", "smoke", smoke->state(), {{7, 0}, 0, 0}, SceneRecord::of(file));

  const AnyCheckpointGrid any = read_checkpoint_grid(folder / "a.h5");
  ASSERT_TRUE(std::holds_alternative<CheckpointGrid<Dim>>(any));
  const auto& c = std::get<CheckpointGrid<Dim>>(any);
  EXPECT_EQ(c.grid.tree().domain(), smoke->grid().tree().domain());
  const auto read = c.grid.tree().keys(), kept = smoke->grid().tree().keys();
  EXPECT_TRUE(std::equal(read.begin(), read.end(), kept.begin(), kept.end()));
  ASSERT_EQ(c.fields.columns().size(), 5u);
  auto compare = [&]<class F>(const char* name) {
    const F* here = c.fields.find(name)->template as<F>();
    ASSERT_NE(here, nullptr) << name;
    expect_same(*here, *smoke->fields().find(name)->template as<F>());
  };
  for (const char* name : {"density", "temperature", "soot"})
    compare.template operator()<NodeField<float>>(name);
  compare.template operator()<LeafField<float>>("pressure");
  compare.template operator()<FaceField<float>>("velocity");
  EXPECT_EQ(c.title, "It's \"smoke\"");
  EXPECT_EQ(c.up_axis, 1);
  EXPECT_EQ(c.time, smoke->time());
  EXPECT_EQ(c.frame, 7);
}

// Whose voxels would be too small for a file on the usual levels.
TYPED_TEST(CheckpointGridTest, OfASmallBox) {
  constexpr int Dim = TestFixture::dim;
  const TemporaryFolder folder;
  const SceneFile file =
      parse_scene(fmt::format("[domain]\nsize = {}\n[grid]\nmin_level = 2\nmax_level = 3\n",
                              Dim == 2 ? "[0.0002, 0.0002]" : "[0.0002, 0.0002, 0.0002]"),
                  "small.toml", ".");
  const auto& s = std::get<Scene<Dim>>(file.scene);
  const auto smoke = simulation_of(s, *file.files);
  smoke->start(start_of(s, *file.files));
  write_checkpoint(folder / "a.h5", "smoke", smoke->state(), {}, SceneRecord::of(file), {});
  const auto c = std::get<CheckpointGrid<Dim>>(read_checkpoint_grid(folder / "a.h5"));
  EXPECT_EQ(c.grid.tree().domain(), smoke->grid().tree().domain());
}

TYPED_TEST(CheckpointGridTest, RefusesWhatContradictsItself) {
  constexpr int Dim = TestFixture::dim;
  const TemporaryFolder folder;
  const SceneFile file = scene<Dim>();
  const auto& s = std::get<Scene<Dim>>(file.scene);
  const auto smoke = simulation_of(s, *file.files);
  smoke->start(start_of(s, *file.files));
  auto refused = [&](const std::string& key, const std::string& value) {
    SceneRecord record = SceneRecord::of(file);
    if (value.empty())
      record.values.erase(key);
    else
      record.values[key] = value;
    write_checkpoint(folder / "a.h5", "smoke", smoke->state(), {}, record);
    try {
      read_checkpoint_grid(folder / "a.h5");
    } catch (const InputError& e) {
      return std::string(e.what()).find("a.h5' cannot be used") != std::string::npos;
    }
    return false;
  };
  EXPECT_FALSE(refused("title", "\"other\""));
  EXPECT_TRUE(refused("domain.size", ""));
  EXPECT_TRUE(refused("domain.size", Dim == 2 ? "[ 1.0, 1.0, 1.0 ]" : "[ 1.0, 1.0 ]"));
  EXPECT_TRUE(refused("domain.size", "nonsense"));
  EXPECT_TRUE(refused("domain.size", Dim == 2 ? "[ 6.0, 1.0 ]" : "[ 6.0, 1.0, 1.0 ]"));
  EXPECT_TRUE(refused("scalar[1].name", "\"more\""));
  EXPECT_THROW(read_checkpoint_grid(put_text(folder / "b.h5", "nothing")), InputError);
}

}  // namespace
}  // namespace octavo
