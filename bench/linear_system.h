#pragma once

// The pressure equation as others want it: the matrix as compressed rows, and a right-hand side.

#include "pressure_cases.h"

namespace octavo::bench {

class LinearSystem {
 public:
  explicit LinearSystem(const PressureProblem& problem);

  // One unknown for each liquid leaf in the order of the leaves. Those that no open face connects
  // with anything are left out: their rows would be empty.
  Buffer<LeafId> leaf;
  Buffer<int> row_begin, column;  // columns of a row in ascending order
  Buffer<double> value, rhs;

  std::size_t size() const { return leaf.size(); }
  std::size_t entries() const { return column.size(); }
  View<const int> columns(std::size_t row) const { return part(column, row); }
  View<const double> values(std::size_t row) const { return part(value, row); }
  double product(std::size_t row, View<const double> x) const;  // of that row and x

  // The first unknown of every closed component.
  std::vector<std::size_t> first_of_closed_components() const;

  struct Entry {
    LeafId leaf;
    double value;
  };
  using Row = std::vector<Entry>;

 private:
  template <class T>
  View<const T> part(const Buffer<T>& entries_of_all, std::size_t row) const {
    const int begin = row_begin[row], end = row_begin[row + 1];
    return {entries_of_all.data() + begin, static_cast<std::size_t>(end - begin)};
  }
  bool is_closed_component(std::size_t first, std::vector<char>& seen) const;

  struct Part {  // rows of a block of leaves
    std::vector<LeafId> leaf;
    std::vector<int> length;
    Row entries;
  };
  static void add_row(const PressureFaces<3, float>& faces, LeafId leaf, Row& row, Row& spare,
                      Part& part);
  void join(std::vector<Part>& parts);
  void number_columns(std::size_t leaves);
};

}  // namespace octavo::bench
