#pragma once

// A state is what a simulation remembers from one step to the next, to be kept and to be gone on from:
//
//   const SavedState<3> now = smoke.state();     // looks at the simulation: copy it before the next step
//   ...
//   Smoke<3> again(domain, parameters);          // the same ones
//   again.restore(copy);
//
// Steps from there on are the same bit for bit as if nothing had been in between, with any number of
// threads. A frame in several steps decides on their number at its beginning, so keep states of its end.
//
// Fields are arrays under their names. What lives on no mesh (particles, triangles, counters) has further arrays and
// numbers, of any length; a space in their names keeps them apart from those of fields.

#include <cstdint>
#include <string_view>
#include <vector>

#include "octavo/base/saved_values.h"
#include "octavo/tree/key.h"

namespace octavo {

template <int Dim>
struct SavedState {
  double time = 0;  // s
  std::uint64_t steps = 0;
  View<const Key<Dim>> leaves{};
  std::vector<SavedNumber> numbers{};
  std::vector<SavedArray> arrays{};

  // This throws InputError if there is none of that name, or one of other values.
  double number(std::string_view name) const { return saved_number(numbers, name); }
  template <class T>
  View<const T> array(std::string_view name) const {
    return saved_array<T>(arrays, name);
  }
};

}  // namespace octavo
