#pragma once

// Runs of a ball of liquid, what is rendered of them, and what tests ask of pictures.

#include <gtest/gtest.h>

#include "io/temporary_folder.h"
#include "octavo/io/png.h"
#include "octavo/pictures/render_frames.h"
#include "octavo/run/run.h"
#include "toy/ball.h"

namespace octavo::test {

namespace fs = std::filesystem;

inline const bool has_ball = (register_kind(ball_kind()), true);

// A ball falls in front of a box.
inline const char* ball_in_space = R"(
domain.size = [1, 1, 1]
grid = { min_level = 2, max_level = 4 }
[ball]
center = [0.45, 0.5, 0.6]
velocity = [0, 0, -2.4]
radius = 0.22
[[obstacle]]
shape.box = { low = [0.7, 0.75, 0.0], high = [0.95, 1.0, 0.8] }
[output]
frames = [1, 3]
grid = ["liquid"]
[camera]
resolution = [60, 40]
[render]
samples = 4
)";
inline const char* disk_in_a_plane = R"(
domain.size = [1, 1]
grid = { min_level = 2, max_level = 6 }
[ball]
center = [0.4, 0.6]
velocity = [2.4, 0]
radius = 0.22
[output]
frames = [0, 2]
half = false
[camera]
resolution = [150, 100]
)";

inline SceneFile ball_scene(const char* text, const std::vector<std::string>& changes = {}) {
  return parse_scene(text, "ball.toml", ".", changes);
}

inline void run_ball(const char* text, const fs::path& folder,
                     const std::vector<std::string>& changes = {}) {
  EXPECT_EQ(
      run_scene(ball_scene(text, changes), {.folder = folder, .progress = ProgressKind::quiet}),
      RunOutcome::done);
}

inline RenderResult render_ball(const fs::path& folder, const fs::path& output,
                                const std::vector<std::string>& set = {}) {
  return render_run({.folder = folder,
                     .output = output,
                     .set = set,
                     .movie = false,
                     .progress = ProgressKind::quiet});
}

inline Image picture(const fs::path& folder, int frame, const std::string& name = "ball") {
  return read_png(folder / frame_file(name, frame, ".png"));
}

// How much two pictures differ in the mean, of 255.
inline double difference(const Image& p, const Image& q) {
  EXPECT_EQ(p.pixels.size(), q.pixels.size());
  double sum = 0;
  for (std::size_t i = 0; i < std::min(p.pixels.size(), q.pixels.size()); ++i)
    sum += std::abs(p.pixels[i] - q.pixels[i]);
  return sum / static_cast<double>(p.pixels.size());
}

// What an error says of something that must fail.
template <class F>
std::string message_of(F&& f) {
  try {
    f();
  } catch (const InputError& e) {
    return e.what();
  }
  return "nothing";
}

inline testing::AssertionResult has(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "there is no '" << part << "' in: " << text;
}

}  // namespace octavo::test
