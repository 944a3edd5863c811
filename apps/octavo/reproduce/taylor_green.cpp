#include "taylor_green.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <numbers>
#include <optional>

#include "octavo/draw/plot.h"
#include "octavo/io/atomic_file.h"
#include "octavo/operators/forces.h"
#include "octavo/smoke/smoke.h"
#include "reproduce_tools.h"

namespace octavo {
namespace {

struct Method {
  const char* name;
  AdvectionScheme scheme;
  TimeStepping stepping;
};
constexpr std::array<Method, 4> methods{
    {{"semi_lagrangian", AdvectionScheme::semi_lagrangian, TimeStepping::projection},
     {"maccormack", AdvectionScheme::maccormack, TimeStepping::projection},
     {"bfecc", AdvectionScheme::bfecc, TimeStepping::projection},
     {"reflection", AdvectionScheme::maccormack, TimeStepping::reflection}}};

// These are mean, root mean square and largest error of the speed at t = 2, of Basilisk's scheme of Bell,
// Colella and Glaz: they are in src/test/taylor-green.ref in its repository.
struct Published {
  int size;
  double mean, rms, largest;
};
constexpr std::array<Published, 3> basilisk{
    {{32, 3.0e-2, 3.4e-2, 6.3e-2}, {64, 4.3e-3, 4.7e-3, 8.1e-3}, {128, 5.4e-4, 6.0e-4, 9.5e-4}}};

constexpr double end = 2;  // s

Vec<2> exact(const Vec<2>& x) {
  const double k = 2 * std::numbers::pi;
  return {-std::sin(k * x[0]) * std::cos(k * x[1]), std::cos(k * x[0]) * std::sin(k * x[1])};
}

struct VortexRow {
  double mean = 0, rms = 0, largest = 0;
  std::vector<Vec2d> energy;  // part that is left, over time
};

VortexRow run(const Method& method, int size) {
  SmokeParameters<2> p;
  p.advection = method.scheme;
  p.stepping = method.stepping;
  p.stop.relative = 1e-8;
  p.refinement.min_level = p.refinement.max_level = static_cast<int>(std::lround(std::log2(size)));
  Smoke<2, double> smoke(Domain<2>{}, p);
  Smoke<2, double>::Start start;
  start.velocity = exact;
  smoke.start(start);
  VortexRow row;
  row.energy.push_back({0, 1});
  for (int s = 1; s <= size; ++s) {
    const StepReport r = smoke.step(end / size);
    row.energy.push_back({r.time, r.kinetic_energy / 0.25});
  }
  const MeshView<2> m = smoke.mesh().view();
  const auto cells = static_cast<double>(m.leaf_count());
  for (std::size_t i = 0; i < m.leaf_count(); ++i) {
    const LeafId leaf(i);
    const Vec<2> u = center_velocity<2, double>(m, smoke.velocity().view(), leaf);
    const double error = std::abs(length(u) - length(exact(m.tree.center(leaf))));
    row.mean += error / cells;
    row.rms += error * error / cells;
    row.largest = std::max(row.largest, error);
  }
  row.rms = std::sqrt(row.rms);
  show_progress(fmt::format("{} cells along an edge, {}: {:.1f} % of the energy is left", size,
                            method.name, 100 * row.energy.back()[1]));
  return row;
}

void print(const ReproduceOptions& options, const char* name, int size, const VortexRow& row) {
  const double energy = row.energy.empty() ? std::nan("") : row.energy.back()[1];
  if (options.json) {
    nlohmann::ordered_json line{{"choice", name},
                                {"size", size},
                                {"mean_error", row.mean},
                                {"rms_error", row.rms},
                                {"max_error", row.largest}};
    if (!row.energy.empty()) line["energy_left"] = energy;
    fmt::print("{}\n", line.dump());
  } else {
    fmt::print("{:>6}  {:<16} {:>10.2e} {:>10.2e} {:>10.2e} {:>12}\n", size, name, row.mean,
               row.rms, row.largest, row.energy.empty() ? "" : fmt::format("{:.4f}", energy));
  }
}

}  // namespace

void run_taylor_green(const ReproduceOptions& options) {
  std::optional<AtomicFile> picture;
  if (!options.plot.empty()) picture.emplace(options.plot);
  if (!options.json) {
    fmt::print(
        "Taylor-Green vortices of an ideal fluid in a closed box of 1 m, 1 m/s, after {} s: error "
        "of the\n"
        "speed, m/s, and the part of the energy that is left (exact: 1). Steps of two cells.\n\n",
        end);
    fmt::print("{:>6}  {:<16} {:>10} {:>10} {:>10} {:>12}\n", "cells", "", "mean", "rms", "largest",
               "energy left");
  }
  Plot plot{"Taylor-Green vortices, 64 x 64 cells", "time, s", "part of the energy left"};
  for (const Published& b : basilisk) {
    print(options, "basilisk", b.size, {b.mean, b.rms, b.largest, {}});
    for (const Method& method : methods) {
      const VortexRow row = run(method, b.size);
      print(options, method.name, b.size, row);
      if (b.size == 64) plot.curves.push_back({method.name, row.energy});
    }
  }
  if (!picture) return;
  picture->write(svg(plot));
  picture->commit();
}

}  // namespace octavo
