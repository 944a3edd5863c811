#pragma once

// These checks say what numbers may not be: each names the value in its sentence.

#include <cmath>
#include <string>

#include "octavo/base/error.h"
#include "octavo/base/vec.h"

namespace octavo {

template <int Dim>
bool is_finite(const Vec<Dim>& v) {
  bool finite = true;
  for (int a = 0; a < Dim; ++a) finite = finite && std::isfinite(v[a]);
  return finite;
}

// This writes a vector as "(1, 2.5, nan)".
template <int Dim>
std::string in_words(const Vec<Dim>& v) {
  std::string text;
  for (int a = 0; a < Dim; ++a) text += fmt::format("{}{}", a == 0 ? "(" : ", ", v[a]);
  return text + ")";
}

inline void check_finite(const char* what, double value) {
  if (!std::isfinite(value)) throw InputError("{} must be a finite number, not {}", what, value);
}

template <int Dim>
void check_finite(const char* what, const Vec<Dim>& v) {
  if (!is_finite(v)) throw InputError("{} must have finite numbers, not {}", what, in_words(v));
}

inline void check_positive(const char* what, double value) {
  if (!(value > 0 && std::isfinite(value)))
    throw InputError("{} must be a finite number above 0, not {}", what, value);
}

inline void check_not_negative(const char* what, double value) {
  if (!(value >= 0 && std::isfinite(value)))
    throw InputError("{} must be zero or a positive number, not {}", what, value);
}

}  // namespace octavo
