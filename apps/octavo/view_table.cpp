#include "view_table.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "octavo/base/error.h"
#include "octavo/io/atomic_file.h"
#include "octavo/render/plot.h"
#include "reproduce_tools.h"
#include "scene_texts.h"
#include "shot.h"

namespace octavo {
namespace {

// What Bunlutangtum and Kanongchaiyos 2011 give in table 1: frames per second on two cores of 2.4 GHz, and how much
// faster that is than the octree with tau = 0, %.
struct PublishedRate {
  double fps, faster;
};

struct ViewCase {
  std::string name;
  std::vector<std::string> overrides;
  std::optional<PublishedRate> published{};
  std::optional<double> tau{};
};

struct ViewSet {
  const char* name;
  const char* scene;
  std::vector<ViewCase> cases;
};

constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

std::vector<ViewCase> cases_of(const std::vector<PublishedRate>& table) {
  std::vector<ViewCase> cases{{"uniform", {"grid.min_level=2", "view.tau=0"}, table[0]}};
  const std::array<int, 5> taus{0, 1, 2, 5, 10};
  for (std::size_t i = 0; i < taus.size(); ++i)
    cases.push_back({fmt::format("octree, tau = {}", taus[i]),
                     {fmt::format("view.tau={}", taus[i])},
                     table[i + 1],
                     taus[i]});
  return cases;
}

// What a run is compared with: the octree without view dependence.
constexpr std::string_view reference_name = "octree, tau = 0";

struct ViewRow {
  const ViewCase& which;
  Shot shot;
};

class ViewTable {
 public:
  ViewTable(const ReproduceOptions& options, const ViewSet& set) : options_(options), set_(set) {
    if (options_.json) return;
    fmt::print("\n{}\n\n{:<26}{:>9}{:>11}{:>10}{:>10}{:>10}{:>9}{:>10}{:>10}\n", set.name, "",
               "frames/s", "nodes", "faster", "least", "paper's", "paper's", "work", "height");
    fmt::print("{:<26}{:>9}{:>11}{:>10}{:>10}{:>10}{:>9}{:>10}{:>10}\n", "", "", "mean", "%",
               "PSNR, dB", "fps", "faster", "off, %", "off, %");
  }

  void run() {
    // The reference first, since everything is compared with it.
    for (const bool first : {true, false})
      for (const ViewCase& c : set_.cases)
        if ((c.name == reference_name) == first) add(c);
  }
  const std::vector<ViewRow>& rows() const { return rows_; }

 private:
  void add(const ViewCase& c) {
    std::vector<std::string> overrides = c.overrides;
    if (options_.frames)
      overrides.push_back(fmt::format("output.frames=[1, {}]", *options_.frames));
    const SceneFile file = parse_scene(set_.scene, set_.name, ".", overrides);
    rows_.push_back({c, run_shot(file, {.every = 4, .name = c.name})});
    print(rows_.back());
    std::fflush(stdout);  // runs take minutes; whoever reads along wants to see each
  }

  void print(const ViewRow& row) const {
    const Shot &reference = rows_.front().shot, &shot = row.shot;
    const bool itself = &reference == &shot;
    const double faster = 100 * (reference.seconds() / shot.seconds() - 1);
    const double quality = itself ? HUGE_VAL : least_psnr(reference, shot);
    const BehaviourDifference off = behaviour_difference(reference, shot);
    if (options_.json) {
      nlohmann::ordered_json line{{"domain", set_.name},
                                  {"case", row.which.name},
                                  {"frames_per_second", shot.frames_per_second()},
                                  {"mean_nodes", shot.mean(&ShotFrame::nodes)},
                                  {"mean_leaves", shot.mean(&ShotFrame::leaves)},
                                  {"speed_up_percent", faster},
                                  {"work_difference", off.work},
                                  {"height_difference", off.height}};
      if (!itself) line["least_psnr_db"] = quality;
      if (row.which.published) {
        line["paper_frames_per_second"] = row.which.published->fps;
        if (std::isfinite(row.which.published->faster))
          line["paper_speed_up_percent"] = row.which.published->faster;
      }
      return fmt::print("{}\n", line.dump());
    }
    auto number = [](double value, const char* format) {
      return std::isfinite(value) ? fmt::format(fmt::runtime(format), value) : std::string();
    };
    const PublishedRate paper = row.which.published.value_or(PublishedRate{unknown, unknown});
    fmt::print("{:<26}{:>9.3f}{:>11.0f}{:>10.1f}{:>10}{:>10}{:>9}{:>10.2f}{:>10.2f}\n",
               row.which.name, shot.frames_per_second(), shot.mean(&ShotFrame::nodes), faster,
               number(quality, "{:.1f}"), number(paper.fps, "{:.3f}"),
               number(paper.faster, "{:.1f}"), 100 * off.work, 100 * off.height);
  }

  const ReproduceOptions& options_;
  const ViewSet& set_;
  std::vector<ViewRow> rows_;
};

}  // namespace

void run_view_table(const ReproduceOptions& options) {
  std::optional<AtomicFile> picture;
  if (!options.plot.empty()) picture.emplace(options.plot);
  const std::array<ViewSet, 2> sets{{{"128 x 80 x 48", scene_text_figure_6,
                                      cases_of({{.111, unknown},
                                                {.110, unknown},
                                                {.118, 7.28},
                                                {.125, 14.10},
                                                {.139, 26.57},
                                                {.158, 44.13}})},
                                     {"128 x 80 x 96", scene_text_figure_8,
                                      cases_of({{.052, unknown},
                                                {.061, unknown},
                                                {.064, 6.03},
                                                {.068, 11.77},
                                                {.091, 49.14},
                                                {.133, 118.67}})}}};
  if (!options.json)
    fmt::print(
        "Smoke on an octree that is refined where the velocity varies, by thresholds that rise "
        "with\n"
        "the distance from the camera: Bunlutangtum, Kanongchaiyos 2011, table 1 and figure 9. "
        "Faster:\n"
        "than the octree with tau = 0; so are pictures, the work of buoyancy and the height "
        "compared.\n");
  Plot rates{"Frames per second over the view-dependent coefficient", "tau", "frames per second"};
  for (const ViewSet& set : sets) {
    ViewTable table(options, set);
    table.run();
    std::vector<Vec2d> points;
    for (const ViewRow& row : table.rows())
      if (row.which.tau) points.push_back({*row.which.tau, row.shot.frames_per_second()});
    rates.curves.push_back({set.name, points});
  }
  if (!picture) return;
  picture->write(svg(rates));
  picture->commit();
}

void run_view_shots(const ReproduceOptions& options) {
  const std::vector<std::string> off{"view.outside=0", "view.hidden=0", "view.finest_pixels=0"};
  const std::array<ViewSet, 2> sets{
      {{"128 x 80 x 96",
        scene_text_figure_8,
        {{std::string(reference_name), {"view.tau=0"}},
         {"pixels, hidden",
          {"view.tau=0", "view.finest_pixels=2", "view.hidden=2", "view.outside=2"}}}},
       {"corridor",
        scene_text_corridor,
        {{std::string(reference_name), off}, {"pixels, outside, hidden", {}}}}}};
  for (const ViewSet& set : sets) ViewTable(options, set).run();
}

}  // namespace octavo
