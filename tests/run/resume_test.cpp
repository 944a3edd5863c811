// What the command line cannot bring about: checkpoints with nothing wrong about the file, only with what is
// in it.

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

#include "io/temporary_folder.h"
#include "octavo/io/archive.h"
#include "octavo/run/run.h"

namespace octavo {
namespace {

namespace fs = std::filesystem;

constexpr const char* small_scene = R"(
domain.size = [1, 1]
grid = { min_level = 2, max_level = 4 }
smoke.lift = 4
[[source]]
shape = { sphere = { center = [0.5, 0.2], radius = 0.1 } }
density = 1
temperature = 1
[output]
checkpoint_every = 1
)";

void run_to(int frame, const fs::path& folder, bool resume = false) {
  const SceneFile file = parse_scene(small_scene, "small.toml", "",
                                     {"output.frames=[1, " + std::to_string(frame) + "]"});
  run_scene(file, {.folder = folder, .resume = resume, .progress = ProgressKind::quiet});
}

// The same, but for a pressure too few, or a density that is not a number.
void spoil(const fs::path& path, bool one_less) {
  ArchiveWriter out;
  {
    const ArchiveReader in(path);
    for (const char* name :
         {"kind", "program", "simulation", "scene", "origins", "numbers", "arrays"})
      out.add_text(name, in.text(name));
    for (const char* name : {"dimensions", "frame", "substep", "substeps"})
      out.add_number(name, in.number<std::int64_t>(name));
    for (const char* name : {"dt", "time"}) out.add_number(name, in.number<double>(name));
    std::istringstream numbers(in.text("numbers"));
    for (std::string name; std::getline(numbers, name);)
      out.add_number("number " + name, in.number<double>("number " + name));
    out.add_number("steps", in.number<std::uint64_t>("steps"));
    const auto leaves = in.array<std::uint64_t>("leaves");
    out.add_array("leaves", leaves.view());
    for (const std::string name : {"velocity", "pressure", "density", "temperature"}) {
      Buffer<float> values = in.array<float>("array " + name);
      if (name == "density" && !one_less) values[0] = std::numeric_limits<float>::quiet_NaN();
      const bool shorter = name == "pressure" && one_less;
      out.add_array("array " + name,
                    View<const float>(values.data(), values.size() - (shorter ? 1 : 0)));
    }
  }
  out.commit(path);
}

class Resume : public testing::TestWithParam<bool> {};

TEST_P(Resume, GoesBackBehindACheckpointThatFailsHalfway) {
  const TemporaryFolder folder;
  run_to(4, folder / "whole");
  run_to(3, folder / "out");
  spoil(folder / "out" / "checkpoint" / "small.0003.h5", GetParam());
  run_to(4, folder / "out", true);
  for (const char* name : {"small.0003.vdb", "small.0004.vdb"})
    EXPECT_EQ(read_text(folder / "out" / "volume" / name),
              read_text(folder / "whole" / "volume" / name));
}

TEST_P(Resume, BeginsAnewIfAllFailHalfway) {
  const TemporaryFolder folder;
  run_to(4, folder / "whole");
  run_to(3, folder / "out");
  for (const char* name : {"small.0002.h5", "small.0003.h5"})
    spoil(folder / "out" / "checkpoint" / name, GetParam());
  run_to(4, folder / "out", true);
  EXPECT_EQ(read_text(folder / "out" / "volume" / "small.0004.vdb"),
            read_text(folder / "whole" / "volume" / "small.0004.vdb"));
}

INSTANTIATE_TEST_SUITE_P(Spoilt, Resume, testing::Bool());

}  // namespace
}  // namespace octavo
