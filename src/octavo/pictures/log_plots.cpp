#include "octavo/pictures/log_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>

#include "octavo/scene/kinds.h"

namespace octavo {
namespace {

using Frame = RunHistory::Frame;
using Value = std::optional<double>;

Value number(const LogNumbers& numbers, const std::string& key) {
  const auto found = numbers.find(key);
  return found == numbers.end() ? std::nullopt : Value(found->second);
}

// This is what is known of a frame: all its steps, or, where they are not in the log, what it says of the
// frame.
std::vector<const LogNumbers*> records(const Frame& frame) {
  std::vector<const LogNumbers*> found;
  for (const LogNumbers& step : frame.steps) found.push_back(&step);
  if (found.empty() && frame.whole) found.push_back(&*frame.whole);
  return found;
}

// It is the value of the last step.
Value last(const Frame& frame, const std::string& key) {
  const auto all = records(frame);
  return all.empty() ? std::nullopt : number(*all.back(), key);
}

Value largest(const Frame& frame, const std::string& key) {
  Value most;
  for (const LogNumbers* r : records(frame))
    if (const Value v = number(*r, key)) most = std::max(most.value_or(*v), *v);
  return most;
}

// It is the sum over all steps; it is none before the frame is done, when it would be too little.
Value sum(const Frame& frame, const std::vector<std::string>& keys) {
  if (!frame.whole) return {};
  Value total;
  for (const LogNumbers* r : records(frame))
    for (const std::string& key : keys)
      if (const Value v = number(*r, key)) total = total.value_or(0) + *v;
  return total;
}

Value iterations_per_step(const Frame& frame) {
  const Value iterations = sum(frame, {"iterations"}), steps = sum(frame, {"substeps"});
  return iterations && steps && *steps > 0 ? Value(*iterations / *steps) : std::nullopt;
}

Value bytes_per_leaf(const Frame& frame) {
  const Value bytes = largest(frame, "peak_bytes"), leaves = largest(frame, "leaves");
  return bytes && leaves && *leaves > 0 ? Value(*bytes / *leaves) : std::nullopt;
}

// It is the whole time that a frame took, with its files.
Value seconds(const Frame& frame) {
  const Value computed = sum(frame, {"seconds.total"});
  if (!computed) return {};
  return *computed + number(*frame.whole, "output_seconds").value_or(0);
}

// The curve has a point for each frame that has a value.
Plot::Curve by_frame(const RunHistory& run, const std::string& name,
                     const std::function<Value(const Frame&)>& value) {
  Plot::Curve curve{name, {}};
  for (const auto& [index, frame] : run.frames)
    if (const Value v = value(frame)) curve.points.push_back({static_cast<double>(index), *v});
  return curve;
}

// The curve has a point for each step.
Plot::Curve by_time(const RunHistory& run, const std::string& name, const std::string& key) {
  Plot::Curve curve{name, {}};
  for (const auto& [index, frame] : run.frames)
    for (const LogNumbers* r : records(frame)) {
      const Value time = number(*r, "time"), v = number(*r, key);
      if (time && v) curve.points.push_back({*time, *v});
    }
  return curve;
}

// It tells what the stages of a step are called in a plot; what takes little time is counted with its kind.
struct PhasePlot {
  const char* name;
  std::vector<std::string> keys;
};
std::vector<Plot::Curve> stages_of(const RunHistory& run) {
  const std::array<PhasePlot, 5> stages{
      {{"pressure", {"seconds.pressure"}},
       {"advection", {"seconds.advection"}},
       {"surface", {"seconds.surface"}},
       {"octree and mesh", {"seconds.criteria", "seconds.mesh"}},
       {"solids, forces, sums", {"seconds.obstacles", "seconds.forces", "seconds.report"}}}};
  std::vector<Plot::Curve> curves{by_frame(run, "all", seconds)};
  for (const PhasePlot& stage : stages) {
    auto curve =
        by_frame(run, stage.name, [&](const Frame& frame) { return sum(frame, stage.keys); });
    if (!curve.points.empty()) curves.push_back(std::move(curve));
  }
  curves.push_back(by_frame(run, "files", [](const Frame& frame) {
    return frame.whole ? number(*frame.whole, "output_seconds") : std::nullopt;
  }));
  return curves;
}

// These are the fields of which the logs have totals.
std::vector<std::string> totals(const std::vector<RunHistory>& runs) {
  const std::string prefix = "total_";
  std::set<std::string> found;
  for (const RunHistory& run : runs)
    for (const auto& [index, frame] : run.frames)
      for (const LogNumbers* r : records(frame))
        for (auto at = r->lower_bound(prefix); at != r->end() && at->first.starts_with(prefix);
             ++at)
          found.insert(at->first.substr(prefix.size()));
  return {found.begin(), found.end()};
}

bool is_mass(const std::string& field) { return known_field(field).role == FieldRole::haze; }

Plot total_plot(const std::string& field) {
  return {is_mass(field) ? "Mass of smoke" : "Total of " + field, "time, s",
          fmt::format("integral of the {}", field)};
}

class LogPlots {
 public:
  explicit LogPlots(const std::vector<RunHistory>& runs) : runs_(runs) {
    for (const RunHistory& run : runs) title_ += (title_.empty() ? "" : ", ") + run.name;
    if (title_.size() > 60) title_ = std::to_string(runs.size()) + " runs";
  }

  // A plot is left out if there is nothing to see.
  void add(const std::string& name, Plot plot) {
    std::erase_if(plot.curves, [](const Plot::Curve& c) { return c.points.empty(); });
    if (plot.curves.empty()) return;
    plot.title += ": " + title_;
    plots_.push_back({name, std::move(plot)});
  }

  // There is a curve for each run.
  void add_frames(const std::string& name, Plot plot,
                  const std::function<Value(const Frame&)>& value) {
    for (const RunHistory& run : runs_)
      plot.curves.push_back(by_frame(run, curve_name(run), value));
    add(name, std::move(plot));
  }
  void add_times(const std::string& name, Plot plot, const std::string& key) {
    for (const RunHistory& run : runs_) plot.curves.push_back(by_time(run, curve_name(run), key));
    add(name, std::move(plot));
  }

  std::vector<LogPlot> take() { return std::move(plots_); }

 private:
  // One run needs no legend.
  std::string curve_name(const RunHistory& run) const { return runs_.size() == 1 ? "" : run.name; }

  const std::vector<RunHistory>& runs_;
  std::string title_;
  std::vector<LogPlot> plots_;
};

}  // namespace

std::vector<LogPlot> log_plots(const std::vector<RunHistory>& runs) {
  LogPlots plots(runs);
  plots.add_frames("leaves", {"Leaves", "frame", "leaves"},
                   [](const Frame& f) { return last(f, "leaves"); });
  if (runs.size() == 1)
    plots.add("seconds", {"Seconds per frame", "frame", "seconds", stages_of(runs.front())});
  else
    plots.add_frames("seconds", {"Seconds per frame", "frame", "seconds"}, seconds);
  plots.add_frames("iterations", {"Iterations", "frame", "of the pressure, per step"},
                   iterations_per_step);
  for (const std::string& field : totals(runs))
    plots.add_times(is_mass(field) ? "mass" : "total_" + field, total_plot(field),
                    "total_" + field);
  plots.add_times("energy", {"Kinetic energy", "time, s", "kinetic energy / density of air"},
                  "kinetic_energy");
  Plot divergence{"Divergence left", "frame", "largest, 1/s"};
  divergence.log_y = true;
  plots.add_frames("divergence", divergence,
                   [](const Frame& f) { return largest(f, "largest_divergence"); });
  plots.add_frames("memory", {"Memory per leaf", "frame", "bytes"}, bytes_per_leaf);
  return plots.take();
}

}  // namespace octavo
