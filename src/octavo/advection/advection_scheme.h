#pragma once

// Fields are advected by a scheme, chosen by name. A(f) is one semi-Lagrangian step of dt, A'(f) one of -dt.
//
//   semi_lagrangian   f' = A(f). Stam 1999; Losasso 2004. First order, never unstable.
//   maccormack        f^ = A(f),  f' = f^ + (f - A'(f^)) / 2. Selle et al. 2008. Second order.
//   bfecc             f' = A(f + (f - A'(A(f))) / 2). Kim et al. 2005. Second order.
//
// The last two are limited to the values of the stencil around the point of departure, so that they
// make no new extrema and are as stable as the first.

#include <array>
#include <string_view>

#include "octavo/operators/pressure_scheme.h"

namespace octavo {

enum class AdvectionScheme { semi_lagrangian, maccormack, bfecc };

inline constexpr std::array<std::string_view, 3> advection_scheme_names{"semi_lagrangian",
                                                                        "maccormack", "bfecc"};
constexpr std::string_view name(AdvectionScheme s) {
  return advection_scheme_names[static_cast<std::size_t>(s)];
}
inline AdvectionScheme advection_scheme_named(std::string_view wanted) {
  return value_named<AdvectionScheme>(advection_scheme_names, wanted, "advection scheme");
}

}  // namespace octavo
