#pragma once

// A state of a simulation, kept apart from it.

#include "octavo/flow/saved_state.h"

namespace octavo::test {

template <int Dim, class Real = float>
struct KeptState {
  struct Array {
    std::string name;
    Buffer<Real> values;
  };
  double time = 0;
  std::uint64_t steps = 0;
  Buffer<Key<Dim>> leaves;
  std::vector<SavedNumber> numbers;
  std::vector<Array> arrays;

  KeptState() = default;
  explicit KeptState(const SavedState<Dim>& s) : time(s.time), steps(s.steps), numbers(s.numbers) {
    keep(s.leaves, leaves);
    for (const SavedArray& a : s.arrays) keep(s.template array<Real>(a.name), add(a.name));
  }

  double& number(std::string_view name) { return named(numbers, name).value; }
  Buffer<Real>& array(std::string_view name) { return named(arrays, name).values; }
  Buffer<Real>& add(const std::string& name) {
    arrays.push_back({name, {}});
    return arrays.back().values;
  }

  SavedState<Dim> state() const {
    SavedState<Dim> s{.time = time, .steps = steps, .leaves = leaves.view(), .numbers = numbers};
    for (const Array& a : arrays) s.arrays.push_back({a.name, a.values.view()});
    return s;
  }

 private:
  template <class T>
  static void keep(View<const T> from, Buffer<T>& to) {
    to.resize(from.size());
    std::copy(from.begin(), from.end(), to.begin());
  }
  template <class T>
  static T& named(std::vector<T>& all, std::string_view name) {
    for (T& one : all)
      if (one.name == name) return one;
    throw InvariantError(fmt::format("no state has a '{}'", name));
  }
};

}  // namespace octavo::test
