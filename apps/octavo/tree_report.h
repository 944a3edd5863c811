#pragma once

// This is what `octavo tree` says about a grid, as text or as JSON.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "octavo/base/build_info.h"
#include "octavo/mesh/grid.h"
#include "octavo/tree/change.h"
#include "tree_command.h"

namespace octavo {

struct Seconds {
  double tree = 0, mesh = 0, adapt = 0, files = 0;
};

template <int Dim>
nlohmann::ordered_json json_report(const Grid<Dim>& grid, const TreeOptions& options,
                                   const Seconds& seconds, const std::vector<std::string>& files) {
  const auto& mesh = grid.mesh();
  return {{"version", build_info().version},
          {"march", build_info().march},
          {"compiler", build_info().compiler},
          {"threads", threads()},
          {"shape", options.shape},
          {"dim", Dim},
          {"deepest_level", grid.tree().deepest_level()},
          {"largest_jump", largest_jump(grid.tree())},
          {"leaves", mesh.leaf_count()},
          {"faces", mesh.face_count()},
          {"nodes", mesh.node_count()},
          {"hanging_nodes", mesh.hanging_count()},
          {"octree_bytes", grid.tree().bytes()},
          {"mesh_bytes", mesh.bytes()},
          {"tree_seconds", seconds.tree},
          {"mesh_seconds", seconds.mesh},
          {"adapt_seconds", seconds.adapt},
          {"file_seconds", seconds.files},
          {"files", files}};
}

template <int Dim>
void print_report(const Grid<Dim>& grid, const TreeOptions& options, const Seconds& seconds,
                  const std::vector<std::string>& files) {
  const auto& mesh = grid.mesh();
  const auto n = static_cast<double>(mesh.leaf_count());
  const Vec<Dim> size = grid.tree().domain().box().size();
  const int deepest = grid.tree().deepest_level();
  std::string box, effective;
  double dense = 1;
  for (int a = 0; a < Dim; ++a) {
    const double cells = std::ldexp(grid.tree().domain().roots[a], deepest);
    box += fmt::format("{}{:.4g}", a == 0 ? "" : " x ", size[a]);
    effective += fmt::format("{}{:.0f}", a == 0 ? "" : " x ", cells);
    dense *= cells;
  }
  fmt::print("octavo {}, {} build ({}), {} threads\n", build_info().version, build_info().march,
             build_info().compiler, threads());
  fmt::print("{} in a box of {} m, finest level {}: effective {}\n", options.shape, box, deepest,
             effective);
  fmt::print("  leaves  {:>12}   {:.3g} times fewer than the uniform grid\n", mesh.leaf_count(),
             dense / n);
  fmt::print("  faces   {:>12}\n", mesh.face_count());
  fmt::print("  nodes   {:>12}   {} of them hanging; largest jump {} levels\n", mesh.node_count(),
             mesh.hanging_count(), largest_jump(grid.tree()));
  fmt::print("  bytes   {:>12}   {:.0f} per leaf for the octree, {:.0f} for the mesh\n",
             grid.bytes(), static_cast<double>(grid.tree().bytes()) / n,
             static_cast<double>(mesh.bytes()) / n);
  fmt::print("  seconds {:>12.4f}   octree; mesh {:.4f}; files {:.3f}{}\n", seconds.tree,
             seconds.mesh, seconds.files,
             options.frames > 1
                 ? fmt::format("; adapt {:.4f} a frame", seconds.adapt / (options.frames - 1))
                 : "");
  if (options.timers)
    for (const TimerRow& row : timer_report())
      fmt::print("  {:<26} {:>8} calls {:>10.4f} s\n", row.label, row.calls, row.seconds);
  if (options.frames > 1)
    fmt::print("wrote {} to {}\n", files.front(), files[files.size() - 2]);
  else
    fmt::print("wrote {}\n", files.front());
  fmt::print("wrote {}\n", files.back());
}

}  // namespace octavo
