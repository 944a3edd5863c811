#include "octavo/run/trial.h"

#include <algorithm>
#include <cmath>

#include "octavo/base/timer.h"
#include "octavo/io/ply.h"
#include "octavo/output/frame_files.h"
#include "octavo/output/interrupt.h"
#include "octavo/pictures/frame_pictures.h"
#include "octavo/run/run_limits.h"
#include "octavo/scene/build.h"

namespace octavo {
namespace {

// This writes one of the frames that are written, as the run would.
template <int Dim>
void try_output(const Scene<Dim>& scene, const Simulation<Dim>& simulation, int frame, Trial& t) {
  const Stopwatch watch;
  const auto leaves = static_cast<double>(simulation.mesh().leaf_count());
  FrameFields<Dim> fields(simulation);
  if (!scene.output.volume.empty())
    t.output_bytes += static_cast<double>(vdb_bytes(volumes_of(scene, frame, fields)).size());
  for (const FrameMesh& m : fields.meshes())
    t.output_bytes += static_cast<double>(ply_bytes(m.mesh).size());
  for (const std::string& name : scene.output.grid)
    t.output_bytes +=
        leaves * sizeof(float) * (fields.info(name).shape == FieldShape::vector ? Dim : 1);
  t.output_leaves += leaves;
  t.output_seconds += watch.seconds();
}

// All pictures of a frame are guessed from two small sizes of them, which tell what each further pixel takes.
// The light is looked for whatever their size is, and takes not much longer for more leaves.
template <int Dim>
double try_pictures(const Scene<Dim>& scene, MeshFiles& files, const Simulation<Dim>& simulation) {
  if (scene.output.picture.empty()) return 0;
  auto pixels = [](const Scene<Dim>& s) {
    return static_cast<double>(s.camera.resolution[0]) * s.camera.resolution[1];
  };
  auto smaller = [&](int divisor) {
    Scene<Dim> small = scene;
    for (int a = 0; a < 2; ++a) {
      int& side = small.camera.resolution[a];
      side = std::max(side / divisor, std::min(side, 16));
    }
    return small;
  };
  auto seconds = [&](const Scene<Dim>& small) {
    FrameFields<Dim> fields(simulation);
    FramePictures<Dim> pictures(small, files);
    const Stopwatch watch;
    for (const std::string& what : small.output.picture)
      pictures.draw(what, simulation.time(), fields);
    return watch.seconds();
  };
  const Scene<Dim> less = smaller(8), more = smaller(4);
  seconds(less);  // the first picture of a program takes longer
  const double before = seconds(less), after = seconds(more), between = pixels(more) - pixels(less);
  const double each = between > 0 ? std::max(0.0, (after - before) / between) : 0;
  return after + each * (pixels(scene) - pixels(more));
}

// Smoke grows: what was not seen any more is taken to go on as it has begun.
void guess_the_rest(Trial& t, std::size_t frames) {
  t.seen = static_cast<int>(t.frames.size());
  while (t.frames.size() < frames) {
    const auto n = static_cast<double>(t.seen);
    const FrameCost& last = t.frames[static_cast<std::size_t>(t.seen) - 1];
    t.frames.push_back({last.added * static_cast<double>(t.frames.size() + 1) / n, last.passed});
  }
}

template <int Dim>
void try_start(const Scene<Dim>& scene, MeshFiles& files, Simulation<Dim>& simulation, Trial& t) {
  const Stopwatch watch;
  const std::size_t before = BufferMemory::now();
  BufferMemory::reset_peak();
  simulation.start(start_of(scene, files));
  t.start_seconds = watch.seconds();
  t.start_bytes = static_cast<double>(BufferMemory::peak() - before);
  t.kept_bytes = static_cast<double>(BufferMemory::now() - before);
  t.start_leaves =
      std::max(first_leaves(scene), static_cast<double>(simulation.mesh().leaf_count()));
  t.work = t.start_leaves;
}

// The result is false if a frame, which is not the first, was not worth its end.
template <int Dim>
bool try_frame(double seconds, double most_work, Simulation<Dim>& simulation, double coarsest,
               Trial& t) {
  const double passed = simulation.leaves_passed_in(seconds);
  bool ended = true;
  const StepReport all = advance_frame(simulation, seconds, [&](const StepReport& r) {
    const auto leaves = static_cast<double>(r.leaves);
    t.leaf_steps += leaves;
    t.work += leaves + work_of_step;
    t.leaves = std::max(t.leaves, leaves);
    return ended = t.frames.empty() || t.work < most_work;
  });
  t.step_seconds += all.seconds.total;
  if (ended) t.frames.push_back({static_cast<double>(all.leaves) - coarsest, passed});
  return ended;
}

// A step of the same state is made in memory of its own, that has not been used for larger octrees before.
template <int Dim>
double step_bytes(const Scene<Dim>& scene, MeshFiles& files, const Simulation<Dim>& simulation) {
  const std::unique_ptr<Simulation<Dim>> fresh = simulation_of(scene, files);
  fresh->restore(simulation.state());
  const double frame = 1 / scene.output.fps;
  return static_cast<double>(fresh->step(frame / fresh->substeps_for(frame)).peak_bytes);
}

}  // namespace

template <int Dim>
Scene<Dim> coarser(const Scene<Dim>& scene, int levels) {
  Scene<Dim> s = scene;
  s.grid.min_level = std::max(0, s.grid.min_level - levels);
  s.grid.max_level -= levels;
  s.grid.max_leaves = 0;
  for (RefineScene<Dim>& r : s.refine)
    if (r.level < scene.grid.max_level) r.level = std::max(0, r.level - levels);
  if (s.output.level) s.output.level = std::max(0, *s.output.level - levels);
  return s;
}

template <int Dim>
double coarsest_leaves(const Scene<Dim>& scene) {
  return domain_of(scene).root_count() * std::pow(2.0, Dim * scene.grid.min_level);
}

template <int Dim>
double first_leaves(const Scene<Dim>& scene) {
  RefinementParameters<Dim> levels;
  levels.min_level = scene.grid.min_level;
  levels.max_level = scene.grid.max_level;
  const Domain<Dim> domain = domain_of(scene);
  return domain.root_count() * std::pow(2.0, Dim * first_level(levels, domain));
}

template <int Dim>
Trial run_trial(const Scene<Dim>& scene, MeshFiles& files, double work) {
  const std::unique_ptr<Simulation<Dim>> simulation = simulation_of(scene, files);
  Trial t;
  t.level = scene.grid.max_level;
  try_start(scene, files, *simulation, t);
  const int last = std::max(1, scene.output.frames[1]), between = std::max(1, last / 4);
  const double coarsest = coarsest_leaves(scene);
  for (int frame = 1; frame <= last; ++frame) {
    if (frame > 1 && (t.work > work || interrupted())) break;
    if (!try_frame(1 / scene.output.fps, 2 * work, *simulation, coarsest, t)) break;
    if (frame % between == 0) try_output(scene, *simulation, frame, t);
  }
  if (t.output_leaves == 0) try_output(scene, *simulation, 1, t);
  t.picture_seconds = try_pictures(scene, files, *simulation);
  t.step_bytes = step_bytes(scene, files, *simulation);
  t.checkpoint_bytes = saved_bytes(simulation->state());
  t.last_leaves = static_cast<double>(simulation->mesh().leaf_count());
  guess_the_rest(t, static_cast<std::size_t>(last));
  return t;
}

#define OCTAVO_INSTANTIATE(Dim)                        \
  template Scene<Dim> coarser(const Scene<Dim>&, int); \
  template double coarsest_leaves(const Scene<Dim>&);  \
  template double first_leaves(const Scene<Dim>&);     \
  template Trial run_trial(const Scene<Dim>&, MeshFiles&, double);
OCTAVO_INSTANTIATE(2)
OCTAVO_INSTANTIATE(3)
#undef OCTAVO_INSTANTIATE

}  // namespace octavo
