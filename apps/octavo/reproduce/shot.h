#pragma once

// A scene is run in memory, frame by frame, with what it costs, what it looks like and what the smoke does, to
// compare runs of one shot.
//
//   const Shot reference = run_shot(scene, {.every = 4});
//   const Shot other = run_shot(faster, {.every = 4});
//   fmt::print("{:.1f} dB\n", least_of(psnr_of(reference, other)));

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "octavo/image/image.h"
#include "octavo/scene/scene_file.h"

namespace octavo {

struct ShotFrame {
  int frame = 0;
  double seconds = 0;  // of simulation only
  std::size_t leaves = 0, nodes = 0;
  double buoyancy = 0;  // work of lift and weight since the beginning, per density of air, m^5/s^2
  double height = 0;    // below which 99 % of the smoke is, m
  std::optional<Image> picture{};  // of some of them
};

struct ShotPlan {
  int every = 1;  // frames have a picture, and the last one
  std::string name{};
};

struct Shot {
  std::vector<ShotFrame> frames;

  double seconds() const;
  double frames_per_second() const { return static_cast<double>(frames.size()) / seconds(); }
  double mean(std::size_t ShotFrame::*count) const;
};

// The run goes from frame 1 to the last of the scene, which must be 3D.
Shot run_shot(const SceneFile& file, const ShotPlan& options);

// These are the PSNRs of all pictures that both have, dB, and the least of them.
std::vector<double> psnr_of(const Shot& reference, const Shot& shot);
double least_of(const std::vector<double>& psnr);

// It is by how much it falls at most from one to the next. What rounding to 8 bits alone makes, 59 dB, is not seen,
// so that more counts as that.
double largest_drop(const std::vector<double>& psnr);

// These are the largest relative differences over all frames: of the work, and of the height.
struct BehaviourDifference {
  double work = 0, height = 0;
};
BehaviourDifference behaviour_difference(const Shot& reference, const Shot& shot);

}  // namespace octavo
