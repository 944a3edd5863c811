#pragma once

// A scene says this about where its octree is fine.

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "octavo/operators/pressure_scheme.h"
#include "octavo/refinement/view_parameters.h"
#include "octavo/shapes/shape.h"
#include "octavo/tree/domain.h"

namespace octavo {

enum class RefineBy {
  objects,
  sources,
  vorticity,
  band,
  detail,
  velocity_variation,
  region,
  interface
};
inline constexpr std::array<std::string_view, 8> refine_by_names{
    "objects", "sources",  "vorticity", "density_band", "density_detail", "velocity_variation",
    "region",  "interface"};
constexpr std::string_view name(RefineBy r) { return refine_by_names[static_cast<std::size_t>(r)]; }

// These rules look at a field which has to be named, and not at the velocity.
constexpr bool looks_at_field(RefineBy r) {
  return r == RefineBy::band || r == RefineBy::detail || r == RefineBy::interface;
}
constexpr bool is_about_shapes(RefineBy r) {
  return r == RefineBy::objects || r == RefineBy::sources || r == RefineBy::region;
}

// One criterion says where the grid is to have `level`.
template <int Dim>
struct RefinementRule {
  RefineBy by = RefineBy::objects;
  std::string field{};                 // band, detail and interface: which one
  double above = 0;                    // vorticity, 1/s; detail; variation, 1/(m s)
  double low = 0.1, high = 0.3;        // band
  Vec<2> leaves{3, 3};                 // interface: of each level, inside and outside of it
  double within = 0;                   // objects, sources, region: this far from them, m
  std::optional<Shape<Dim>> region{};  // region: inside of this shape
  int level = max_level;               // never finer than the finest level of all
  double keep = 0.5;                   // of the threshold, above which what was refined is kept
  bool always = false;                 // objects, sources, region: whatever the view allows
};

template <int Dim>
struct RefinementParameters {
  int min_level = 3, max_level = 6;
  std::vector<RefinementRule<Dim>> rules;
  std::vector<std::function<int(const Leaf<Dim>&)>>
      criteria;                // further ones: see adapt/criterion.h
  double margin = 1;           // cells around what a rule asks for
  double hysteresis = 1;       // cells; see adapt.h
  int grading = 0;             // largest difference in level between leaves that touch; 0: any
  std::size_t max_leaves = 0;  // thresholds rise until there are no more; 0: any number
  ViewParameters view{};

  // Throws InputError for values that make no sense.
  void check(const Domain<Dim>& domain) const;
};

}  // namespace octavo
