#include "view_table.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <span>

#include "octavo/base/error.h"
#include "octavo/draw/plot.h"
#include "octavo/io/atomic_file.h"
#include "octavo/io/files.h"
#include "scene_texts.h"
#include "shot_table.h"

namespace octavo {
namespace {

// This is Table 1 of Bunlutangtum and Kanongchaiyos 2011, on two cores of 2.4 GHz: tau = 0, the uniform grid, tau =
// 1, 2, 5, 10.
std::vector<ShotCase> cases_of(const std::array<PublishedRate, 6>& table) {
  std::vector<ShotCase> cases;
  for (const int tau : {0, 1, 2, 5, 10})
    cases.push_back({.name = fmt::format("octree, tau = {}", tau),
                     .overrides = {fmt::format("view.tau={}", tau)},
                     .tau = tau});
  cases.insert(cases.begin() + 1,
               {.name = "uniform", .overrides = {"view.tau=0"}, .uniform = true});
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].published = table[i];
  return cases;
}

// These are the tables of all domains, or of the one that is asked for.
std::vector<ShotTable> tables_of(const ReproduceOptions& options, std::span<const ShotSet> sets) {
  std::vector<ShotTable> tables;
  std::vector<std::string_view> names;
  for (const ShotSet& set : sets) {
    names.emplace_back(set.name);
    if (options.domain.empty() || options.domain == set.name) tables.emplace_back(options, set);
  }
  if (tables.empty())
    throw InputError("there is no domain '{}' here; those that there are: {}", options.domain,
                     fmt::join(names, ", "));
  if (!options.pictures.empty()) make_folder(options.pictures);
  return tables;
}

void add_figure_9(const ShotTable& table, Plot& plot) {
  std::vector<Vec2d> nodes, rates;
  const Shot& first = table.rows().front().shot;
  for (const ShotRow& row : table.rows())
    if (row.which.tau) {
      nodes.push_back(
          {*row.which.tau, row.shot.mean(&ShotFrame::nodes) / first.mean(&ShotFrame::nodes)});
      rates.push_back({*row.which.tau, first.seconds() / row.shot.seconds()});
    }
  plot.curves.push_back({fmt::format("{}, nodes", table.set().name), nodes});
  plot.curves.push_back({fmt::format("{}, frames per second", table.set().name), rates});
}

}  // namespace

void run_view_table(const ReproduceOptions& options) {
  const std::array<ShotSet, 2> sets{{{"128 x 80 x 48", scene_text_figure_6,
                                      cases_of({{{.110, NAN},
                                                 {.111, NAN},
                                                 {.118, 7.28},
                                                 {.125, 14.10},
                                                 {.139, 26.57},
                                                 {.158, 44.13}}})},
                                     {"128 x 80 x 96", scene_text_figure_8,
                                      cases_of({{{.061, NAN},
                                                 {.052, NAN},
                                                 {.064, 6.03},
                                                 {.068, 11.77},
                                                 {.091, 49.14},
                                                 {.133, 118.67}}})}}};
  std::vector<ShotTable> tables = tables_of(options, sets);
  std::optional<AtomicFile> picture;
  if (!options.plot.empty()) picture.emplace(options.plot);
  if (!options.json)
    fmt::print(
        "Smoke on an octree that is refined where the velocity varies, by thresholds that rise "
        "with\n"
        "the distance from the camera: Bunlutangtum, Kanongchaiyos 2011, table 1 and figure 9. "
        "Faster:\n"
        "than the octree with tau = 0; so are pictures, the work of buoyancy and the height "
        "compared.\n");
  Plot plot{"Nodes and frame rates over the view-dependent coefficient", "tau",
            "of those at tau = 0"};
  for (ShotTable& table : tables) {
    table.run();
    add_figure_9(table, plot);
  }
  if (!picture) return;
  picture->write(svg(plot));
  picture->commit();
}

void run_view_shots(const ReproduceOptions& options) {
  const std::array<ShotSet, 2> sets{
      {{.name = "128 x 80 x 96",
        .scene = scene_text_figure_8,
        .cases = {{.name = "octree without a view", .overrides = {"view.tau=0"}},
                  {.name = "tau, pixels, hidden",
                   .overrides = {"view.tau=35", "view.finest_pixels=2", "view.coarsest_pixels=6",
                                 "view.seen_density=0.2", "view.outside=2", "view.hidden=2"}}},
        .every = 1},
       {.name = "corridor",
        .scene = scene_text_corridor,
        .cases = {{.name = "octree without a view",
                   .overrides = {"view.outside=0", "view.hidden=0", "view.finest_pixels=0"}},
                  {.name = "pixels, outside, hidden", .overrides = {}}},
        .every = 1}}};
  ReproduceOptions quick =
      options;  // what is compared are smoke and light; edges of solids are the same in both
  quick.set.insert(quick.set.begin(), "render.samples=2");
  std::vector<ShotTable> tables = tables_of(quick, sets);
  if (!options.json)
    fmt::print(
        "Smoke on an octree that is coarse where the camera cannot tell: leaves against pixels, "
        "outside of\n"
        "the picture, behind walls and dense smoke; in the first scene with thresholds that rise "
        "with the\n"
        "distance, too (tau = 35). Faster: than the octree without a view; so are pictures, the "
        "work of\n"
        "buoyancy and the height compared. Drop: of the PSNR from one frame to the next.\n");
  for (ShotTable& table : tables) table.run();
}

}  // namespace octavo
