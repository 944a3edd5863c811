// Measures whole steps of smoke, with adaptation, and how they grow with the number of leaves: a ball of
// hot smoke that rises towards a sphere, refined wherever there is smoke.
//
//   build/release/bench/smoke                              a table
//   build/release/bench/smoke --json                       a JSON object per case, one a line
//   build/release/bench/smoke --leaves 1e6 --stages        where the time goes

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "octavo/smoke/smoke.h"

namespace octavo::bench {
namespace {

struct Settings {
  std::vector<double> leaves{1e5, 1e6, 5e6};
  std::vector<std::string> schemes{"semi_lagrangian", "maccormack", "bfecc", "reflection"};
  std::vector<int> threads{0};
  int steps = 6;
  bool json = false, stages = false;
};

struct Row {
  std::string name;
  int steps = 0;
  double leaf_steps = 0, bytes_per_leaf = 0;
  PhaseSeconds seconds;
  std::size_t leaves = 0;
  int iterations = 0;
};

double share(const Row& row, double seconds) { return seconds / row.seconds.total; }
double mesh_share(const Row& row) { return share(row, row.seconds.criteria + row.seconds.mesh); }

void print(const Row& row, bool json) {
  const double speed = row.leaf_steps / row.seconds.total;
  if (json) {
    const nlohmann::ordered_json object = {{"case", row.name},
                                           {"leaves", row.leaves},
                                           {"threads", threads()},
                                           {"steps", row.steps},
                                           {"seconds", row.seconds.total},
                                           {"leaf_steps_per_second", speed},
                                           {"bytes_per_leaf", row.bytes_per_leaf},
                                           {"mesh_share", mesh_share(row)},
                                           {"pressure_share", share(row, row.seconds.pressure)},
                                           {"advection_share", share(row, row.seconds.advection)}};
    fmt::print("{}\n", object.dump());
  } else {
    fmt::print(
        "{:<16} {:>9} leaves {:>3} threads {:>8.3f} s/step {:>6.2f} M leaf steps/s {:>5.0f} "
        "B/leaf, "
        "mesh {:>4.1f} %, pressure {:>4.1f} %, advection {:>4.1f} %, {:.1f} iterations\n",
        row.name, row.leaves, threads(), row.seconds.total / row.steps, speed * 1e-6,
        row.bytes_per_leaf, 100 * mesh_share(row), 100 * share(row, row.seconds.pressure),
        100 * share(row, row.seconds.advection), static_cast<double>(row.iterations) / row.steps);
  }
  std::fflush(stdout);
}

// A ball with as many leaves as wanted; the sphere is above it.
struct Thermal {
  int level = 4;
  double radius = 0.2;

  explicit Thermal(double leaves) {
    auto count = [&] { return 4.19 * std::pow(1.1 * radius, 3) * std::pow(8.0, level); };
    while (count() < leaves) ++level;
    radius *= std::cbrt(leaves / count());
  }
  SmokeParameters<3> parameters(const std::string& scheme) const {
    SmokeParameters<3> p;
    if (scheme == "reflection")
      p.stepping = TimeStepping::reflection;
    else
      p.advection = advection_scheme_named(scheme);
    p.lift = 2;
    p.confinement = 0.1;
    p.walls.fill(Wall::open);
    p.walls[4] = Wall::closed;
    p.obstacles.push_back({sphere_shape<3>({0.5, 0.5, 0.75}, 0.1), {}, {}});
    p.refinement.max_level = level;
    p.refinement.min_level = std::max(2, level - 4);
    p.refinement.rules = {{.by = RefineBy::objects},
                          {.by = RefineBy::band, .field = "density", .low = 0.02, .high = 1e9},
                          {.by = RefineBy::vorticity, .above = 20, .level = level - 1}};
    return p;
  }
  Smoke<3>::Start start() const {
    const Vec3d center{0.5, 0.5, 0.35};
    const double r = radius, edge = 2.0 / (1 << level);
    auto ball = [=](const Vec3d& p) {
      return std::clamp((r - length(p - center)) / edge + 0.5, 0.0, 1.0);
    };
    Smoke<3>::Start s;
    s.values = {{"density", ball}, {"temperature", ball}};
    return s;
  }
};

void run_case(const Settings& settings, const std::string& scheme, double leaves) {
  const Thermal thermal(leaves);
  Smoke<3> smoke(Domain<3>{}, thermal.parameters(scheme));
  smoke.start(thermal.start());

  // At rest nothing is carried anywhere: a few steps until it moves, with the step that then is about
  // four leaves long.
  const double h = 1.0 / (1 << thermal.level), dt = std::sqrt(4 * h / 2);
  smoke.step(dt);
  smoke.step(dt);
  reset_timers();
  Row row;
  row.name = scheme;
  for (int s = 0; s < settings.steps; ++s) {
    const StepReport r = smoke.step(dt);
    row.leaf_steps += static_cast<double>(r.leaves);
    row.seconds += r.seconds;
    row.iterations += r.iterations;
    row.leaves = r.leaves;
    row.bytes_per_leaf = std::max(
        row.bytes_per_leaf, static_cast<double>(r.peak_bytes) / static_cast<double>(r.leaves));
    ++row.steps;
  }
  print(row, settings.json);
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  fmt::print(stderr, "{}, {} leaves: the program has used {:.2f} GiB at most so far\n", scheme,
             row.leaves, static_cast<double>(usage.ru_maxrss) / (1 << 20));
  if (!settings.stages) return;
  auto rows = timer_report();
  std::sort(rows.begin(), rows.end(),
            [](const TimerRow& p, const TimerRow& q) { return p.seconds > q.seconds; });
  for (std::size_t i = 0; i < std::min(rows.size(), std::size_t{32}); ++i)
    fmt::print(stderr, "  {:<28} {:>6} calls {:>9.4f} s {:>7.1f} ns/leaf step\n", rows[i].label,
               rows[i].calls, rows[i].seconds, rows[i].seconds / row.leaf_steps * 1e9);
}

int run(int argc, char** argv) {
  Settings settings;
  CLI::App app("Measures whole steps of smoke");
  app.add_option("--leaves", settings.leaves, "sizes, about")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--schemes", settings.schemes, "how to advect")
      ->delimiter(',')
      ->capture_default_str()
      ->check(CLI::IsMember({"semi_lagrangian", "maccormack", "bfecc", "reflection"}));
  app.add_option("--threads", settings.threads, "numbers of threads; 0 takes all")
      ->delimiter(',')
      ->capture_default_str();
  app.add_option("--steps", settings.steps, "steps of each case")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--json", settings.json, "a JSON object per row");
  app.add_flag("--stages", settings.stages, "also where the time goes");
  if (const auto code = parse(app, argc, argv)) return *code;
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  for (const double leaves : settings.leaves)
    for (const std::string& scheme : settings.schemes)
      for (const int t : settings.threads) {
        set_threads(t);
        run_case(settings, scheme, leaves);
      }
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("smoke", [=] { return octavo::bench::run(argc, argv); });
}
