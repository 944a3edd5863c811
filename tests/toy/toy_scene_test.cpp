// Scenes of the toy simulation: their keys, and what is said of those that make no sense.

#include "octavo/scene/reference.h"
#include "toy/toy_run.h"

namespace octavo {
namespace {

using namespace test;

TEST(ToyScene, HelpHasItsKeys) {
  EXPECT_TRUE(says(scene_help("tracer"),
                   {"tracer: dye and markers in a given flow", "drift or spin (\"drift\")",
                    "3 numbers ([0.5, 0.5, 0.5])", "about the middle of the box, 1/s",
                    "true or false (true)", "whole number (1)", "cfl"}));
  EXPECT_TRUE(says(scene_help("scene"), {"tracer", "smoke"}));
  EXPECT_TRUE(says(scene_help("source"), {"How much dye there is", "g/l"}));
  EXPECT_TRUE(says(scene_reference(), {"\n## tracer\n", "| `release` | 3 numbers |"}));
}

TEST(ToyScene, IsWrittenAsItIsRead) {
  const SceneFile file = scene<2>({"tracer.motion=drift", "tracer.drift=[0.25, -1]"});
  const std::string text = scene_text(file.scene);
  EXPECT_EQ(scene_text(parse_scene(text, "toy.toml", ".").scene), text);
  const auto values = scene_values(file.scene);
  EXPECT_EQ(values.at("tracer.drift"), "[ 0.25, -1.0 ]");
  EXPECT_EQ(values.at("tracer.triangles"), "true");
  EXPECT_EQ(values.at("source[0].dye"), "1.0");
}

// Each with its place.
TEST(ToyScene, SaysWhatIsWrong) {
  const auto wrong = [](const std::string& text) {
    return complaint([&] { parse_scene("domain.size = [1, 1]\n" + text, "a.toml", "."); });
  };
  EXPECT_TRUE(says(wrong("[smoke]\nlift = 1\n[tracer]\nspin = 1\n"),
                   {"a.toml:4:", "[smoke]", "[tracer]", "not about both"}));
  EXPECT_TRUE(says(wrong("[tracer]\nspim = 1\n"), {"a.toml:3:1:", "no 'spim'", "'spin'"}));
  EXPECT_TRUE(says(wrong("[tracer]\nlift = 1\n"), {"a.toml:3:1:", "'tracer' has no 'lift'"}));
  EXPECT_TRUE(says(wrong("[tracer]\nmotion = \"spinn\"\n"), {"a.toml:3:10:", "drift or spin"}));
  EXPECT_TRUE(says(wrong("[tracer]\ndrift = [1, 2, 3]\n"), {"a.toml:3:9:", "2 numbers"}));
  EXPECT_TRUE(says(wrong("[tracer]\nevery = 0\n"), {"a.toml:3:9:", "at least 1"}));
  EXPECT_TRUE(says(wrong("[tracer]\ntriangles = 1\n"), {"a.toml:3:13:", "true or false"}));
  EXPECT_TRUE(
      says(wrong("[tracer]\nmotion = \"spin\"\nspin = 0\n"), {"a.toml:2:1:", "other than 0"}));
  const std::string ball = "shape.sphere = { center = [0.5, 0.5], radius = 0.2 }\n";
  EXPECT_TRUE(says(wrong("[tracer]\nspin = 1\n[[source]]\n" + ball + "density = 1\n"),
                   {"a.toml:6:1:", "no 'density'", "dye"}));
  EXPECT_TRUE(says(wrong("[tracer]\nspin = 1\n[[source]]\n" + ball), {"a.toml:4:1:", "a dye"}));
  EXPECT_TRUE(says(wrong("[tracer]\nspin = 1\n[[scalar]]\nname = \"age\"\n"),
                   {"a.toml:5:8:", "'age' is taken"}));
  EXPECT_TRUE(says(wrong("[tracer]\nspin = 1\n[output]\nvolume = [\"density\"]\n"),
                   {"a.toml:5:", "no field 'density'", "dye, age, velocity and pressure"}));
}

// Which sources do not set, and rules do not look at: it is on leaves.
TEST(ToyScene, SaysWhatIsWrongWithAFieldOfLeaves) {
  EXPECT_TRUE(says(complaint([] { scene<2>({"source[0].age=1"}); }), {"source cannot set 'age'"}));
  EXPECT_TRUE(says(complaint([] { scene<2>({"refine[0].field=age"}); }),
                   {"no field 'age' to refine by; there are dye and salt"}));
  const TemporaryFolder folder;
  run(scene<2>({"output.frames=[0, 0]", "output.picture=[]"}, "[[initial]]\nage = 3\n"),
      folder / "out");
  EXPECT_EQ(rows_of(folder / "out" / "probe" / "here.csv").at(1).at(5), 3);
}

}  // namespace
}  // namespace octavo
