#pragma once

// Scenes of the toy simulation, runs of them, and what the tests ask of what they leave.

#include <gtest/gtest.h>

#include <sstream>

#include "io/temporary_folder.h"
#include "octavo/io/files.h"
#include "octavo/run/run.h"
#include "support/random_tree.h"
#include "toy/toy.h"

namespace octavo::test {

namespace fs = std::filesystem;

// All that a program has to do.
inline const bool has_tracer = (register_kind(tracer_kind()), true);

inline constexpr int last_frame = 6;

// Of a test that is as good in a plane as in space: "0.3, 0.5" is a point of both.
template <int Dim>
std::string vector(const std::string& two, const std::string& third = "0.5") {
  return "[" + two + (Dim == 2 ? "" : ", " + third) + "]";
}

// A blob of dye goes round the middle, and markers are let go below it.
template <int Dim>
std::string toy_text(const std::string& more = "") {
  return "domain.size = " + vector<Dim>("1, 1", "1") + R"(
grid = { min_level = 2, max_level = 4 }
[tracer]
motion = "spin"
spin = 4
fading = 0.5
every = 2
min_substeps = 2
release = )" +
         vector<Dim>("0.5, 0.25") + R"(
[[refine]]
by = "density_band"
field = "dye"
range = [0.05, inf]
[[scalar]]
name = "salt"
[[source]]
shape.sphere = { center = )" +
         vector<Dim>("0.3, 0.5") + R"(, radius = 0.15 }
dye = 1
scalars.salt = 2
[[probe]]
name = "here"
fields = ["dye", "age", "velocity", "salt"]
points = [)" +
         vector<Dim>("0.3, 0.5") + ", " + vector<Dim>("0.9, 0.9") + R"(]
[[probe]]
name = "usual"
points = [)" +
         vector<Dim>("0.3, 0.5") + R"(]
[output]
frames = [0, 6]
volume = ["dye", "age", "velocity", "salt"]
half = false
grid = ["dye", "age", "velocity"]
picture = ["dye", "age", "velocity", "level"]
checkpoint_every = 2
checkpoints = 0
[camera]
resolution = [48, 32]
[render]
samples = 1
orders = 1
)" + more;
}

template <int Dim>
SceneFile scene(const std::vector<std::string>& changes = {}, const std::string& more = "") {
  return parse_scene(toy_text<Dim>(more), "toy.toml", ".", changes);
}

inline constexpr const char* smoke_scene = R"(
domain.size = [1, 1]
grid = { min_level = 2, max_level = 3 }
smoke.lift = 1
[[source]]
shape.sphere = { center = [0.5, 0.3], radius = 0.2 }
density = 1
[output]
frames = [1, 2]
name = "toy"
checkpoint_every = 1
)";

inline void run(const SceneFile& file, const fs::path& folder, bool resume = false) {
  EXPECT_EQ(run_scene(file, {.folder = folder, .resume = resume, .progress = ProgressKind::quiet}),
            RunOutcome::done);
}

// What an error says of something that must fail.
template <class F>
std::string complaint(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}
inline testing::AssertionResult says(const std::string& text,
                                     const std::vector<std::string>& parts) {
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos)
      return testing::AssertionFailure() << "there is no '" << part << "' in: " << text;
  return testing::AssertionSuccess();
}

// The rows of a table behind its header.
inline std::vector<std::vector<double>> rows_of(const fs::path& table) {
  std::ifstream file(table);
  std::vector<std::vector<double>> rows;
  std::string line, number;
  std::getline(file, line);
  while (std::getline(file, line)) {
    std::istringstream in(line);
    rows.emplace_back();
    while (std::getline(in, number, ',')) rows.back().push_back(std::stod(number));
  }
  return rows;
}

template <class D>
class ToyRun : public BothDims<D> {
 public:
  // One run for all tests that look at what it left.
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder;
    run(scene<D::value>(), *folder_ / "out");
  }
  static void TearDownTestSuite() { delete folder_; }

 protected:
  static fs::path out() { return *folder_ / "out"; }
  static inline TemporaryFolder* folder_ = nullptr;
};
}  // namespace octavo::test
