#include "surface_tests.h"

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>

#include "octavo/surface/known_flows.h"
#include "octavo/surface/particle_level_set.h"
#include "octavo/surface/shape_error.h"
#include "octavo/surface/surface_in_flow.h"
#include "reproduce_tools.h"

namespace octavo {
namespace {

constexpr double most_cfl = 4.9;  // leaves along all axes together

// This is what became of a shape.
struct SurfaceRow {
  std::string tracker;
  int resolution = 0, steps = 0;
  double volume_lost = 0, shape_error = 0, halfway_lost = 0;  // parts of the volume before
  double l1_error = 0;                                        // leaves
  double cfl = 0, seconds = 0;
  std::size_t particles = 0, leaves = 0;  // the most there were
  double particle_steps = 0,
         particle_seconds = 0;  // what particles took, and the tracker as a whole
  double leaf_steps = 0, tracker_seconds = 0;
};

// This changes rules as --particles says: another number, or all of them by name.
MarkerRules changed_rules(MarkerRules rules, const std::string& wanted, int dim) {
  if (wanted.find_first_not_of("0123456789") != std::string::npos)
    return MarkerRules::named(wanted, dim);
  rules.particles_per_leaf = wanted.size() < 6 ? std::stoi(wanted) : 1000000;
  rules.check();
  return rules;
}

// This is what the options ask for: mistakes are found before anything is computed.
struct ChosenTracker {
  std::string name;
  ParticleLevelSetParameters parameters;
};
std::vector<ChosenTracker> chosen_trackers(const ReproduceOptions& options, int dim) {
  std::vector<ChosenTracker> chosen;
  for (const std::string_view known : particle_level_set_names)
    if (options.tracker.empty() || options.tracker == known)
      chosen.push_back({std::string(known), ParticleLevelSetParameters::named(known, dim)});
  if (chosen.empty()) ParticleLevelSetParameters::named(options.tracker, dim);
  if (!options.particles.empty())
    for (auto& [name, parameters] : chosen)
      if (name != "level_set")
        parameters.particles = changed_rules(parameters.particles, options.particles, dim);
  return chosen;
}

// A case is a shape and a flow that brings it back: velocity(step) of a step of `dt`.
template <int Dim, class Distance, class Velocity>
SurfaceRow carry_round(const Domain<Dim>& box, int level, const ParticleLevelSetParameters& tracker,
                       int steps, double dt, double volume, const Distance& distance,
                       const Velocity& velocity, const std::string& progress) {
  const Stopwatch watch;
  SurfaceInFlow<Dim, float, ParticleLevelSet<Dim>> run(box, {.coarsest = 2, .finest = level},
                                                       ParticleLevelSet<Dim>(tracker));
  run.start(distance);
  auto measured = [&] {
    return measure_shape(run.mesh(), run.tracker().signed_distance(), distance);
  };
  SurfaceRow row;
  row.steps = steps;
  for (int s = 0; s < steps; ++s) {
    auto u = [&](const Vec<Dim>& x) { return velocity(x, s); };
    row.cfl = std::max(row.cfl, dt * run.leaves_passed(u));
    const TrackerReport report = run.step(u, dt);
    row.particles = std::max(row.particles, report.elements);
    row.leaves = std::max(row.leaves, run.mesh().leaf_count());
    const TrackerReport::Seconds& took = report.seconds;
    row.particle_steps += static_cast<double>(report.elements);
    row.particle_seconds += took.particles + took.correction + took.reseeding;
    row.leaf_steps += static_cast<double>(run.mesh().leaf_count());
    row.tracker_seconds += took.total();
    if (2 * (s + 1) == steps) row.halfway_lost = 1 - measured().volume / volume;
    if ((s + 1) % std::max(1, steps / 10) == 0)
      show_progress(fmt::format("{}: step {} of {}, {:.2f} % of the volume is lost", progress,
                                s + 1, steps, 100 * (1 - measured().volume / volume)));
  }
  const ShapeMeasure end = measured();
  row.volume_lost = 1 - end.volume / volume;
  row.shape_error = end.difference / volume;
  row.seconds = watch.seconds();
  return row;
}

int finest_level(int resolution) {
  return static_cast<int>(std::bit_width(static_cast<unsigned>(resolution - 1)));
}

SurfaceRow deform(int resolution, const ParticleLevelSetParameters& tracker,
                  const std::string& progress) {
  using Flow = EnrightDeformation;
  const double cells = Flow::fastest * Flow::length() * resolution;
  const int half = static_cast<int>(std::ceil(cells / most_cfl / 2));
  const double dt = Flow::length() / (2 * half);
  const int level = finest_level(resolution);
  return carry_round(
      Flow::box(resolution, level), level, tracker, 2 * half, dt, Flow::volume(), Flow::distance,
      [=](const Vec3d& x, int step) { return step < half ? Flow::steady(x) : -Flow::steady(x); },
      progress);
}

SurfaceRow turn(int resolution, const ParticleLevelSetParameters& tracker,
                const std::string& progress) {
  using Flow = ZalesakDisk;
  const double cells = Flow::fastest() * Flow::period / Flow::edge * resolution;
  const int steps = static_cast<int>(std::ceil(cells / most_cfl / 2)) * 2;
  const int level = finest_level(resolution);
  SurfaceRow row = carry_round(
      Flow::box(resolution, level), level, tracker, steps, Flow::period / steps, Flow::volume(),
      Flow::distance, [](const Vec2d& x, int) { return Flow::velocity(x); }, progress);
  row.l1_error = row.shape_error * Flow::volume() / Flow::perimeter() * resolution / Flow::edge;
  return row;
}

double nanoseconds(double seconds, double steps) { return steps > 0 ? 1e9 * seconds / steps : 0; }

nlohmann::ordered_json line(const SurfaceRow& row) {
  return {{"resolution", row.resolution},
          {"tracker", row.tracker},
          {"volume_lost", row.volume_lost},
          {"shape_error", row.shape_error},
          {"halfway_lost", row.halfway_lost},
          {"steps", row.steps},
          {"cfl", row.cfl},
          {"particles", row.particles},
          {"leaves", row.leaves},
          {"seconds", row.seconds},
          {"ns_per_particle_step", nanoseconds(row.particle_seconds, row.particle_steps)},
          {"ns_per_leaf_step", nanoseconds(row.tracker_seconds, row.leaf_steps)}};
}

// Goes through resolutions and trackers, calling run(resolution, parameters, progress) and print(row).
template <class Run, class Print>
void for_all_rows(const ReproduceOptions& options, const std::vector<ChosenTracker>& trackers,
                  std::vector<int> resolutions, const Run& run, const Print& print) {
  if (options.resolution) resolutions = {*options.resolution};
  for (const int resolution : resolutions)
    for (const ChosenTracker& tracker : trackers) {
      SurfaceRow row =
          run(resolution, tracker.parameters, fmt::format("{}, {}", resolution, tracker.name));
      row.tracker = tracker.name;
      row.resolution = resolution;
      print(row);
      std::fflush(stdout);
    }
}

void print_row(const SurfaceRow& row, const std::string& last) {
  fmt::print("{:>10}  {:<20} {:>8.2f} {:>8.2f} {:>8} {:>6} {:>6.2f} {:>10} {:>9} {:>8.1f}\n",
             row.resolution, row.tracker, 100 * row.volume_lost, 100 * row.shape_error, last,
             row.steps, row.cfl, row.particles, row.leaves, row.seconds);
}
void print_head(const char* last) {
  fmt::print("{:>10}  {:<20} {:>8} {:>8} {:>8} {:>6} {:>6} {:>10} {:>9} {:>8}\n", "leaves/edge", "",
             "lost, %", "shape, %", last, "steps", "CFL", "particles", "leaves", "seconds");
}

}  // namespace

void run_enright(const ReproduceOptions& options) {
  const std::vector<ChosenTracker> trackers = chosen_trackers(options, 3);
  if (!options.json) {
    fmt::print(
        "Enright's deformation: a sphere is drawn out into a film and back in 3 s. Volume lost at "
        "the end and\n"
        "halfway, and the volume by which the shape at the end differs, in % of the volume at the "
        "beginning.\n"
        "Published, with 64 particles a cell and schemes of fifth order: 2.6 % lost at 100 "
        "(Enright et al. 2002),\n"
        "80 % without particles.\n\n");
    print_head("halfway");
  }
  for_all_rows(options, trackers, {64, 100, 128}, deform, [&](const SurfaceRow& row) {
    if (options.json)
      fmt::print("{}\n", line(row).dump());
    else
      print_row(row, fmt::format("{:.2f}", 100 * row.halfway_lost));
  });
}

void run_zalesak(const ReproduceOptions& options) {
  const std::vector<ChosenTracker> trackers = chosen_trackers(options, 2);
  if (!options.json) {
    fmt::print(
        "Zalesak's disk turns round once. Area lost, and the area by which the shape differs, in % "
        "of the area at the\n"
        "beginning; mean distance of the interface from where it was, in leaves. Published, with "
        "particles: 0.31 %\n"
        "lost at 100, 0.20 % at 200 (Enright et al. 2002).\n\n");
    print_head("L1");
  }
  for_all_rows(options, trackers, {50, 100, 200}, turn, [&](const SurfaceRow& row) {
    if (options.json) {
      nlohmann::ordered_json json = line(row);
      json["l1_error"] = row.l1_error;
      fmt::print("{}\n", json.dump());
    } else {
      print_row(row, fmt::format("{:.3f}", row.l1_error));
    }
  });
}

}  // namespace octavo
