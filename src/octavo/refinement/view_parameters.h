#pragma once

// The view decides on the grid by these parameters. Everything is off unless asked for.

#include <optional>
#include <vector>

#include "octavo/camera/camera.h"

namespace octavo {

struct ViewParameters {
  std::vector<CameraPath> cameras;  // none: the view does not count

  // Thresholds of criteria rise with the distance: see adapt/view_weight.h.
  double tau = 0;
  std::optional<double> front;  // distance of the front plane, m; else where the box begins
  bool match_image = false;     // thresholds also follow leaves over pixels at the front plane
  bool at_90_degrees = false;
  bool one_level_per_step = false;  // no leaf is split or merged twice in a step

  // Leaves are compared with pixels.
  double finest_pixels = 0;    // no leaf appears smaller than so many; 0: any
  double coarsest_pixels = 0;  // no leaf of smoke that can be seen appears larger; 0: any
  double seen_density = 0.02;  // from which on smoke can be seen

  // What is not seen gets so many levels less than the finest.
  std::optional<int> outside;   // of the picture
  double margin = 0.1;          // around the picture, of its width
  std::optional<int> hidden;    // behind obstacles and dense smoke
  double around = 0;            // so near to what is seen counts as seen, m
  double transmittance = 0.02;  // of smoke that hides what is behind it
  double extinction = 60;       // of smoke of density 1, 1/m

  // Cameras that move are looked at over so much time to come, s.
  double look_ahead = 0.5;

  bool weighs() const { return tau > 0 || match_image || at_90_degrees; }
  bool limits() const { return finest_pixels > 0 || outside.value_or(0) > 0 || looks_behind(); }
  bool looks_behind() const { return hidden.value_or(0) > 0; }
};

}  // namespace octavo
