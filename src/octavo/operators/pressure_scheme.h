#pragma once

// A scheme says how the pressure gradient on a face is formed from the pressures of leaves. All schemes are the
// usual central difference between equal leaves; they differ where a large leaf L meets smaller ones i across
// one of its faces (areas s_i, s = sum s_i):
//
//   losasso04   (p_L - p_i) / Delta for each smaller leaf by itself: Losasso, Gibou, Fedkiw 2004,
//               section 4.2. First order. Delta is left open by the paper; see GradientDistance.
//   losasso06   one gradient for the whole face of L: Losasso, Fedkiw, Osher 2006. Second order.
//                 G = (p_L - sum a_i p_i) / Delta,  a_i = s_i / s,  Delta = sum a_i (h_L + h_i) / 2
//   losasso06s  losasso06 with one shared velocity on the whole face as well: the projection is then
//               orthogonal in the norm sum s Delta u^2, so that it never adds energy.
//
// A free surface asks for more: a *row*, a whole face of the larger leaf, is cut if it has liquid and dry leaves.
// With whole faces there are three ways to make such rows (pressure/cut_rows.h has the formulae):
//
//   secant       rows over all their leaves, weighted by where the surface is (Ando, Batty 2020); those for which no
//                positive weight is right are coupled to others. Still water stays still on any tree.
//   clamped      the same, but such rows get hardly any weight and act as walls. Kept to compare with.
//   ghost_fluid  a difference to the surface for every pair of a liquid and a dry leaf (Gibou 2002). Kept to compare
//                with; losasso04 has nothing else.

#include <array>
#include <string>
#include <string_view>

#include "octavo/base/error.h"

namespace octavo {

enum class GradientScheme { losasso04, losasso06, losasso06s };

// This is what losasso04 divides by: the distance of the centres along the face's normal, the size of the large
// leaf, that of the small one, or the distance of the centres in space. Only the first is exact for a pressure
// that is linear along the normal.
enum class GradientDistance { orthogonal, large, small, euclidean };

enum class SurfaceRows { secant, clamped, ghost_fluid };

struct PressureScheme {
  GradientScheme scheme = GradientScheme::losasso06s;
  GradientDistance delta = GradientDistance::orthogonal;  // losasso04 only
  SurfaceRows surface_rows = SurfaceRows::secant;         // not for losasso04

  constexpr bool whole_faces() const { return scheme != GradientScheme::losasso04; }
  constexpr bool shares_velocity() const { return scheme == GradientScheme::losasso06s; }
  constexpr bool has_ghost_fluid() const {
    return !whole_faces() || surface_rows == SurfaceRows::ghost_fluid;
  }
};

inline constexpr std::array<std::string_view, 3> gradient_scheme_names{"losasso04", "losasso06",
                                                                       "losasso06s"};
inline constexpr std::array<std::string_view, 4> gradient_distance_names{"orthogonal", "large",
                                                                         "small", "euclidean"};
inline constexpr std::array<std::string_view, 3> surface_rows_names{"secant", "clamped",
                                                                    "ghost_fluid"};

constexpr std::string_view name(GradientScheme s) {
  return gradient_scheme_names[static_cast<std::size_t>(s)];
}
constexpr std::string_view name(GradientDistance d) {
  return gradient_distance_names[static_cast<std::size_t>(d)];
}
constexpr std::string_view name(SurfaceRows r) {
  return surface_rows_names[static_cast<std::size_t>(r)];
}

// This finds the value of an enumeration that has a name; an unknown name is an InputError that lists them all.
template <class Enum, std::size_t Count>
Enum value_named(const std::array<std::string_view, Count>& names, std::string_view wanted,
                 std::string_view what) {
  std::string all;
  for (std::size_t i = 0; i < Count; ++i) {
    if (names[i] == wanted) return static_cast<Enum>(i);
    all += (i == 0 ? "" : ", ") + std::string(names[i]);
  }
  throw InputError("there is no {} '{}'; there are: {}", what, wanted, all);
}

inline GradientScheme gradient_scheme_named(std::string_view wanted) {
  return value_named<GradientScheme>(gradient_scheme_names, wanted, "pressure scheme");
}
inline GradientDistance gradient_distance_named(std::string_view wanted) {
  return value_named<GradientDistance>(gradient_distance_names, wanted, "gradient distance");
}
inline SurfaceRows surface_rows_named(std::string_view wanted) {
  return value_named<SurfaceRows>(surface_rows_names, wanted, "kind of rows at the surface");
}

}  // namespace octavo
