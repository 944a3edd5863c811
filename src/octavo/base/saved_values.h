#pragma once

// What is saved of a simulation are arrays and numbers under their names. Who saves shows its own memory, to be copied
// before it changes; who restores looks names up.

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "octavo/base/buffer.h"
#include "octavo/base/error.h"

namespace octavo {

using SavedValues = std::variant<View<const float>, View<const double>, View<const std::int32_t>,
                                 View<const std::uint64_t>>;

struct SavedArray {
  std::string name;
  SavedValues values;
};
struct SavedNumber {
  std::string name;
  double value;
};

// These throw InputError if there is none of that name, or one of other values.
inline double saved_number(const std::vector<SavedNumber>& numbers, std::string_view name) {
  for (const SavedNumber& n : numbers)
    if (n.name == name) return n.value;
  throw InputError("the saved state has no {}", name);
}
template <class T>
View<const T> saved_array(const std::vector<SavedArray>& arrays, std::string_view name) {
  for (const SavedArray& a : arrays) {
    if (a.name != name) continue;
    if (const auto* values = std::get_if<View<const T>>(&a.values)) return *values;
    throw InputError("the saved {} has values of another type", name);
  }
  throw InputError("the saved state has no {}", name);
}

}  // namespace octavo
