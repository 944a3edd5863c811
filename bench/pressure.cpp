// Measures the pressure solver, beside those of others on the same matrix and in the same run. One row
// for each case, size, number of threads and solver.
//
//   build/release/bench/pressure                               a table
//   build/release/bench/pressure --json                        a JSON object per row, one a line
//   build/release/bench/pressure --leaves 1e5 --threads 1,2    other sizes, other numbers of threads
//   build/release/bench/pressure --cases plates,pool --solvers multigrid,mic0,diagonal

#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "guarded.h"
#include "octavo/base/build_info.h"
#include "own_solver.h"
#include "rivals/rivals.h"

namespace octavo::bench {
namespace {

struct Settings {
  std::vector<double> leaves{1e4, 1e5, 1e6};
  std::vector<std::string> cases, solvers{"multigrid"};
  std::vector<int> threads{0};
  double others_up_to = 2.5e6;
  int repeats = 3;
  bool json = false, stages = false;
};

struct Row {
  std::string name;
  std::size_t leaves = 0;
  std::string solver;
  MeasuredSolve solve;
};

void print_json(const Row& row) {
  const MeasuredSolve& r = row.solve;
  const bool solved = r.iterations_1e6 != not_reached;
  using Json = nlohmann::ordered_json;
  auto if_known = [](bool known, auto value) { return known ? Json(value) : Json(); };
  const Json object = {
      {"case", row.name},
      {"leaves", row.leaves},
      {"threads", threads()},
      {"solver", row.solver},
      {"iterations_1e6", if_known(solved, r.iterations_1e6)},
      {"iterations_1e10", if_known(r.iterations_1e10 != not_reached, r.iterations_1e10)},
      {"setup_seconds", r.setup_seconds},
      {"solve_seconds", if_known(solved, r.solve_seconds)},
      {"bytes_per_leaf", r.bytes / static_cast<double>(row.leaves)}};
  fmt::print("{}\n", object.dump());
}

constexpr const char* line_format =
    "{:<8} {:>9} {:>7} {:<10} {:>7} {:>8} {:>10} {:>10} {:>8} {:>7} {:>7}\n";

void print_heading() {
  fmt::print(line_format, "case", "leaves", "threads", "solver", "to 1e-6", "to 1e-10", "set-up s",
             "solve s", "ns/leaf", "B/leaf", "all B");
}

void print_line(const Row& row) {
  const MeasuredSolve& r = row.solve;
  const auto n = static_cast<double>(row.leaves);
  auto text = [](bool known, double value, int digits) {
    return known ? fmt::format("{:.{}f}", value, digits) : "-";
  };
  const bool solved = r.iterations_1e6 != not_reached;
  fmt::print(
      line_format, row.name, row.leaves, threads(), row.solver, text(solved, r.iterations_1e6, 0),
      text(r.iterations_1e10 != not_reached, r.iterations_1e10, 0), text(true, r.setup_seconds, 4),
      text(solved, r.solve_seconds, 4), text(solved, r.seconds() / n * 1e9, 1),
      text(true, r.bytes / n, 1), text(r.all_bytes > 0, r.all_bytes / n, 1));
}

// Where the time of our own solver went, the longest first.
void print_stages() {
  std::vector<TimerRow> rows = timer_report();
  std::stable_sort(rows.begin(), rows.end(),
                   [](const TimerRow& p, const TimerRow& q) { return p.seconds > q.seconds; });
  for (const TimerRow& row : rows)
    fmt::print(stderr, "  {:<28} {:>6} calls {:>9.2f} ms\n", row.label, row.calls,
               row.seconds * 1e3);
}

// One problem and all that is measured on it.
class Bench {
 public:
  Bench(const Settings& settings, const PressureCase& c, double leaves)
      : settings_(settings), name_(c.name), problem_(c, leaves) {}

  std::size_t leaf_count() const { return problem_.leaf_count(); }

  void run() {
    for (const int count : settings_.threads) {
      set_threads(count);
      for (const std::string& solver : settings_.solvers) measure(solver, count);
    }
    set_threads(0);
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    fmt::print(stderr, "{}: {} leaves{}; peak memory {:.2f} GiB\n", name_, leaf_count(), notes_,
               static_cast<double>(usage.ru_maxrss) / (1 << 20));
  }

 private:
  // Other libraries are run with the last of the numbers of threads only.
  void measure(const std::string& solver, int thread_count) {
    const bool small = static_cast<double>(leaf_count()) <= settings_.others_up_to;
    if (!small && solver != "multigrid") return;
    for (const Rival& rival : rivals())
      if (rival.name == solver) {
        if (thread_count == settings_.threads.back()) print(solver, run(rival));
        return;
      }
    print(solver, run_own(problem_, preconditioner_named(solver), settings_.repeats));
    if (settings_.stages) print_stages();
  }

  MeasuredSolve run(const Rival& rival) {
    if (!system_) {
      system_.emplace(problem_);
      notes_ += fmt::format(
          ", {} unknowns, {:.1f} entries in a row", system_->size(),
          static_cast<double>(system_->entries()) / static_cast<double>(system_->size()));
    }
    MeasuredSolve result = rival.run(*system_, threads(), settings_.repeats);
    notes_ += fmt::format("; {} on {}: {}, residual {:.1e}", rival.name, threads(), result.setting,
                          result.residual);
    return result;
  }

  void print(const std::string& solver, const MeasuredSolve& solve) const {
    const Row row{name_, leaf_count(), solver, solve};
    settings_.json ? print_json(row) : print_line(row);
    std::fflush(stdout);
  }

  const Settings& settings_;
  std::string name_;
  PressureProblem problem_;
  std::optional<LinearSystem> system_;  // once it is needed
  std::string notes_;
};

std::vector<PressureCase> wanted_cases(const Settings& settings) {
  std::vector<PressureCase> all = pressure_cases(), wanted;
  for (const PressureCase& c : all)
    if (settings.cases.empty() || std::count(settings.cases.begin(), settings.cases.end(), c.name))
      wanted.push_back(c);
  return wanted;
}

std::vector<std::string> names_of_cases() {
  std::vector<std::string> names;
  for (const PressureCase& c : pressure_cases()) names.push_back(c.name);
  return names;
}

std::vector<std::string> names_of_solvers() {
  std::vector<std::string> names(preconditioner_names.begin(), preconditioner_names.end());
  for (const Rival& rival : rivals()) names.push_back(rival.name);
  return names;
}

// Two sizes may have the same tree as the nearest; then it is measured once.
void run_all(const Settings& settings) {
  const std::vector<PressureCase> cases = wanted_cases(settings);
  for (const PressureCase& c : cases) compare_matrices(c);
  if (!settings.json) print_heading();
  std::set<std::pair<std::string, std::size_t>> done;
  for (const double leaves : settings.leaves)
    for (const PressureCase& c : cases) {
      Bench bench(settings, c, leaves);
      if (done.emplace(c.name, bench.leaf_count()).second) bench.run();
    }
}

void add_options(CLI::App& app, Settings& settings) {
  auto list = [&](const char* name, auto& values, const char* what) {
    return app.add_option(name, values, what)->delimiter(',')->capture_default_str();
  };
  list("--leaves", settings.leaves, "sizes; a case takes the nearest it can have")
      ->check(CLI::Range(1e3, 1e8));
  list("--cases", settings.cases, "all, if not given")->check(CLI::IsMember(names_of_cases()));
  list("--solvers", settings.solvers, "our preconditioners, and other libraries")
      ->check(CLI::IsMember(names_of_solvers()));
  list("--threads", settings.threads,
       "numbers of threads, one after the other; 0 takes all; other libraries take the last")
      ->check(CLI::Range(0, 1024));
  app.add_option("--others-up-to", settings.others_up_to,
                 "leaves up to which other solvers than multigrid are run")
      ->capture_default_str();
  app.add_option("--repeats", settings.repeats, "runs of each; the best counts")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  app.add_flag("--json", settings.json, "a JSON object per row");
  app.add_flag("--stages", settings.stages, "also where the time of our own solver goes");
}

int run(int argc, char** argv) {
  Settings settings;
  for (const Rival& rival : rivals()) settings.solvers.push_back(rival.name);
  CLI::App app("Measures the pressure solver beside others on the same matrix");
  add_options(app, settings);
  if (const auto code = parse(app, argc, argv)) return *code;
  fmt::print(stderr, "octavo {} ({}, {})\n", build_info().version, build_info().march,
             build_info().compiler);
  for (const Rival& rival : rivals()) fmt::print(stderr, "{}: {}\n", rival.name, rival.what);
  if (rivals().size() < 2)
    fmt::print(stderr, "built without {} (see scripts/install-deps)\n",
               rivals().empty() ? "other solvers" : "one of the other solvers");
  run_all(settings);
  return 0;
}

}  // namespace
}  // namespace octavo::bench

int main(int argc, char** argv) {
  return octavo::bench::guarded("pressure", [=] { return octavo::bench::run(argc, argv); });
}
