#pragma once

// A trial is a run of a scene with fewer levels, to see what it takes.
//
// Trials end after so much work, not after some time: then they are the same on any machine, however busy.

#include <vector>

#include "octavo/scene/mesh_files.h"
#include "octavo/scene/scene.h"

namespace octavo {

// A trial has seen these costs. Leaves are counted as those that there are everywhere and those that refinement
// adds to them, since the two grow in their own ways.
struct FrameCost {
  double added = 0;   // leaves at its end
  double passed = 0;  // leaves that the flow passes in it, at most
};
struct Trial {
  int level = 0, seen = 0;
  std::vector<FrameCost> frames;  // all; those after the ones that were seen are guessed
  double work = 0;

  // These are to be divided by the leaves that it took them for.
  double start_seconds = 0, start_bytes = 0, kept_bytes = 0, start_leaves = 0;
  double step_seconds = 0, leaf_steps = 0;
  double output_seconds = 0, output_bytes = 0, output_leaves = 0;
  double picture_seconds = 0;                                    // of the pictures of a frame
  double leaves = 0;                                             // the most in any step
  double checkpoint_bytes = 0, step_bytes = 0, last_leaves = 0;  // at the end
};

// A step of a small octree takes as long as so many leaves more would.
inline constexpr double work_of_step = 1000;

// This is the scene with so many levels less, of everything.
template <int Dim>
Scene<Dim> coarser(const Scene<Dim>& scene, int levels);

// This many leaves there are everywhere, whatever refinement wants.
template <int Dim>
double coarsest_leaves(const Scene<Dim>& scene);

// A beginning is first looked at with an octree of this many leaves.
template <int Dim>
double first_leaves(const Scene<Dim>& scene);

// A trial stops when it has done so much work, of which a step of a leaf is one, but not before the end of a frame.
template <int Dim>
Trial run_trial(const Scene<Dim>& scene, MeshFiles& files, double work);

}  // namespace octavo
